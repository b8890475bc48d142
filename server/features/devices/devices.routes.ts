import * as contract from '../../../shared/devices/contract.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { answer, type BoundRoute, type HttpCall, json } from '../../http/handlers.ts'
import type { DeviceOut } from './devices.models.ts'
import type { Devices } from './devices.service.ts'

interface Deps {
  readonly devices: Devices
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function deviceRoutes({ devices, isInPolicy, tenant }: Deps): BoundRoute[] {
  const canManage = async (name: string, call: HttpCall): Promise<boolean> => {
    tenant(name)
    return call.principal !== null && isInPolicy(call.principal.id, 'ManageDevices')
  }
  return [
    json(
      contract.addDevice,
      async ({ params, body, call }) =>
        devices.add(call, tenant(params.tenantId), {
          identification: body.DeviceIdentification,
          type: body.DeviceType,
        }),
      {
        revive: async (remembered, { params }) => {
          const earlier = remembered as DeviceOut
          const { EffectiveConfiguration } = await devices.read(tenant(params.tenantId), earlier.Id)
          return { ...earlier, EffectiveConfiguration }
        },
      },
    ),
    json(contract.listDevices, async ({ params, query, call }) => {
      const { text = '', state, type, assignedTo, cursor, count } = query
      const active = state === undefined ? undefined : state === 'Active'
      const out = await devices.list(tenant(params.tenantId), { text, active, type, assignedTo, cursor, count })
      const asked = Object.entries({ text: query.text, state, type, assignedTo }).filter(([, one]) => one !== undefined)
      call.seen({ detail: { ...Object.fromEntries(asked), count, returned: out.Items.length } })
      return out
    }),
    json(contract.getDevice, async ({ params, call }) => {
      const out = await devices.read(tenant(params.tenantId), params.deviceId)
      const { CommonName, SerialNumber } = out.DeviceIdentification
      call.seen({ id: out.Id, name: CommonName || SerialNumber })
      return out
    }),
    json(contract.activateDevice, async ({ params, call }) =>
      devices.activate(call, tenant(params.tenantId), params.deviceId),
    ),
    json(contract.deactivateDevice, async ({ params, call }) =>
      devices.deactivate(call, tenant(params.tenantId), params.deviceId),
    ),
    json(contract.canManageDevices, async ({ params, call }) => answer(200, await canManage(params.tenantId, call))),
    json(contract.canManageDevicesByPost, async ({ params, call }) =>
      answer(200, await canManage(params.tenantId, call)),
    ),
  ]
}
