import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { fault, type Problem } from '../../../../shared/kernel/errors.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import type { SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { type ConnectionFile, connectionFile, originOf } from './connection-file.ts'
import { hashPassword, passwordProblems } from './passwords.ts'
import { ALL_POLICIES, parsePolicies, type PolicyGrant } from './policies.ts'
import { principalsById, type PrincipalView } from './principals.store.ts'
import { ADMINISTRATORS, guestProblems, nameProblems, nameTaken, refuse, secretProblems } from './account-problems.ts'
import { makeApiKey, makeServiceKeys, registrableKey } from './service-keys.ts'
import * as people from './users.store.ts'

type UsersLedger = Pick<Ledger, 'append'>

export interface NewUser {
  readonly username: string
  readonly password: string
  /** Name of a group. It is created when there is none, because the command line has no other way to create one. */
  readonly group?: string | null | undefined
  /** Ids of existing groups. */
  readonly groupIds?: readonly string[] | undefined
  /** As `parsePolicies` takes them. */
  readonly policies?: readonly string[] | undefined
  readonly guest?: boolean | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly badge?: string | undefined
  readonly email?: string | undefined
  /** The user must choose another password at the next sign-in. */
  readonly passwordDue?: boolean | undefined
}

export type FirstAdministrator = Pick<NewUser, 'username' | 'password' | 'firstName' | 'lastName'>

export interface NewIntegration {
  readonly name: string
  readonly baseUrl: string
  readonly group?: string | null | undefined
  readonly groupIds?: readonly string[] | undefined
  readonly policies?: readonly string[] | undefined
}

export interface CreatedUser {
  readonly principalId: string
  readonly kId: string
  readonly username: string
  readonly guest: boolean
  readonly group: string | null
  /** True when the group was created with this user. */
  readonly groupCreated: boolean
  readonly policies: readonly string[]
}

export interface CreatedIntegration {
  readonly principalId: string
  readonly kId: string
  readonly connection: ConnectionFile
}

/** Runs last in the transaction that creates a principal, for example to store the answer for repeated requests. */
export type Inside<T> = (tx: Tx, made: T) => Promise<void>

export interface UsersService {
  /** Whether the first administrator was made. */
  hasAdministrator(): Promise<boolean>
  /** Thumbprints of the certificates at an address of the station, for connection files; empty without TLS. */
  thumbprints(origin: string): readonly string[]
  /** Whether this principal, a person or a service, is an enabled member of Account Administrators now. */
  isAdministrator(principalId: string): Promise<boolean>
  isInPolicy(principalId: string, policy: SecurityPolicy): Promise<boolean>
  /** The policies for which `isInPolicy` is true, by name. */
  policiesOf(principalId: string): Promise<string[]>
  /** Why a password cannot be used, one sentence each (decisions 10). */
  passwordProblems(password: string, names: readonly string[]): string[]
  /** The first member of Account Administrators (decisions 10). @throws Fault when there is one already, or a name or password cannot be used. */
  setupFirstAdministrator(call: Call, given: FirstAdministrator): Promise<CreatedUser>
  /** @throws Fault InvalidModel with every problem listed; NameTaken. */
  createUser(call: Call, given: NewUser, inside?: Inside<CreatedUser>): Promise<CreatedUser>
  /**
   * A service principal with a key pair and an API key (decisions 11). `connection` is the only copy of both, so check that its file
   * can be written before the call. @throws Fault InvalidModel with every problem listed; NameTaken.
   */
  createIntegration(call: Call, given: NewIntegration, inside?: Inside<CreatedIntegration>): Promise<CreatedIntegration>
}

/**
 * Creates the content of a new station (decisions 1): the tenant, and Account Administrators in all policies, but no person. In one
 * transaction, with ledger entries. @returns false, without a change, when there is a tenant already.
 */
