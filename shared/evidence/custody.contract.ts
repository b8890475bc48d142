import { z } from 'zod'
import { Count, IdParam, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** What the ledger says of one evidence (decisions 12), an extension: for the custody panel and for whoever checks the chain by himself. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})
const EvidencePath = Tenant.extend({ evidenceId: IdParam })
const view = { kind: 'level', level: 'View', on: 'evidence' } as const

/** acts: all but the reads that belong to an opening of the evidence (shared/kernel/custody-reads.ts). */
export const CUSTODY_KINDS = ['all', 'changes', 'views', 'acts'] as const

export const CustodyEntry = z
  .object({
    Seq: z.int(),
    TimeUtc: z.string(),
    Actor: z.object({ Kind: z.string(), Id: z.string(), Name: z.string(), Role: z.string().nullable() }),
    Source: z.string(),
    Action: z.string(),
    Kind: z.enum(['change', 'view']),
    Object: z.object({ Type: z.string(), Id: z.string(), Name: z.string() }),
    Outcome: z.enum(['ok', 'denied', 'failed']),
    Reason: z.string().nullable(),
    Bytes: z.int().nullable(),
    Sha256: z.string().nullable(),
    CorrelationId: z.string(),
    Detail: z.record(z.string(), z.unknown()).nullable(),
    Hash: z.string().meta({ description: 'SHA-256(PreviousHash ‖ Canonical), hexadecimal.' }),
    PreviousHash: z.string().meta({ description: '64 zeros before the first entry.' }),
    Canonical: z.string().meta({ description: 'The stored bytes (RFC 8785, UTF-8) as text.' }),
  })
  .meta({ id: 'CustodyEntry' })

export const CustodyPage = z
  .object({
    Entries: z.array(CustodyEntry),
    Counts: z.object({
      All: z.int(),
      Changes: z.int(),
      Views: z.int(),
      Acts: z
        .int()
        .meta({ description: 'All but the reads that belong to an opening of the evidence and were allowed.' }),
    }),
    People: z.array(z.object({ Id: z.string(), FirstName: z.string(), LastName: z.string() })).meta({
      description: 'What the users among the actors are called today. The ledger keeps the account names of the time.',
    }),
    Cursor: z.string().nullable().meta({ description: '`before` of the next page.' }),
    Imported: z
      .array(
        z.object({
          Kind: z
            .enum(['station', 'package'])
            .meta({ description: 'Whether the whole station was taken in, or a package of it.' }),
          Origin: z.string().meta({ description: 'The name under which that station signs its ledger.' }),
          StationName: z.string(),
          SourceId: z.string().meta({ description: 'Number of the evidence at that station.' }),
          ImportedTimeUtc: z.string(),
          Entries: z.array(z.string()).meta({
            description:
              'Entries of the ledger of that station about the evidence and its files, byte for byte, oldest first; at most 1,000.',
          }),
        }),
      )
      .meta({ description: 'Where the evidence came from, when it was imported. On the first page.' }),
  })
  .meta({ id: 'CustodyPage' })

export const getCustody = route({
  id: 'getCustody',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/custody'),
  origin: 'extension',
  summary: 'What happened with an evidence, newest first',
  description:
    'Entries of the ledger about the evidence, its resources, their uploads and the jobs on them. Reading them is an entry itself, which the next reading shows.',
  permission: view,
  audit: { by: 'read', action: 'ledger.read', objectType: 'evidence', objectParam: 'evidenceId' },
  params: EvidencePath,
  query: z.object({ kind: z.enum(CUSTODY_KINDS).default('all'), before: IdParam.optional(), count: Count(100) }),
  responses: { 200: CustodyPage },
  errors: ['InvalidModel', 'EvidenceNotFound', 'TenantNotFound'],
})

/** More entries than this between the first of an evidence and the head: the chain is recomputed from a checkpoint on. */
export const MOST_RECOMPUTED = 2_000_000

export const CustodyVerification = z
  .object({
    Intact: z.boolean(),
    Entries: z.int().meta({ description: 'Of this evidence, in the range.' }),
    FromSeq: z.int(),
    ToSeq: z.int(),
    Checked: z.int().meta({ description: 'Entries of the whole chain whose hashes were recomputed.' }),
    Bounded: z.boolean().meta({
      description: 'The first entry of this evidence lies too far back; the chain was recomputed from a checkpoint on.',
    }),
    HeadSeq: z.int(),
    HeadHash: z.string(),
    Checkpoint: z
      .object({
        Size: z.int(),
        TimeUtc: z.string(),
        Root: z.string().meta({ description: 'Hexadecimal.' }),
        KeyId: z.string().meta({ description: 'Of the signed note, 8 hexadecimal digits.' }),
        Valid: z.boolean(),
      })
      .nullable()
      .meta({ description: 'The latest signed one.' }),
    VerifiedUtc: z.string(),
    FirstBad: z.object({ Seq: z.int(), Problem: z.string() }).nullable(),
  })
  .meta({ id: 'CustodyVerification' })

export const verifyCustody = route({
  id: 'verifyCustody',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/custody/verify'),
  origin: 'extension',
  summary: 'Recompute the chain from the first entry of an evidence to the head',
  permission: view,
  audit: { by: 'read', action: 'custody.verified', objectType: 'evidence', objectParam: 'evidenceId' },
  params: EvidencePath,
  responses: { 200: CustodyVerification },
  errors: ['EvidenceNotFound', 'TenantNotFound'],
})
