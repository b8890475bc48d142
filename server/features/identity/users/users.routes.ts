import type { z } from 'zod'
import * as trailContract from '../../../../shared/identity/audit-trail.contract.ts'
import type { SuspiciousEntry } from '../../../../shared/identity/audit-trail.contract.ts'
import * as grouping from '../../../../shared/identity/groups.contract.ts'
import * as policyContract from '../../../../shared/identity/policies.contract.ts'
import * as keys from '../../../../shared/identity/service-api-keys.contract.ts'
import * as originContract from '../../../../shared/identity/service-origins.contract.ts'
import * as serviceContract from '../../../../shared/identity/services.contract.ts'
import * as contract from '../../../../shared/identity/users.contract.ts'
import * as exportContract from '../../../../shared/kernel/exports.contract.ts'
import { checked, queryMembers } from '../../../http/checked-answer.ts'
import type { Column, Export } from '../../../http/exports.ts'
import { answer, type BoundRoute, bytes, json } from '../../../http/handlers.ts'
import type { Trail } from './audit-trail.service.ts'
import type { Groups } from './groups.service.ts'
import type { Integrations } from './integrations.service.ts'
import type { Origins } from './origins.service.ts'
import type { People } from './people.service.ts'
import type { Policies } from './policies.service.ts'

interface Deps {
  readonly people: People
}

/** The value of a yes-or-no filter. */
const flagOf = (text: 'true' | 'false' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

/** The query of a list, for its ledger entry, without absent members. */
const queryDetail = (query: Readonly<Record<string, unknown>>, returned: number): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(query).filter(([name, value]) => value !== undefined && name !== 'cursor')),
  returned,
})

