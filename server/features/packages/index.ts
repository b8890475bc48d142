/** Packages: evidence that leaves the station as proof (docs/decisions/0034). */
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { ServeFile } from '../../http/bytes.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import { createKeptPackages } from './kept-packages.service.ts'
import { createMaking, MAKE_JOB } from './making.service.ts'
import type { OrderDeps } from './order-access.ts'
import { createOrders } from './orders.service.ts'
import { packageRoutes } from './packages.routes.ts'
import type { DatabasePlace } from '../../kernel/database/row-copy.ts'
import type { PackageDeps, PackageGate } from './package-plan.ts'
import { createPackages, type Packages } from './packages.service.ts'
import { agencySigner } from './agency-signature.ts'
import { createExport } from './export/export.service.ts'
import { createImport } from './export/import.service.ts'
import { type VerifiedImport, verifyImports } from './export/verify-imports.ts'
import { timestampAuthority } from './timestamps.ts'

interface Needs
  extends Pick<PackageDeps, 'newestValidation' | 'gate' | 'cosigned' | 'smallPicture'>,
    Pick<OrderDeps, 'reachCase' | 'isMember' | 'drives'> {
  readonly serveFile: ServeFile
}

/** Whole stations and single packages, out and in (docs/decisions/0036). */
export interface Exchange {
  readonly export: ReturnType<typeof createExport>
  readonly import: ReturnType<typeof createImport>
  verifyImports(call: Call, signal: AbortSignal): Promise<VerifiedImport[]>
}

/** An export gives nothing to anybody: its packages have no schedules, and use up none of their numbers. */
const withoutDisclosure = (gate: PackageGate): PackageGate => ({
  ...gate,
  describe: async () => ({ withheld: [], unnamed: 0, files: [] }),
  settle: async () => true,
})

export function packagesFeature(
  kernel: Kernel,
  needs: Needs,
): Feature & { readonly packages: Packages; readonly exchange: Exchange } {
  const { settings, mode, keys, ledger, db } = kernel
  const deps = {
    ...kernel,
    ...needs,
    stationName: settings.stationName,
    templates: join(settings.data, 'papers'),
    texts: join(settings.data, 'packages', '.texts'),
    toolFolders: settings.toolFolders,
    timestamps: () => timestampAuthority({ url: settings.timestampUrl, roots: settings.timestampRoots }),
    agencySigner: () => agencySigner({ certificate: settings.signingCertificate, key: settings.signingKey }),
  }
  const packages = createPackages(deps)
  const place: DatabasePlace =
    settings.databaseUrl === undefined
      ? { kind: 'sqlite', file: kernel.file }
      : { kind: 'postgres', url: settings.databaseUrl }
  const whole = { ...deps, database: place, tenant: settings.tenant, requireBytes: mode.requireBytes }
  const exporting = createExport(whole, createPackages({ ...deps, gate: withoutDisclosure(needs.gate) }))
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
  const ordering: OrderDeps = {
    ...kernel,
    ...needs,
    packages,
    reachRows: createReach(kernel).reachRows,
    requireWrites: mode.requireWrites,
    folder: join(settings.data, 'packages'),
  }
  const making = createMaking(ordering)
  return {
    packages: {
      ...packages,
      // A command alone opens a station that never ran.
      create: async (...asked) => {
        await introduceKey()
        return packages.create(...asked)
      },
    },
    exchange: {
      export: async (...asked) => {
        mode.requireWrites()
        await introduceKey()
        return exporting(...asked)
      },
      import: createImport(whole),
      verifyImports: (call, signal) => verifyImports(kernel, call, signal),
    },
    routes: packageRoutes({
      orders: createOrders(ordering, making),
      making,
      kept: createKeptPackages(ordering),
      ledger,
      serveFile: needs.serveFile,
    }),
    handlers: MAKE_JOB.handledBy(making.make),
    catchUp: introduceKey,
  }
}
