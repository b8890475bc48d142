import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import { canonicalJson } from '../../../kernel/ledger/canonical.ts'
import type { Camera, KnownCamera } from '../ports.ts'
import { type Context, dockCall, type StepResult, volumeOf } from '../session/context.ts'
import { contentsOf } from './camera-contents.ts'

/** Negotiates the configuration on behalf of the camera. A failure never keeps recordings from being taken (decisions 5). */
export async function negotiate(context: Context): Promise<StepResult> {
  const { parts, id, signal } = context
  const { camera } = await contentsOf(context)
  const negotiated = (result: string, reason: string | null): StepResult => ({
    event: 'done',
    set: { configuration: JSON.stringify({ result, reason }) },
    detail: { result, ...(reason === null ? {} : { because: reason }) },
  })
  const known = knownCamera(camera)
  if (known === null && volumeOf(context).watched !== undefined)
    return negotiated('none', dockReason('folderNotConfigured'))
  if (known === null) return negotiated('none', dockReason('namelessCamera'))
  try {
    const write = known.configurationFile === null ? null : writer(context, known.configurationFile)
    const { result, reason } = await parts.register.negotiate(dockCall(id), parts.tenant, known, write)
    return negotiated(result, reason)
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn({ err: error, session: id }, 'a camera could not be negotiated for; its recordings are taken in')
    return negotiated('failed', (error as Error).message.toWellFormed())
  }
}

/** As canonical as the receipt: the same configuration is the same bytes. */
const writer = (context: Context, path: string) => async (configuration: unknown) => {
  const volume = volumeOf(context)
  if (volume.readOnly) throw new Error(dockReason('readOnlyCamera'))
  await context.parts.reading.put(volume, path, Buffer.from(`${canonicalJson(configuration)}\n`))
}

function knownCamera(camera: Camera): KnownCamera | null {
  const { device } = camera
  if (device === null || device.SerialNumber === null || device.Manufacturer === null) return null
  return { ...camera, device: { ...device, SerialNumber: device.SerialNumber, Manufacturer: device.Manufacturer } }
}
