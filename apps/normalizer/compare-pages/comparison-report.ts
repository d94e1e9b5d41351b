import { table } from '../trial/table.ts'
import type { ComparedFile } from './compare-file.ts'
import { hasPoppler } from './second-renderer.ts'

/** Whether pages look different without anything that accounts for it. */
export function hasUnexplained(compared: readonly ComparedFile[]): boolean {
  return compared.some((file) => groupOf(file) === 'unexplained')
}

export function comparisonText(compared: readonly ComparedFile[]): string {
  const groups = Map.groupBy(compared, groupOf)
  const of = (group: Group): readonly ComparedFile[] => groups.get(group) ?? []
  const rows = (Object.keys(titles) as Group[]).map((group) => [titles[group], of(group).length])
  const pages = compared.reduce((total, file) => total + file.pages, 0)
  const withoutPoppler = hasPoppler
    ? []
    : ['', 'poppler is not installed: forms were compared in PDFium alone']
  return [
    ...listed(titles.removal, of('removal')),
    ...listed(titles.furniture, of('furniture')),
    ...listed(titles.repair, of('repair')),
    ...leftOut(of('left')),
    ...listed(titles.unexplained, of('unexplained')),
    '',
    table([['files', 'count'], ...rows]),
    '',
    `${pages} pages compared`,
    ...withoutPoppler,
  ].join('\n')
}

type Group = 'same' | 'removal' | 'furniture' | 'repair' | 'left' | 'unexplained'

const titles: Record<Group, string> = {
  same: 'look the same',
  removal: 'differ by what was removed on purpose',
  furniture: 'differ by what PDFium draws of a form in use; the same in poppler',
  repair: 'differ in a file that had to be repaired',
  left: 'not compared',
  unexplained: 'differ without explanation',
}

function groupOf({ left, differences, removed, repaired, sameInPoppler }: ComparedFile): Group {
  if (left !== null) return 'left'
  if (differences.length === 0) return 'same'
  if (removed.length > 0) return 'removal'
  if (sameInPoppler === true) return 'furniture'
  return repaired ? 'repair' : 'unexplained'
}

function listed(title: string, files: readonly ComparedFile[]): string[] {
  if (files.length === 0) return []
  return ['', title, ...files.flatMap((file) => [`  ${file.file}`, ...pagesOf(file)])]
}

function pagesOf({ differences, removed, flattened }: ComparedFile): string[] {
  const why = [...removed, ...(flattened ? ['acroformFlattened'] : [])].join(', ')
  return differences.map(({ page, pixels, share, box }) => {
    const percent = `${(100 * share).toFixed(share < 0.001 ? 4 : 2)} %`
    return `    page ${page}: ${pixels} pixels (${percent}) in ${box.join(' ')}  ${why}`.trimEnd()
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
