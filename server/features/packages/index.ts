/** Packages: evidence that leaves the station as proof (docs/decisions/0034). */
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { ServeFile } from '../../http/bytes.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import { createOrders, MAKE_JOB, type OrderDeps } from './orders.service.ts'
import { packageRoutes } from './packages.routes.ts'
import type { PackageDeps } from './package-plan.ts'
import { createPackages, type Packages } from './packages.service.ts'
import { agencySigner } from './agency-signature.ts'
import { timestampAuthority } from './timestamps.ts'

interface Needs extends Pick<PackageDeps, 'newestValidation' | 'gate'>, Pick<OrderDeps, 'reachCase' | 'isMember'> {
  readonly serveFile: ServeFile
}

export function packagesFeature(kernel: Kernel, needs: Needs): Feature & { readonly packages: Packages } {
  const { settings, mode, keys, ledger, db } = kernel
  const packages = createPackages({
    ...kernel,
    ...needs,
    stationName: settings.stationName,
    templates: join(settings.data, 'papers'),
    timestamps: () => timestampAuthority({ url: settings.timestampUrl, roots: settings.timestampRoots }),
    agencySigner: () => agencySigner({ certificate: settings.signingCertificate, key: settings.signingKey }),
  })
  /** The key is made once, and its entry says so: each package holds that entry. */
  const introduceKey = async (): Promise<void> => {
    if (!mode.mayWrite()) return
    const { fingerprint, publicKey } = await keys.packages.ensure()
    const [known] = await ledger.entriesFor('key', fingerprint, { count: 1 })
    if (known !== undefined) return
    const call = { actor: INTERNAL, source: 'station', correlationId: randomUUID() }
    await db.transaction((tx) =>
      ledger.append(tx, call, {
        action: 'key.created',
        object: { type: 'key', id: fingerprint, name: 'package' },
        detail: { publicKey, algorithm: 'ECDSA P-256' },
      }),
    )
  }
  const orders = createOrders({
    ...kernel,
    ...needs,
    packages,
    reachRows: createReach(kernel).reachRows,
    requireWrites: mode.requireWrites,
    folder: join(settings.data, 'packages'),
  })
  return {
    packages: {
      ...packages,
      // A command alone opens a station that never ran.
      create: async (...asked) => {
        await introduceKey()
        return packages.create(...asked)
      },
    },
    routes: packageRoutes({ orders, ledger, serveFile: needs.serveFile }),
    handlers: MAKE_JOB.handledBy(orders.make),
    catchUp: introduceKey,
  }
}
