import type { z } from 'zod'
import { fault } from '../../../../shared/kernel/errors.ts'
import type {
  ChangeUserModel,
  ContainedUserModel,
  CreateUserModel,
  UserListItem,
  UserModel,
  UserSessionModel,
} from '../../../../shared/identity/users.contract.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { endPrograms } from '../allowed-programs.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import { contain, type Contained, type ContainmentDeps } from './contain-account.ts'
import { hashPassword } from './passwords.ts'
import { groupsAndPoliciesOf, objectOf, pageOf, readCursor, userModel } from './principals.models.ts'
import * as rows from './principals.store.ts'
import type { PrincipalView } from './principals.store.ts'
import { policyTexts } from './policies.ts'
import { nameTaken, refuse, secretProblems } from './account-problems.ts'
import { searchWords } from './search-key.ts'
import {
  appendRead,
  disable,
  enable,
  endSessionsOf,
  withPascalPaths,
  requirePrincipal,
  type AccountStateDeps,
} from './account-state.ts'
import { findByName, renamePrincipal, setPasswordHash } from './users.store.ts'
import type { NewUser, UsersService } from './users.service.ts'
import type { SignInFailures } from './sign-in-failures.ts'
export type { SignInFailures } from './sign-in-failures.ts'

type User = z.input<typeof UserModel>
type ContainedUser = z.input<typeof ContainedUserModel>
type ListItem = z.input<typeof UserListItem>

export interface UserFilter {
  readonly text: string
  readonly enabled?: boolean | undefined
  readonly guest?: boolean | undefined
  readonly group?: string | undefined
}

/** Administration of people (decisions 3 and 10). Every change has a ledger entry in its own transaction. */
export interface People {
  list(
    tenant: string,
    filter: UserFilter,
    page: { cursor: string | undefined; count: number },
  ): Promise<{ Items: ListItem[]; Cursor: string | null }>
  /** @throws Fault InvalidModel with every problem listed; NameTaken */
  create(call: HttpCall, tenant: string, given: z.output<typeof CreateUserModel>): Promise<User>
  /** @throws Fault UserNotFound, as all that follow */
  read(tenant: string, id: string): Promise<User>
  /** @throws Fault NameTaken */
  change(call: Call, tenant: string, id: string, given: z.output<typeof ChangeUserModel>): Promise<User>
  /** @throws Fault LastAdministrator */
  disable(call: Call, tenant: string, id: string): Promise<User>
  enable(call: Call, tenant: string, id: string): Promise<User>
  /** Ends everything by which the account is used. @throws Fault LastAdministrator */
  contain(call: Call, tenant: string, id: string, reason: string): Promise<ContainedUser>
  unlock(call: Call, tenant: string, id: string): Promise<User>
  /** @throws Fault InvalidModel with every problem of the password */
  resetPassword(
    call: Call,
    tenant: string,
    id: string,
    given: { readonly password: string; readonly due: boolean },
  ): Promise<User>
  sessions(tenant: string, id: string): Promise<z.input<typeof UserSessionModel>[]>
  /** Ends all sessions, or the given one. @throws Fault SessionNotFound */
  endSessions(call: Call, tenant: string, id: string, session?: string): Promise<void>
  /** The id of a user name. @throws Fault UserNotFound */
  idOf(tenant: string, username: string): Promise<string>
}

export interface PeopleDeps extends ContainmentDeps {
  readonly users: UsersService
  readonly failures: SignInFailures
  readonly lifetimes: { readonly idleSeconds: number; readonly sessionSeconds: number }
}

