import type { z } from 'zod'
import { fault, type Problem } from '../../../../shared/kernel/errors.ts'
import { type GroupListItem, type GroupModel, MOST_MEMBERS } from '../../../../shared/identity/groups.contract.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import type { SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import { requireAdministratorAfter, requireManagers } from './guards.ts'
import { objectOf, pageOf, principalOut, readCursor, requireCurrent, stateId } from './principals.models.ts'
import * as rows from './principals.store.ts'
import type { PrincipalView } from './principals.store.ts'
import { ADMINISTRATORS, nameTaken, refuse } from './account-problems.ts'
import { searchWords } from './search-key.ts'
import { appendRead, requirePrincipal, type AccountStateDeps } from './account-state.ts'
import * as people from './users.store.ts'

type Group = z.input<typeof GroupModel>
type ListItem = z.input<typeof GroupListItem>

/** Groups of users and services (decisions 3). Every change has a ledger entry in its own transaction, with the members before and after. */
export interface Groups {
  list(
    tenant: string,
    text: string,
    page: { cursor: string | undefined; count: number },
  ): Promise<{ Items: ListItem[]; Cursor: string | null }>
  /** @throws Fault NameTaken, InvalidModel */
  create(call: HttpCall, tenant: string, given: { name: string; members: readonly string[] }): Promise<Group>
  /** @throws Fault GroupNotFound, as all that follow */
  read(tenant: string, id: string): Promise<Group>
  /** @throws Fault NameTaken, BuiltInGroup */
  rename(call: Call, tenant: string, id: string, name: string): Promise<Group>
  /** @throws Fault BuiltInGroup, CannotRemoveLastAccessPolicyWithFullPermissions */
  remove(call: Call, tenant: string, id: string): Promise<void>
  /** @throws Fault InvalidModel */
  add(call: Call, tenant: string, id: string, members: readonly string[]): Promise<Group>
  /** @throws Fault InvalidModel, ConcurrentWritingError, LastAdministrator, CannotRemoveLastAccessPolicyWithFullPermissions */
  replace(
    call: Call,
    tenant: string,
    id: string,
    given: { members: readonly string[]; concurrencyId?: string | null | undefined },
  ): Promise<Group>
  /** @throws Fault NotFound for a principal that is not a member; as `replace` */
  removeMember(call: Call, tenant: string, id: string, member: string): Promise<Group>
}

export function createGroups(deps: AccountStateDeps): Groups {
  const { db, ledger } = deps
  return {
    list: async (tenant, text, { cursor, count }) => {
      const found = await rows.principalsPage(
        db.read,
        tenant,
        { kinds: ['group'], words: searchWords(text) },
        { after: readCursor(cursor), count: count + 1 },
      )
      const { shown, cursor: next } = pageOf(found, count)
      const counts = await rows.memberCounts(
        db.read,
        shown.map(({ principal_id: id }) => id),
      )
      return { Items: shown.map((row) => listItem(row, counts.get(row.principal_id) ?? 0)), Cursor: next }
    },
    create: (call, tenant, given) => db.transaction((tx) => create(deps, tx, call, tenant, given)),
    read: async (tenant, id) => groupModel(db.read, await requireGroup(db.read, tenant, id)),
    rename: (call, tenant, id, name) =>
      changeGroup(deps, tenant, id, async (tx, row) => {
        refuseBuiltIn(row)
        await requireFreeName(tx, tenant, name, row.principal_id)
        if (name === row.name) return appendRead(ledger, tx, call, row)
        const nobody = { firstName: '', lastName: '', badge: '', email: '' }
        await people.renamePrincipal(tx, row, { name, nameKey: nameKey(name), ...nobody })
        const detail = { before: { Name: row.name }, after: { Name: name } }
        return ledger.append(tx, call, { action: 'group.renamed', object: objectOf(row), detail })
      }),
    remove: (call, tenant, id) => db.transaction((tx) => remove(deps, tx, call, tenant, id)),
    add: (call, tenant, id, members) =>
      changeGroup(deps, tenant, id, async (tx, row) => {
        const added = await membersNamed(tx, tenant, members, row.built_in === 1)
        await changeMembers(deps, tx, call, row, (before) => new Set([...before, ...added]))
      }),
    replace: (call, tenant, id, { members, concurrencyId }) =>
      changeGroup(deps, tenant, id, async (tx, row) => {
        requireCurrent(concurrencyId, stateId(idTexts(await rows.membersOf(tx, tenant, row.principal_id))))
        const after = await membersNamed(tx, tenant, members, row.built_in === 1)
        await changeMembers(deps, tx, call, row, () => new Set(after))
      }),
    removeMember: (call, tenant, id, member) =>
      changeGroup(deps, tenant, id, async (tx, row) => {
        const found = (await rows.membersOf(tx, tenant, row.principal_id)).find(
          (row) => String(row.principal_id) === member,
        )
        if (found === undefined) throw fault('NotFound', `${member} is not in ${row.name}.`)
        await changeMembers(
          deps,
          tx,
          call,
          row,
          (before) => new Set([...before].filter((id) => id !== found.principal_id)),
        )
      }),
  }
}