export function userRoutes({ people }: Deps): BoundRoute[] {
  return [
    json(contract.listUsers, async ({ query, call }) => {
      const { text = '', enabled, guest, group, cursor, count } = query
      const filter = { text, enabled: flagOf(enabled), guest: flagOf(guest), group }
      const out = await people.list(call.tenant, filter, { cursor, count })
      call.describeRead({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(contract.createUser, async ({ body, call }) => people.create(call, call.tenant, body)),
    json(contract.getUser, async ({ params, call }) => {
      const out = await people.read(call.tenant, params.userId)
      call.describeRead({ id: out.PrincipalId, name: out.Username })
      return out
    }),
    json(contract.changeUser, async ({ params, body, call }) => people.change(call, call.tenant, params.userId, body)),
    json(contract.disableUser, async ({ params, call }) => people.disable(call, call.tenant, params.userId)),
    json(contract.containUser, async ({ params, body, call }) =>
      people.contain(call, call.tenant, params.userId, body.Reason),
    ),
    json(contract.enableUser, async ({ params, call }) => people.enable(call, call.tenant, params.userId)),
    json(contract.unlockUser, async ({ params, call }) => people.unlock(call, call.tenant, params.userId)),
    json(contract.resetPassword, async ({ params, body, call }) =>
      people.resetPassword(call, call.tenant, params.userId, {
        password: body.Password,
        due: body.ChangePassword ?? true,
      }),
    ),
    json(contract.listUserSessions, async ({ params, call }) => {
      const out = await people.sessions(call.tenant, params.userId)
      call.describeRead({ id: params.userId, detail: { returned: out.length } })
      return out
    }),
    json(contract.endUserSessions, async ({ params, call }) => {
      await people.endSessions(call, call.tenant, params.userId)
      return undefined
    }),
    json(contract.endUserSession, async ({ params, call }) => {
      await people.endSessions(call, call.tenant, params.userId, params.sessionId)
      return undefined
    }),
  ]
}

interface GroupDeps {
  readonly groups: Groups
}

export function groupRoutes({ groups }: GroupDeps): BoundRoute[] {
  return [
    json(grouping.listGroups, async ({ query, call }) => {
      const { text = '', cursor, count } = query
      const out = await groups.list(call.tenant, text, { cursor, count })
      call.describeRead({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(grouping.createGroup, async ({ body, call }) =>
      groups.create(call, call.tenant, { name: body.Name, members: body.PrincipalIds ?? [] }),
    ),
    json(grouping.getGroup, async ({ params, call }) => {
      const out = await groups.read(call.tenant, params.groupId)
      call.describeRead({ id: out.PrincipalId, name: out.Name })
      return out
    }),
    json(grouping.renameGroup, async ({ params, body, call }) =>
      groups.rename(call, call.tenant, params.groupId, body.Name),
    ),
    json(grouping.deleteGroup, async ({ params, call }) => {
      await groups.remove(call, call.tenant, params.groupId)
      return answer(204, undefined)
    }),
    json(grouping.addMembers, async ({ params, body, call }) =>
      groups.add(call, call.tenant, params.groupId, body.PrincipalIds),
    ),
    json(grouping.replaceMembers, async ({ params, body, call }) =>
      groups.replace(call, call.tenant, params.groupId, {
        members: body.PrincipalIds,
        concurrencyId: body.ConcurrencyId,
      }),
    ),
    json(grouping.removeMember, async ({ params, call }) =>
      groups.removeMember(call, call.tenant, params.groupId, params.principalId),
    ),
  ]
}

interface PolicyDeps {
  readonly policies: Policies
  readonly trail: Trail
}

/** Security policies, the search for principals to share with, and ledger entries about people. */
export function policyRoutes({ policies, trail }: PolicyDeps): BoundRoute[] {
  return [
    json(policyContract.listPolicies, async ({ call }) => {
      const out = await policies.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(policyContract.replacePolicy, async ({ params, body, call }) =>
      policies.replace(call, call.tenant, params.policy, {
        members: body.Members,
        concurrencyId: body.ConcurrencyId,
      }),
    ),
    json(policyContract.findPrincipals, async ({ query, call }) => {
      const out = await policies.find(call.tenant, query.text, query.type)
      call.describeRead({ detail: queryDetail(query, out.length) })
      return out
    }),
    json(trailContract.getUserHistory, async ({ params, query, call }) => {
      const { name, ...out } = await trail.history(call, call.tenant, params.userId, {
        before: query.before,
        count: query.count,
      })
      call.describeRead({ id: params.userId, name, detail: queryDetail(query, out.Entries.length) })
      return out
    }),
    json(trailContract.getSuspiciousActivity, async ({ query, call }) => {
      const { days, kind, before, count } = query
      const name = call.tenant
      const out = await trail.suspicious({ days, kind }, { before, count })
      call.describeRead({ id: name, name, detail: queryDetail(query, out.Entries.length) })
      return out
    }),
  ]
}

interface OriginDeps {
  readonly origins: Origins
}

export function originRoutes({ origins }: OriginDeps): BoundRoute[] {
  return [
    json(originContract.getServiceOrigins, async ({ params, call }) => {
      const { Origins: found, name } = await origins.read(call.tenant, params.serviceId)
      call.describeRead({ name, detail: { returned: found.length } })
      return { Origins: found }
    }),
    json(originContract.putServiceOrigins, async ({ params, body, call }) =>
      origins.replace(call, call.tenant, params.serviceId, body.Origins),
    ),
  ]
}

interface IntegrationDeps {
  readonly integrations: Integrations
}

/** Answers that contain keys must not be cached. */
const SECRET = { 'Cache-Control': 'no-store' }

export function integrationRoutes({ integrations }: IntegrationDeps): BoundRoute[] {
  return [
    json(serviceContract.listServices, async ({ query, call }) => {
      const { text = '', enabled, cursor, count } = query
      const filter = { text, enabled: flagOf(enabled) }
      const out = await integrations.list(call.tenant, filter, { cursor, count })
      call.describeRead({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(serviceContract.createService, async ({ body, call, origin }) =>
      answer(201, await integrations.create(call, call.tenant, body, origin), SECRET),
    ),
    json(serviceContract.getService, async ({ params, call }) => {
      const out = await integrations.read(call.tenant, params.serviceId)
      call.describeRead({ id: out.PrincipalId, name: out.Name })
      return out
    }),
    json(serviceContract.rotateKey, async ({ params, body, call, origin }) => {
      const rotation = { overlapMinutes: body?.OverlapMinutes ?? 0, origin }
      return answer(200, await integrations.rotateKey(call, call.tenant, params.serviceId, rotation), SECRET)
    }),
    json(serviceContract.registerKey, async ({ params, body, call }) =>
      integrations.registerKey(call, call.tenant, params.serviceId, {
        key: body.Key,
        notBefore: body.NotBeforeUtc ?? null,
        expires: body.ExpiresUtc ?? null,
      }),
    ),
    json(serviceContract.rotateApiKey, async ({ params, body, call }) => {
      const rotation = { overlapMinutes: body?.OverlapMinutes ?? 0 }
      return answer(200, await integrations.rotateApiKey(call, call.tenant, params.serviceId, rotation), SECRET)
    }),
    json(keys.makeApiKey, async ({ params, body, call }) =>
      answer(201, await integrations.makeApiKey(call, call.tenant, params.serviceId, body.Name), SECRET),
    ),
    json(keys.revokeApiKey, async ({ params, call }) =>
      integrations.revokeApiKey(call, call.tenant, params.serviceId, params.apiKeyId),
    ),
    json(serviceContract.disableService, async ({ params, call }) =>
      integrations.disable(call, call.tenant, params.serviceId),
    ),
    json(serviceContract.enableService, async ({ params, call }) =>
      integrations.enable(call, call.tenant, params.serviceId),
    ),
  ]
}

interface TrailExportDeps {
  readonly trail: Pick<Trail, 'suspicious'>
  readonly exporting: Export
}

type Entry = z.input<typeof SuspiciousEntry>
const PAGE = 500

/** Exports suspicious activity as a file. */
export function trailExportRoutes({ trail, exporting }: TrailExportDeps): BoundRoute[] {
  async function* pages(filter: Parameters<Trail['suspicious']>[0]): AsyncGenerator<readonly Entry[]> {
    for (let before: string | null | undefined; before !== null; ) {
      const page: Awaited<ReturnType<Trail['suspicious']>> = await trail.suspicious(filter, { before, count: PAGE })
      yield page.Entries
      before = page.Cursor
    }
  }
  return [
    bytes(exportContract.exportSuspiciousActivity, async (request, call) => {
      const { format, days, kind } = checked(exportContract.exportSuspiciousActivity.query, queryMembers(request.url))
      const name = call.tenant
      return exporting(request, call, format, {
        name: 'suspicious activity',
        columns: COLUMNS,
        pages: pages({ days, kind }),
        object: { type: 'tenant', id: name, name },
        detail: { days, ...(kind === undefined ? {} : { kind }) },
      })
    }),
  ]
}

const COLUMNS: readonly Column<Entry>[] = [
  ['Seq', (entry) => entry.Seq],
  ['TimeUtc', (entry) => entry.TimeUtc],
  ['Kind', (entry) => entry.Kind],
  ['Times', (entry) => entry.Times],
  ['Action', (entry) => entry.Action],
  ['Meaning', (entry) => entry.Meaning],
  ['ActorKind', (entry) => entry.Actor.Kind],
  ['ActorId', (entry) => entry.Actor.Id],
  ['ActorName', (entry) => entry.Actor.Name],
  ['Source', (entry) => entry.Source],
  ['ObjectType', (entry) => entry.Object.Type],
  ['ObjectId', (entry) => entry.Object.Id],
  ['ObjectName', (entry) => entry.Object.Name],
  ['Outcome', (entry) => entry.Outcome],
  ['Reason', (entry) => entry.Reason],
  ['CorrelationId', (entry) => entry.CorrelationId],
  ['Detail', (entry) => (entry.Detail === null ? null : JSON.stringify(entry.Detail))],
]
