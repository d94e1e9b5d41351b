/** Has the browser save what the page holds in its memory. */
export function saveAs(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has opened it by then; one that is never let go of stays in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
