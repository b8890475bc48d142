import type { z } from 'zod'
import type { PatchEvidenceModel } from '../../../shared/evidence/change.contract.ts'
import { type EvidenceFieldName, fieldOf, namesIn } from '../../../shared/evidence/fields.ts'
import type { Call } from '../ledger/call.ts'
import type { Tx } from '../database/database.ts'
import { type EvidencePolicy, replaceEvidencePolicies, replaceTags } from './change.store.ts'
import { factsOfClock } from './clocks.store.ts'
import { evidenceObject } from './objects.ts'
import { storedColumns, storedValue } from './rows.ts'
import { type EvidenceRow, type PolicyRow, updateEvidence } from './records.store.ts'
import { evidenceVersion, type RecordDeps } from './row-versions.ts'
import { tagKey } from './rows.ts'
import { clearedStart, startSet } from './start-change.ts'

/** What a caller may change of an evidence (decisions 6). Absent or null: as it was. */
export interface EvidenceChange extends Omit<z.output<typeof PatchEvidenceModel>, 'AccessPolicies' | 'ConcurrencyId'> {
  /** Those of the evidence itself, by principal. */
  readonly policies: readonly EvidencePolicy[] | null
  /** IANA name, of the station: for a local time without its zone. */
  readonly timeZone: string
}

/** Whether a member shall be emptied: one that has a value too takes the value. */
export const isCleared = (
  change: Pick<EvidenceChange, 'Clear'> & Partial<Record<EvidenceFieldName, unknown>>,
  name: EvidenceFieldName,
): boolean => (change[name] ?? null) === null && (change.Clear ?? []).some((one) => one === name)

/** An evidence as it stands in the transaction. */
export interface StoredEvidence {
  readonly row: EvidenceRow
  readonly tags: readonly string[]
  /** By principal. */
  readonly policies: readonly PolicyRow[]
}

export interface EvidenceChanges {
  /** A version and an entry that names what changed. @returns null when nothing would be other than it is; nothing is written then. */
  changeEvidence(tx: Tx, call: Call, stored: StoredEvidence, change: EvidenceChange): Promise<EvidenceRow | null>
}

export function createEvidenceChanges(deps: RecordDeps): EvidenceChanges {
  return {
    changeEvidence: async (tx, call, stored, change) => {
      const { evidence_id: id, tenant_id: tenant } = stored.row
      const columns = changedColumns(stored.row, change, await changedStart(tx, stored.row, change))
      const changed = columns.map(([member]) => member)
      if (columns.length > 0) await updateEvidence(tx, id, Object.assign({}, ...columns.map(([, set]) => set)))
      const { Tags: tags = null } = change
      if (tags !== null && !sameList(tags, stored.tags)) {
        await replaceTags(
          tx,
          id,
          tags.map((tag) => ({ tag, key: tagKey(tag) })),
        )
        changed.push('Tags')
      }
      if (change.policies !== null && !sameList(change.policies.map(told), stored.policies.map(toldRow))) {
        await replaceEvidencePolicies(tx, id, change.policies)
        changed.push('AccessPolicies')
      }
      if (changed.length === 0) return null
      const row = await evidenceVersion(deps, tx, call, id, tenant, 'evidence.changed')
      await deps.ledger.append(tx, call, {
        action: 'evidence.changed',
        object: evidenceObject(row),
        ...reasonOf(change),
        detail: { concurrencyId: row.concurrency_id, changed, ...timesOf(stored.row, row, changed) },
      })
      return row
    },
  }
}

type Set = Partial<EvidenceRow>

/** In the order in which the ledger names them. */
const CHANGEABLE = namesIn('name', 'about', 'category', 'place', 'times')

/** By their names of 2.4, the columns that would be other than they are. Pure. */
function changedColumns(row: EvidenceRow, change: EvidenceChange, start: Set | null): [member: string, set: Set][] {
  const found = CHANGEABLE.flatMap((name): [string, Set][] => {
    if (name === 'StartTimeUtc') return start === null ? [] : [[name, start]]
    const set = storedColumns(name, change[name])
    const value = storedValue(set, name)
    if (value === storedValue(row, name) || (value === null && !isCleared(change, name))) return []
    return [[name, set]]
  })
  const { CustomFields: customFields = null } = change
  if (customFields !== null && !sameTexts(customFields, JSON.parse(row.custom_fields) as Record<string, string>))
    found.push(['CustomFields', { custom_fields: JSON.stringify(customFields) }])
  return found
}

/** The columns of the start; null where it stays as it is. */
async function changedStart(tx: Tx, row: EvidenceRow, change: EvidenceChange): Promise<Set | null> {
  const { StartTimeUtc: given = null, timeZone } = change
  if (given === null && !isCleared(change, 'StartTimeUtc')) return null
  if (given !== null && given.text === row.start_utc) return null
  const facts = await factsOfClock(tx, row.evidence_id)
  const set = given === null ? clearedStart(row, facts, timeZone) : startSet(row, facts, given)
  return set.start_utc === row.start_utc && set.start_source === row.start_source ? null : set
}

/** Why, as somebody said it. */
const reasonOf = ({ Reason: reason }: EvidenceChange) =>
  (reason ?? '').trim() === '' ? {} : { reason: (reason as string).trim() }

/** Of changed times what they were and what they are: a reason says nothing without them. Pure. */
function timesOf(before: EvidenceRow, after: EvidenceRow, changed: readonly string[]) {
  const times = CHANGEABLE.filter((name) => fieldOf(name).kind === 'time' && changed.includes(name))
  if (times.length === 0) return {}
  const both = (name: EvidenceFieldName) => ({ was: storedValue(before, name), is: storedValue(after, name) })
  return { times: Object.fromEntries(times.map((name) => [name, both(name)])) }
}

const told = ({ principalId, level, expires }: EvidencePolicy): string =>
  `${principalId} ${level} ${expires?.text ?? ''}`
const toldRow = ({ principal_id: id, level, expires_utc: expires }: PolicyRow): string =>
  `${id} ${level} ${expires ?? ''}`

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])

/** Whatever their order, which says nothing in an object. */
function sameTexts(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
