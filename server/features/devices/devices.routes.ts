import * as associating from '../../../shared/devices/associations.contract.ts'
import * as configuring from '../../../shared/devices/configurations.contract.ts'
import * as contract from '../../../shared/devices/contract.ts'
import { TAKE_HOURS, takeDevice } from '../../../shared/devices/take.contract.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { answer, type BoundRoute, type HttpCall, json } from '../../http/handlers.ts'
import type { Associations } from './associations.service.ts'
import type { Configurations } from './configurations.service.ts'
import type { Credentials } from './credentials.service.ts'
import type { DeviceOut } from './devices.models.ts'
import type { Devices } from './devices.service.ts'
import type { Negotiation } from './negotiation.service.ts'

interface Deps {
  readonly devices: Devices
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

export function deviceRoutes({ devices, isInPolicy }: Deps): BoundRoute[] {
  const canManage = async ({ principal }: HttpCall): Promise<boolean> =>
    principal !== null && isInPolicy(principal.id, 'ManageDevices')
  return [
    json(
      contract.addDevice,
      async ({ body, call }) =>
        devices.add(call, call.tenant, {
          identification: body.DeviceIdentification,
          type: body.DeviceType,
        }),
      {
        revive: async (remembered, { call }) => {
          const earlier = remembered as DeviceOut
          const { EffectiveConfiguration } = await devices.read(call.tenant, earlier.Id)
          return { ...earlier, EffectiveConfiguration }
        },
      },
    ),
    json(contract.listDevices, async ({ query, call }) => {
      const { text = '', state, type, assignedTo, cursor, count } = query
      const active = state === undefined ? undefined : state === 'Active'
      const out = await devices.list(call.tenant, { text, active, type, assignedTo, cursor, count })
      const asked = Object.entries({ text: query.text, state, type, assignedTo }).filter(([, one]) => one !== undefined)
      call.describeRead({ detail: { ...Object.fromEntries(asked), count, returned: out.Items.length } })
      return out
    }),
    json(contract.getDevice, async ({ params, call }) => {
      const out = await devices.read(call.tenant, params.deviceId)
      const { CommonName, SerialNumber } = out.DeviceIdentification
      call.describeRead({ id: out.Id, name: CommonName || SerialNumber })
      return out
    }),
    json(contract.activateDevice, async ({ params, call }) => devices.activate(call, call.tenant, params.deviceId)),
    json(contract.deactivateDevice, async ({ params, call }) => devices.deactivate(call, call.tenant, params.deviceId)),
    json(contract.canManageDevices, async ({ call }) => answer(200, await canManage(call))),
    json(contract.canManageDevicesByPost, async ({ call }) => answer(200, await canManage(call))),
  ]
}

interface AssociationDeps {
  readonly associations: Associations
}

export function associationRoutes({ associations }: AssociationDeps): BoundRoute[] {
  return [
    json(associating.listAssociations, async ({ params, call }) => {
      const { device, associations: out } = await associations.list(call.tenant, params.deviceId)
      call.describeRead({ ...device, detail: { returned: out.length } })
      return out
    }),
    json(
      associating.createAssociation,
      async ({ params, body, call }) =>
        associations.create(call, call.tenant, params.deviceId, {
          principalId: body.PrincipalId,
          from: body.FromUtc ?? null,
          to: body.ToUtc ?? null,
        }),
      { judge: ({ params, body, call }) => associations.judge(call, params.deviceId, body.PrincipalId) },
    ),
    json(
      takeDevice,
      async ({ params, body, call }) =>
        associations.take(call, call.tenant, params.deviceId, {
          principalId: body?.PrincipalId ?? null,
          hours: body?.Hours ?? TAKE_HOURS,
          endOthers: body?.EndOthers ?? false,
        }),
      { judge: ({ params, body, call }) => associations.judge(call, params.deviceId, body?.PrincipalId ?? null) },
    ),
    json(associating.changeAssociation, async ({ params, body, call }) =>
      associations.change(call, call.tenant, params.deviceId, params.associationId, {
        from: body.FromUtc ?? undefined,
        to: body.ToUtc,
        concurrencyId: body.ConcurrencyId,
      }),
    ),
    json(associating.deleteAssociation, async ({ params, call }) => {
      await associations.remove(call, call.tenant, params.deviceId, params.associationId)
      return answer(204, undefined)
    }),
    json(associating.confirmAssociation, async ({ params, body, call }) =>
      associations.confirm(call, call.tenant, params.deviceId, params.associationId, body?.ConcurrencyId),
    ),
  ]
}

interface ConfigurationDeps {
  readonly credentials: Credentials
  readonly negotiation: Negotiation
  readonly configurations: Configurations
}

export function configurationRoutes(deps: ConfigurationDeps): BoundRoute[] {
  return [...negotiationRoutes(deps), ...desiredRoutes(deps)]
}

function negotiationRoutes({ credentials, negotiation }: ConfigurationDeps): BoundRoute[] {
  return [
    json(configuring.getCredentials, async ({ body, call }) => {
      const { device, credentials: found } = await credentials.list(call.tenant, body.DeviceId)
      call.describeRead({ ...device, detail: { returned: found.length } })
      return found
    }),
    json(configuring.reportFailedCredentials, async ({ body, call }) => {
      const texts = body.Credentials.map((one) => one.DeviceCredential)
      await credentials.fail(call, call.tenant, body.DeviceId, texts)
      return answer(204, undefined)
    }),
    json(configuring.negotiateConfiguration, async ({ body, call }) => {
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
    json(configuring.commitConfiguration, async ({ body, call }) => {
      await negotiation.commit(call, call.tenant, body.DeviceId, body.TransactionId)
      return answer(204, undefined)
    }),
    json(configuring.rejectConfiguration, async ({ body, call }) => {
      const reason = { code: body.ReasonCode ?? null, message: body.ReasonMessage ?? null }
      await negotiation.reject(call, call.tenant, body.DeviceId, body.TransactionId, reason)
      return answer(204, undefined)
    }),
  ]
}

function desiredRoutes({ configurations }: ConfigurationDeps): BoundRoute[] {
  return [
    json(configuring.getDeviceConfiguration, async ({ params, call }) => {
      const { name, configuration } = await configurations.ofDevice(call.tenant, params.deviceId)
      call.describeRead({ id: configuration.DeviceId, name })
      return configuration
    }),
    json(configuring.setDeviceConfiguration, async ({ params, body, call }) =>
      configurations.setOfDevice(call, call.tenant, params.deviceId, body.Configuration, body.ConcurrencyId),
    ),
    json(configuring.listTypeConfigurations, async ({ call }) => {
      const out = await configurations.ofTypes(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(configuring.setTypeConfiguration, async ({ params, body, call }) =>
      configurations.setOfType(call, call.tenant, params.deviceType, body.Configuration, body.ConcurrencyId),
    ),
    json(configuring.deleteTypeConfiguration, async ({ params, call }) => {
      await configurations.removeOfType(call, call.tenant, params.deviceType)
      return answer(204, undefined)
    }),
  ]
}
