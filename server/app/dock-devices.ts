import { dockReason } from '../../shared/messages/dock-reasons.ts'
import { sameJson } from '../../shared/kernel/same-json.ts'
import type { DeviceRegister, KnownCamera, Negotiated, WriteConfiguration } from '../features/docking/ports.ts'
import type { DeviceRegister as Devices } from '../features/devices/register.ts'

/** Adapts the device service to the needs of the dock. */
export function dockDevices(devices: Devices): DeviceRegister {
  return {
    negotiate: async (call, tenant, camera, write): Promise<Negotiated> => {
      const named = namedBy(camera)
      if (camera.configuration === null) {
        await devices.seen(call, tenant, named)
        return { result: 'seen', reason: dockReason('settingsUnknown') }
      }
      const { configuration, capabilities } = camera
      const offer = await devices.negotiate(call, tenant, { ...named, configuration, capabilities, credential: null })
      if (offer === null) return { result: 'unchanged', reason: null }
      const { transactionId } = offer
      if (sameJson(offer.configuration, configuration)) {
        await devices.commit(call, tenant, named.identification, transactionId)
        return { result: 'committed', reason: null }
      }
      const why = write === null ? NOT_WRITABLE : await written(write, offer.configuration)
      if (why === null) {
        await devices.commit(call, tenant, named.identification, transactionId)
        return { result: 'committed', reason: dockReason('written') }
      }
      await devices.reject(call, tenant, named.identification, transactionId, why)
      return { result: 'rejected', reason: why.message }
    },
    officersAt: async (deviceId, at) => {
      const officers = await devices.officersAt(deviceId, at.ticks)
      return officers.map(({ PrincipalId, KId, Username }) => ({
        PrincipalId: PrincipalId ?? '',
        KId: KId ?? '',
        Username: Username ?? '',
      }))
    },
  }
}

/** Writes the configuration to the camera. @returns the reason of a failure, or null */
async function written(
  write: WriteConfiguration,
  configuration: unknown,
): Promise<{ readonly code: string; readonly message: string } | null> {
  try {
    await write(configuration)
    return null
  } catch (error) {
    return { code: 'NotWritten', message: (error as Error).message.toWellFormed().slice(0, 500) }
  }
}

const NOT_WRITABLE = {
  code: 'NotWritable',
  message: dockReason('notWritable'),
}

const namedBy = ({ device, commonName }: KnownCamera) => ({
  identification: {
    SerialNumber: device.SerialNumber,
    Manufacturer: device.Manufacturer,
    Model: device.Model,
    CommonName: commonName,
  },
  type: device.DeviceType ?? 'None',
})
