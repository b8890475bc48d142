import { z } from 'zod'
import { FILE_OUTCOMES } from './docking.ts'

/** What receipt.json holds (server/features/docking/session/receipt.ts): for the page and for paper. Whoever checks the signature needs none of this. */

const Text = z.string().nullable()
const Clock = z.object({
  round: z.int().optional(),
  camera: z
    .object({
      showedUtc: z.string(),
      stationUtc: z.string(),
      offsetMilliseconds: z.number(),
      uncertaintyMilliseconds: z.number(),
      how: z.string(),
    })
    .nullable(),
  station: z.object({ source: z.enum(['ntp', 'free', 'unknown']), errorMilliseconds: z.number().nullable() }),
})

const Recording = z.object({
  name: z.string(),
  evidenceId: Text,
  startUtc: Text,
  endUtc: Text,
  correctedStartUtc: Text,
  correctedEndUtc: Text,
  // Receipts from before say it for the whole camera alone.
  offsetMilliseconds: z.number().nullish(),
  uncertaintyMilliseconds: z.number().nullish(),
  officer: z.object({ PrincipalId: z.string(), Username: z.string() }).nullable(),
})

const File = z.object({
  path: z.string(),
  bytes: z.number(),
  outcome: z.enum(FILE_OUTCOMES),
  reason: Text,
  sha256: Text,
  differsFrom: Text.optional(),
  evidenceId: Text,
  ledgerSeq: z.int().nullable(),
  cleared: z.boolean(),
  keptBecause: Text,
})

export const DockReceipt = z.object({
  format: z.literal(1),
  station: z.string(),
  dockSessionId: z.string(),
  bay: z.string(),
  label: z.string(),
  detectedUtc: z.string(),
  firstByteUtc: Text,
  lastByteUtc: Text,
  committedUtc: Text,
  releasedUtc: z.string(),
  rounds: z.int(),
  deviceId: Text,
  device: z.object({ SerialNumber: Text, Manufacturer: Text, Model: Text }).nullable(),
  profile: Text,
  notes: z.array(z.string()),
  clock: z.array(Clock),
  configuration: z.object({ result: z.string(), reason: Text }).nullable(),
  clearRule: z.string(),
  readBack: z.enum(['direct', 'cache']),
  recordings: z.array(Recording),
  files: z.array(File),
  totals: z.object({
    files: z.int(),
    taken: z.int(),
    hereAlready: z.int(),
    foreign: z.int(),
    failed: z.int(),
    // Receipts from before do not count them.
    differs: z.int().default(0),
    cleared: z.int(),
    bytesTaken: z.number(),
  }),
  ledgerHead: z.object({ seq: z.int(), hash: z.string() }),
})
export type DockReceipt = z.output<typeof DockReceipt>

/** What stands in the picture on the paper: the page of the receipt, and what it must say there. */
export const receiptAddress = (origin: string, of: { id: string; entry: number | null; sha256: string }): string =>
  `${origin}/dock/sessions/${encodeURIComponent(of.id)}/receipt?${of.entry === null ? '' : `entry=${of.entry}&`}sha256=${of.sha256}`

/** How it is checked with tools that everybody has. */
export const receiptCommands = (id: string): readonly string[] => [
  `sha256sum ${id}-receipt.json`,
  `openssl pkeyutl -verify -pubin -inkey ${id}-key.pem -rawin -in ${id}-receipt.json -sigfile ${id}-receipt.sig`,
]
