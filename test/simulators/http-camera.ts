import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Memory } from './memory.ts'
import { type Identification, Refused, type Resource, type StationCalls } from './station-calls.ts'

/**
 * A simulated camera that speaks for itself: it makes itself known, negotiates and commits or rejects, uploads in blocks that it can go on
 * with, and is safe to take when the station has said of every file that it is whole. It notes each step before it takes it, so that it may
 * be pulled at any byte and goes on where it was.
 */

export const HTTP_FAULTS = ['corrupt', 'full', 'lying-serial'] as const
/**
 * `corrupt`: one bit of one file is another at the second reading. `full`: no room to store a configuration. `lying-serial`: its recordings
 * say that they are its neighbour's, whose credential it does not have.
 */
export type HttpFault = (typeof HTTP_FAULTS)[number]

export interface HttpCameraOptions {
  readonly blockBytes: number
  readonly faults: readonly HttpFault[]
  /** Files go when the station has them. */
  readonly clear: boolean
  /** True time, milliseconds since 1970. */
  readonly now: () => number
}

export interface Homecoming {
  readonly serial: string
  readonly deviceId: string
  readonly negotiation: 'unchanged' | 'committed' | 'rejected'
  readonly files: number
  readonly bytes: number
  /** Blocks that were sent now, and those that the station had from an earlier time. */
  readonly blocksSent: number
  readonly blocksHeld: number
  /** Files that the station refused for their sum, and took at another reading. */
  readonly sentAgain: number
  readonly evidenceIds: readonly string[]
  /** How the station takes the word of the camera (decisions 5). */
  readonly identities: readonly (string | null)[]
  readonly cleared: number
}

const Manifest = z.object({
  camera: z.object({ manufacturer: z.string(), model: z.string().nullish(), serialNumber: z.string() }),
  clock: z.object({ nowUtc: z.string() }),
  recordings: z.array(
    z.object({
      id: z.string(),
      startUtc: z.string(),
      endUtc: z.string(),
      files: z.array(z.object({ path: z.string() })),
    }),
  ),
})
type Recording = z.infer<typeof Manifest>['recordings'][number]

const Upload = z.object({
  resourceId: z.string(),
  uri: z.string(),
  sha256: z.string(),
  /** Counts how often it was begun anew. */
  attempt: z.int(),
  done: z.boolean(),
})
const Note = z.object({
  credential: z.string(),
  configuration: z.record(z.string(), z.unknown()),
  /** Asked for with these very words each time, or it would be another request. */
  asked: z.record(z.string(), z.record(z.string(), z.unknown())),
  evidence: z.record(z.string(), z.string()),
  uploads: z.record(z.string(), Upload),
})
type Note = z.infer<typeof Note>

const MOST_ATTEMPTS = 3

interface Trip {
  readonly memory: Memory
  readonly calls: StationCalls
  readonly options: HttpCameraOptions
  readonly note: Note
  readonly save: () => Promise<void>
  /** Milliseconds that the camera's clock is behind the station's. */
  readonly behindMs: number
  readonly identification: Identification
  readonly count: { blocksSent: number; blocksHeld: number; sentAgain: number; bytes: number }
  /** The file of which one bit turns over, until it has. */
  spoilt: string | null
}

export async function comeHome(memory: Memory, calls: StationCalls, options: HttpCameraOptions): Promise<Homecoming> {
  const { value, writtenMs } = await memory.manifest()
  const { camera, clock, recordings } = Manifest.parse(value)
  const identification = {
    SerialNumber: camera.serialNumber,
    Manufacturer: camera.manufacturer,
    Model: camera.model ?? null,
  }
  const note = await noteOf(memory)
  const save = (): Promise<void> => memory.note(note)
  const aheadMs = Date.parse(clock.nowUtc) - writtenMs
  const { id: deviceId, stationMs } = await calls.add(identification)
  const paths = recordings.flatMap(({ files }) => files.map(({ path }) => path))
  const trip: Trip = {
    memory,
    calls,
    options,
    note,
    save,
    behindMs: Math.round((stationMs - (options.now() + aheadMs)) / 1000) * 1000,
    identification,
    count: { blocksSent: 0, blocksHeld: 0, sentAgain: 0, bytes: 0 },
    spoilt: options.faults.includes('corrupt') ? (paths[Math.floor(paths.length / 2)] ?? null) : null,
  }
  const negotiation = await agree(trip)
  const identities: (string | null)[] = []
  for (const recording of recordings) identities.push(await deliver(trip, recording))
  const cleared = options.clear ? await clearWhatIsThere(trip, paths) : 0
  return {
    serial: camera.serialNumber,
    deviceId,
    negotiation,
    files: paths.length,
    ...trip.count,
    evidenceIds: recordings.map(({ id }) => note.evidence[id] as string),
    identities,
    cleared,
  }
}

