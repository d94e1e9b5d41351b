/**
 * What an update did to a signed document, by what a reader notices of it. Each names one row of the table of
 * permissions (`permission.ts`).
 */
export type ChangeKind =
  /** `/DSS`, document time-stamps, `/Extensions`, `/Version` (ISO 32000-2, 12.8.4.3 and 12.8.5). */
  | 'validation-data'
  /** Information that no page shows, and structure elements for new widgets. */
  | 'metadata'
  /** What a screen reader or the bookmarks tell: existing structure elements, outlines, page labels. */
  | 'structure'
  /** A signature field added or an empty one signed, with its appearance. */
  | 'signing'
  /** A field that was empty is filled in. */
  | 'form-filled'
  /** A field that had a value has another one. */
  | 'form-refilled'
  /** An annotation that is no widget is added or altered. */
  | 'annotation'
  /** A field looks other than before and has the same value. */
  | 'appearance'
  /** `/Rect`, `/T`, `/FT`, `/Subtype`, `/OC` or `/Opt` of a field. */
  | 'field-altered'
  | 'field-added'
  | 'field-removed'
  /** An annotation that is no widget is gone, freed or hidden. */
  | 'annotation-removed'
  | 'widget-removed'
  /** The value of an existing signature, or the permissions that it gave. */
  | 'signature-altered'
  /** What a page paints, its boxes, or which pages there are and in what order. */
  | 'content'
  /** Which layers are shown. */
  | 'visibility'
  /** An action or an embedded file that was not there. */
  | 'active-content'
  /** An entry that leads to an object of an earlier save which no entry had named. */
  | 'resurrected'
  /** Anything that no rule permits. */
  | 'other'

export interface Change {
  readonly kind: ChangeKind
  /** The number of the object that differs: in the later document, or in the earlier one where it is gone. */
  readonly object: number | null
  /** Counted from 1; null where no page is concerned. */
  readonly page: number | null
  /** The full name of the field that it concerns: locks go by it. */
  readonly field: string | null
}
