import { fault } from '../../../shared/kernel/errors.ts'
import { MOST_PEAKS } from '../../../shared/media/contract.ts'
import { clockModel } from '../../../shared/evidence/recorded-clock.contract.ts'
import type { Database } from '../../kernel/database/database.ts'
import { pictureTime } from './derive/capture-time.ts'
import { claimsIn } from './derive/kept-metadata.ts'
import { type ResourceRow, resourcesOf } from '../../kernel/evidence/records.store.ts'
import { type ViewRow, viewOf, viewsOf } from '../../kernel/evidence/views.store.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { originalOf } from '../../kernel/evidence/played.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import { type MediaOut, mediaModel, metadataOf } from './media.models.ts'

/** What the player and the picture viewer ask: read from what derivation stored, never measured within a request. */
export interface MediaService {
  media(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
  ): Promise<{ row: ResourceRow; out: MediaOut }>
  /** @throws Fault ResourceNotFound when there is none */
  view(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
    kind: ViewRow['kind'],
  ): Promise<{ row: ResourceRow; view: ViewRow }>
  /** What a view of JSON says. */
  textOf(view: ViewRow): Promise<string>
}

interface Deps {
  db: Database
  reachRows: ReachRows
  jobs: Pick<JobQueue, 'ofSubjects'>
  store: BlobStore
  clock: Clock
  /** IANA name, of the station. */
  timeZone: string
}

export function createMediaService({ db, reachRows, jobs, store, clock, timeZone }: Deps): MediaService {
  const clockOf = async (row: ResourceRow, rows: readonly ResourceRow[]): Promise<MediaOut['Clock']> => {
    const metadata = metadataOf(row, rows)
    if (metadata === undefined || metadata.sha256 === null) return null
    const claims = await claimsIn(store, metadata.sha256)
    const time = claims === null ? null : pictureTime(claims, row.time_offset, timeZone, clock.now())
    return time === null ? null : clockModel(time)
  }
  const view: MediaService['view'] = async (call, tenant, evidenceId, resourceId, kind) => {
    const { evidence, resource } = await reachRows(call, 'View', { tenant, evidenceId, resourceId })
    const row = originalOf(resource as ResourceRow, await resourcesOf(db.read, evidence.evidence_id))
    const found = await viewOf(db.read, row.resource_id, kind)
    if (found === undefined) throw fault('ResourceNotFound', `There is no ${kind} of this resource.`)
    return { row, view: found }
  }

  return {
    media: async (call, tenant, evidenceId, resourceId) => {
      const { evidence, resource } = await reachRows(call, 'View', { tenant, evidenceId, resourceId })
      const row = resource as ResourceRow
      const rows = await resourcesOf(db.read, evidence.evidence_id)
      const original = originalOf(row, rows)
      const [views, known] = await Promise.all([
        viewsOf(db.read, original.resource_id),
        jobs.ofSubjects([`resource:${original.resource_id}`]),
      ])
      const parts = { tenant: evidence.tenant_id, row, rows, views, jobs: known }
      return { row, out: mediaModel({ ...parts, clock: await clockOf(row, rows) }) }
    },
    view,
    textOf: ({ kind, sha256 }) => readText(store, kind, sha256),
  }
}

/** Of views of JSON those of peaks are the longest: four characters a peak, and a line of words. */
const LONGEST = MOST_PEAKS * 4 + 1024

async function readText(store: BlobStore, kind: ViewRow['kind'], sha256: string): Promise<string> {
  const opened = await store.open(sha256)
  if (opened.size > LONGEST) throw new Error(`${kind} ${sha256} has ${opened.size} bytes`)
  const chunks: Buffer[] = []
  for await (const chunk of opened.stream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
