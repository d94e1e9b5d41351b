/** Why something could not be read or written, in words that follow a colon: the system has codes and the names of its calls. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return (code === undefined ? undefined : reasons.get(code)) ?? error.message
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'what should be a folder on its path is a file'],
  ['EACCES', 'it is not allowed'],
  ['EPERM', 'it is not allowed'],
  ['ENOSPC', 'there is no room left'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'its links lead in a circle'],
  ['ERR_FS_FILE_TOO_LARGE', 'it is larger than 2 GiB'],
])
