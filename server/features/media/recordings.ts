import { fault } from '../../../shared/kernel/errors.ts'
import type { Database } from '../../kernel/database/database.ts'
import { originalOf, playedOf } from '../../kernel/evidence/played.ts'
import { type ResourceRow, resourcesOf } from '../../kernel/evidence/records.store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { BlobStore, LocalCopy } from '../../storage/store.ts'
import type { Source } from './derive/types.ts'

/** A recording from which frames are taken, and what a player is given of it. */
export interface Recording {
  readonly original: ResourceRow
  readonly played: ResourceRow
}

interface Deps {
  readonly db: Database
  readonly jobs: Pick<JobQueue, 'ofSubjects'>
}

/** @throws Fault NotAVideo, ResourceNotCompleted */
export async function recordingOf({ db, jobs }: Deps, evidenceId: number, asked: ResourceRow): Promise<Recording> {
  const rows = await resourcesOf(db.read, evidenceId)
  const original = originalOf(asked, rows)
  const played = playedOf(original, rows)
  if (original.state === 'UserCompleted' && played?.role === 'playable') return { original, played }
  const known = await jobs.ofSubjects([`resource:${original.resource_id}`])
  const busy = known.some(({ state }) => state === 'queued' || state === 'running' || state === 'waiting')
  if (original.state === 'None' || (busy && (original.sniffed_type?.startsWith('video/') ?? true)))
    throw fault('ResourceNotCompleted', 'This video is not ready for playing yet.')
  throw fault('NotAVideo', `Resource ${asked.resource_id} is no video that can be played, so it has no frames to take.`)
}

/** Gives `use` files with the bytes of both. */
export async function withRecording<T>(
  store: Pick<BlobStore, 'localCopy'>,
  { original, played }: Recording,
  signal: AbortSignal,
  use: (original: Source, played: Source) => Promise<T>,
): Promise<T> {
  const locals: LocalCopy[] = []
  const sourceOf = async ({ sha256, name }: ResourceRow): Promise<Source> => {
    const local = await store.localCopy(sha256 as string, { signal })
    locals.push(local)
    return { path: local.path, sha256: sha256 as string, name }
  }
  try {
    return await use(await sourceOf(original), await sourceOf(played))
  } finally {
    await Promise.all(locals.map((local) => local.release()))
  }
}