export function createPeople(deps: PeopleDeps): People {
  const { db, ledger, clock, users, lifetimes } = deps
  return {
    list: (tenant, filter, page) => list(deps, tenant, filter, page),
    create: async (call, tenant, given) => {
      let out: User | undefined
      await withPascalPaths(
        users.createUser(call, newUser(given), async (tx, { principalId }) => {
          out = await call.rememberAnswer(tx, await model(deps, tx, await requireUser(tx, tenant, principalId)))
        }),
      )
      return out as User
    },
    read: async (tenant, id) => model(deps, db.read, await requireUser(db.read, tenant, id)),
    change: (call, tenant, id, given) =>
      changeUser(deps, tenant, id, (tx, row) => changeMembers(deps, tx, call, row, given)),
    disable: (call, tenant, id) => changeUser(deps, tenant, id, (tx, row) => disable(deps, tx, call, row)),
    contain: async (call, tenant, id, reason) => {
      let ended: Contained | undefined
      const user = await changeUser(deps, tenant, id, async (tx, row) => {
        ended = await contain(deps, tx, call, row, reason)
      })
      return { User: user, Ended: endedModel(ended as Contained) }
    },
    enable: (call, tenant, id) => changeUser(deps, tenant, id, (tx, row) => enable(deps, tx, call, row)),
    unlock: (call, tenant, id) => unlock(deps, call, tenant, id),
    resetPassword: (call, tenant, id, given) => resetPassword(deps, call, tenant, id, given),
    sessions: async (tenant, id) => {
      const { principal_id: principal } = await requireUser(db.read, tenant, id)
      const now = clock.now()
      const found = await rows.sessionsOf(db.read, principal, now - lifetimes.sessionSeconds * 1000)
      return found.map((row) => ({
        SessionId: String(row.session_id),
        // An idle session is locked only when it is next read, so the idle time is checked here too.
        State: row.locked_at !== null || now - row.active_at >= lifetimes.idleSeconds * 1000 ? 'locked' : 'open',
        SignedInUtc: isoMillis(row.created_at),
        ActiveUtc: isoMillis(row.active_at),
        Source: row.source,
      }))
    },
    endSessions: (call, tenant, id, session) =>
      db.transaction(async (tx) => {
        const row = await requireUser(tx, tenant, id)
        const which = session === undefined ? {} : { session: Number(session) }
        const ended = await endSessionsOf(deps, tx, call, row, { reason: 'administrator', ...which })
        if (ended > 0) return
        if (session !== undefined) throw fault('SessionNotFound', `${row.name} has no session ${session}.`)
        await ledger.append(tx, call, { action: 'session.listed', object: objectOf(row), detail: { returned: 0 } })
      }),
    idOf: async (tenant, username) => {
      const row = await findByName(db.read, tenant, 'user', nameKey(username))
      if (row === null) throw fault('UserNotFound', `There is no user "${username}".`)
      return String(row.principal_id)
    },
  }
}

async function list(
  deps: PeopleDeps,
  tenant: string,
  { text, enabled, guest, group }: UserFilter,
  { cursor, count }: { cursor: string | undefined; count: number },
): Promise<{ Items: ListItem[]; Cursor: string | null }> {
  const found = await rows.principalsPage(
    deps.db.read,
    tenant,
    {
      kinds: ['user'],
      words: searchWords(text),
      inEmail: true,
      enabled,
      guest,
      group: group === undefined ? undefined : Number(group),
    },
    { after: readCursor(cursor), count: count + 1 },
  )
  const { shown, cursor: next } = pageOf(found, count)
  return { Items: await models(deps, deps.db.read, shown), Cursor: next }
}

function unlock(deps: PeopleDeps, call: Call, tenant: string, id: string): Promise<User> {
  const { ledger, failures } = deps
  return changeUser(deps, tenant, id, async (tx, row) => {
    const forgotten = await failures.release(tx, failures.accountSubject(tenant, row.name_key))
    const until = forgotten?.locked_until ?? null
    await ledger.append(tx, call, {
      action: 'user.unlocked',
      object: objectOf(row),
      detail: {
        before: { failures: forgotten?.failures ?? 0, until: until === null ? null : isoMillis(until) },
        after: { failures: 0, until: null },
      },
    })
  })
}

async function resetPassword(
  deps: PeopleDeps,
  call: Call,
  tenant: string,
  id: string,
  { password, due }: { readonly password: string; readonly due: boolean },
): Promise<User> {
  const { db, ledger, clock, failures } = deps
  const { name, first_name: first, last_name: last, badge } = await requireUser(db.read, tenant, id)
  refuse(secretProblems(password, [name, first, last, badge]).map(({ Message }) => ({ Path: 'Password', Message })))
  // Hashed before the transaction: only SQL may be awaited in it.
  const passwordHash = await hashPassword(password)
  return changeUser(deps, tenant, id, async (tx, row) => {
    await endPrograms(deps, tx, call, row, 'password')
    await setPasswordHash(tx, row.principal_id, { passwordHash, due })
    const forgotten = await failures.release(tx, failures.accountSubject(tenant, row.name_key))
    // A person who knew the old password may have signed in from anywhere.
    await failures.forgetSources(tx, row.principal_id)
    await ledger.append(tx, call, {
      action: 'user.passwordReset',
      object: objectOf(row),
      detail: { freed: (forgotten?.locked_until ?? 0) > clock.now(), due },
    })
    await endSessionsOf(deps, tx, call, row, { reason: 'password' })
  })
}

