import { table } from '../trial/table.ts'
import type { ComparedFile } from './compare-file.ts'

/** Whether pages look different without anything that accounts for it. */
export function hasUnexplained(compared: readonly ComparedFile[]): boolean {
  return compared.some((file) => groupOf(file) === 'unexplained')
}

export function comparisonText(compared: readonly ComparedFile[]): string {
  const groups = Map.groupBy(compared, groupOf)
  const of = (group: Group): readonly ComparedFile[] => groups.get(group) ?? []
  const rows = (Object.keys(titles) as Group[]).map((group) => [titles[group], of(group).length])
  const pages = compared.reduce((total, file) => total + file.pages, 0)
  return [
    ...listed(titles.removal, of('removal')),
    ...listed(titles.viewer, of('viewer')),
    ...listed(titles.repair, of('repair')),
    ...leftOut(of('left')),
    ...listed(titles.unexplained, of('unexplained')),
    '',
    table([['files', 'count'], ...rows]),
    '',
    `${pages} pages compared`,
  ].join('\n')
}

type Group = 'same' | 'removal' | 'viewer' | 'repair' | 'left' | 'unexplained'

const titles: Record<Group, string> = {
  same: 'look the same',
  removal: 'differ where media or a file was removed',
  viewer: 'differ where the file leaves the look of a field to the viewer',
  repair: 'show what no viewer shows of them without repair',
  left: 'not compared',
  unexplained: 'differ without explanation',
}

function groupOf({ left, differences }: ComparedFile): Group {
  if (left !== null) return 'left'
  if (differences.length === 0) return 'same'
  if (differences.some(({ unexplained }) => unexplained !== null)) return 'unexplained'
  const reasons = new Set(differences.flatMap((difference) => difference.reasons))
  return reasons.has('repair') ? 'repair' : reasons.has('removal') ? 'removal' : 'viewer'
}

function listed(title: string, files: readonly ComparedFile[]): string[] {
  if (files.length === 0) return []
  return ['', title, ...files.flatMap((file) => [`  ${file.file}`, ...pagesOf(file)])]
}

function pagesOf({ differences }: ComparedFile): string[] {
  return differences.map(({ page, unexplained, ...all }) => {
    const { pixels, share, box } = unexplained ?? all
    const percent = `${(100 * share).toFixed(share < 0.001 ? 4 : 2)} %`
    return `    page ${page}: ${pixels} pixels (${percent}) in ${box.join(' ')}`
  })
}

function leftOut(files: readonly ComparedFile[]): string[] {
  const byReason = [...Map.groupBy(files, ({ left }) => left ?? '')]
  return byReason.flatMap(([reason, some]) => [
    '',
    `${titles.left}: ${reason} (${some.length})`,
    ...some.map(({ file }) => `  ${file}`),
  ])
}