async function noteOf(memory: Memory): Promise<Note> {
  const noted = await memory.noted()
  if (noted !== null) return Note.parse(noted)
  const fresh: Note = {
    credential: randomBytes(24).toString('base64url'),
    configuration: {},
    asked: {},
    evidence: {},
    uploads: {},
  }
  await memory.note(fresh)
  return fresh
}

/** Configurations are brought up to date before files are uploaded (interfaces.md 4.2). */
async function agree(trip: Trip): Promise<Homecoming['negotiation']> {
  const { calls, identification, note, options } = trip
  const known = await calls.credentials(identification)
  // One that was reported as failed is handed out to nobody: the camera makes another.
  if (known.length > 0 && !known.some(({ DeviceCredential }) => DeviceCredential === note.credential)) {
    note.credential = randomBytes(24).toString('base64url')
    await trip.save()
  }
  for (let attempt = 1; ; attempt++) {
    const offer = await calls.negotiate(identification, {
      configuration: note.configuration,
      capabilities: { FreeBytes: options.faults.includes('full') ? 0 : 2 ** 34, Firmware: '1.0' },
      credential: note.credential,
    })
    if (offer === null) return 'unchanged'
    try {
      if (options.faults.includes('full')) {
        await calls.reject(
          identification,
          offer.TransactionId,
          'NoSpace',
          'There is no room on this camera to store a configuration.',
        )
        return 'rejected'
      }
      note.configuration = { ...offer.Configuration }
      await trip.save()
      await calls.commit(identification, offer.TransactionId)
      return 'committed'
    } catch (error) {
      // Another negotiation of this device came between.
      if (!(error instanceof Refused && error.code === 'TransactionNotOpen') || attempt >= MOST_ATTEMPTS) throw error
    }
  }
}

/** One recording is one evidence; its parts are resources of it. @returns how the station knows the camera */
async function deliver(trip: Trip, recording: Recording): Promise<string | null> {
  const { note, calls } = trip
  let evidenceId = note.evidence[recording.id]
  if (evidenceId === undefined) {
    const body = await askedFor(trip, `evidence ${recording.id}`, () => evidenceOf(trip, recording))
    evidenceId = await calls.createEvidence(body, keyOf(trip, `evidence ${recording.id} ${recording.startUtc}`))
    note.evidence[recording.id] = evidenceId
    await trip.save()
  }
  for (const { path } of recording.files) await upload(trip, evidenceId, recording, path)
  const { State, DeviceIdentity } = await calls.completeEvidence(evidenceId)
  if (State !== 'UserCompleted') throw new Error(`${recording.id} is ${State} after it was completed.`)
  return DeviceIdentity
}

function evidenceOf({ identification, note, behindMs, options }: Trip, { id, startUtc, endUtc }: Recording) {
  const serial = identification.SerialNumber
  const corrected = (text: string): string => new Date(Date.parse(text) + behindMs).toISOString()
  return {
    Name: `${serial} ${id}`,
    SourceId: `${serial} ${id}`,
    StartTimeUtc: corrected(startUtc),
    EndTimeUtc: corrected(endUtc),
    Device: {
      DeviceType: 'BodyWornCamera',
      Manufacturer: identification.Manufacturer,
      SerialNumber: options.faults.includes('lying-serial') ? `${serial}-NEIGHBOUR` : serial,
      Model: identification.Model,
    },
    DeviceCredential: note.credential,
  }
}

async function askedFor(
  { note, save }: Trip,
  what: string,
  make: () => Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const earlier = note.asked[what]
  if (earlier !== undefined) return earlier
  const body = make()
  note.asked[what] = body
  await save()
  return body
}

/** The same for the same thing at every attempt, of this camera alone. */
const keyOf = ({ identification, note }: Trip, what: string): string =>
  createHash('sha256')
    .update(JSON.stringify([identification.SerialNumber, note.credential, what]))
    .digest('hex')

