/** The ledger's own unit of work. */
import { does, unit } from '../database/units.ts'
import type { PreparedEntry } from './format.ts'
import type { Appended, LedgerWriter } from './ledger-writer.ts'

/** Writes entries of reads and denials, which change nothing: they lock no row but the head of the ledger. */
export const recordEntries = unit<readonly PreparedEntry[], Appended[]>('ledger.record', () => [])

export const ledgerUnits = (writer: LedgerWriter) => [does(recordEntries, writer.appendReads)]
