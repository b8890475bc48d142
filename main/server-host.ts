/**
 * The only file that knows where the server runs: in this process. Whoever moves it to a utility process changes this file and nothing
 * else; what crosses the border is plain values and calls that can be awaited.
 */
import type { Settings } from '../server/index.ts'

/** `silent`: it did not answer in time. */
export interface StationState {
  readonly mode: 'ready' | 'read-only' | 'not-ready' | 'silent'
  /** What the checks found, a sentence each, when not all is well. */
  readonly problems: readonly string[]
  /** Jobs queued or running. */
  readonly work: number
}

export interface HostedStation {
  /** The origin a browser on this machine uses as well. */
  readonly url: string
  /** Makes the first administrator, once; null when there is one. */
  readonly setupUrl: string | null
  state(): Promise<StationState>
  /** Jobs queued or running. */
  work(): Promise<number>
  /** Drains it. */
  close(): Promise<void>
}

export interface ServerHost {
  /** @throws SettingsError as the environment or the command line has something that cannot be used. */
  settings(given: Readonly<Record<string, string>>): Promise<Settings>
  /** @throws when it cannot start; then nothing is left running. */
  start(settings: Settings): Promise<HostedStation>
  /** Runs one command of the command line (decisions 11), which sets the process's exit code. */
  runCommand(): Promise<void>
}

/** Milliseconds an answer of /readyz may take: it tries the disk. */
const PATIENCE = 4_000

/** @param onFailed the disk failed under a commit: the process has to leave within five seconds (docs/guarantees.md, Durability). */
export function createServerHost(onFailed: (reason: string) => void): ServerHost {
  // Loaded when it is asked for, so that a second instance and a refusal cost nothing.
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

/** Asked as everybody else asks: what answers here answers the cameras too. */
async function askReadiness(url: string): Promise<Omit<StationState, 'work'>> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PATIENCE) })
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
