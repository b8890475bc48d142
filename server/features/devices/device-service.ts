/** The device service (decisions 1 and 5): its parts, built once, their routes, and what the dock asks of it. */
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { BoundRoute } from '../../http/handlers.ts'
import { associationRoutes, configurationRoutes, deviceRoutes } from './devices.routes.ts'
import { createAssociations } from './associations.service.ts'
import { createAttribution } from './attribution.ts'
import { createConfigurations } from './configurations.service.ts'
import { createCredentials } from './credentials.service.ts'
import { createDeviceCore, idOf } from './devices.core.ts'
import { createDevices } from './devices.service.ts'
import { createNegotiation } from './negotiation.service.ts'
import { createRegister, type DeviceRegister } from './register.ts'
import { createVault, type Sealer } from './vault.ts'

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  /** By the station's secrets key, which `secretsKey` is. */
  readonly sealer: Sealer
  readonly secretsKey: Uint8Array
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly maxActiveDevices: number
}

export function createDeviceService(deps: Deps): { routes: BoundRoute[]; register: DeviceRegister } {
  const { db, isInPolicy } = deps
  const core = createDeviceCore(deps)
  const attribution = createAttribution(deps)
  const own = { ...deps, core, attribution, vault: createVault({ sealer: deps.sealer, key: deps.secretsKey }) }
  const credentials = createCredentials(own)
  const negotiation = createNegotiation({ ...own, credentials })
  const devices = createDevices(own)
  return {
    register: createRegister({ db, devices, negotiation, credentials, idOf }),
    routes: [
      ...deviceRoutes({ devices, isInPolicy }),
      ...configurationRoutes({ credentials, negotiation, configurations: createConfigurations(own) }),
      ...associationRoutes({ associations: createAssociations(own) }),
    ],
  }
}
