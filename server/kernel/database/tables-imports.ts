import type { Generated } from 'kysely'

/** A station or a package that was taken in here (migrations/0023-imports.ts). */
export interface ImportsTable {
  import_id: Generated<number>
  tenant_id: string
  kind: 'station' | 'package'
  /** `Receiving`: bytes and entries came, and no record does yet. */
  state: 'Receiving' | 'Made'
  /** The name under which its ledger is signed. */
  origin: string
  station_name: string
  /** Of the package, or of the export. */
  name: string
  /** SHA-256 of the list that is signed. */
  signed_sha256: string
  /** Of the key that signed the list, as it was confirmed. */
  fingerprint: string
  /** Base64 of the raw key that signed the tree head. */
  ledger_key: string
  /** The signed tree head. */
  note: string
  /** Entries of its ledger that came along. */
  entries: number
  begun_utc: string
  /** A principal as then. */
  begun_by: string
  finished_utc: string | null
}

/** An entry of the ledger of another station, byte for byte. */
export interface ImportedEntriesTable {
  import_id: number
  seq: number
  body: Uint8Array
  /** Its proof under the tree head; null where the whole ledger came along. */
  proof: string | null
  object_type: string
  object_id: string
}

export interface ImportedEvidenceTable {
  evidence_id: number
  import_id: number
  /** Its number at the other station. */
  source_id: string
}

export interface ImportedResourcesTable {
  resource_id: number
  import_id: number
  source_id: string
  /** The hash that the other station stated. */
  sha256: string
}

export interface ImportTables {
  imports: ImportsTable
  imported_entries: ImportedEntriesTable
  imported_evidence: ImportedEvidenceTable
  imported_resources: ImportedResourcesTable
}
