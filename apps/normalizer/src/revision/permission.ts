import type { TamperSeverity } from '@pdfnorm/contracts/schema/tamper-analysis'
import { documentCatalog } from '../pdf/catalog.ts'
import { isName, PdfDictionary, type PdfObject, PdfString } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import type { Change } from './change.ts'

/** What signatures leave to later updates. */
export interface Permissions {
  /** `/P` of DocMDP (ISO 32000-2, table 257): 1 nothing, 2 forms, 3 annotations too; null: no signature certifies. */
  readonly level: 1 | 2 | 3 | null
  readonly locks: readonly FieldLock[]
}

/** Fields whose values stay (12.8.2.4). */
export interface FieldLock {
  readonly action: 'All' | 'Include' | 'Exclude'
  readonly fields: readonly string[]
}

/**
 * What one signature demands, as its own signed bytes say: by its transform methods, by the certification of the
 * catalog, and by the lock of its field. Usage rights restrict nobody.
 *
 * @param field the dictionary of the field that it is the value of
 */
export function permissionsOf(
  graph: ObjectGraph,
  signature: PdfDictionary,
  field: PdfDictionary | null,
): Permissions {
  const levels: (1 | 2 | 3)[] = []
  const locks: FieldLock[] = []
  for (const { method, parameters } of transforms(graph, signature)) {
    // Table 257: without /P it is 2.
    if (method === 'DocMDP') levels.push(levelOf(graph, parameters.get('P')) ?? 2)
    const lock = method === 'FieldMDP' ? fieldLock(graph, parameters) : null
    if (lock !== null) locks.push(lock)
  }
  const permissions = graph.resolve(documentCatalog(graph).get('Perms'))
  const certified =
    permissions instanceof PdfDictionary ? graph.resolve(permissions.get('DocMDP')) : null
  if (certified === signature && levels.length === 0) levels.push(2)

  const lock = field === null ? null : graph.resolve(field.get('Lock'))
  if (lock instanceof PdfDictionary) {
    const fields = fieldLock(graph, lock)
    if (fields !== null) locks.push(fields)
    const level = levelOf(graph, lock.get('P'))
    if (level !== null) levels.push(level)
  }
  return { level: strictest(levels), locks }
}

/** Of several signatures each one binds. */
export function combined(all: readonly Permissions[]): Permissions {
  return {
    level: strictest(all.flatMap(({ level }) => level ?? [])),
    locks: all.flatMap(({ locks }) => locks),
  }
}

/** How grave a change is under these permissions; null when they allow it (trust, 1.0.8 and 1.1). */
export function gravity(change: Change, permissions: Permissions): TamperSeverity | null {
  const { level } = permissions
  switch (change.kind) {
    case 'validation-data':
    case 'metadata':
      return null
    case 'content':
    case 'widget-removed':
    case 'signature-altered':
    case 'visibility':
    case 'field-removed':
    case 'resurrected':
    case 'active-content':
      return 'critical'
    default:
  }
  if (level === 1) return 'critical'

  const locked = isLocked(change.field, permissions.locks)
  switch (change.kind) {
    case 'signing':
      return isNamed(change.field, permissions.locks) ? 'high' : null
    case 'form-filled':
      return locked ? 'high' : null
    case 'form-refilled':
      return locked ? 'high' : 'low'
    case 'structure':
      return 'low'
    case 'annotation-removed':
      return level === 3 ? null : 'critical'
    case 'annotation':
      if (level === 3) return null
      return level === 2 ? 'high' : 'medium'
    default:
      return 'high'
  }
}

function strictest(levels: readonly (1 | 2 | 3)[]): 1 | 2 | 3 | null {
  return levels.length === 0 ? null : levels.reduce((a, b) => (a < b ? a : b))
}

interface Transform {
  readonly method: 'DocMDP' | 'FieldMDP'
  readonly parameters: PdfDictionary
}

/** More than one of each method makes no sense. */
const maxTransforms = 20

/** Signature reference dictionaries (table 256). */
function transforms(graph: ObjectGraph, signature: PdfDictionary): Transform[] {
  const references = graph.resolve(signature.get('Reference'))
  if (!Array.isArray(references)) return []
  return references.slice(0, maxTransforms).flatMap((item): Transform[] => {
    const reference = graph.resolve(item)
    if (!(reference instanceof PdfDictionary)) return []
    const name = graph.resolve(reference.get('TransformMethod'))
    const given = graph.resolve(reference.get('TransformParams'))
    const parameters = given instanceof PdfDictionary ? given : new PdfDictionary()
    if (isName(name, 'DocMDP')) return [{ method: 'DocMDP', parameters }]
    return isName(name, 'FieldMDP') ? [{ method: 'FieldMDP', parameters }] : []
  })
}

function levelOf(graph: ObjectGraph, entry: PdfObject | undefined): 1 | 2 | 3 | null {
  const level = graph.resolve(entry)
  return level === 1 || level === 2 || level === 3 ? level : null
}

/** Tables 258 (FieldMDP) and 236 (the lock of a signature field) have the same entries. */
function fieldLock(graph: ObjectGraph, dictionary: PdfDictionary): FieldLock | null {
  const action = graph.resolve(dictionary.get('Action'))
  const names = graph.resolve(dictionary.get('Fields'))
  const fields = (Array.isArray(names) ? names : []).flatMap((item) => {
    const name = graph.resolve(item)
    return name instanceof PdfString ? [decodeTextString(name)] : []
  })
  for (const known of ['All', 'Include', 'Exclude'] as const)
    if (isName(action, known)) return { action: known, fields }
  return null
}

function isLocked(field: string | null, locks: readonly FieldLock[]): boolean {
  if (field === null) return false
  return locks.some(({ action, fields }) => {
    if (action === 'All') return true
    return action === 'Include' ? stands(field, fields) : !stands(field, fields)
  })
}

/** An empty signature field may be signed whatever is locked, unless a lock names it. */
function isNamed(field: string | null, locks: readonly FieldLock[]): boolean {
  if (field === null) return false
  return locks.some(({ action, fields }) => action === 'Include' && stands(field, fields))
}

/** A field that is named stands for those below it, too. */
function stands(field: string, fields: readonly string[]): boolean {
  return fields.some((name) => field === name || field.startsWith(`${name}.`))
}