export async function seedStation(
  tx: Tx,
  ledger: UsersLedger,
  call: Call,
  given: { tenant: string; now: number },
): Promise<boolean> {
  if ((await people.firstTenant(tx)) !== null) return false
  const createdUtc = isoMillis(given.now)
  await people.insertTenant(tx, { tenantId: given.tenant, nameKey: nameKey(given.tenant), createdUtc })
  await ledger.append(tx, call, {
    action: 'tenant.created',
    object: { type: 'tenant', id: given.tenant, name: given.tenant },
  })
  const head = { tenantId: given.tenant, createdUtc, createdBy: authorOf(call) }
  const group = await people.insertPrincipal(tx, {
    ...head,
    kind: 'group',
    name: ADMINISTRATORS,
    nameKey: nameKey(ADMINISTRATORS),
    builtIn: true,
  })
  for (const grant of ALL_POLICIES) await people.grantPolicy(tx, group.principal_id, grant, given.now)
  await ledger.append(tx, call, {
    action: 'group.created',
    object: objectOf(group),
    detail: { builtIn: true, policies: ALL_POLICIES.map(policyText) },
  })
  return true
}

export function createUsers(deps: {
  db: Database
  ledger: UsersLedger
  clock: Clock
  thumbprints?: (origin: string) => readonly string[]
}): UsersService {
  return {
    thumbprints: (origin) => deps.thumbprints?.(origin) ?? [],
    hasAdministrator: async () => {
      const tenant = await people.firstTenant(deps.db.read)
      const group = tenant === null ? null : await people.administratorsGroup(deps.db.read, tenant)
      return group !== null && (await people.hasUserMember(deps.db.read, group.principal_id))
    },
    policiesOf: (principalId) => people.policiesOf(deps.db.read, Number(principalId)),
    passwordProblems,
    isInPolicy: (principalId, policy) => people.isInPolicy(deps.db.read, Number(principalId), policy),
    isAdministrator: (principalId) => people.isAdministrator(deps.db.read, Number(principalId)),
    setupFirstAdministrator: (call, given) => setupFirstAdministrator(deps, call, given),
    createUser: (call, given, inside = NOTHING_MORE) => createUser(deps, call, given, inside),
    createIntegration: (call, given, inside = NOTHING_MORE) => createIntegration(deps, call, given, inside),
  }
}

type Deps = Parameters<typeof createUsers>[0]

const NOTHING_MORE = async (): Promise<void> => {}

async function setupFirstAdministrator(
  deps: Deps,
  call: Call,
  { username, password, firstName, lastName }: FirstAdministrator,
): Promise<CreatedUser> {
  refuse([
    ...nameProblems('username', username),
    ...secretProblems(password, [username, firstName ?? '', lastName ?? '']),
    ...(firstName ? nameProblems('firstName', firstName) : []),
    ...(lastName ? nameProblems('lastName', lastName) : []),
  ])
  const passwordHash = await hashPassword(password)
  return deps.db.transaction(async (tx) => {
    const { tenantId, administrators } = await station(tx)
    // Checked in the transaction: of two simultaneous set-ups one finds the other's administrator.
    if (await people.hasUserMember(tx, administrators.principal_id)) {
      throw fault('Forbidden', 'There is an administrator already; an administrator makes further accounts.')
    }
    await requireFreeName(tx, tenantId, 'user', username)
    const user = await people.insertPrincipal(tx, {
      ...headOf(deps, call, tenantId),
      kind: 'user',
      name: username,
      nameKey: nameKey(username),
      passwordHash,
      firstName,
      lastName,
    })
    await people.addMember(tx, administrators.principal_id, user.principal_id, deps.clock.now())
    await deps.ledger.append(tx, call, {
      action: 'user.created',
      object: objectOf(user),
      detail: { firstAdministrator: true, guest: false, group: administrators.k_id, policies: [] },
    })
    return created(user, { guest: false, group: administrators, groupCreated: false, grants: [] })
  })
}

