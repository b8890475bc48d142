/**
 * The only file that knows that the server runs in this process. A move to a utility process changes this file only: its interface has plain
 * values and asynchronous calls.
 */
import type { Settings } from '../server/index.ts'

/** `silent`: the station did not answer in time. */
export interface StationState {
  readonly mode: 'ready' | 'read-only' | 'not-ready' | 'silent'
  /** Problems found by the checks, one sentence each. */
  readonly problems: readonly string[]
  /** Number of queued and running jobs. */
  readonly work: number
}

export interface HostedStation {
  /** The origin, also for a browser on this machine. */
  readonly url: string
  /** Single-use address for creating the first administrator; null when there is one. */
  readonly setupUrl: string | null
  state(): Promise<StationState>
  /** Number of queued and running jobs. */
  work(): Promise<number>
  /** Lets running requests finish and stops the station. */
  close(): Promise<void>
}

export interface ServerHost {
  /** @throws SettingsError for invalid settings in the environment or on the command line */
  settings(given: Readonly<Record<string, string>>): Promise<Settings>
  /** @throws Error when the station cannot start; then nothing is left running */
  start(settings: Settings): Promise<HostedStation>
  /** Runs one command of the command line (decisions 11), which sets the process's exit code. */
  runCommand(): Promise<void>
}

/** Milliseconds for an answer of /readyz, which accesses the disk. */
const TIMEOUT = 4_000

/** @param onFailed called when the disk failed under a commit; the process must end within five seconds (docs/guarantees.md, Durability) */
export function createServerHost(onFailed: (reason: string) => void): ServerHost {
  // Loaded on use, so that a second instance ends quickly.
  const load = () => import('../server/index.ts')
  return {
    settings: async (given) => (await load()).settingsFromEnvironment(given),
    start: async (settings) => {
      const station = await (await load()).startServer(settings, { onFailed })
      return {
        url: station.url,
        setupUrl: station.setupUrl,
        state: async () => ({ ...(await askReadiness(station.url)), work: await station.work() }),
        work: station.work,
        close: station.close,
      }
    },
    runCommand: async () => {
      await import('../server/bin/sallyport.ts')
    },
  }
}

/** Requested over HTTP, which shows that the listener answers other clients too. */
async function askReadiness(url: string): Promise<Omit<StationState, 'work'>> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT) })
    const { Status, Checks } = (await reply.json()) as {
      Status: 'ready' | 'read-only' | 'not-ready'
      Checks: Record<string, { Ok: boolean; Message: string }>
    }
    const problems = Object.values(Checks).flatMap(({ Ok, Message }) => (Ok ? [] : [Message]))
    return { mode: Status, problems }
  } catch {
    return { mode: 'silent', problems: [] }
  }
}
