import * as keys from '../../../../shared/identity/service-api-keys.contract.ts'
import * as contract from '../../../../shared/identity/services.contract.ts'
import { answer, type BoundRoute, json } from '../../../http/handlers.ts'
import type { Integrations } from './integrations.service.ts'
import { queryDetail, flagOf } from './users.routes.ts'

interface Deps {
  readonly integrations: Integrations
}

/** Answers that contain keys must not be cached. */
const SECRET = { 'Cache-Control': 'no-store' }

export function integrationRoutes({ integrations }: Deps): BoundRoute[] {
  return [
    json(contract.listServices, async ({ query, call }) => {
      const { text = '', enabled, cursor, count } = query
      const filter = { text, enabled: flagOf(enabled) }
      const out = await integrations.list(call.tenant, filter, { cursor, count })
      call.describeRead({ detail: queryDetail(query, out.Items.length) })
      return out
    }),
    json(contract.createService, async ({ body, call, origin }) =>
      answer(201, await integrations.create(call, call.tenant, body, origin), SECRET),
    ),
    json(contract.getService, async ({ params, call }) => {
      const out = await integrations.read(call.tenant, params.serviceId)
      call.describeRead({ id: out.PrincipalId, name: out.Name })
      return out
    }),
    json(contract.rotateKey, async ({ params, body, call, origin }) => {
      const rotation = { overlapMinutes: body?.OverlapMinutes ?? 0, origin }
      return answer(200, await integrations.rotateKey(call, call.tenant, params.serviceId, rotation), SECRET)
    }),
    json(contract.registerKey, async ({ params, body, call }) =>
      integrations.registerKey(call, call.tenant, params.serviceId, {
        key: body.Key,
        notBefore: body.NotBeforeUtc ?? null,
        expires: body.ExpiresUtc ?? null,
      }),
    ),
    json(contract.rotateApiKey, async ({ params, body, call }) => {
      const rotation = { overlapMinutes: body?.OverlapMinutes ?? 0 }
      return answer(200, await integrations.rotateApiKey(call, call.tenant, params.serviceId, rotation), SECRET)
    }),
    json(keys.makeApiKey, async ({ params, body, call }) =>
      answer(201, await integrations.makeApiKey(call, call.tenant, params.serviceId, body.Name), SECRET),
    ),
    json(keys.revokeApiKey, async ({ params, call }) =>
      integrations.revokeApiKey(call, call.tenant, params.serviceId, params.apiKeyId),
    ),
    json(contract.disableService, async ({ params, call }) =>
      integrations.disable(call, call.tenant, params.serviceId),
    ),
    json(contract.enableService, async ({ params, call }) => integrations.enable(call, call.tenant, params.serviceId)),
  ]
}
