import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'

type AnchorAttributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>

/** A link that looks like a button: it leads to another page of the portal. */
export const ButtonLink = createLink((props: ButtonProps & AnchorAttributes) => (
  <Button component="a" {...props} />
))
