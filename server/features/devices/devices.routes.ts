import * as contract from '../../../shared/devices/contract.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { answer, type BoundRoute, type HttpCall, json } from '../../http/handlers.ts'
import type { DeviceOut } from './devices.models.ts'
import type { Devices } from './devices.service.ts'

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
