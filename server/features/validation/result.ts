/** The result of a self-validation, as it is signed. */
import { z } from 'zod'
import { CHECK_RESULTS, CHECKS, type CheckResult } from '../../../shared/validation/checks.ts'

const Text = z.string()
const CheckEntry = z.object({
  name: z.enum(CHECKS),
  result: z.enum(CHECK_RESULTS),
  done: Text,
  problem: Text.nullable(),
  figures: z.record(Text, z.union([Text, z.number(), z.boolean()])),
  milliseconds: z.int(),
})
const Disk = z.object({ of: z.enum(['database', 'blobs']), device: Text, model: Text, serial: Text })

export const ResultSchema = z.object({
  format: z.literal(1),
  what: z.literal('sallyport self-validation'),
  station: z.object({ name: Text, origin: Text, database: z.enum(['SQLite', 'PostgreSQL']), blobs: Text }),
  program: Text,
  machine: z.object({
    host: Text,
    system: Text,
    architecture: Text,
    processor: Text,
    cores: z.int(),
    memoryBytes: z.int(),
    node: Text,
    disks: z.array(Disk),
  }),
  /** Fingerprints: of the key that signs this, and of that of the ledger. */
  keys: z.object({ package: Text, ledger: Text }),
  askedBy: z.object({ kind: Text, id: Text, name: Text }),
  startedUtc: Text,
  endedUtc: Text,
  counts: z.object({ ok: z.int(), failed: z.int(), unknown: z.int(), notBuilt: z.int() }),
  checks: z.array(CheckEntry),
})

export type ValidationResult = z.output<typeof ResultSchema>
export type CheckedEntry = ValidationResult['checks'][number]

export function countsOf(checks: readonly Pick<CheckedEntry, 'result'>[]): ValidationResult['counts'] {
  const count = (result: CheckResult): number => checks.filter((one) => one.result === result).length
  return { ok: count('ok'), failed: count('failed'), unknown: count('unknown'), notBuilt: count('not-built') }
}
