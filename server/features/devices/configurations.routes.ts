import * as contract from '../../../shared/devices/configurations.contract.ts'
import { answer, type BoundRoute, json } from '../../http/handlers.ts'
import type { Configurations } from './configurations.service.ts'
import type { Credentials } from './credentials.service.ts'
import type { Negotiation } from './negotiation.service.ts'

interface Deps {
  readonly credentials: Credentials
  readonly negotiation: Negotiation
  readonly configurations: Configurations
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function configurationRoutes(deps: Deps): BoundRoute[] {
  return [...negotiationRoutes(deps), ...desiredRoutes(deps)]
}

function negotiationRoutes({ credentials, negotiation, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.getCredentials, async ({ params, body, call }) => {
      const { device, credentials: found } = await credentials.list(tenant(params.tenantId), body.DeviceId)
      call.seen({ ...device, detail: { returned: found.length } })
      return found
    }),
    json(contract.reportFailedCredentials, async ({ params, body, call }) => {
      const texts = body.Credentials.map((one) => one.DeviceCredential)
      await credentials.fail(call, tenant(params.tenantId), body.DeviceId, texts)
      return answer(204, undefined)
    }),
    json(contract.negotiateConfiguration, async ({ params, body, call }) => {
      const offered = await negotiation.negotiate(call, tenant(params.tenantId), {
        identification: body.DeviceId,
        type: body.DeviceType,
        capabilities: body.Capabilities ?? null,
        configuration: body.Configuration ?? {},
        credential: body.Credential?.DeviceCredential ?? null,
      })
      if (offered === null) return answer(304, undefined)
      const { transactionId, configuration, expiresUtc } = offered
      return answer(200, { TransactionId: transactionId, Configuration: configuration, ExpiresUtc: expiresUtc })
    }),
    json(contract.commitConfiguration, async ({ params, body, call }) => {
      await negotiation.commit(call, tenant(params.tenantId), body.DeviceId, body.TransactionId)
      return answer(204, undefined)
    }),
    json(contract.rejectConfiguration, async ({ params, body, call }) => {
      const reason = { code: body.ReasonCode ?? null, message: body.ReasonMessage ?? null }
      await negotiation.reject(call, tenant(params.tenantId), body.DeviceId, body.TransactionId, reason)
      return answer(204, undefined)
    }),
  ]
}

function desiredRoutes({ configurations, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.getDeviceConfiguration, async ({ params, call }) => {
      const { name, configuration } = await configurations.ofDevice(tenant(params.tenantId), params.deviceId)
      call.seen({ id: configuration.DeviceId, name })
      return configuration
    }),
    json(contract.setDeviceConfiguration, async ({ params, body, call }) =>
      configurations.setOfDevice(
        call,
        tenant(params.tenantId),
        params.deviceId,
        body.Configuration,
        body.ConcurrencyId,
      ),
    ),
    json(contract.listTypeConfigurations, async ({ params, call }) => {
      const out = await configurations.ofTypes(tenant(params.tenantId))
      call.seen({ detail: { returned: out.length } })
      return out
    }),
    json(contract.setTypeConfiguration, async ({ params, body, call }) =>
      configurations.setOfType(
        call,
        tenant(params.tenantId),
        params.deviceType,
        body.Configuration,
        body.ConcurrencyId,
      ),
    ),
    json(contract.deleteTypeConfiguration, async ({ params, call }) => {
      await configurations.removeOfType(call, tenant(params.tenantId), params.deviceType)
      return answer(204, undefined)
    }),
  ]
}
