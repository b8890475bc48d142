/** What the dock asks of the device service, in process (decisions 5). */
import type { Call } from '../../kernel/ledger/call.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { holds } from '../../../shared/kernel/periods.ts'
import { type OfficerRow, officersCarrying } from './associations.store.ts'
import type { Credentials } from './credentials.service.ts'
import type { Identification } from './devices.core.ts'
import { officerOut, type PrincipalOut } from './devices.models.ts'
import type { Devices } from './devices.service.ts'
import { activityOf } from './devices.store.ts'
import type { Negotiation } from './negotiation.service.ts'

export interface DeviceRegister extends Negotiation, Pick<Devices, 'seen'> {
  /** Whose recording it is: those with whom the device, active then, was associated at that moment; none else. @param ticks exactly */
  officersAt(deviceId: string, ticks: bigint, from?: Tx): Promise<PrincipalOut[]>
  activeAt(deviceId: string, ticks: bigint, from?: Tx): Promise<boolean>
  /** Whether a credential is a current one of the device. */
  proves(from: Tx, device: Identification, credential: string): Promise<boolean>
}

interface Deps {
  readonly db: Database
  readonly devices: Devices
  readonly negotiation: Negotiation
  readonly credentials: Credentials
  readonly idOf: (identification: Identification) => string
}

export function createRegister({ db, devices, negotiation, credentials, idOf }: Deps): DeviceRegister {
  const activeAt: DeviceRegister['activeAt'] = async (deviceId, ticks, from = db.read) =>
    (await activityOf(from, deviceId)).some((one) => holds(one, ticks))
  return {
    negotiate: negotiation.negotiate,
    commit: negotiation.commit,
    reject: negotiation.reject,
    seen: (call: Call, tenant, named) => devices.seen(call, tenant, named),
    activeAt,
    officersAt: async (deviceId, ticks, from = db.read) => {
      const found: readonly OfficerRow[] = await officersCarrying(from, deviceId, ticks)
      return found.map(officerOut)
    },
    proves: (from, device, credential) => credentials.proves(from, idOf(device), credential),
  }
}
