import { randomUUID } from 'node:crypto'
import { composeStation, type Station } from './app/compose.ts'
import type { Settings } from './config/settings.ts'
import { blobsFolder, scratchFolder } from './app/own-blobs.ts'
import { lockStation } from './kernel/database/sqlite/station-lock.ts'
import { createHttpServer } from './http/server.ts'
import {
  type ControlRequest,
  type ControlServer,
  ensureFolder,
  refuseHalfRestored,
  serveControl,
} from './platform/control/control.ts'
import { rememberFolder } from './platform/files/known-folder.ts'
import { createLog } from './platform/log/log.ts'
import { limitYoungMemory } from './platform/threads/young-memory.ts'

export { settingsFromEnvironment } from './config/environment.ts'
export type { Settings } from './config/settings.ts'

/** A station that was opened without listening, for one command of the terminal. */
export interface OpenStation {
  command(request: ControlRequest, progress: (value: unknown) => void, signal: AbortSignal): Promise<unknown>
  close(): Promise<void>
}

export interface RunningStation {
  /** Loopback origin that answers. */
  readonly url: string
  /** What a person at the terminal should know now, a sentence a line. */
  readonly advice: readonly string[]
  /** Once, within 30 minutes, on this machine: makes the first administrator. Null when there is one. A secret. */
  readonly setupUrl: string | null
  /** Jobs queued or running, for whoever thinks of stopping it. */
  work(): Promise<number>
  /** Takes nothing new, lets running requests and jobs end, writes the last checkpoint. */
  close(): Promise<void>
}

export interface StartOptions {
  /** The disk failed under a commit or an fsync, or the data folder was replaced: the process has five seconds to leave (docs/guarantees.md, Durability). */
  readonly onFailed?: (reason: string) => void
}

/** Opens the station's folder under its exclusive lock. @throws StationBusy when another process has it. */
export async function openStation(settings: Settings): Promise<OpenStation> {
  const { station, release } = await open(settings, {})
  return {
    command: (request, progress, signal) => station.command(request, progress, signal),
    close: async () => {
      await station.stop()
      release()
    },
  }
}

/** Starts the station: recovered, listening on loopback, reachable for the command line. @throws when it cannot; then nothing is left running. */
export async function startServer(settings: Settings, options: StartOptions = {}): Promise<RunningStation> {
  const { station, release: unlock } = await open(settings, options)
  const letGrow = limitYoungMemory()
  const release = (): void => {
    letGrow()
    unlock()
  }
  const http = createHttpServer(station.app)
  let control: ControlServer | null = null
  try {
    const { port } = await http.listen({ host: settings.host, port: settings.port })
    station.bound(port)
    const commands = await serveControl(settings.data, (request, progress, signal) =>
      station.command(request, progress, signal),
    )
    control = commands
    await station.start()
    return {
      url: station.loopbackUrl(),
      advice: await station.advice(),
      setupUrl: await station.setupUrl(),
      work: station.work,
      close: async () => {
        await commands.close()
        const drain = settings.drainSeconds * 1000
        const cut = (await Promise.all([http.close(drain), station.closeLan(drain)])).reduce((sum, some) => sum + some)
        if (cut > 0) station.log.warn({ connections: cut }, 'connections were cut at the end of the time to drain')
        await station.stop()
        release()
      },
    }
  } catch (error) {
    await control?.close()
    await station.closeLan(0).catch(() => {})
    await http.close(0).catch(() => {})
    await station.stop().catch(() => {})
    release()
    throw explained(error, settings)
  }
}

async function open(settings: Settings, options: StartOptions): Promise<{ station: Station; release: () => void }> {
  // Whatever the station writes is for its owner alone, the database's files too.
  process.umask(0o077)
  await ensureFolder(settings.data)
  const dataFolder = await rememberFolder(settings.data)
  await refuseHalfRestored(settings.data)
  const lock = lockStation(settings.data)
  const release = (): void => lock.release()
  try {
    const log = createLog(settings.logLevel).child({ run: randomUUID().slice(0, 8) })
    const folders = { data: settings.data, ownBlobsDir: settings.blobsDir }
    const blobsDir = settings.blobUrl === undefined ? blobsFolder(folders) : scratchFolder(folders)
    await ensureFolder(blobsDir)
    const station = await composeStation(
      { ...settings, ...folders, blobsDir, dataFolder },
      log,
      options.onFailed ?? (() => {}),
    )
    try {
      await station.prepare()
    } catch (error) {
      await station.stop().catch(() => {})
      throw error
    }
    return { station, release }
  } catch (error) {
    release()
    throw error
  }
}

function explained(error: unknown, settings: Settings): unknown {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return new Error(
      `Another program listens on port ${settings.port}. Give another with --port, or --port 0 for any.`,
      { cause: error },
    )
  }
  return error
}