async function createUser(deps: Deps, call: Call, given: NewUser, inside: Inside<CreatedUser>): Promise<CreatedUser> {
  const guest = given.guest === true
  const { grants, problems } = parsePolicies(given.policies ?? [])
  refuse([
    ...nameProblems('username', given.username),
    ...(given.group === undefined || given.group === null ? [] : nameProblems('group', given.group)),
    ...secretProblems(given.password, [given.username, given.firstName ?? '', given.lastName ?? '', given.badge ?? '']),
    ...(['firstName', 'lastName', 'badge', 'email'] as const).flatMap((member) =>
      given[member] ? nameProblems(member, given[member]) : [],
    ),
    ...problems.map((Message) => ({ Path: 'policies', Message })),
    ...guestProblems(guest, grants, given.group ?? null),
  ])
  const passwordHash = await hashPassword(given.password)
  return deps.db.transaction(async (tx) => {
    const { tenantId } = await station(tx)
    await requireFreeName(tx, tenantId, 'user', given.username)
    const { firstName, lastName, badge, email } = given
    const user = await people.insertPrincipal(tx, {
      ...headOf(deps, call, tenantId),
      kind: 'user',
      name: given.username,
      nameKey: nameKey(given.username),
      passwordHash,
      passwordDue: given.passwordDue,
      guest,
      firstName,
      lastName,
      badge,
      email,
    })
    const { group, groups, groupCreated } = await addToGroupsAndPolicies(
      deps,
      tx,
      call,
      { ...user, guest },
      grants,
      given,
    )
    await deps.ledger.append(tx, call, {
      action: 'user.created',
      object: objectOf(user),
      detail: { guest, ...groups, policies: grants.map(policyText) },
    })
    const made = created(user, { guest, group, groupCreated, grants })
    await inside(tx, made)
    return made
  })
}

async function createIntegration(
  deps: Deps,
  call: Call,
  given: NewIntegration,
  inside: Inside<CreatedIntegration>,
): Promise<CreatedIntegration> {
  const origin = originOf(given.baseUrl)
  const { grants, problems } = parsePolicies(given.policies ?? [])
  refuse([
    ...nameProblems('name', given.name),
    ...(given.group === undefined || given.group === null ? [] : nameProblems('group', given.group)),
    ...problems.map((Message) => ({ Path: 'policies', Message })),
  ])
  const { publicKey, privateKey } = await makeServiceKeys()
  const { apiKey, keyHash } = makeApiKey()
  // Only SQL may be awaited in the transaction, and the thumbprint does not depend on the kid, which is known in it.
  const registered = await registrableKey(publicKey.export({ format: 'jwk' }) as Record<string, unknown>, '')
  return deps.db.transaction(async (tx) => {
    const { tenantId } = await station(tx)
    await requireFreeName(tx, tenantId, 'service', given.name)
    const head = headOf(deps, call, tenantId)
    const service = await people.insertPrincipal(tx, {
      ...head,
      kind: 'service',
      name: given.name,
      nameKey: nameKey(given.name),
      baseUrl: origin,
    })
    const { groups } = await addToGroupsAndPolicies(deps, tx, call, { ...service, guest: false }, grants, given)
    await people.insertServiceKey(tx, {
      principalId: service.principal_id,
      thumbprint: registered.thumbprint,
      jwk: JSON.stringify({ ...registered.jwk, kid: service.k_id }),
      notBeforeUtc: null,
      expiresUtc: null,
      createdUtc: head.createdUtc,
    })
    await people.insertApiKey(tx, { principalId: service.principal_id, keyHash, createdUtc: head.createdUtc })
    await deps.ledger.append(tx, call, {
      action: 'service.created',
      object: objectOf(service),
      detail: {
        baseUrl: origin,
        ...groups,
        policies: grants.map(policyText),
        keyThumbprint: registered.thumbprint,
      },
    })
    const [principalId, kId] = [String(service.principal_id), service.k_id]
    const certificates = deps.thumbprints?.(origin) ?? []
    const connection = connectionFile({ tenantId, principalId, kId, privateKey, apiKey, origin, certificates })
    const made = { principalId, kId, connection }
    await inside(tx, made)
    return made
  })
}

