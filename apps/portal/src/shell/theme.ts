import { alpha, Anchor, Badge, createTheme, type CSSVariablesResolver, darken } from '@mantine/core'

/** Shades that stand out from their ground by 4.5 to 1 (WCAG 2.2, 1.4.3), which the library's own do not everywhere. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Colour alone does not tell a link from its text (WCAG 2.2, 1.4.1).
    Anchor: Anchor.extend({
      defaultProps: { underline: 'always' },
      // The line hides no underscore of a name.
      styles: { root: { textUnderlineOffset: '0.2em' } },
    }),
    // A word that is cut off in a narrow table tells nothing.
    Badge: Badge.extend({ styles: { root: { minWidth: 'max-content' } } }),
    // A page has one banner, which the header of a dialog is not (HTML Accessibility API Mappings, header).
    Modal: { defaultProps: { attributes: { header: { role: 'none' } } } },
  },
})

export const themeVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    // Badges, alerts and quiet buttons: text on a pale ground of its own colour.
    ...Object.fromEntries(
      Object.entries(colors).flatMap(([name, shades]) => [
        [`--mantine-color-${name}-light`, alpha(shades[5], 0.12)],
        [
          `--mantine-color-${name}-light-color`,
          darken(shades[9], warmColors.has(name) ? 0.45 : 0.2),
        ],
      ]),
    ),
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    ...Object.fromEntries(
      Object.entries(colors).flatMap(([name, shades]) => [
        [`--mantine-color-${name}-light`, alpha(shades[5], 0.13)],
        [`--mantine-color-${name}-light-color`, shades[2]],
      ]),
    ),
  },
})

/** Their darkest shade is still a bright one. */
const warmColors = new Set(['yellow', 'orange', 'lime', 'green', 'teal', 'cyan'])
