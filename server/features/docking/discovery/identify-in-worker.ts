import { setImmediate as breathe } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FoundFile, FoundFolder, WalkEntry } from '../../../platform/files/walk.ts'
import type { Camera, Identify, IdentifyInput, Recording } from '../ports.ts'
import { createIdentify, type IdentifyDeps } from './cameras.ts'
import { BATCH, type CameraHead, type FromIdentify, type SentRecording, type ToIdentify } from './identify-messages.ts'

/** Smaller cards are looked at where they are: that takes less than a thread does to begin. */
const SMALL = 1_000

/** `createIdentify` for cards of any size: large ones are looked at in a thread of their own, and passed on in pieces. */
export function createIdentifyInWorker(deps: IdentifyDeps, small = SMALL): Identify {
  const here = createIdentify(deps)
  return async (input) => {
    const entries = [...input.entries]
    if (entries.length <= small) return here({ ...input, entries })
    const worker = new Worker(new URL('./identify.worker.ts', import.meta.url))
    try {
      return await identifyInWorker(worker, deps, { ...input, entries })
    } finally {
      worker.unref()
      void worker.terminate()
    }
  }
}

async function identifyInWorker(
  worker: Worker,
  deps: IdentifyDeps,
  input: IdentifyInput & { readonly entries: readonly (FoundFolder | WalkEntry)[] },
): Promise<Camera | { readonly notACamera: string }> {
  const { entries } = input
  const send = (message: ToIdentify): void => worker.postMessage(message)
  const fileAt = (place: number): FoundFile => entries[place] as FoundFile
  const camera = gathered(fileAt)
  const ended = new Promise<Camera | { readonly notACamera: string }>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that looked at a card ended.')))
    worker.on('message', (message: FromIdentify) => {
      if (message.op === 'read') {
        const { file, most } = message
        input.read(fileAt(file), most).then((bytes) => send({ op: 'bytes', file, bytes }), reject)
      } else if (message.op === 'notACamera') resolve({ notACamera: message.reason })
      else if (message.op === 'done') resolve(camera.whole())
      else {
        camera.add(message)
        send({ op: 'more' })
      }
    })
  })
  // The caller receives the rejection. Nothing awaits it while the entries are still being sent.
  ended.catch(() => {})
  for (let at = 0; at < entries.length; at += BATCH) {
    send({ op: 'entries', entries: entries.slice(at, at + BATCH) })
    await breathe()
  }
  const { volume, pluggedAt, now } = input
  send({ op: 'go', profiles: deps.profiles(), timeZone: deps.timeZone, volume, pluggedAt, now: now() })
  return ended
}

/** A camera as it comes in pieces. */
function gathered(fileAt: (place: number) => FoundFile) {
  let head: CameraHead | null = null
  const recordings: Recording[] = []
  const others = new Map<FoundFile, string>()
  const clearable = new Set<FoundFile>()
  const received = ({ files, parts, claimed, ...one }: SentRecording): Recording => ({
    ...one,
    files: files.map(fileAt),
    parts: new Map(parts.map(([file, start, end]) => [fileAt(file), { start, end }])),
    claimedSha256: new Map(claimed.map(([file, sha256]) => [fileAt(file), sha256])),
  })
  return {
    add: (message: Extract<FromIdentify, { op: 'camera' | 'recordings' | 'others' | 'clearable' }>): void => {
      if (message.op === 'camera') head = message.head
      else if (message.op === 'recordings') for (const one of message.recordings) recordings.push(received(one))
      else if (message.op === 'others') for (const [file, why] of message.others) others.set(fileAt(file), why)
      else for (const file of message.files) clearable.add(fileAt(file))
    },
    whole: (): Camera => {
      if (head === null) throw new Error('The thread that looked at a card did not say what it is.')
      return { ...head, recordings, others, mayBeCleared: (file) => clearable.has(file) }
    },
  }
}
