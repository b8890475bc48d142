/**
 * Searches a ledger for uses of evidence by people without a level on it at that time, which an early fault allowed (CHANGELOG, Security).
 * It only reads the database, also of a running station.
 */
import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'
import type { StoredEntry } from '../../../kernel/ledger/format.ts'

export interface UnexplainedUse {
  readonly Seq: number
  readonly TimeUtc: string
  readonly Kind: string
  readonly PrincipalId: string
  readonly Name: string
  readonly Action: string
  readonly EvidenceId: string
  /** Null when the use concerns the evidence itself. */
  readonly ResourceId: string | null
  readonly Source: string
}

export interface AccessReview {
  /** Entries of people and integrations for acts that need a level. */
  readonly Reviewed: number
  readonly Unexplained: readonly UnexplainedUse[]
  /** Entries that the records cannot decide. */
  readonly NotJudged: number
  readonly Notes: readonly string[]
}

/** Acts that need only a level on the evidence and have a ledger entry of their own. */
const ACTIONS: ReadonlySet<string> = new Set([
  'evidence.read',
  'evidence.completed',
  'evidence.duplicates',
  'evidence.suggestions',
  'resource.created',
  'resource.listed',
  'resource.read',
  'resource.downloaded',
  'resource.played.started',
  'resource.previewed',
  'resource.thumbnail',
  'still.taken',
  'clip.requested',
  'picture.cropped',
  'check.requested',
  'upload.renewed',
  'note.read',
  'bookmark.read',
  'ledger.read',
  'custody.verified',
])
/** Policies that give levels by rules that versions do not record. Their former and current members are not judged. */
const POLICIES_WITH_LEVEL = ['AccessUnassociatedFiles', 'AccessFilesFromMyDevice']

const NOTES = [
  'Levels are taken from the versions of the evidence and of its cases at the time of each entry, with the policies they named then.',
  'Somebody who was ever in a group counts as in it at all times.',
  `Entries of those who are or were in ${POLICIES_WITH_LEVEL.join(' or ')} are not judged: these policies give levels that no version holds.`,
  'The ledger says who acted and on what; it does not say in which spelling the id was sent.',
]

export function reviewAccess(db: RawDatabase): AccessReview {
  const history = createHistory(db)
  const found: UnexplainedUse[] = []
  const counts = { reviewed: 0, notJudged: 0 }
  for (const body of db.prepare('SELECT body FROM ledger ORDER BY seq').pluck().iterate() as Iterable<Uint8Array>) {
    const entry = JSON.parse(Buffer.from(body).toString('utf8')) as StoredEntry
    const { actor, object, outcome, action } = entry
    if (outcome !== 'ok' || !ACTIONS.has(action) || (actor.kind !== 'user' && actor.kind !== 'service')) continue
    const evidence =
      object.type === 'evidence' ? object.id : object.type === 'resource' ? history.evidenceOf(object.id) : null
    if (evidence === null) continue
    counts.reviewed += 1
    const explained = history.isExplained(actor.id, evidence, entry.timeUtc)
    if (explained === null) counts.notJudged += 1
    if (explained !== false) continue
    found.push({
      Seq: entry.seq,
      TimeUtc: entry.timeUtc,
      Kind: actor.kind,
      PrincipalId: actor.id,
      Name: actor.name,
      Action: action,
      EvidenceId: evidence,
      ResourceId: object.type === 'resource' ? object.id : null,
      Source: entry.source,
    })
  }
  return { Reviewed: counts.reviewed, Unexplained: found, NotJudged: counts.notJudged, Notes: NOTES }
}

interface PastPolicy {
  readonly PrincipalId: string
  readonly ExpirationDateUtc: string | null
}
interface PastState {
  readonly Policies?: readonly PastPolicy[]
  readonly AccessPolicies?: readonly PastPolicy[]
  readonly Relations?: readonly { readonly CaseId: string }[]
}

