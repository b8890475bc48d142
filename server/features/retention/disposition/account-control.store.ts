/** Reads who created, reset and took over accounts, from rows of principals and the ledger. Rules: shared/identity/account-control.ts. */
import { sql } from 'kysely'
import {
  type AccountEvent,
  AUTHENTICATOR,
  COMMAND_LINE,
  type ControlAct,
  passkeyFactor,
  type Person,
  type SettlingTime,
} from '../../../../shared/identity/account-control.ts'
import { type StoredEntry, storedEntry } from '../../../kernel/ledger/format.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { greatestOf, ledgerAccountActs } from '../../../kernel/database/expressions.ts'
import { setStationValue, stationValue } from '../../../kernel/database/station-values.ts'

export interface AccountRow {
  readonly principal_id: number
  readonly kind: string
  readonly name: string
  readonly k_id: string
  readonly created_utc: string
  readonly created_by: string
}

const accounts = (from: Tx) =>
  from.selectFrom('principals').select(['principal_id', 'kind', 'name', 'k_id', 'created_utc', 'created_by'])

/** Users, services and groups by id. */
export const accountsById = (from: Tx, ids: readonly number[]): Promise<AccountRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : accounts(from).where('principal_id', 'in', ids).execute()

export const accountName = async (from: Tx, id: number): Promise<string> =>
  (await accounts(from).where('principal_id', '=', id).executeTakeFirstOrThrow()).name

/** Exactly the expression of the index; SQLite does not use the index for another one. */
const ACCOUNT_ACTS = ledgerAccountActs()

interface SequencedEvent {
  readonly seq: number
  readonly event: AccountEvent
}

/**
 * Events of these accounts, and of every account whose owner created or reset one of them, and so on, in the order of the ledger. The
 * creation is read from the row itself, so that every account has a creator.
 */
export async function accountEvents(from: Tx, ids: readonly Person[]): Promise<AccountEvent[]> {
  const found: SequencedEvent[] = []
  const asked = new Set<Person>()
  let next = numbersIn(ids)
  while (next.length > 0) {
    for (const id of next) asked.add(String(id))
    const rows = await accountsById(from, next)
    const recorded = await recordedEntries(from, rows)
    for (const row of rows) found.push(...creationOf(row, recorded))
    for (const { seq, entry } of recorded) for (const event of eventsIn(entry)) found.push({ seq, event })
    const makers = found.flatMap(({ event }) => (event.kind === 'control' ? [event.by] : []))
    next = numbersIn(makers.filter((by) => !asked.has(by)))
  }
  return found
    .toSorted((one, other) => one.seq - other.seq || Number(one.event.account) - Number(other.event.account))
    .map(({ event }) => event)
}

const numbersIn = (ids: readonly Person[]): number[] => [
  ...new Set(ids.filter((id) => /^[1-9]\d{0,15}$/.test(id)).map(Number)),
]

/** The creation, at the place of its ledger entry; before everything else when there is none. */
function creationOf(row: AccountRow, recorded: readonly RecordedEntry[]): SequencedEvent[] {
  const [, kind, id] = /^(user|service|cli):(.*)$/s.exec(row.created_by) ?? []
  if (kind === undefined || id === undefined) return []
  const event: AccountEvent = {
    account: String(row.principal_id),
    at: Date.parse(row.created_utc),
    kind: 'control',
    act: 'Created',
    by: kind === 'cli' ? COMMAND_LINE : id,
    byName: kind === 'cli' ? row.created_by : '',
  }
  const entry = recorded.find(
    ({ entry: { action, object } }) =>
      object.id === event.account && (action === 'user.created' || action === 'service.created'),
  )
  return [{ seq: entry?.seq ?? 0, event }]
}

interface RecordedEntry {
  readonly seq: number
  readonly entry: StoredEntry
}

async function recordedEntries(from: Tx, rows: readonly AccountRow[]): Promise<RecordedEntry[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => String(row.principal_id))
  const { rows: entries } = await sql<{ seq: number; body: Uint8Array }>`
    SELECT seq, body FROM ledger WHERE object_type IN ('user', 'service') AND object_id IN (${sql.join(ids)})
    AND ${ACCOUNT_ACTS} ORDER BY seq`.execute(from)
  return entries.map(({ seq, body }) => ({ seq, entry: storedEntry(body) }))
}

const ACTS: Partial<Record<StoredEntry['action'], ControlAct>> = {
  'user.passwordReset': 'PasswordReset',
  'secondStep.reset': 'SecondStepReset',
  'passkey.reset': 'PasskeysReset',
  'service.keyRegistered': 'KeysReplaced',
  'service.keyRotated': 'KeysReplaced',
}

/** The events in an entry about an account; none for a refused act. */
function eventsIn({ action, actor, object, outcome, timeUtc, detail }: StoredEntry): AccountEvent[] {
  if (outcome !== 'ok') return []
  const head = { account: object.id, at: Date.parse(timeUtc) }
  const own = actor.kind === 'user' && actor.id === object.id
  const act = ACTS[action]
  if (act !== undefined) {
    const by = actor.kind === 'cli' ? COMMAND_LINE : actor.id
    return [{ ...head, kind: 'control', act, by, byName: actor.name }]
  }
  const passkey = passkeyFactor(String(detail?.['passkey'] ?? ''))
  switch (action) {
    case 'user.passwordChanged':
      return own ? [{ ...head, kind: 'password' }] : []
    case 'secondStep.enabled':
      return own ? [{ ...head, kind: 'factor', factor: AUTHENTICATOR }] : []
    case 'secondStep.disabled':
      return [{ ...head, kind: 'factorRemoved', factor: AUTHENTICATOR }]
    case 'passkey.added':
      return own ? [{ ...head, kind: 'factor', factor: passkey }] : []
    case 'passkey.removed':
      return [{ ...head, kind: 'factorRemoved', factor: passkey }]
    case 'account.controlEnded':
      return actor.kind === 'internal' ? [{ ...head, kind: 'ended' }] : []
    default:
      return []
  }
}

/** All users, enabled or not. */
export async function userIds(from: Tx): Promise<number[]> {
  const rows = await from.selectFrom('principals').select('principal_id').where('kind', '=', 'user').execute()
  return rows.map((row) => row.principal_id)
}

/** Since when a principal is in ApproveDisposition without a break, by its oldest membership; null when it is not, or when the time is unknown. */
export async function approverSince(from: Tx, principalId: number): Promise<number | null> {
  const { rows } = await sql<{ since: number | null }>`
    SELECT min(since) AS since FROM (
      SELECT since_at AS since FROM policy_members WHERE policy = 'ApproveDisposition' AND principal_id = ${principalId}
      UNION ALL
      SELECT ${greatestOf(sql.ref('p.since_at'), sql.ref('m.since_at'))} FROM policy_members p JOIN memberships m ON m.group_id = p.principal_id
      WHERE p.policy = 'ApproveDisposition' AND m.member_id = ${principalId}) times`.execute(from)
  return rows[0]?.since ?? null
}

const SETTLING = 'approver-settling-times'

/** The values of the setting and when each began. */
export async function settlingTimes(from: Tx): Promise<SettlingTime[]> {
  const times = await stationValue(from, SETTLING)
  return times === null ? [] : (JSON.parse(times) as SettlingTime[])
}

export async function keepSettlingTimes(tx: Tx, times: readonly SettlingTime[]): Promise<void> {
  await setStationValue(tx, SETTLING, JSON.stringify(times))
}
