import * as contract from '../../../shared/devices/configurations.contract.ts'
import { answer, type BoundRoute, json } from '../../http/handlers.ts'
import type { Configurations } from './configurations.service.ts'
import type { Credentials } from './credentials.service.ts'
import type { Negotiation } from './negotiation.service.ts'

interface Deps {
  readonly credentials: Credentials
  readonly negotiation: Negotiation
  readonly configurations: Configurations
}

export function configurationRoutes(deps: Deps): BoundRoute[] {
  return [...negotiationRoutes(deps), ...desiredRoutes(deps)]
}

function negotiationRoutes({ credentials, negotiation }: Deps): BoundRoute[] {
  return [
    json(contract.getCredentials, async ({ body, call }) => {
      const { device, credentials: found } = await credentials.list(call.tenant, body.DeviceId)
      call.describeRead({ ...device, detail: { returned: found.length } })
      return found
    }),
    json(contract.reportFailedCredentials, async ({ body, call }) => {
      const texts = body.Credentials.map((one) => one.DeviceCredential)
      await credentials.fail(call, call.tenant, body.DeviceId, texts)
      return answer(204, undefined)
    }),
    json(contract.negotiateConfiguration, async ({ body, call }) => {
      const offered = await negotiation.negotiate(call, call.tenant, {
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
    json(contract.commitConfiguration, async ({ body, call }) => {
      await negotiation.commit(call, call.tenant, body.DeviceId, body.TransactionId)
      return answer(204, undefined)
    }),
    json(contract.rejectConfiguration, async ({ body, call }) => {
      const reason = { code: body.ReasonCode ?? null, message: body.ReasonMessage ?? null }
      await negotiation.reject(call, call.tenant, body.DeviceId, body.TransactionId, reason)
      return answer(204, undefined)
    }),
  ]
}

function desiredRoutes({ configurations }: Deps): BoundRoute[] {
  return [
    json(contract.getDeviceConfiguration, async ({ params, call }) => {
      const { name, configuration } = await configurations.ofDevice(call.tenant, params.deviceId)
      call.describeRead({ id: configuration.DeviceId, name })
      return configuration
    }),
    json(contract.setDeviceConfiguration, async ({ params, body, call }) =>
      configurations.setOfDevice(call, call.tenant, params.deviceId, body.Configuration, body.ConcurrencyId),
    ),
    json(contract.listTypeConfigurations, async ({ call }) => {
      const out = await configurations.ofTypes(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.setTypeConfiguration, async ({ params, body, call }) =>
      configurations.setOfType(call, call.tenant, params.deviceType, body.Configuration, body.ConcurrencyId),
    ),
    json(contract.deleteTypeConfiguration, async ({ params, call }) => {
      await configurations.removeOfType(call, call.tenant, params.deviceType)
      return answer(204, undefined)
    }),
  ]
}
