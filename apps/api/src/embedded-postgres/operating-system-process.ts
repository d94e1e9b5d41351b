import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface OperatingSystemProcess {
  /** With the number it is the identity of a process: numbers are used again. */
  startedAt: string
  commandLine: string
}

/**
 * A running process by its number; null if there is none or if it is a zombie. A container whose
 * first process does not reap keeps zombies for ever, and a signal to one seems to succeed.
 */
export async function findProcess(pid: number): Promise<OperatingSystemProcess | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

async function fromProc(pid: number): Promise<OperatingSystemProcess | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    // proc(5): the name, field 2, may hold spaces and brackets; the state is field 3, the time of
    // the start is field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    if (state === undefined || 'ZX'.includes(state)) return null
    return { startedAt: fields[19] ?? '', commandLine: commandLine.replaceAll('\0', ' ') }
  } catch {
    return null
  }
}

async function fromPs(pid: number): Promise<OperatingSystemProcess | null> {
  const column = async (name: string) => {
    const { stdout } = await promisify(execFile)('ps', ['-o', `${name}=`, '-p', String(pid)])
    return stdout.trim()
  }
  try {
    if ((await column('stat')).startsWith('Z')) return null
    return {
      startedAt: (await column('lstart')).replaceAll(/\s+/g, '_'),
      commandLine: await column('command'),
    }
  } catch {
    return null
  }
}