function createHistory(db: RawDatabase) {
  const identities = identitiesByPrincipal(db)
  const unjudged = everInPolicies(db)
  const resource = db.prepare('SELECT evidence_id FROM resources WHERE resource_id = ?').pluck()
  const exists = db.prepare('SELECT count(*) FROM versions WHERE entity = ? AND entity_id = ?').pluck()
  // The version of that time and those of the same moment: an entry may be written just before or after its version.
  const states = db
    .prepare(
      `SELECT state FROM versions WHERE entity = @entity AND entity_id = @id AND number >= coalesce(
         (SELECT max(number) FROM versions WHERE entity = @entity AND entity_id = @id AND date_utc <= @from), 0)
       AND date_utc <= @to`,
    )
    .pluck()
  const statesAt = (entity: 'evidence' | 'case', id: string, time: string): PastState[] => {
    const at = Date.parse(time)
    const [from, to] = [new Date(at - 1_000).toISOString(), new Date(at + 1_000).toISOString()]
    return (states.all({ entity, id: Number(id), from, to }) as string[]).map((state) => JSON.parse(state) as PastState)
  }
  return {
    evidenceOf: (id: string): string | null => {
      const evidence = resource.get(Number(id)) as number | bigint | undefined
      return evidence === undefined ? null : String(evidence)
    },
    /** Null when the records cannot decide. */
    isExplained: (principal: string, evidence: string, time: string): boolean | null => {
      const own = identities.get(principal) ?? new Set([principal])
      const names = ({ PrincipalId, ExpirationDateUtc: end }: PastPolicy): boolean =>
        own.has(PrincipalId) && (end === null || end === undefined || Date.parse(end) > Date.parse(time))
      const past = statesAt('evidence', evidence, time)
      if (past.some(({ Policies = [] }) => Policies.some(names))) return true
      const cases = new Set(past.flatMap(({ Relations = [] }) => Relations.map(({ CaseId }) => CaseId)))
      for (const id of cases)
        if (statesAt('case', id, time).some(({ AccessPolicies = [] }) => AccessPolicies.some(names))) return true
      if ([...own].some((one) => unjudged.has(one)) || exists.get('evidence', Number(evidence)) === 0) return null
      return false
    },
  }
}

const entriesOf = (db: RawDatabase, types: readonly string[]): StoredEntry[] =>
  (
    db
      .prepare(`SELECT body FROM ledger WHERE object_type IN (${types.map(() => '?').join(',')}) ORDER BY seq`)
      .pluck()
      .all(...types) as Uint8Array[]
  ).map((body) => JSON.parse(Buffer.from(body).toString('utf8')) as StoredEntry)

const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(textsIn)
    : typeof value === 'string' || typeof value === 'number'
      ? [String(value)]
      : []

/** Each principal with itself and all groups that it is or was in. */
function identitiesByPrincipal(db: RawDatabase): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (member: string, group: string): void => {
    const own = found.get(member) ?? new Set([member])
    found.set(member, own.add(group))
  }
  const rows = db.prepare('SELECT member_id, group_id FROM memberships').all() as {
    member_id: number
    group_id: number
  }[]
  for (const row of rows) add(String(row.member_id), String(row.group_id))
  for (const { object, detail = {} } of entriesOf(db, ['group']))
    for (const member of [detail?.['members'], detail?.['before'], detail?.['after']].flatMap(textsIn))
      add(member, object.id)
  return found
}

/** All current and former members of a policy with a level. */
function everInPolicies(db: RawDatabase): Set<string> {
  const found = new Set<string>()
  const rows = db.prepare('SELECT policy, principal_id FROM policy_members').all() as {
    policy: string
    principal_id: number
  }[]
  for (const row of rows) if (POLICIES_WITH_LEVEL.includes(row.policy)) found.add(String(row.principal_id))
  const idsIn = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      if (name === 'id') found.add(String(member))
      else idsIn(member)
    }
  }
  for (const { object, detail } of entriesOf(db, ['policy'])) if (POLICIES_WITH_LEVEL.includes(object.id)) idsIn(detail)
  return found
}
