import type { z } from 'zod'
import type { MediaModel } from '../../../shared/media/contract.ts'
import { jobKindOf, jobsForShowing, memberOf, VIEW_KINDS, type ViewKind } from '../../../shared/media/derivations.ts'
import type { Contents } from './derivations/derivation.ts'
import { REGISTRY } from './derivations/index.ts'
import { PREVIEW_SIDE } from './derive/plan.ts'
import type { MediaFacts } from '../../kernel/evidence/model.ts'
import { factsOf, isPreview, originalOf, playedOf } from '../../kernel/evidence/played.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'
import type { ViewRow } from '../../kernel/evidence/views.store.ts'
import type { JobView } from '../../kernel/jobs/types.ts'

export type MediaOut = z.input<typeof MediaModel>

export interface MediaParts {
  readonly tenant: string
  /** The resource that was asked for. */
  readonly row: ResourceRow
  /** All of its evidence, it among them. */
  readonly rows: readonly ResourceRow[]
  /** Of the original that it is or was made from. */
  readonly views: readonly ViewRow[]
  readonly jobs: readonly JobView[]
  /** Of a picture, by its own metadata. */
  readonly clock: MediaOut['Clock']
}

/** The metadata of a resource. */
export const metadataOf = ({ resource_id: id }: ResourceRow, rows: readonly ResourceRow[]): ResourceRow | undefined =>
  rows.find((row) => row.parent_id === id && row.role === 'metadata')

const KINDS: readonly [RegExp, MediaOut['Kind']][] = [
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/^image\//, 'image'],
  [/^application\/pdf$/, 'document'],
  [/^text\/|json-exif$/, 'text'],
]

/** From what is stored alone: the figures of what is played where it was measured, else those of the original's header. */
export function mediaModel({ tenant, row, rows, views, jobs, clock }: MediaParts): MediaOut {
  const original = originalOf(row, rows)
  const child = (fits: (row: ResourceRow) => boolean) =>
    rows.find((other) => other.parent_id === row.resource_id && fits(other))
  const played = original === row ? playedOf(row, rows) : row
  const preview =
    row.role === 'preview' && row.mime_type.startsWith('image/') ? row : child((r) => isPreview(r, 'image'))
  const own = factsOf(original)
  const shown = played === undefined ? own : { ...own, ...factsOf(played) }
  const type = row.sniffed_type ?? 'application/octet-stream'
  const id = (found: ResourceRow | undefined) => (found === undefined ? null : String(found.resource_id))
  return {
    Kind: KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'none',
    MimeType: type,
    DurationSeconds: shown.DurationSeconds ?? null,
    ...sizeOf(own, preview),
    Rotation: own.Rotation ?? 0,
    // A conversion keeps every picture's time but may write another mean over them.
    FrameRate: own.FrameRate ?? shown.FrameRate ?? null,
    VariableFrameRate: shown.VariableFrameRate ?? false,
    FrameCount: shown.FrameCount ?? null,
    VideoCodec: factsOf(row).VideoCodec ?? null,
    AudioCodec: factsOf(row).AudioCodec ?? null,
    PlayableResourceId: id(played),
    PreviewResourceId: id(preview),
    ExifResourceId: id(metadataOf(row, rows)),
    Clock: clock,
    ...layouts(tenant, original, views),
    Captions: captionsOf(original, rows),
    Views: VIEW_KINDS.map((kind) => viewState(kind, original, played, views, jobs)),
  }
}

const captionsOf = (original: ResourceRow, rows: readonly ResourceRow[]): MediaOut['Captions'] =>
  rows.flatMap((row) => {
    const { Captions: about } = row.parent_id === original.resource_id ? factsOf(row) : {}
    return about === undefined || about.Detached === true
      ? []
      : [{ ResourceId: String(row.resource_id), Language: about.Language, Label: about.Label }]
  })

/** HEIC headers are not read here: a preview that was not made smaller has the picture's own size. */
function sizeOf(own: MediaFacts, preview: ResourceRow | undefined): Pick<MediaOut, 'Width' | 'Height'> {
  const made = preview === undefined ? {} : factsOf(preview)
  const whole = Math.max(made.Width ?? 0, made.Height ?? 0) < PREVIEW_SIDE
  const { Width, Height } = own.Width === undefined && whole ? made : own
  return { Width: Width ?? null, Height: Height ?? null }
}

/** Each view under its own name: where it is fetched, and how it is laid out. */
function layouts(tenant: string, original: ResourceRow, views: readonly ViewRow[]): Layouts {
  const base = `/documentstore/api/v1/tenant/${encodeURIComponent(tenant)}/evidence/${original.evidence_id}/resource/${original.resource_id}`
  const members = VIEW_KINDS.map((kind) => {
    const found = views.find((one) => one.kind === kind)
    const layout = found === undefined ? null : (JSON.parse(found.layout) as object)
    return [memberOf(kind), layout && { Address: `${base}/${kind}`, ...layout }]
  })
  return Object.fromEntries(members) as Layouts
}
type Layouts = Pick<MediaOut, Capitalize<ViewKind>>

const BUSY: ReadonlySet<string> = new Set(['queued', 'running', 'waiting'])
/** What has to be over before a view can be begun. */
const BEFORE: ReadonlySet<string> = new Set(jobsForShowing('player'))

/** As far as the type tells: a recording may have sound. */
function contentsOf(mimeType: string): Contents {
  const [family] = mimeType.split('/')
  const moving = family === 'video' || family === 'audio'
  return { holds: moving ? family : 'nothing', mimeType, sound: moving }
}

function viewState(
  kind: ViewKind,
  original: ResourceRow,
  played: ResourceRow | undefined,
  views: readonly ViewRow[],
  jobs: readonly JobView[],
): MediaOut['Views'][number] {
  if (views.some((view) => view.kind === kind)) return { Kind: kind, State: 'done', Message: '' }
  const latest = jobs.filter((job) => job.kind === jobKindOf(kind)).at(-1)
  if (latest !== undefined && latest.state !== 'done')
    return { Kind: kind, State: BUSY.has(latest.state) ? 'working' : 'failed', Message: latest.message }
  const type = original.sniffed_type
  const possible = type === null || REGISTRY[kind].appliesTo(contentsOf(type))
  const before = jobs.find((job) => BEFORE.has(job.kind) && BUSY.has(job.state))
  return played === undefined && possible && before !== undefined
    ? { Kind: kind, State: 'working', Message: before.message }
    : { Kind: kind, State: 'none', Message: '' }
}
