/**
 * `Content-Disposition` of a file that is saved and not shown (RFC 6266).
 *
 * @param fileName letters, digits, dots, hyphens and underscores: such a name needs no coding and cannot end the header
 * @throws for any other name
 */
export function attachment(fileName: string): string {
  if (!/^[A-Za-z0-9][\w.-]{0,199}$/.test(fileName)) {
    throw new Error(
      'The name of a download may have letters, digits, dots, hyphens and underscores',
    )
  }
  return `attachment; filename="${fileName}"`
}
