/** Files of the station part of an export (docs/decisions/0036). Paths are below it, with `/`. Its lists, keys and signature are those of a package. */
import { z } from 'zod'
import { isOrigin } from '../../../kernel/ledger/signed-note.ts'

/** The folder of the station part, beside the packages. */
export const STATION = 'station'
export const FOLDERS = ['data', 'meta'] as const
export const ABOUT = 'meta/station.json'
export const BLOBS = 'meta/blobs.jsonl'
export const README = 'README.txt'
export const README_FR = 'README.fr.txt'
/** Beside the station part: what was compared at the end. */
export const LISTS = `${STATION}.lists.txt`
export const RECEIPT = '.receipt.pdf'

const part = (at: number): string => String(at).padStart(4, '0')
export const tableFile = (table: string, at: number): string => `data/${table}.${part(at)}.jsonl`
export const ledgerFile = (at: number): string => `meta/ledger.${part(at)}.jsonl`
export const blobFile = (sha256: string): string => `data/${sha256}`

export const FORMAT = 1

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** A folder beside the station part: one name, and never a way out of it. */
const FolderName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/)
const PartFile = z.string().regex(/^(?:data|meta)\/[a-z_]{1,60}\.\d{4,6}\.jsonl$/)
const Count = z.int().min(0)

/** `meta/station.json` */
export const About = z.object({
  format: z.literal(FORMAT),
  origin: z.string().refine(isOrigin),
  stationName: z.string().max(1000),
  program: z.string().max(1000),
  schema: Count,
  tenant: z.string().max(1000),
  exportedUtc: z.string().max(40),
  /** Of its ledger, under the tree head in the export. */
  entries: Count,
  ledger: z.array(PartFile).max(100_000),
  packages: z
    .array(
      z.object({
        folder: FolderName,
        caseId: z.string().max(20).nullable(),
        signedSha256: Sha256,
        items: Count,
        bytes: Count,
      }),
    )
    .max(1_000_000),
  tables: z.record(
    z.string().regex(/^[a-z_]{1,60}$/),
    z.object({ rows: Count, files: z.array(PartFile).max(100_000) }),
  ),
  blobs: z.object({ count: Count, bytes: Count }),
  /** Blobs that the station could not give: missing or changed there. */
  broken: z.array(z.object({ sha256: Sha256, bytes: Count, what: z.enum(['missing', 'changed']) })).max(1_000_000),
  /** Blobs whose bytes are at headquarters only. */
  atHeadquarters: Count,
  /** What is not in it, in plain words. */
  leftBehind: z.array(z.string()),
})
export type About = z.output<typeof About>

/** A line of `meta/blobs.jsonl`: where its bytes lie, below the folder of the export. */
export const BlobLine = z.object({
  sha256: Sha256,
  bytes: Count,
  at: z
    .array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,99}\/data\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/))
    .min(1)
    .max(100_000),
})
export type BlobLine = z.output<typeof BlobLine>
