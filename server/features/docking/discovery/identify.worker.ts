/** Looks at one card, away from the thread that answers people: 100,000 names take seconds. */
import { parentPort } from 'node:worker_threads'
import type { FoundFile, FoundFolder, WalkEntry } from '../../../platform/files/walk.ts'
import type { Camera, Recording } from '../ports.ts'
import { createIdentify } from './cameras.ts'
import { BATCH, type FromIdentify, type SentRecording, type ToIdentify } from './identify-messages.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
const say = (message: FromIdentify): void => port.postMessage(message)

const entries: (FoundFolder | WalkEntry)[] = []
const places = new Map<FoundFolder | WalkEntry, number>()
const asked = new Map<number, (bytes: Buffer | null) => void>()

port.on('message', (message: ToIdentify) => {
  if (message.op === 'entries')
    for (const entry of message.entries) {
      // Buffers arrive as bare bytes.
      const own = { ...entry, location: Buffer.from(entry.location) }
      places.set(own, entries.length)
      entries.push(own)
    }
  else if (message.op === 'bytes') {
    asked.get(message.file)?.(message.bytes === null ? null : Buffer.from(message.bytes))
    asked.delete(message.file)
  } else if (message.op === 'more') taken()
  else void look(message).then(() => port.close())
})

let taken = (): void => {}
/** Waits until it was taken. */
const pass = (message: FromIdentify): Promise<void> =>
  new Promise((resolve) => {
    taken = resolve
    say(message)
  })

const placeOf = (file: FoundFile): number => places.get(file) as number

async function look({ profiles, timeZone, volume, pluggedAt, now }: Extract<ToIdentify, { op: 'go' }>): Promise<void> {
  const camera = await createIdentify({ profiles: () => profiles, timeZone })({
    volume: { ...volume, location: Buffer.from(volume.location) },
    entries,
    read: (file, most) =>
      new Promise((resolve) => {
        asked.set(placeOf(file), resolve)
        say({ op: 'read', file: placeOf(file), most })
      }),
    pluggedAt,
    now: () => now,
  })
  if ('notACamera' in camera) say({ op: 'notACamera', reason: camera.notACamera })
  else await tell(camera)
}

async function tell({ recordings, others, mayBeCleared, ...head }: Camera): Promise<void> {
  await pass({ op: 'camera', head })
  for (const batch of batches(recordings)) await pass({ op: 'recordings', recordings: batch.map(sent) })
  for (const batch of batches([...others]))
    await pass({ op: 'others', others: batch.map(([file, why]) => [placeOf(file), why]) })
  const clearable = recordings.flatMap(({ files }) => files.filter(mayBeCleared).map(placeOf))
  for (const batch of batches(clearable)) await pass({ op: 'clearable', files: batch })
  say({ op: 'done' })
}

const sent = ({ files, parts, claimedSha256, ...one }: Recording): SentRecording => ({
  ...one,
  files: files.map(placeOf),
  parts: [...parts].map(([file, { start, end }]) => [placeOf(file), start, end]),
  claimed: [...claimedSha256].map(([file, sha256]) => [placeOf(file), sha256]),
})

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH)
}