async function upload(trip: Trip, evidenceId: string, recording: Recording, path: string): Promise<void> {
  const { note, save, memory, calls, count } = trip
  if (note.uploads[path]?.done === true) return
  const length = await memory.length(path)
  for (;;) {
    const open = note.uploads[path] ?? (await begin(trip, evidenceId, recording, path))
    try {
      await sendBlocks(trip, { evidenceId, path, length, open })
      const { Sha256 } = await calls.completeResource(evidenceId, open.resourceId, {
        Sha256: open.sha256,
        LengthInBytes: length,
      })
      if (Sha256 !== open.sha256) throw new Error(`${path}: the station has ${Sha256}, not ${open.sha256}.`)
      note.uploads[path] = { ...open, done: true }
      count.bytes += length
      return await save()
    } catch (error) {
      // What arrived is not what was read first, or the upload was given up meanwhile: everything of it is sent anew.
      const anew = error instanceof Refused && (error.code === 'HashMismatch' || error.code === 'ResourceNotFound')
      if (!anew || open.attempt >= MOST_ATTEMPTS) throw error
      count.sentAgain++
      await begin(trip, evidenceId, recording, path, open.attempt + 1)
    }
  }
}

async function begin(
  trip: Trip,
  evidenceId: string,
  recording: Recording,
  path: string,
  attempt = 1,
): Promise<z.infer<typeof Upload>> {
  const { note, save, memory, calls, behindMs } = trip
  const sha256 = await memory.sum(path)
  const LengthInBytes = await memory.length(path)
  const what = `resource ${path} ${attempt}`
  const body = await askedFor(trip, what, () => ({
    Name: path.slice(path.lastIndexOf('/') + 1),
    MimeType: 'video/mp4',
    StartTimeUtc: recording.startUtc,
    EndTimeUtc: recording.endUtc,
    TimeOffset: `${behindMs < 0 ? '-' : ''}PT${Math.abs(behindMs) / 1000}S`,
    LengthInBytes,
    Sha256: sha256,
  }))
  const made = await calls.createResource(evidenceId, body, keyOf(trip, `${recording.id} ${what}`))
  const open = { resourceId: made.ResourceId, uri: made.UploadUri as string, sha256, attempt, done: false }
  note.uploads[path] = open
  await save()
  return open
}

interface Sending {
  readonly evidenceId: string
  readonly path: string
  readonly length: number
  readonly open: z.infer<typeof Upload>
}

/** Only the blocks that the station does not hold. */
async function sendBlocks(trip: Trip, { evidenceId, path, length, open }: Sending): Promise<void> {
  const { calls, options, count } = trip
  const now = (await calls.resources(evidenceId)).find(({ ResourceId }) => ResourceId === open.resourceId)
  if (now?.State === 'UserCompleted') return
  const uri = await addressOf(trip, evidenceId, open, now)
  const held = await calls.heldBlocks(uri)
  const ids: string[] = []
  for (let at = 0; at < length || at === 0; at += options.blockBytes) {
    const id = Buffer.from(`block-${String(ids.length).padStart(8, '0')}`).toString('base64')
    const size = Math.min(options.blockBytes, length - at)
    ids.push(id)
    if (held.get(id) === size) {
      count.blocksHeld++
      continue
    }
    await calls.putBlock(uri, id, await readOnce(trip, path, at, size))
    count.blocksSent++
  }
  await calls.putBlockList(uri, ids)
}

/** An address is good for a day; a camera may lie in a drawer for longer. */
async function addressOf(
  trip: Trip,
  evidenceId: string,
  open: z.infer<typeof Upload>,
  now: Resource | undefined,
): Promise<string> {
  if (now === undefined) throw new Refused(404, 'ResourceNotFound', open.resourceId)
  const fresh = await trip.calls.renew(evidenceId, open.resourceId)
  return fresh.UploadUri ?? open.uri
}

async function readOnce(trip: Trip, path: string, at: number, length: number): Promise<Buffer> {
  const bytes = await trip.memory.read(path, at, length)
  if (trip.spoilt === path && bytes.length > 0) {
    trip.spoilt = null
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] as number) ^ 1
  }
  return bytes
}

async function clearWhatIsThere({ memory, note }: Trip, paths: readonly string[]): Promise<number> {
  let cleared = 0
  for (const path of paths) {
    if (note.uploads[path]?.done !== true) continue
    const gone = await memory.remove(path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false
        throw error
      },
    )
    if (gone) cleared++
  }
  return cleared
}
