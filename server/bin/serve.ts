import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { settingsFromEnvironment } from '../config/environment.ts'
import { startServer } from '../index.ts'

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
  const stopped = Promise.withResolvers<number>()
  const stop = stopSignals(() => stopped.resolve(0))
  const station = await startServer(settings, {
    onFailed: (reason) => {
      process.stderr.write(
        `The station stops: ${reason}\nWhat was acknowledged is kept. Mend the disk, then start it again: it settles by itself what was under way.\n`,
      )
      stopped.resolve(74)
      // Whatever still waits for the disk must not keep the station up: five seconds, then out (promises.md, Durability).
      setTimeout(() => process.exit(74), 3_000).unref()
    },
  })
  if (stop.came()) {
    await station.close()
    return 0
  }
  process.stdout.write(`listening ${station.url}\n`)
  for (const line of station.advice) process.stderr.write(`${line}\n`)
  if (station.setupUrl !== null) {
    process.stderr.write(
      `Open this once, within 30 minutes, on this machine to make the first administrator: ${station.setupUrl}\n`,
    )
  }
  const code = await stopped.promise
  if (code === 0) await station.close()
  else setTimeout(() => process.exit(code), 500)
  return code
}

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
