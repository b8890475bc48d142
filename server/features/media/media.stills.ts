import { fault } from '../../../shared/kernel/errors.ts'
import { parseTime, type Time } from '../../../shared/kernel/time.ts'
import type { Database } from '../../kernel/database/database.ts'
import { BeyondEnd } from './derive/still.ts'
import type { Deriver, Source } from './derive/types.ts'
import { derivationJob } from '../../kernel/evidence/derivation-jobs.ts'
import { placeAndCommit } from '../../kernel/evidence/place-and-commit.ts'
import { FACTS_VERSION } from '../../kernel/evidence/model.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import { type ResourceRow, resourceById, resourcesOf } from '../../kernel/evidence/records.store.ts'
import type { BlobStore, LocalCopy, StagedBlob } from '../../storage/store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import { FinalFailure, NotYet } from '../../kernel/jobs/types.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { originalOf, playedOf } from '../../kernel/evidence/played.ts'
import type { EvidenceReach } from '../../kernel/evidence/reach.ts'
import { type ResourceOut, resourceModel } from '../../kernel/evidence/resource-model.ts'

export interface Stills {
  /**
   * One frame of the original as a resource of its own. @param asked.seconds on the time line that is played
   * @throws Fault NotAVideo, ResourceNotCompleted, FrameNotReadable, InvalidModel (beyond the end), NotReady (no ffmpeg)
   */
  take(call: HttpCall, tenant: string, evidenceId: string, resourceId: string, asked: Asked): Promise<ResourceOut>
  /** Whether the caller may take one now. @throws Fault as `ReachEvidence` */
  judge(call: HttpCall, tenant: string, evidenceId: string): Promise<unknown>
}

export interface Asked {
  readonly seconds: number
  readonly name: string | null
  readonly signal: AbortSignal
}

interface Deps {
  db: Database
  reachRows: EvidenceReach['reachRows']
  reach: EvidenceReach['reach']
  jobs: Pick<JobQueue, 'enqueue' | 'kick' | 'ofSubjects'>
  store: BlobStore
  deriver: Pick<Deriver<StagedBlob>, 'deriveStill'>
  records: Pick<Records, 'addStill'>
  /** @throws Fault when the station takes no writes now, or no further bytes. */
  requireBytes: (bytes: number) => Promise<void>
}

/** A decoder each; what comes beyond waits its turn. */
const AT_ONCE = 2
/** Room for the picture; a larger one is refused by the store itself when there is none. */
const EXPECTED_BYTES = 32 * 1024 ** 2

export function createStills({ db, reachRows, reach, jobs, store, deriver, records, requireBytes }: Deps): Stills {
  const inTurn = lanes(AT_ONCE)

  /** Gives `use` files with the bytes of both. */
  const withSources = async <T>(
    rows: readonly [ResourceRow, ResourceRow],
    signal: AbortSignal,
    use: (...sources: readonly [Source, Source]) => Promise<T>,
  ): Promise<T> => {
    const locals: LocalCopy[] = []
    const sourceOf = async ({ sha256, name }: ResourceRow): Promise<Source> => {
      const local = await store.localCopy(sha256 as string, { signal })
      locals.push(local)
      return { path: local.path, sha256: sha256 as string, name }
    }
    try {
      return await use(await sourceOf(rows[0]), await sourceOf(rows[1]))
    } finally {
      await Promise.all(locals.map((local) => local.release()))
    }
  }

  /** The original and what a player is given of it. */
  const videoOf = async (evidenceId: number, asked: ResourceRow) => {
    const rows = await resourcesOf(db.read, evidenceId)
    const original = originalOf(asked, rows)
    const played = playedOf(original, rows)
    if (original.state === 'UserCompleted' && played?.role === 'playable') return { original, played }
    const known = await jobs.ofSubjects([`resource:${original.resource_id}`])
    const busy = known.some(({ state }) => state === 'queued' || state === 'running' || state === 'waiting')
    if (original.state === 'None' || (busy && (original.sniffed_type?.startsWith('video/') ?? true)))
      throw fault('ResourceNotCompleted', 'This video is not ready for playing yet.')
    throw fault(
      'NotAVideo',
      `Resource ${asked.resource_id} is no video that can be played, so it has no frames to take.`,
    )
  }

  return {
    judge: (call, tenant, evidenceId) => reach(db.read, call, tenant, evidenceId, 'Edit'),
    take: async (call, tenant, evidenceId, resourceId, { seconds, name, signal }) => {
      const { evidence, resource } = await reachRows(call, 'Edit', { tenant, evidenceId, resourceId })
      const { original, played } = await videoOf(evidence.evidence_id, resource as ResourceRow)
      await requireBytes(EXPECTED_BYTES)
      const made = await inTurn(signal, () =>
        withSources([original, played], signal, (from, shown) => deriver.deriveStill(from, shown, seconds, { signal })),
      ).catch(refused)
      try {
        const out = await placeAndCommit({ db, store }, made.staged, async (tx, blob) => {
          // It took a while to make: a right that went meanwhile is gone.
          await reach(tx, call, tenant, evidenceId, 'Edit')
          const parent = (await resourceById(tx, original.resource_id)) as ResourceRow
          const row = await records.addStill(tx, call, parent, {
            name: name ?? `${parent.name} at ${clockText(seconds)}.png`,
            mimeType: 'image/png',
            blob,
            derivation: made.derivation,
            media: { Width: made.width, Height: made.height, Rotation: 0, Still: seconds, Version: FACTS_VERSION },
            start: laterBy(parent.start_utc, seconds),
            frameSeconds: made.frameSeconds,
          })
          await jobs.enqueue(tx, derivationJob('thumbnail', row.resource_id))
          return call.rememberAnswer(tx, resourceModel(evidence.tenant_id, row, []))
        })
        jobs.kick()
        return out
      } finally {
        await made.dispose()
      }
    },
  }
}

function refused(error: unknown): never {
  if (error instanceof BeyondEnd) {
    throw fault('InvalidModel', `The video ends at ${error.seconds} seconds.`, [
      { Path: 'Seconds', Message: `must not be beyond ${error.seconds}` },
    ])
  }
  if (error instanceof NotYet) throw fault('NotReady', error.message)
  if (error instanceof FinalFailure) throw fault('FrameNotReadable', error.message)
  throw error
}

/** `h:mm:ss.mmm`. */
export function clockText(seconds: number): string {
  const millis = Math.round(seconds * 1000)
  const part = (unit: number, of: number, digits: number) =>
    String(Math.floor(millis / unit) % of).padStart(digits, '0')
  return `${Math.floor(millis / 3_600_000)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`
}

/** To the millisecond; what the start has beyond that stays. */
export function laterBy(startUtc: string | null, seconds: number): Time | null {
  const start = startUtc === null ? null : parseTime(startUtc, { utcMember: true })
  if (start === null) return null
  const ticks = start.ticks + BigInt(Math.round(seconds * 1000)) * 10_000n
  const rest = ((ticks % 10_000n) + 10_000n) % 10_000n
  const millis = new Date(Number((ticks - rest) / 10_000n)).toISOString()
  return { text: rest === 0n ? millis : `${millis.slice(0, -1)}${String(rest).padStart(4, '0')}Z`, ticks }
}

/** Runs at most so many at once, in the order in which they were asked for. One that nobody waits for any more is not begun. */
function lanes(count: number) {
  const waiting: (() => void)[] = []
  let free = count
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
