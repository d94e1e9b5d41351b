/** What a submission is called where its whole id has no room: the last group of the UUID (RFC 9562, 4). */
export function shortId(submissionId: string): string {
  return submissionId.slice(-12)
}