/** Adds a new principal to its policies and groups. A group given by name is created when there is none. */
async function addToGroupsAndPolicies(
  deps: Deps,
  tx: Tx,
  call: Call,
  member: people.PrincipalRow & { readonly guest: boolean },
  grants: readonly PolicyGrant[],
  { group: groupName = null, groupIds = [] }: Pick<NewUser, 'group' | 'groupIds'>,
) {
  const now = deps.clock.now()
  for (const grant of grants) await people.grantPolicy(tx, member.principal_id, grant, now)
  const listed = await groupsNamed(tx, member, groupIds)
  for (const { principal_id: id } of listed) await people.addMember(tx, id, member.principal_id, now)
  if (groupName === null)
    return { group: null, groups: { group: null, groups: listed.map(({ k_id: kId }) => kId) }, groupCreated: false }
  const found = await people.findByName(tx, member.tenant_id, 'group', nameKey(groupName))
  const group =
    found ??
    (await people.insertPrincipal(tx, {
      ...headOf(deps, call, member.tenant_id),
      kind: 'group',
      name: groupName,
      nameKey: nameKey(groupName),
    }))
  if (found === null) {
    await deps.ledger.append(tx, call, {
      action: 'group.created',
      object: objectOf(group),
      detail: { builtIn: false, policies: [] },
    })
  }
  await people.addMember(tx, group.principal_id, member.principal_id, now)
  return { group, groups: { group: group.k_id }, groupCreated: found === null }
}

/** @throws Fault InvalidModel for each id that names no group, and for a guest in Account Administrators */
async function groupsNamed(
  tx: Tx,
  { tenant_id: tenant, guest }: { readonly tenant_id: string; readonly guest: boolean },
  ids: readonly string[],
): Promise<PrincipalView[]> {
  const once = [...new Set(ids)]
  const found = await principalsById(tx, tenant, once.map(Number))
  const groups = new Map(found.filter(({ kind }) => kind === 'group').map((row) => [String(row.principal_id), row]))
  refuse(
    ids.flatMap((id, at): Problem[] => {
      const group = groups.get(id)
      if (group === undefined) return [{ Path: `GroupIds.${at}`, Message: 'It names no group.' }]
      const refused = guest && group.built_in === 1
      return refused ? [{ Path: `GroupIds.${at}`, Message: `A guest cannot be in ${ADMINISTRATORS}.` }] : []
    }),
  )
  return [...groups.values()]
}

async function station(tx: Tx): Promise<{ tenantId: string; administrators: people.PrincipalRow }> {
  const tenantId = await people.firstTenant(tx)
  const administrators = tenantId === null ? null : await people.administratorsGroup(tx, tenantId)
  if (tenantId === null || administrators === null) throw fault('NotReady', 'The station holds no tenant yet.')
  return { tenantId, administrators }
}

/** @throws Fault NameTaken. The name stays free until this transaction ends. */
async function requireFreeName(tx: Tx, tenantId: string, kind: 'user' | 'service', name: string): Promise<void> {
  if ((await people.findByName(tx, tenantId, kind, nameKey(name))) === null) return
  throw nameTaken(kind, kind === 'user' ? 'username' : 'name')
}

const headOf = ({ clock }: Deps, call: Call, tenantId: string) => ({
  tenantId,
  createdUtc: isoMillis(clock.now()),
  createdBy: authorOf(call),
})
const authorOf = (call: Call): string => `${call.actor.kind}:${call.actor.id}`
const policyText = ({ policy, level }: PolicyGrant): string => (level === null ? policy : `${policy}:${level}`)
const objectOf = (row: people.PrincipalRow) => ({ type: row.kind, id: String(row.principal_id), name: row.name })

function created(
  row: people.PrincipalRow,
  made: { guest: boolean; group: people.PrincipalRow | null; groupCreated: boolean; grants: readonly PolicyGrant[] },
): CreatedUser {
  return {
    principalId: String(row.principal_id),
    kId: row.k_id,
    username: row.name,
    guest: made.guest,
    group: made.group?.name ?? null,
    groupCreated: made.groupCreated,
    policies: made.grants.map(policyText),
  }
}
