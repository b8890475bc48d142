/**
 * What a link may hand out at this moment (docs/decisions/0037). Asked each time, and nothing of the answer is kept: a restriction, a deletion, or a right
 * that its maker lost counts from the next request on.
 */
import type { NotShared } from '../../../shared/share-links/rules.ts'
import { includes } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { evidenceAsOf } from '../../kernel/evidence/lifecycle.ts'
import { isPreview, playedOf } from '../../kernel/evidence/played.ts'
import { type EvidenceRow, evidencesById, type ResourceRow, resourcesOf } from '../../kernel/evidence/records.store.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import * as rows from './share-links.store.ts'

/** Sharing needs the level at which access is given to colleagues. */
export const NEEDED = 'Manage'

export interface StandingDeps {
  readonly access: Pick<Access, 'onEvidences'>
  readonly clock: Clock
  /** Those of the evidence that may not leave the station. */
  readonly restrictedAmong: (from: Tx, evidenceIds: readonly number[]) => Promise<ReadonlySet<number>>
}

/** A file of a link, with the rows that it needs. */
export interface SharedFile {
  readonly evidence: EvidenceRow
  readonly original: ResourceRow & { readonly sha256: string; readonly length: number }
  readonly shows: Shows
  /** From what the marked copy is made; null where there is none yet. */
  readonly shown: ResourceRow | null
}
export type Shows = 'video' | 'picture' | 'nothing'

export interface Considered {
  readonly evidence: EvidenceRow | null
  readonly refused: Exclude<NotShared, 'at-headquarters'> | null
  readonly files: readonly SharedFile[]
}

/** Which of the evidence somebody may share now, in the order given, and with which files. */
export async function consider(
  deps: StandingDeps,
  from: Tx,
  asked: { readonly principal: Principal | null; readonly tenant: string; readonly evidenceIds: readonly number[] },
): Promise<Map<number, Considered>> {
  const ids = [...new Set(asked.evidenceIds)]
  if (ids.length === 0) return new Map()
  const found = new Map((await evidencesById(from, asked.tenant, ids)).map((row) => [row.evidence_id, row]))
  // Also of what is not there: it must not be told apart from what the caller may not see.
  const levels = await deps.access.onEvidences(from, asked.principal, ids)
  const restricted = await deps.restrictedAmong(from, ids)
  const now = timeOf(deps.clock.now()).ticks
  const considered = new Map<number, Considered>()
  for (const id of ids) {
    const row = found.get(id)
    const level = levels.get(id) ?? 'None'
    if (row === undefined || level === 'None') {
      considered.set(id, { evidence: null, refused: 'not-found', files: [] })
      continue
    }
    const evidence = evidenceAsOf(row, now)
    const files = await filesOf(from, evidence)
    const refused =
      evidence.lifecycle_state === 'Deleted'
        ? 'deleted'
        : !includes(level, NEEDED)
          ? 'no-right'
          : restricted.has(id)
            ? 'restricted'
            : files.length === 0
              ? 'no-file'
              : null
    considered.set(id, { evidence, refused, files })
  }
  return considered
}

async function filesOf(from: Tx, evidence: EvidenceRow): Promise<SharedFile[]> {
  const all = await resourcesOf(from, evidence.evidence_id)
  const files: SharedFile[] = []
  for (const row of all) {
    const { sha256, length } = row
    // What is in quarantine, or still arriving, is not complete.
    if (row.role !== 'original' || row.state !== 'UserCompleted' || sha256 === null || length === null) continue
    const played = playedOf(row, all)
    const picture = all.find((other) => other.parent_id === row.resource_id && isPreview(other, 'image'))
    const type = row.sniffed_type ?? row.mime_type
    const shows = played?.role === 'playable' || type.startsWith('video/') ? 'video' : pictureOr(type, picture)
    const shown = shows === 'video' ? (played?.role === 'playable' ? played : null) : (picture ?? null)
    files.push({ evidence, original: { ...row, sha256, length }, shows, shown: shows === 'nothing' ? null : shown })
  }
  return files
}

const pictureOr = (type: string, picture: ResourceRow | undefined): Shows =>
  picture !== undefined || type.startsWith('image/') ? 'picture' : 'nothing'

/** The files that a link may hand out now, by their number. Everything else of it is withheld. */
export async function standingFiles(
  deps: StandingDeps,
  from: Tx,
  link: rows.LinkRow,
  items: readonly rows.ItemRow[],
): Promise<Map<number, SharedFile>> {
  const maker = await rows.makerOf(from, link.made_by)
  if (maker === undefined || maker.enabled !== 1 || maker.guest === 1) return new Map()
  const principal = { kind: maker.kind, id: String(maker.principal_id), name: maker.name, kId: maker.k_id } as Principal
  const considered = await consider(deps, from, {
    principal,
    tenant: link.tenant_id,
    evidenceIds: items.map((item) => item.evidence_id),
  })
  const standing = new Map<number, SharedFile>()
  for (const item of items) {
    const of = considered.get(item.evidence_id)
    const file = of?.files.find(({ original }) => original.resource_id === item.resource_id)
    if (of?.refused === null && file !== undefined) standing.set(item.item, file)
  }
  return standing
}
