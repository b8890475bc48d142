import { freeMemoryOfStart } from '../platform/threads/free-memory.ts'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { settingsFromEnvironment } from '../config/environment.ts'
import { type RunningStation, type Settings, type StartOptions, startServer } from '../index.ts'
import { takesCommands } from '../platform/control/control.ts'
import { begunText, beginsStation } from './in-station.ts'

/** How long a starting station waits for a command that is at work in its folder. */
const WAIT_FOR_COMMAND_MILLIS = 15_000
const LOOK_AGAIN_MILLIS = 200

/** `serve`: prints one line `listening <url>` when ready; SIGTERM drains and exits 0 (decisions 11). */
export async function serve(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      data: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      lan: { type: 'boolean', default: false },
      'lan-port': { type: 'string' },
      'dock-root': { type: 'string' },
    },
  })
  const settings = settingsFromEnvironment({
    ...(values.data === undefined ? {} : { data: resolve(values.data) }),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values.port === undefined ? {} : { port: values.port }),
    ...(values.lan ? { lan: true } : {}),
    ...(values['lan-port'] === undefined ? {} : { lanPort: values['lan-port'] }),
    ...(values['dock-root'] === undefined ? {} : { dockRoot: resolve(values['dock-root']) }),
  })
  const begins = await beginsStation(settings)
  const stopped = Promise.withResolvers<number>()
  let starting = true
  const stop = stopSignals(() => {
    stopped.resolve(0)
    // A start that waits for a disk or a lock must not hold up whoever ends it. Ending in the middle of a start loses nothing.
    setTimeout(() => {
      if (!starting) return
      process.stderr.write('The station was told to stop while it started, and ends in the middle of its start.\n')
      process.exit(143)
    }, START_PATIENCE_MILLIS).unref()
  })
  const station = await startWhenFree(settings, stop.came, {
    onFailed: (reason) => {
      process.stderr.write(
        `The station stops: ${reason}\nWhat was acknowledged is kept. When that is mended, start it again: it settles by itself what was under way.\n`,
      )
      stopped.resolve(74)
      // Whatever still waits for the disk must not keep the station up: five seconds, then out (docs/guarantees.md, Durability).
      setTimeout(() => process.exit(74), 3_000).unref()
    },
  })
  starting = false
  if (station === null) return 0
  if (stop.came()) {
    await station.close()
    return 0
  }
  freeMemoryOfStart()
  process.stdout.write(`listening ${station.url}\n`)
  if (begins) process.stderr.write(begunText(settings))
  for (const line of station.advice) process.stderr.write(`${line}\n`)
  if (station.setupUrl !== null) {
    process.stderr.write(
      `Open this once, within 30 minutes, on this machine to make the first administrator: ${station.setupUrl}\n`,
    )
    try {
      const { publicKeyOf, publicKeyText } = await import('./integrity-commands.ts')
      process.stderr.write(`${publicKeyText(await publicKeyOf(settings))}\n`)
    } catch (error) {
      // Asking for the key is a command of its own, which the same signal ends: the station drains all the same.
      if (!stop.came()) throw error
    }
  }
  const code = await stopped.promise
  if (code === 0) await station.close()
  else setTimeout(() => process.exit(code), 500)
  return code
}

/**
 * Starts the station once no command holds its folder. Commands end by themselves; another station does not, and is not waited for.
 * @returns null when it was told to stop meanwhile. @throws StationBusy
 */
async function startWhenFree(
  settings: Settings,
  stopped: () => boolean,
  options: StartOptions,
): Promise<RunningStation | null> {
  const until = performance.now() + WAIT_FOR_COMMAND_MILLIS
  let told = false
  for (;;) {
    try {
      return await startServer(settings, options)
    } catch (error) {
      const busy = (error as { code?: string }).code === 'StationBusy'
      if (!busy || performance.now() > until || (await takesCommands(settings.data))) throw error
    }
    if (!told)
      process.stderr.write('Another command is at work in this folder. The station starts when it has ended.\n')
    told = true
    await pause(LOOK_AGAIN_MILLIS)
    if (stopped()) return null
  }
}

/** How long a start may go on after it was told to stop. */
const START_PATIENCE_MILLIS = 10_000

/** A second Ctrl-C so soon is the first one again: the terminal tells every process of the group, and npm and the starter pass it on. */
const SAME_SIGNAL_MILLIS = 1_000

/** SIGTERM and SIGINT drain, also while the station is still starting. Whoever asks again later does not want to wait. */
function stopSignals(drain: () => void): { came(): boolean } {
  let first: number | null = null
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(signal, () => {
      if (first === null) {
        first = performance.now()
        drain()
      } else if (performance.now() - first > SAME_SIGNAL_MILLIS) process.exit(128 + number)
    })
  }
  return { came: () => first !== null }
}
