/** One station's folder with an integrator of its own, started and killed as often as a test likes. */
import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type ConnectionFile, connectIntegrator, type Integrator, readConnectionFile } from '../support/integrator.ts'
import { type Station, startStation, succeed, temporaryFolder } from '../support/station.ts'

const MIB = 2 ** 20

/** A floor and a reserve that fit on the small disks of these tests. */
export const SMALL: Readonly<Record<string, string>> = {
  SALLYPORT_MIN_FREE_BYTES: String(8 * MIB),
  SALLYPORT_RESERVE_BYTES: String(4 * MIB),
}

export interface World {
  /** For the test's own things: journals, sources, shims. Never on a disk that loses power. */
  readonly folder: string
  readonly data: string
  readonly blobs: string
  readonly config: ConnectionFile
  readonly env: Readonly<Record<string, string>>
  start(added?: Readonly<Record<string, string>>): Promise<{ station: Station; integrator: Integrator }>
  /** Kills what still runs and removes the folder. */
  dispose(): Promise<void>
}

export interface WorldOptions {
  /** Where the station's folder lies; in the test's own folder when not given. */
  data?: string
  /** On another volume. */
  blobs?: string
  env?: Readonly<Record<string, string>>
}

/** Makes the station's folder and an integration in it, with nothing running. */
export async function makeWorld(label: string, options: WorldOptions = {}): Promise<World> {
  const { dir: folder, dispose } = await temporaryFolder(label)
  const data = options.data ?? path.join(folder, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const env = {
    ...SMALL,
    ...(options.blobs === undefined ? {} : { SALLYPORT_BLOBS_DIR: options.blobs }),
    ...options.env,
  }
  const out = path.join(folder, 'config.json')
  try {
    await succeed(['integration', 'create', label, '--base-url', 'http://127.0.0.1:7460', '--out', out], { data, env })
  } catch (error) {
    await dispose()
    throw error
  }
  return worldOver(
    { folder, data, blobs: options.blobs ?? path.join(data, 'blobs'), config: readConnectionFile(out), env },
    dispose,
  )
}

/** The same world once more, in a folder of its own: for tests that need many fresh stations. Nothing may be running. */
export async function copyWorld(world: World, label: string): Promise<World> {
  const { dir: folder, dispose } = await temporaryFolder(label)
  const data = path.join(folder, 'data')
  execFileSync('cp', ['-a', world.data, data])
  return worldOver({ folder, data, blobs: path.join(data, 'blobs'), config: world.config, env: world.env }, dispose)
}

function worldOver(parts: Omit<World, 'start' | 'dispose'>, removeFolder: () => Promise<void>): World {
  const started = new Set<Station>()
  return {
    ...parts,
    start: async (added = {}) => {
      const station = await startStation({ data: parts.data, env: { ...parts.env, ...added } })
      started.add(station)
      void station.ended.then(() => started.delete(station))
      try {
        return { station, integrator: await connectIntegrator(parts.config, station.url) }
      } catch (error) {
        await station.kill()
        throw new Error(`Could not sign in: ${(error as Error).message}\n${station.logs()}`, { cause: error })
      }
    },
    dispose: async () => {
      await Promise.all([...started].map((station) => station.kill()))
      await removeFolder()
    },
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Bytes that no two calls share; random, so that nothing is mistaken for a picture or a video. */
export const freshBytes = (least: number, most: number): Buffer => {
  const bytes = randomBytes(randomInt(least, most + 1))
  // Two leading zero bytes are no magic number of any format the station looks into.
  bytes.fill(0, 0, Math.min(2, bytes.length))
  return bytes
}

let folders = 0

/** A folder of fresh files to ingest, as a card would hold them. */
export function freshSource(
  parent: string,
  files: number,
  least = 2_000,
  most = 60_000,
): { dir: string; files: { path: string; bytes: Buffer }[] } {
  const dir = path.join(parent, `card-${process.pid}-${++folders}`)
  mkdirSync(dir, { recursive: true })
  return {
    dir,
    files: Array.from({ length: files }, (_, index) => {
      const file = { path: path.join(dir, `clip-${index}.bin`), bytes: freshBytes(least, most) }
      writeFileSync(file.path, file.bytes)
      return file
    }),
  }
}

/** Rejects when `work` is not done in time: a station that hangs must fail the test, not stop it. */
export async function within<T>(milliseconds: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
