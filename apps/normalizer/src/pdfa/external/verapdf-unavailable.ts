/** veraPDF did not answer; the message says why, as part of a sentence. */
export class VerapdfUnavailable extends Error {}

/** A report of one document is some kilobytes; whoever sends more is not what it is taken for. */
export const maxReportBytes = 4 * 1024 * 1024
