import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'
import { StorageFault } from '../../../storage/store.ts'
import type { FoundFile } from '../../../platform/files/walk.ts'
import { VolumeFault } from '../../../platform/volumes/volume-reader.ts'
import { type Context, dockCall, hubOf, Pulled, rowOf, type StepResult, volumeOf } from '../session/context.ts'
import { type FileRow, filesLeft, type SessionRow, updateFile, updateSession } from '../session/sessions.store.ts'
import { LANES_OF_A_CAMERA } from '../transfer/copy-lanes.ts'
import { earlierOf, notRecognised, rememberHere } from './known-files.ts'
import { commitRecording } from './create-evidence.ts'

/** How often a file is tried in one docking: a second read of a card may succeed after the first one failed. */
const MOST_ATTEMPTS = 3
const BETWEEN_ATTEMPTS_MS = 1000
/** A read that gives nothing for so long is given up (promise S12). */
const STALLED_MS = 30_000

/** Copies the files that are left, through the pipeline of docs/architecture.md, in the lanes that all cameras share. */
export async function copy(context: Context): Promise<StepResult> {
  const { parts, id, signal } = context
  const volume = volumeOf(context)
  const row = await rowOf(context)
  const found: ReadonlyMap<string, FoundFile> = context.contents?.byKey ?? new Map()
  const left = await notRecognised(context, row, await filesLeft(parts.db.read, id), found)
  const place = { camera: String(id), hub: hubOf(volume) }
  if (left.length > 0 && row.first_byte_at === null)
    await parts.db.transaction((tx) => updateSession(tx, id, { first_byte_at: parts.clock.now() }))
  const queue = [...left]
  const lane = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const one = file
      try {
        await parts.lanes.run(place, one.length, signal, () => take(context, row, one, found.get(one.path_key)))
      } catch (error) {
        // What stops this lane stops the other one after its file.
        queue.length = 0
        throw error
      }
    }
  }
  await allOf(Array.from({ length: LANES_OF_A_CAMERA }, lane))
  return { event: 'done', set: { last_byte_at: parts.clock.now() } }
}

/** Waits for all of them, also after a failure: no copy may run on after the session has changed its state. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(work)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

async function take(context: Context, row: SessionRow, file: FileRow, found: FoundFile | undefined): Promise<void> {
  const { parts, signal } = context
  for (let attempt = file.attempts + 1; ; attempt++) {
    try {
      if (found === undefined) throw new VolumeFault('Changed', dockReason('gone'))
      await takeOnce(context, row, file, found)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!isOfTheCard(error)) throw error
      await refuseWherePulled(context)
      const reason = (error as Error).message.toWellFormed()
      const last = attempt >= MOST_ATTEMPTS
      await parts.db.transaction(async (tx) => {
        await updateFile(tx, file.file_id, {
          attempts: attempt,
          ...(last ? { outcome: 'failed' as const, reason } : {}),
        })
        if (last)
          await parts.ledger.append(tx, dockCall(row.session_id), {
            action: 'dock.fileFailed',
            object: { type: 'dockSession', id: String(row.session_id), name: row.bay },
            outcome: 'failed',
            reason,
            bytes: file.length,
            detail: { path: file.path, attempts: attempt },
          })
      })
      if (last) return
      await pause(BETWEEN_ATTEMPTS_MS, signal)
    } finally {
      context.underWay.delete(file.file_id)
    }
  }
}

const CARD_CODES: ReadonlySet<string> = new Set([
  'SourceMissing',
  'SourceNotRegular',
  'SourceUnreadable',
  'SourceChanged',
  'NotAsExpected',
])

/** Whether the fault lies with the card: then the next file may be good. Any other fault stops the session, which is tried again as a whole. */
const isOfTheCard = (error: unknown): boolean =>
  error instanceof VolumeFault || (error instanceof StorageFault && CARD_CODES.has(error.code))

/** Before a card is blamed: is it there at all? @throws Pulled */
async function refuseWherePulled(context: Context): Promise<void> {
  const volume = volumeOf(context)
  const present = await context.isPresent(volume)
  if (!present) throw new Pulled('The camera was taken out.')
}

async function takeOnce(context: Context, row: SessionRow, file: FileRow, found: FoundFile): Promise<void> {
  const { parts } = context
  const volume = volumeOf(context)
  context.underWay.set(file.file_id, { length: file.length, done: 0 })
  const opened = await parts.reading.open(volume, found)
  const watch = stallWatch(context.signal)
  const onProgress = (done: number): void => {
    watch.beat()
    context.underWay.set(file.file_id, { length: file.length, done })
  }
  try {
    const earlier = await earlierOf(parts.db.read, row, file)
    if (earlier !== null) {
      const { sha256 } = await parts.store.hashFile(opened.path, { signal: watch.signal, onProgress })
      if (sha256 === earlier.sha256)
        return await parts.db.transaction((tx) => rememberHere(parts, tx, { row, file, earlier, by: 'hash' }))
    }
    await parts.requireBytes(file.length)
    const staged = await parts.store.copyResumable(opened.path, copyKey(row, file), {
      signal: watch.signal,
      onProgress,
      expect: { length: file.length },
    })
    watch.end()
    await placeAndCommit(parts, staged, (tx, placed) =>
      commitRecording(context, tx, file, { placed, resumedFrom: staged.resumedFrom }),
    )
    parts.jobs.kick()
  } catch (error) {
    throw watch.stalled()
      ? new VolumeFault('Stalled', 'The card gave nothing for 30 seconds.', { cause: error })
      : error
  } finally {
    watch.end()
    await opened.close()
  }
}

/** The key of a partial copy in the store. */
const copyKey = (row: SessionRow, file: FileRow): string => `${row.session_id}-${file.file_id}`

/** Aborts what gave nothing for too long. */
function stallWatch(outer: AbortSignal) {
  const controller = new AbortController()
  let stalled = false
  const away = (): void => controller.abort(outer.reason)
  outer.addEventListener('abort', away, { once: true })
  const late = (): void => {
    stalled = true
    controller.abort(new Error('stalled'))
  }
  let timer = setTimeout(late, STALLED_MS)
  return {
    signal: controller.signal,
    stalled: () => stalled,
    beat: () => {
      clearTimeout(timer)
      timer = setTimeout(late, STALLED_MS)
    },
    end: () => {
      clearTimeout(timer)
      outer.removeEventListener('abort', away)
    },
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const away = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', away)
      resolve()
    }, ms)
    signal.addEventListener('abort', away, { once: true })
  })
