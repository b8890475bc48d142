import * as keys from '../../../../shared/identity/service-api-keys.contract.ts'
import * as contract from '../../../../shared/identity/services.contract.ts'
import { answer, type BoundRoute, json } from '../../../http/handlers.ts'
import type { Integrations } from './integrations.service.ts'
import { queryDetail, flagOf } from './users.routes.ts'

interface Deps {
  readonly integrations: Integrations
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

/** Answers that contain keys must not be cached. */
const SECRET = { 'Cache-Control': 'no-store' }

export function integrationRoutes({ integrations, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.listServices, async ({ params, query, call }) => {
      const { text = '', enabled, cursor, count } = query
      const filter = { text, enabled: flagOf(enabled) }
      const out = await integrations.list(tenant(params.tenantId), filter, { cursor, count })
      call.seen({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(contract.createService, async ({ params, body, call, origin }) =>
      answer(201, await integrations.create(call, tenant(params.tenantId), body, origin), SECRET),
    ),
    json(contract.getService, async ({ params, call }) => {
      const out = await integrations.read(tenant(params.tenantId), params.serviceId)
      call.seen({ id: out.PrincipalId, name: out.Name })
      return out
    }),
    json(contract.rotateKey, async ({ params, body, call, origin }) => {
      const rotation = { overlapMinutes: body?.OverlapMinutes ?? 0, origin }
      return answer(
        200,
        await integrations.rotateKey(call, tenant(params.tenantId), params.serviceId, rotation),
        SECRET,
      )
    }),
    json(contract.registerKey, async ({ params, body, call }) =>
      integrations.registerKey(call, tenant(params.tenantId), params.serviceId, {
        key: body.Key,
        notBefore: body.NotBeforeUtc ?? null,
        expires: body.ExpiresUtc ?? null,
      }),
    ),
    json(contract.rotateApiKey, async ({ params, body, call }) => {
      const rotation = { overlapMinutes: body?.OverlapMinutes ?? 0 }
      return answer(
        200,
        await integrations.rotateApiKey(call, tenant(params.tenantId), params.serviceId, rotation),
        SECRET,
      )
    }),
    json(keys.makeApiKey, async ({ params, body, call }) =>
      answer(201, await integrations.makeApiKey(call, tenant(params.tenantId), params.serviceId, body.Name), SECRET),
    ),
    json(keys.revokeApiKey, async ({ params, call }) =>
      integrations.revokeApiKey(call, tenant(params.tenantId), params.serviceId, params.apiKeyId),
    ),
    json(contract.disableService, async ({ params, call }) =>
      integrations.disable(call, tenant(params.tenantId), params.serviceId),
    ),
    json(contract.enableService, async ({ params, call }) =>
      integrations.enable(call, tenant(params.tenantId), params.serviceId),
    ),
  ]
}
