import type { Generated } from 'kysely'
import type { ItemKind, PackageForm, PackageVariant, WitnessKind } from '../../../shared/packages/kinds.ts'

/** A package that left the station, or is being made (migrations/0019-packages.ts). */
export interface PackagesTable {
  package_id: Generated<number>
  tenant_id: string
  /** Of its folder or file, without the ending. */
  name: string
  title: string
  /** Null: of a selection. */
  case_id: number | null
  variant: PackageVariant
  form: PackageForm
  /** JSON of what it has beside originals. */
  parts: string
  /** JSON of the papers that a person signs. */
  papers: string
  /** Of its papers. */
  language: 'en' | 'fr'
  /** The folder in which it is made, on the machine of the station. */
  target: string
  /** The package that this one adds to. */
  supplements: number | null
  state: 'Making' | 'Made' | 'Failed'
  problem: Generated<string>
  items: number
  bytes: number
  /** SHA-256 of `tagmanifest-sha256.txt`; null until it is made. */
  signed_sha256: string | null
  /** Entries under the tree head that is in it. */
  ledger_size: number | null
  created_utc: string
  /** A principal as then. */
  created_by: string
  finished_utc: string | null
}

export interface PackageItemsTable {
  package_id: number
  /** A copy to play has the number of its original. */
  no: number
  kind: ItemKind
  parent_no: number | null
  /** Below the package. */
  path: string
  evidence_id: number
  resource_id: number
  sha256: string
  length: number
}

/** Packages that are part of an export of the whole station: made for no recipient. */
export interface PackageExportsTable {
  package_id: number
}

/** Who outside the station vouches for a package, or why nobody does (migrations/0026-package-witnesses.ts). */
export interface PackageWitnessesTable {
  package_id: number
  kind: WitnessKind
  /** JSON, as an entry of the ledger tells it. */
  said: string
  /** 1 when it was added to a ZIP file or an image later, and lies beside it. */
  is_beside: number
}

/** How a package that was ordered in the window leaves the station (migrations/0027-package-orders.ts). Others have no row. */
export interface PackageOrdersTable {
  package_id: number
  /** 1: in a container with a passphrase that the station does not keep. */
  encrypted: number
  /** What the drive was called to which it goes; null: it is kept at the station. */
  drive: string | null
}

export interface PackageTables {
  package_orders: PackageOrdersTable
  package_witnesses: PackageWitnessesTable
  package_exports: PackageExportsTable
  packages: PackagesTable
  package_items: PackageItemsTable
}
