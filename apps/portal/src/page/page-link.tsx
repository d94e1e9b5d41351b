import { Anchor } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** A link to another page of the portal. */
export const PageLink = createLink(Anchor<'a'>)