async function create(
  { ledger, clock }: AccountStateDeps,
  tx: Tx,
  call: HttpCall,
  tenant: string,
  { name, members }: { name: string; members: readonly string[] },
): Promise<Group> {
  await requireFreeName(tx, tenant, name, null)
  const ids = await membersNamed(tx, tenant, members, false)
  const made = await people.insertPrincipal(tx, {
    tenantId: tenant,
    kind: 'group',
    name,
    nameKey: nameKey(name),
    createdUtc: isoMillis(clock.now()),
    createdBy: `${call.actor.kind}:${call.actor.id}`,
  })
  await people.addMembers(tx, made.principal_id, [...ids], clock.now())
  await ledger.append(tx, call, {
    action: 'group.created',
    object: objectOf(made),
    detail: { builtIn: false, policies: [], members: texts(ids) },
  })
  return call.rememberAnswer(tx, await groupModel(tx, await requireGroup(tx, tenant, String(made.principal_id))))
}

async function remove(deps: AccountStateDeps, tx: Tx, call: Call, tenant: string, id: string): Promise<void> {
  const row = await requireGroup(tx, tenant, id)
  refuseBuiltIn(row)
  const members = idsOf(await rows.membersOf(tx, tenant, row.principal_id))
  const policies = await rows.directPolicies(tx, [row.principal_id])
  await requireManagers(deps, tx, call, tenant, { group: row.principal_id, members: [...members] })
  await people.markGroupDeleted(tx, row.principal_id, isoMillis(deps.clock.now()))
  await deps.ledger.append(tx, call, {
    action: 'group.deleted',
    object: objectOf(row),
    detail: {
      before: { members: texts(members), policies: policies.map(({ policy, level }) => ({ policy, level })) },
      after: null,
    },
  })
}

const requireGroup = (from: Tx, tenant: string, id: string) => requirePrincipal(from, tenant, 'group', id)

const changeGroup = (
  { db }: AccountStateDeps,
  tenant: string,
  id: string,
  work: (tx: Tx, row: PrincipalView) => Promise<unknown>,
): Promise<Group> =>
  db.transaction(async (tx) => {
    await work(tx, await requireGroup(tx, tenant, id))
    return groupModel(tx, await requireGroup(tx, tenant, id))
  })

/** Adds members before it removes others: the guard must see the access that new members get through the group. */
async function changeMembers(deps: AccountStateDeps, tx: Tx, call: Call, row: PrincipalView, change: Members) {
  const { ledger, clock } = deps
  const { principal_id: group, tenant_id: tenant } = row
  const before = idsOf(await rows.membersOf(tx, tenant, group))
  const after = change(before)
  if (after.size > MOST_MEMBERS)
    refuse([{ Path: 'PrincipalIds', Message: `A group has at most ${MOST_MEMBERS} members.` }])
  const leaving = [...before].filter((id) => !after.has(id))
  const joining = [...after].filter((id) => !before.has(id))
  if (leaving.length + joining.length === 0) {
    await appendRead(ledger, tx, call, row)
    return
  }
  await people.addMembers(tx, group, joining, clock.now())
  await requireManagers(deps, tx, call, tenant, { group, members: leaving })
  await requireAdministratorAfter(tx, tenant, () => people.removeMembers(tx, group, leaving))
  await ledger.append(tx, call, {
    action: 'group.membersChanged',
    object: objectOf(row),
    detail: { before: texts(before), after: texts(after) },
  })
}

type Members = (before: ReadonlySet<number>) => ReadonlySet<number>

const idsOf = (members: readonly PrincipalView[]): Set<number> => new Set(members.map(({ principal_id: id }) => id))
const texts = (ids: Iterable<number>): string[] => [...ids].sort((left, right) => left - right).map(String)
const idTexts = (members: readonly PrincipalView[]): string[] => texts(idsOf(members))

/** @throws Fault InvalidModel for each id that names no user or service of the tenant */
async function membersNamed(tx: Tx, tenant: string, ids: readonly string[], builtIn: boolean): Promise<number[]> {
  const found = await rows.principalsById(tx, tenant, [...new Set(ids)].map(Number))
  const known = new Map(found.map((row) => [String(row.principal_id), row]))
  refuse(
    ids.flatMap((id, at): Problem[] => {
      const row = known.get(id)
      const Path = `PrincipalIds.${at}`
      if (row === undefined || row.kind === 'group') return [{ Path, Message: 'It names no user and no service.' }]
      return builtIn && row.guest === 1 ? [{ Path, Message: `A guest cannot be in ${ADMINISTRATORS}.` }] : []
    }),
  )
  return [...known.values()].map(({ principal_id: id }) => id)
}

async function requireFreeName(tx: Tx, tenant: string, name: string, ownId: number | null): Promise<void> {
  const other = await people.findByName(tx, tenant, 'group', nameKey(name))
  if (other !== null && other.principal_id !== ownId) throw nameTaken('group', 'Name')
}

function refuseBuiltIn(row: PrincipalView): void {
  if (row.built_in === 1) throw fault('BuiltInGroup', `${row.name} can be neither renamed nor deleted.`)
}

const listItem = (row: PrincipalView, members: number): ListItem => ({
  PrincipalId: String(row.principal_id),
  KId: row.k_id,
  Name: row.name,
  BuiltIn: row.built_in === 1,
  MemberCount: members,
  CreatedUtcTime: row.created_utc,
})

async function groupModel(from: Tx, row: PrincipalView): Promise<Group> {
  const members = await rows.membersOf(from, row.tenant_id, row.principal_id)
  const policies = await rows.directPolicies(from, [row.principal_id])
  return {
    ...listItem(row, members.length),
    Members: members.map((one) => ({ ...principalOut(one), Enabled: one.enabled === 1, Guest: one.guest === 1 })),
    Policies: policies.map(({ policy, level }) => ({ Policy: policy as SecurityPolicy, Level: level })),
    ConcurrencyId: stateId(idTexts(members)),
  }
}
