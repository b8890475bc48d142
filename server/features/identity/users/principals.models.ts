/** Models of principals from rows (shared/identity/users.contract.ts and others), and paging of lists of principals. */
import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { PrincipalOutputModel } from '../../../../shared/cases/categories.contract.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import type { HeldPolicy, UserListItem } from '../../../../shared/identity/users.contract.ts'
import type { SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import * as rows from './principals.store.ts'
import type { Place, PrincipalView } from './principals.store.ts'

export type PrincipalOut = z.input<typeof PrincipalOutputModel>

export const principalOut = (row: PrincipalView): PrincipalOut => ({
  PrincipalId: String(row.principal_id),
  KId: row.k_id,
  Name: `${row.first_name} ${row.last_name}`.trim() || row.name,
  Username: row.name,
  PrincipalType: row.kind,
})

/** The object of a ledger entry. */
export const objectOf = (row: Pick<PrincipalView, 'principal_id' | 'kind' | 'name'>) => ({
  type: row.kind,
  id: String(row.principal_id),
  name: row.name,
})

/** Members that are not in the row. */
export interface UserStanding {
  readonly administrator: boolean
  /** Milliseconds since 1970; null: not locked. */
  readonly lockedUntil: number | null
}

export const userModel = (
  row: PrincipalView,
  { administrator, lockedUntil }: UserStanding,
): z.input<typeof UserListItem> => ({
  PrincipalId: String(row.principal_id),
  KId: row.k_id,
  Username: row.name,
  FirstName: row.first_name,
  LastName: row.last_name,
  Badge: row.badge,
  Email: row.email,
  Guest: row.guest === 1,
  Enabled: row.enabled === 1,
  Administrator: administrator,
  LockedUntilUtc: lockedUntil === null ? null : isoMillis(lockedUntil),
  LastSignInUtc: row.last_sign_in_at === null ? null : isoMillis(row.last_sign_in_at),
  CreatedUtcTime: row.created_utc,
})

/** The groups of a user or service, and its policies with the group that gives each. Guests hold none through a group (decisions 3). */
export async function groupsAndPoliciesOf(
  from: Tx,
  row: PrincipalView,
): Promise<{ Groups: PrincipalOut[]; Policies: z.input<typeof HeldPolicy>[] }> {
  const groups = await rows.groupsOf(from, row.tenant_id, row.principal_id)
  const givers = new Map(row.guest === 1 ? [] : groups.map((group) => [group.principal_id, principalOut(group)]))
  const held = await rows.directPolicies(from, [row.principal_id, ...givers.keys()])
  return {
    Groups: groups.map(principalOut),
    Policies: held.map(({ principal_id: id, policy, level }) => ({
      Policy: policy as SecurityPolicy,
      Level: level,
      Through: givers.get(id) ?? null,
    })),
  }
}

/** A concurrency id for objects without versions: the first 40 hexadecimal digits of the SHA-256 of their state. */
export const stateId = (state: unknown): string => hash('sha256', JSON.stringify(state), 'hex').slice(0, 40)

/** Checks a concurrency id, if one was sent. @throws Fault ConcurrentWritingError */
export function requireCurrent(sent: string | null | undefined, current: string): void {
  if (sent !== null && sent !== undefined && sent !== current)
    throw fault('ConcurrentWritingError', 'Somebody changed this since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

/** One page and the cursor of the next; `found` holds one row more than the page when there is one. */
export function pageOf(
  found: readonly PrincipalView[],
  count: number,
): { shown: readonly PrincipalView[]; cursor: string | null } {
  const shown = found.slice(0, count)
  const last = shown.at(-1)
  const more = found.length > count && last !== undefined
  return { shown, cursor: more ? writeCursor([last.name_key, last.principal_id]) : null }
}

const writeCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** @throws Fault InvalidModel for a cursor that no list gave */
export function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined || cursor === '') return null
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    if (typeof key === 'string' && Number.isSafeInteger(id)) return [key, id as number]
  } catch {
    // Refused below, like JSON that is no cursor.
  }
  throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
    { Path: 'cursor', Message: 'is not one that this list gave' },
  ])
}
