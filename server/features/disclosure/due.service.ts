/** To whom a supplement is due, derived from rows as they are now (due.ts). */
import { seesSensitive } from '../../../shared/disclosure/kinds.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'
import { resourceState } from '../../kernel/evidence/rows.ts'
import { type EvidenceState, type StandingRecord, supplementaryDue } from './due.ts'
import { type DisclosuresOut, ordinalOf, recipientModel } from './disclosure.models.ts'
import * as rows from './disclosure.store.ts'
import type { DisclosureRow } from './disclosure.store.ts'
import { standingAmong } from './restrictions.store.ts'

export type DueOut = DisclosuresOut['Due'][number]

/** Of one case: a line for each recipient to whom a supplement is due, the earliest recipient first. */
export async function dueOfCase(from: Tx, row: CaseRow): Promise<DueOut[]> {
  const all = await rows.disclosuresOf(from, row.case_id)
  const replaced = new Set(all.map(({ supersedes }) => supersedes))
  const standing = all.filter(({ disclosure_id: id }) => !replaced.has(id))
  if (standing.length === 0) return []
  const records = await recordsOf(from, standing)
  const inCase = new Set((await rows.evidenceOfCase(from, row.case_id)).map((one) => one.evidence_id))
  // The scan of a receipt that somebody signed is no news to its signer, nor to anybody else.
  for (const id of await scansOf(from, all)) inCase.delete(id)
  const named = new Set([...inCase, ...[...records.values()].flatMap((one) => [...evidenceIn(one)])])
  const files = await rows.filesOf(from, named)
  const evidence = await statesOf(from, named, inCase, files)
  const isChanged = await changesAmong(
    from,
    [...records.values()].flatMap(({ items }) => items),
    files,
  )
  return [...Map.groupBy(standing, ({ chain }) => chain)].flatMap(([chain, some]) => {
    const last = some.at(-1) as DisclosureRow
    const role = last.recipient_role
    const Changes = supplementaryDue({
      records: some.map(({ disclosure_id: id }) => records.get(id) as StandingRecord),
      evidence,
      isChanged,
      seesSensitive: seesSensitive(role),
    }).map(({ reason, evidenceId, resourceId }) => ({
      Reason: reason,
      EvidenceId: String(evidenceId),
      ResourceId: resourceId === null ? null : String(resourceId),
    }))
    return Changes.length === 0
      ? []
      : [
          {
            CaseId: String(row.case_id),
            Ordinal: ordinalOf(row),
            Title: row.title,
            Chain: chain,
            Recipient: recipientModel(last),
            LastNo: last.no,
            RequestDue: last.request_due,
            Changes,
          },
        ]
  })
}

async function scansOf(from: Tx, all: readonly DisclosureRow[]): Promise<number[]> {
  const acknowledged = await rows.acknowledgementsOf(
    from,
    all.map((one) => one.disclosure_id),
  )
  return acknowledged.flatMap((one) => one.evidence_id ?? [])
}

const evidenceIn = ({ items, withheld }: StandingRecord): Set<number> =>
  new Set([...items, ...withheld].map(({ evidenceId }) => evidenceId))

const endedKey = (one: { readonly disclosure_id: number; readonly subject: string }): string =>
  `${one.disclosure_id} ${one.subject}`

async function recordsOf(from: Tx, standing: readonly DisclosureRow[]): Promise<Map<number, StandingRecord>> {
  const ids = standing.map((one) => one.disclosure_id)
  const items = Map.groupBy(await rows.itemsOf(from, ids), (one) => one.disclosure_id)
  const withheld = Map.groupBy(await rows.withheldOf(from, ids), (one) => one.disclosure_id)
  const others = Map.groupBy(await rows.othersOf(from, ids), (one) => one.disclosure_id)
  const ended = new Set((await rows.groundsEndedOf(from, ids)).map(endedKey))
  return new Map(
    standing.map(({ disclosure_id: id, no }) => [
      id,
      {
        no,
        items: (items.get(id) ?? []).map((one) => ({
          evidenceId: one.evidence_id,
          resourceId: one.resource_id,
          sha256: one.sha256,
          version: one.version,
        })),
        withheld: (withheld.get(id) ?? []).map((one) => ({
          evidenceId: one.evidence_id,
          resourceId: one.resource_id,
          restrictionId: one.restriction_id,
          ended: ended.has(endedKey(one)),
        })),
        others: (others.get(id) ?? []).map((one) => one.evidence_id),
      },
    ]),
  )
}

async function statesOf(
  from: Tx,
  ids: ReadonlySet<number>,
  inCase: ReadonlySet<number>,
  files: readonly ResourceRow[],
): Promise<Map<number, EvidenceState>> {
  const restricted = await standingAmong(from, ids)
  const byEvidence = Map.groupBy(files, (one) => one.evidence_id)
  return new Map(
    (await rows.evidenceByIds(from, ids)).map(({ evidence_id: id, lifecycle_state: state }) => [
      id,
      {
        inCase: inCase.has(id),
        deleted: state === 'Deleted' || state === 'Destroyed',
        restricted: restricted.has(id),
        files: (byEvidence.get(id) ?? []).map((one) => ({
          resourceId: one.resource_id,
          original: one.role === 'original',
        })),
      },
    ]),
  )
}

/** What a recipient was told of a file. A version also counts thumbnails and what was read out of it, which are no change of the file. */
const TOLD = ['Name', 'Sha256', 'LengthInBytes', 'StartTimeUtc', 'EndTimeUtc', 'TimeOffset', 'Role'] as const

async function changesAmong(
  from: Tx,
  items: readonly StandingRecord['items'][number][],
  files: readonly ResourceRow[],
): Promise<(item: StandingRecord['items'][number]) => boolean> {
  const now = new Map(files.map((one) => [one.resource_id, one]))
  const others = items.filter(({ resourceId, version }) => now.get(resourceId)?.concurrency_id !== version)
  const then = await rows.statesAt(from, others)
  return ({ resourceId, sha256, version }) => {
    const file = now.get(resourceId)
    // Nothing can be told of a file whose bytes are gone.
    if (file === undefined) return false
    if (file.sha256 !== sha256) return true
    if (file.concurrency_id === version) return false
    const state = then.get(`${resourceId} ${version}`)
    if (state === undefined) return true
    const [before, after] = [
      JSON.parse(state) as Record<string, unknown>,
      resourceState(file) as Record<string, unknown>,
    ]
    return TOLD.some((member) => before[member] !== after[member])
  }
}
