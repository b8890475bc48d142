/** The row of an import, and the entry that says that it was begun. */
import type { Tx } from '../../../kernel/database/database.ts'
import { principalThen } from '../../../kernel/evidence/objects.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { ImportDeps } from './import-report.ts'
import * as rows from './imports.store.ts'

interface BegunImport {
  readonly kind: rows.ImportRow['kind']
  readonly origin: string
  readonly stationName: string
  /** Of a station: when it was exported. Of a package: its id. */
  readonly name: string
  readonly signedSha256: string
  readonly fingerprint: string
  /** Raw, of the other station's ledger. */
  readonly ledgerKey: Buffer
  readonly note: string
  readonly entries: number
}

export async function recordImport(
  { ledger, clock, tenant }: Pick<ImportDeps, 'ledger' | 'clock' | 'tenant'>,
  tx: Tx,
  call: Call,
  { kind, origin, stationName, name, signedSha256, fingerprint, ledgerKey, note, entries }: BegunImport,
): Promise<rows.ImportRow> {
  const row = await rows.insertImport(tx, {
    tenant_id: tenant,
    kind,
    state: 'Receiving',
    origin,
    station_name: stationName,
    name,
    signed_sha256: signedSha256,
    fingerprint,
    ledger_key: ledgerKey.toString('base64'),
    note,
    entries,
    begun_utc: isoMillis(clock.now()),
    begun_by: JSON.stringify(principalThen(call.actor)),
    finished_utc: null,
  })
  await ledger.append(tx, call, {
    action: 'import.begun',
    object: { type: 'import', id: String(row.import_id), name: kind === 'station' ? origin : name },
    sha256: signedSha256,
    detail: { kind, origin, station: stationName, key: fingerprint, entries },
  })
  return row
}
