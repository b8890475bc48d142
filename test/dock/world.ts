/** Cameras as folders, as `--dock-root` takes them: made aside, shown whole, pulled and put back by renaming. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../../server/config/settings.ts'
import { givenStation, type Json, type Reply, sha256Of } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { patience } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'

export const DOCK = '/api/v1/tenant/station/dock'

export interface CameraFile {
  readonly path: string
  readonly bytes: Buffer
  readonly sha256: string
}

export interface CameraOptions {
  readonly serial: string
  /** Parts of each recording. */
  readonly recordings?: readonly number[]
  /** Of each part. */
  readonly bytes?: number
  /** How far its clock is behind, in milliseconds. */
  readonly behind?: number
  /** How exactly its clock is known, in milliseconds. */
  readonly uncertainty?: number
  /** When the first recording began by its clock, in milliseconds since 1970; the others begin ten minutes apart. */
  readonly start?: number
  /** What its list says of the hash of a file, where it says another than the file's. */
  readonly listed?: Readonly<Record<string, string>>
  readonly marks?: readonly number[]
  readonly extra?: Readonly<Record<string, string>>
}

const START = Date.UTC(2026, 10, 21, 8, 0, 0)
const iso = (millis: number): string => new Date(millis).toISOString()

/** No two calls share a byte; two leading zeros are no magic number of any format that the station looks into. */
function fresh(length: number): Buffer {
  const bytes = randomBytes(length)
  bytes.fill(0, 0, Math.min(2, length))
  return bytes
}

export class CameraFolder {
  readonly name: string
  readonly root: string
  readonly files: readonly CameraFile[]
  private readonly aside: string

  constructor(root: string, name: string, options: CameraOptions) {
    this.root = root
    this.name = name
    this.aside = path.join(root, `.${name}`)
    mkdirSync(path.join(this.aside, 'media'), { recursive: true })
    const files: CameraFile[] = []
    const recordings = (options.recordings ?? [4, 4, 4]).map((parts, index) => {
      const startMs = (options.start ?? START) + index * 600_000
      const listed = Array.from({ length: parts }, (_, part) => {
        const file = `media/R${index + 1}_${part + 1}.mp4`
        const bytes = fresh(options.bytes ?? 20_000)
        writeFileSync(path.join(this.aside, file), bytes)
        utimesSync(path.join(this.aside, file), startMs / 1000, startMs / 1000)
        files.push({ path: file, bytes, sha256: sha256Of(bytes) })
        const sha256 = options.listed?.[file]
        return { path: file, ...(sha256 === undefined ? {} : { sha256 }) }
      })
      return {
        id: `R${index + 1}`,
        startUtc: iso(startMs),
        endUtc: iso(startMs + 300_000),
        files: listed,
        marks: (options.marks ?? []).map((seconds) => ({ atUtc: iso(startMs + seconds * 1000), label: 'Event' })),
      }
    })
    const manifest = {
      format: 'sallyport-camera/1',
      camera: { manufacturer: 'Lantern', model: 'L2', serialNumber: options.serial },
      ...(options.behind === undefined
        ? {}
        : { clock: { nowUtc: iso(Date.now() - options.behind), uncertaintyMs: options.uncertainty ?? 1000 } }),
      recordings,
    }
    writeFileSync(path.join(this.aside, 'camera.json'), JSON.stringify(manifest))
    for (const [file, text] of Object.entries(options.extra ?? {})) {
      mkdirSync(path.dirname(path.join(this.aside, file)), { recursive: true })
      writeFileSync(path.join(this.aside, file), text)
    }
    this.files = files
  }

  get at(): string {
    return existsSync(path.join(this.root, this.name)) ? path.join(this.root, this.name) : this.aside
  }
  plugIn(): void {
    renameSync(this.aside, path.join(this.root, this.name))
  }
  pull(): void {
    renameSync(path.join(this.root, this.name), this.aside)
  }
  manifest(): Uint8Array {
    return readFileSync(path.join(this.at, 'camera.json'))
  }
  writeManifest(manifest: unknown): void {
    writeFileSync(path.join(this.at, 'camera.json'), JSON.stringify(manifest))
  }
  /** Files of recordings that are on it now. */
  left(): string[] {
    const folder = path.join(this.at, 'media')
    return existsSync(folder)
      ? readdirSync(folder)
          .sort()
          .map((name) => `media/${name}`)
      : []
  }
}

/** A station with its bays, and a keeper of devices. */
export async function dockWorld(settings: Partial<Record<keyof Settings, unknown>> = {}) {
  const { dir, dispose } = await temporaryFolder('bays')
  const root = path.join(dir, 'bays')
  mkdirSync(root)
  const given = await givenStation({ settings: { dockRoot: root, ...settings } })
  const world = await worldOver(given, root)
  return {
    ...world,
    close: async () => {
      await given.close()
      await dispose()
    },
  }
}

async function worldOver(given: Awaited<ReturnType<typeof givenStation>>, root: string) {
  const keeper = await signIn(await given.integration('dock keeper', ['ManageDevices']), given.url)
  const get = (place: string): Promise<Reply> => given.call('GET', `${DOCK}${place}`, { token: keeper })
  const wall = async (): Promise<Json[]> =>
    (await given.expecting(200, given.call('GET', `${DOCK}/wall`, { token: null }))).Tiles
  const sessions = async (): Promise<Json[]> => (await given.expecting(200, get('/session'))).Items
  const filesOf = async (id: string): Promise<Json[]> =>
    (await given.expecting(200, get(`/session/${id}/file?count=1000`))).Items
  const until = async <T>(
    look: () => Promise<T | null | undefined | false>,
    what: string,
    millis = patience(20_000),
  ): Promise<T> => {
    const end = Date.now() + millis
    for (;;) {
      const found = await look()
      if (found !== null && found !== undefined && found !== false) return found
      if (Date.now() > end) throw new Error(`${what} never came: ${JSON.stringify(await sessions())}`)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }
  /** The session in a bay, when it is in this state. */
  const reached = (bay: string, state: string, millis?: number): Promise<Json> =>
    until(
      async () => (await sessions()).find((one) => one.Bay === bay && one.State === state),
      `${state} in ${bay}`,
      millis,
    )
  const entries = (action: string): Json[] => given.ledger().filter((entry) => entry.action === action)
  const blob = (sha256: string): Buffer =>
    readFileSync(path.join(given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256))
  return {
    given,
    root,
    keeper,
    get,
    wall,
    sessions,
    filesOf,
    until,
    reached,
    entries,
    blob,
    camera: (name: string, options: CameraOptions) => new CameraFolder(root, name, options),
  }
}
