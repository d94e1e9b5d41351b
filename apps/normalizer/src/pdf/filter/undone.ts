/** What undoing one filter (ISO 32000-2, 7.4) gave; of damaged data, what could be had of it. */
export interface Undone {
  readonly bytes: Uint8Array
  readonly damaged: boolean
}