const requireUser = (from: Tx, tenant: string, id: string) => requirePrincipal(from, tenant, 'user', id)

async function model(deps: PeopleDeps, from: Tx, row: PrincipalView): Promise<User> {
  const [item] = await models(deps, from, [row])
  return { ...(item as ListItem), ...(await groupsAndPoliciesOf(from, row)), ...(await signInMethodsOf(from, row)) }
}

const changeUser = (
  deps: PeopleDeps,
  tenant: string,
  id: string,
  work: (tx: Tx, row: PrincipalView) => Promise<unknown>,
): Promise<User> =>
  deps.db.transaction(async (tx) => {
    await work(tx, await requireUser(tx, tenant, id))
    return model(deps, tx, await requireUser(tx, tenant, id))
  })

/** Adds administrator membership and locks to the rows. */
async function models({ failures, clock }: PeopleDeps, from: Tx, found: readonly PrincipalView[]): Promise<ListItem[]> {
  const subject = (row: PrincipalView): string => failures.accountSubject(row.tenant_id, row.name_key)
  const administrators = await rows.administratorsAmong(
    from,
    found.map(({ principal_id: id }) => id),
  )
  const locks = await failures.locksOf(from, found.map(subject))
  return found.map((row) => {
    const until = locks.get(subject(row)) ?? 0
    return userModel(row, {
      administrator: administrators.has(row.principal_id),
      lockedUntil: until > clock.now() ? until : null,
    })
  })
}

/** The sign-in methods of a person. */
async function signInMethodsOf(from: Tx, { principal_id: id, password_due: due }: PrincipalView) {
  const { secondStep, passkeys, password } = await rows.signInMethodsOf(from, id)
  return { SecondStep: secondStep, Passkeys: passkeys, PasswordSet: password, PasswordDue: due === 1 }
}

const endedModel = (ended: Contained): ContainedUser['Ended'] => ({
  Disabled: ended.disabled,
  Sessions: ended.sessions,
  Programs: ended.programs,
  Passkeys: ended.passkeys,
  SecondStep: ended.secondStep,
  Password: ended.password,
  Uploads: ended.uploads,
  CasesHandedOver: ended.handedOver,
})

const newUser = (given: z.output<typeof CreateUserModel>): NewUser => ({
  username: given.Username,
  password: given.Password,
  firstName: given.FirstName ?? undefined,
  lastName: given.LastName ?? undefined,
  badge: given.Badge ?? undefined,
  email: given.Email ?? undefined,
  guest: given.Guest ?? false,
  passwordDue: given.ChangePassword ?? true,
  groupIds: given.GroupIds ?? [],
  policies: policyTexts(given.Policies ?? []),
})

const MEMBERS = [
  ['Username', 'name'],
  ['FirstName', 'first_name'],
  ['LastName', 'last_name'],
  ['Badge', 'badge'],
  ['Email', 'email'],
] as const

async function changeMembers(
  { ledger }: Pick<AccountStateDeps, 'ledger'>,
  tx: Tx,
  call: Call,
  row: PrincipalView,
  given: z.output<typeof ChangeUserModel>,
): Promise<void> {
  const before: Record<string, string> = {}
  const after: Record<string, string> = {}
  for (const [member, column] of MEMBERS) {
    const value = given[member] ?? row[column]
    if (value === row[column]) continue
    before[member] = row[column]
    after[member] = value
  }
  if (Object.keys(after).length === 0) {
    await appendRead(ledger, tx, call, row)
    return
  }
  const name = after['Username'] ?? row.name
  const key = nameKey(name)
  const other = await findByName(tx, row.tenant_id, 'user', key)
  if (other !== null && other.principal_id !== row.principal_id) throw nameTaken('user', 'Username')
  await renamePrincipal(tx, row, {
    name,
    nameKey: key,
    firstName: after['FirstName'] ?? row.first_name,
    lastName: after['LastName'] ?? row.last_name,
    badge: after['Badge'] ?? row.badge,
    email: after['Email'] ?? row.email,
  })
  await ledger.append(tx, call, { action: 'user.changed', object: objectOf(row), detail: { before, after } })
}
