/**
 * Versions of cases (decisions 4 and 19). A version stores which evidence came and went since the version before it, so that a link costs
 * the same however many the case has. Outside, each version has the whole list.
 */
import type { Tx } from '../../kernel/database/database.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { findVersion, type Version, type Versions } from '../../kernel/versions/versions.ts'
import { type CaseState, type CaseStateParts, type CaseVersion, stateOf } from './cases.models.ts'
import { type BeforeNextVersion, beforeNextVersion, evidenceIdsAt } from './cases.store.ts'

/** The member of a stored state that stands for the list; absent when no evidence came or went. */
interface EvidenceIdsChanged {
  readonly Added: readonly string[]
  readonly Removed: readonly string[]
}

/**
 * Adds a version of a case in its stored state. The hash covers the links, together with those of the versions before it.
 * @returns its concurrency id
 */
export async function addCaseVersion(
  versions: Pick<Versions, 'add'>,
  tx: Tx,
  call: Call,
  parts: CaseStateParts,
  action: Action,
): Promise<string> {
  const { parent, linkChanges } = await beforeNextVersion(tx, parts.row.case_id)
  return versions.add(tx, {
    entity: 'case',
    entityId: parts.row.case_id,
    state: { ...stateOf(parts), ...changedMember(linkChanges) },
    action,
    author: call.actor,
    dateUtc: parts.row.modified_utc,
    parent,
  })
}

function changedMember(changes: BeforeNextVersion['linkChanges']): { EvidenceIdsChanged?: EvidenceIdsChanged } {
  if (changes.length === 0) return {}
  const idsOf = (change: 1 | -1): string[] =>
    changes.filter((row) => row.change === change).map((row) => String(row.evidence_id))
  return { EvidenceIdsChanged: { Added: idsOf(1), Removed: idsOf(-1) } }
}

export async function findCaseVersion(from: Tx, caseId: number, concurrencyId: string): Promise<CaseVersion | null> {
  const version = await findVersion(from, 'case', caseId, concurrencyId)
  return version === null ? null : versionWith(await idsAt(from, caseId, version), version)
}

/** The history of cases with the evidence of each version. */
export const caseHistory = (from: Tx, versions: Pick<Versions, 'history'>): Pick<Versions, 'history'> => ({
  history: async (entity, caseId, page) => {
    const found = await versions.history(entity, caseId, page)
    const oldest = found?.at(-1)
    if (found === null || oldest === undefined) return found
    const whole: CaseVersion[] = []
    let ids: readonly string[] = await idsAt(from, caseId, oldest)
    for (const version of found.toReversed()) {
      if (version !== oldest) ids = idsAfter(ids, changedIn(version))
      whole.push(versionWith(ids, version))
    }
    return whole.reverse()
  },
})

const idsAt = async (from: Tx, caseId: number, { number }: Version): Promise<string[]> =>
  (await evidenceIdsAt(from, caseId, number)).map(String)

const changedIn = ({ state }: Version): EvidenceIdsChanged | undefined =>
  state['EvidenceIdsChanged'] as EvidenceIdsChanged | undefined

function idsAfter(ids: readonly string[], changed: EvidenceIdsChanged | undefined): readonly string[] {
  if (changed === undefined) return ids
  const removed = new Set(changed.Removed)
  return [...ids.filter((id) => !removed.has(id)), ...changed.Added].sort((a, b) => Number(a) - Number(b))
}

function versionWith(ids: readonly string[], version: Version): CaseVersion {
  const { EvidenceIdsChanged: _, ...state } = version.state
  return { ...version, state: { ...state, EvidenceIds: ids } as unknown as CaseState }
}
