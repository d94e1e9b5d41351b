import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

/** In the order in which the button goes round. */
const schemes = [
  { scheme: 'auto', label: 'as the system', Icon: IconDeviceDesktop },
  { scheme: 'light', label: 'light', Icon: IconSun },
  { scheme: 'dark', label: 'dark', Icon: IconMoon },
] as const

/** Light, dark, or as the system has it; the choice stays with this browser. */
export function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const at = schemes.findIndex(({ scheme }) => scheme === colorScheme)
  const { label, Icon } = schemes[at] ?? schemes[0]
  const next = schemes[(at + 1) % schemes.length] ?? schemes[0]
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={`Appearance: ${label}. Change to ${next.label}`}
      title={`Appearance: ${label}`}
      onClick={() => setColorScheme(next.scheme)}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}
