/** What is added to a package that was made without it: a timestamp, the signature of the agency, or co-signatures. It goes where the package lies. */
import { fault, type FaultCode } from '../../../shared/kernel/errors.ts'
import type { WitnessKind } from '../../../shared/packages/kinds.ts'
import type { Action } from '../../../shared/kernel/ledger-actions.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { addLaterFile, readLaterFile, type LaterFile } from '../../storage/packages/later-files.ts'
import * as rows from './packages.store.ts'

export interface Addition<Said extends object> {
  readonly kind: WitnessKind
  readonly file: LaterFile
  /** As in “has a timestamp already”. */
  readonly name: string
  readonly action: Action
  readonly refused: FaultCode
  /** What has to be set, where nothing is. */
  readonly unset: string
  /** How what a package has goes together with what is added. Not given: a package has it once. */
  readonly together?: (before: Said, added: Said) => Said
  /** @returns null where none is set */
  make(of: {
    /** Of the signed list. */
    readonly sha256: string
    /** Entries under the tree head. */
    readonly ledgerSize: number
    /** The file as it is there, where it can grow. */
    readonly present: Buffer | null
  }): Promise<
    | { readonly bytes: Buffer; readonly said: Said }
    | { readonly bytes: null; readonly said: { readonly problem: string } }
    | null
  >
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
}

/** @throws Fault PackageNotFound, PackageNotOpen, and that of the addition when there is none to be had; StorageFault */
export async function addLater<Said extends object>(
  { db, ledger }: Deps,
  call: Call,
  { tenant, packageId }: { readonly tenant: string; readonly packageId: number },
  addition: Addition<Said>,
): Promise<Said & { readonly path: string }> {
  const { kind, file, name, action, refused, unset, together } = addition
  const row = await rows.packageById(db.read, tenant, packageId)
  if (row === undefined) throw fault('PackageNotFound', `There is no package ${packageId}.`)
  const { signed_sha256: sha256, ledger_size: ledgerSize } = row
  // The schema has both of a package that is made, and of no other.
  if (rows.isCutOff(row) || sha256 === null || ledgerSize === null)
    throw fault('PackageNotOpen', `Package ${packageId} is not made. It cannot get a ${name}.`)
  const present = await readLaterFile(row, file)
  if (present !== null && together === undefined)
    throw fault('PackageNotOpen', `Package ${packageId} has a ${name} already.`)
  const made = await addition.make({ sha256, ledgerSize, present })
  if (made === null) throw fault(refused, unset)
  if (made.bytes === null) throw fault(refused, `There is no ${name}: ${made.said.problem.replace(/\.$/, '')}.`)
  const { bytes, said } = made
  // The entry first: a file without one would never be asked for again, and an entry without its file is.
  await db.transaction(async (tx) => {
    const before = (await rows.witnessesOf(tx, [packageId])).find((one) => one.kind === kind)
    const known = before === undefined ? null : (JSON.parse(before.said) as Said | { readonly problem: string })
    const all = together === undefined || known === null || 'problem' in known ? said : together(known, said)
    await rows.keepWitness(tx, {
      package_id: packageId,
      kind,
      said: JSON.stringify(all),
      is_beside: row.form === 'folder' ? 0 : 1,
    })
    await ledger.append(tx, call, {
      action,
      object: { type: 'package', id: String(packageId), name: row.name },
      sha256,
      detail: { caseId: row.case_id === null ? null : String(row.case_id), ...said },
    })
  })
  return { ...said, path: await addLaterFile(row, file, bytes) }
}
