/** Files of packages that are kept at the station: handed out, added to, removed (docs/decisions/0034). */
import { dirname } from 'node:path'
import { fault } from '../../../shared/kernel/errors.ts'
import type { WitnessKind } from '../../../shared/packages/kinds.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { removeTree } from '../../platform/files/trees.ts'
import { besideEnding } from '../../storage/packages/later-files.ts'
import type { PackageFile } from '../../storage/packages/package-file.ts'
import { evidenceIn, fileGone, find, keptFile, modelOf, objectOf, type OrderDeps, requireAll } from './order-access.ts'
import { requireAtHand, requireDriveOf } from './order-places.ts'
import type { PackageOut } from './packages.models.ts'
import * as rows from './packages.store.ts'
import { WITNESS_FILES } from './witnesses.ts'

export type KeptPackages = ReturnType<typeof createKeptPackages>

export function createKeptPackages(deps: OrderDeps) {
  const { db, ledger, packages } = deps
  return {
    /** The file, for somebody who may download everything in it. */
    file: async (
      call: HttpCall,
      id: string,
    ): Promise<{
      readonly row: rows.PackageRow
      readonly order: rows.PackageOrderRow | undefined
      readonly file: PackageFile
    }> => {
      const row = await find(deps, call, id)
      await requireAll(deps, db.read, call.principal, await evidenceIn(deps.db.read, row))
      const order = await rows.orderOf(db.read, row.package_id)
      const file = await keptFile(deps, row, order)
      if (file === null) throw fileGone(row)
      return { row, order, file }
    },
    receipt: async (
      call: HttpCall,
      id: string,
    ): Promise<{ readonly row: rows.PackageRow; readonly file: PackageFile }> => {
      const row = await find(deps, call, id)
      const file = await keptFile(deps, row, await rows.orderOf(db.read, row.package_id), '.receipt.pdf')
      if (file === null)
        throw fault('PackageNotOpen', 'The package has no receipt here: it is not made, or was removed.')
      return { row, file }
    },
    /** Of a package whose file is kept here, or lies on a drive that is connected. One of the command line gets it there. */
    askWitness: async (call: HttpCall, id: string, kind: WitnessKind, signal: AbortSignal): Promise<PackageOut> => {
      deps.requireWrites()
      const row = await find(deps, call, id)
      const order = await rows.orderOf(db.read, row.package_id)
      if (order?.drive != null) {
        requireAtHand(call)
        await requireDriveOf(deps.drives, row, order.drive)
      } else if ((await keptFile(deps, row, order)) === null) throw fileGone(row)
      const { stamp, sign, cosign } = packages
      const ask = { timestamp: stamp, signature: sign, cosignature: cosign }[kind]
      await ask(call, call.tenant, row.package_id, signal)
      return modelOf(deps, row)
    },
    /** What was added later. */
    witnessFile: async (
      call: HttpCall,
      id: string,
      kind: WitnessKind,
    ): Promise<{ readonly row: rows.PackageRow; readonly file: PackageFile }> => {
      const row = await find(deps, call, id)
      const order = await rows.orderOf(db.read, row.package_id)
      const file = await keptFile(deps, row, order, besideEnding(WITNESS_FILES[kind]))
      if (file === null) throw fileGone(row)
      return { row, file }
    },
    removeFile: async (call: HttpCall, id: string): Promise<void> => {
      deps.requireWrites()
      const row = await find(deps, call, id)
      if ((await keptFile(deps, row, await rows.orderOf(db.read, row.package_id))) === null) throw fileGone(row)
      await db.transaction((tx) => ledger.append(tx, call, { action: 'package.fileRemoved', object: objectOf(row) }))
      await removeTree(dirname(row.target))
    },
  }
}
