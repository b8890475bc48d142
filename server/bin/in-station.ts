import { userInfo } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Settings } from '../config/settings.ts'
import type { OpenStation } from '../index.ts'
import { callControl, ensureFolder, isStationFolder } from '../platform/control/control.ts'
import { Stopped } from './error-messages.ts'

/** How long a command waits for another one, or for a station that is starting or stopping. */
const PATIENCE_MILLIS = 20_000
const LOOK_AGAIN_MILLIS = 100

export interface Asked {
  readonly settings: Settings
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  readonly onProgress?: (value: unknown) => void
  /** For what has no sense in a folder where no station ever was: a mistyped folder must not become a new, clean station. */
  readonly mustExist?: boolean
  /** For what brings evidence in: whoever looks for it in another station must read that a new one began. */
  readonly tellsWhenNew?: boolean
}

/**
 * Runs a command where the station is: in the running one over its socket, else here under the folder's exclusive lock. There is one
 * writer, ever (decisions 11). SIGINT and SIGTERM stop the command; a second one ends the process.
 * @throws Stopped, StationBusy, or as the command failed
 */
export async function inStation({
  settings,
  command,
  args,
  onProgress = () => {},
  mustExist,
  tellsWhenNew,
}: Asked): Promise<unknown> {
  const begins = await beginsStation(settings)
  if (begins && mustExist === true)
    throw new Error(`There is no station in ${settings.data}. Name its folder with --data or SALLYPORT_DATA.`)
  await ensureFolder(settings.data)
  const request = { command, args, user: osUser() }
  const abort = new AbortController()
  const stop = (name: NodeJS.Signals): void => abort.abort(new Stopped(name))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const where = await reach(
      settings,
      () => callControl(settings.data, request, onProgress, abort.signal),
      abort.signal,
    )
    if ('result' in where) return where.result
    if (begins && tellsWhenNew === true) process.stderr.write(begunText(settings))
    try {
      return await where.command(request, onProgress, abort.signal)
    } finally {
      await where.close()
    }
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/** Whether there is no station yet where the settings say. With PostgreSQL the records are there, and not in the folder. */
export const beginsStation = async ({ databaseUrl, data }: Settings): Promise<boolean> =>
  databaseUrl === undefined && !(await isStationFolder(data))

/** For a folder that was mistyped, or whose volume is not mounted. */
export const begunText = ({ data }: Settings): string =>
  `There was no station in ${data}: a new one began there. If yours is elsewhere, name its folder with --data or SALLYPORT_DATA; if it lies on a volume, see that this is mounted.\n`

/** What the running station answered, or the station opened here. Two commands at once: the second waits a little for the first. */
async function reach(
  settings: Settings,
  ask: () => Promise<{ result: unknown } | null>,
  signal: AbortSignal,
): Promise<{ result: unknown } | OpenStation> {
  // What a station would log is no result of a command; what went wrong with it is said in words.
  const quiet = { ...settings, logLevel: settings.logLevel === 'info' ? 'error' : settings.logLevel } as const
  const until = performance.now() + PATIENCE_MILLIS
  for (;;) {
    const answered = await ask()
    if (answered !== null) return answered
    try {
      // The whole house; a command that a running station does has no need of it.
      const { openStation } = await import('../index.ts')
      return await openStation(quiet)
    } catch (error) {
      if ((error as { code?: string }).code !== 'StationBusy' || performance.now() > until) throw error
    }
    await pause(LOOK_AGAIN_MILLIS)
    signal.throwIfAborted()
  }
}

/** Who is at the terminal, as the ledger will say. An account may have a number only. */
export function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
