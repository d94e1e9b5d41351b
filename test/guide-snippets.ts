/** One fenced block of a guide, as a reader uses it. */
export type Snippet =
  /** Is typed into a shell. */
  | { readonly kind: 'command'; readonly code: string; readonly inAnotherTerminal: boolean }
  /** Is saved under a name. */
  | { readonly kind: 'file'; readonly name: string; readonly code: string }
  /** What the command before it prints; `…` is anything. */
  | { readonly kind: 'output'; readonly text: string; readonly ofAnotherTerminal: boolean }

/**
 * The snippets of a guide in their order. A fence of a language has the name under which its code is saved
 * (```` ```ts first.ts ````), `sh` is run, `output` is compared; `console`, `json`, `yaml` and the like are only shown.
 *
 * @throws {Error} for code that could not be run
 */
export function snippetsOf(guide: string): Snippet[] {
  return [...guide.matchAll(/^```(\S+)(?: (\S+))?\n(.*?)^```$/gms)].flatMap(
    ([, language = '', argument, code = '']): Snippet[] => {
      const isElsewhere = argument === 'terminal'
      if (language === 'sh') return [{ kind: 'command', code, inAnotherTerminal: isElsewhere }]
      if (language === 'output') {
        return [{ kind: 'output', text: code, ofAnotherTerminal: isElsewhere }]
      }
      if (shown.has(language)) return []
      if (argument === undefined) throw new Error(`Under which name is this saved?\n${code}`)
      return [{ kind: 'file', name: argument, code }]
    },
  )
}

const shown = new Set(['console', 'json', 'yaml', 'text', 'http'])

/** Whether what was printed has these lines in this order, where `…` is anything. */
export function isPrinted(printed: string, expected: string): boolean {
  const lines = expected.trimEnd().split('\n')
  return new RegExp(lines.map(patternOf).join('[^]*?'), 'm').test(printed)
}

function patternOf(line: string): string {
  const parts = line.trim().split('…')
  return parts.map((part) => RegExp.escape(part)).join('.*')
}
