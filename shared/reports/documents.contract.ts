import { z } from 'zod'
import { IdParam, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { LABEL_SIZES, MOST_LABELS } from './labels.ts'

/** Evidence and cases on paper (PDF), for people: an evidence sheet, a custody report, a case summary, labels. Extensions. */

export const REPORTS = '/api/v1/tenant/:tenantId/reports'

const printed = {
  language: z.enum(['en', 'fr']).default('en'),
  paper: z.enum(['a4', 'letter']).default('a4'),
}
const WRITTEN =
  'An entry of the ledger says that it began, and another, before its last bytes, how many bytes were sent and their SHA-256. The document itself is signed by nobody: it says up to which entry of the ledger it goes, with the hash of that entry and the fingerprint of the station’s key.'
const base = {
  interface: 'operations',
  method: 'GET',
  origin: 'extension',
  audit: { by: 'own', actions: ['document.begun', 'document.made', 'report.read'] },
  offers: ['application/pdf'],
  responses: { 200: 'bytes' },
} as const
const EvidencePath = Tenant.extend({ evidenceId: IdParam })
const CasePath = Tenant.extend({ caseId: IdParam })

export const printEvidenceSheet = route({
  ...base,
  id: 'printEvidenceSheet',
  path: `${REPORTS}/evidence/:evidenceId/sheet`,
  summary: 'One evidence on paper',
  description: `Times with their correction, files with their hashes, what was derived, cases that the caller can view, and its acts. ${WRITTEN}`,
  permission: { kind: 'level', level: 'View', on: 'evidence' },
  params: EvidencePath,
  query: z.object(printed),
  errors: ['InvalidModel', 'EvidenceNotFound', 'TenantNotFound'],
})

export const printCustody = route({
  ...base,
  id: 'printCustody',
  path: `${REPORTS}/evidence/:evidenceId/custody`,
  summary: 'What happened with an evidence on paper, newest first',
  description: `\`acts\`: without the entries of viewing. \`all\`: every entry; those of one visit stand on one line, with the numbers of all of them. ${WRITTEN}`,
  permission: { kind: 'level', level: 'View', on: 'evidence' },
  params: EvidencePath,
  query: z.object({ ...printed, kind: z.enum(['acts', 'all']).default('acts') }),
  errors: ['InvalidModel', 'EvidenceNotFound', 'TenantNotFound'],
})

export const printCaseSummary = route({
  ...base,
  interface: 'case',
  id: 'printCaseSummary',
  path: `${REPORTS}/case/:caseId/summary`,
  summary: 'A case on paper, with a contact sheet of its evidence',
  description: `Of the evidence that the caller can view, at most 500; the document says when there is more. Each picture is written into the ledger as a thumbnail that was handed out. ${WRITTEN}`,
  permission: { kind: 'level', level: 'View', on: 'case' },
  params: CasePath,
  query: z.object(printed),
  errors: ['InvalidModel', 'CaseNotFound', 'CaseDeleted', 'TenantNotFound'],
})

const size = z.enum(LABEL_SIZES).default('a4-24').meta({
  description: '24 or 40 on a sheet of A4, or one after the other for a printer of labels of 62 mm.',
})
const skip = z
  .string()
  .regex(/^\d{1,2}$/, 'must be an integer between 0 and 39')
  .default('0')
  .transform(Number)
  .pipe(z.number().int().min(0).max(39))
  .meta({
    override: { type: 'integer', minimum: 0, maximum: 39, default: 0 },
    description: 'Places on the first sheet that are used already.',
  })

export const printLabels = route({
  ...base,
  id: 'printLabels',
  path: `${REPORTS}/labels`,
  summary: 'Labels with QR codes, for exhibits that can be touched',
  description: `Of named evidence; each has to be viewed by the caller. The code holds the address of the evidence. ${WRITTEN}`,
  permission: { kind: 'member', guests: true },
  params: Tenant,
  query: z.object({
    language: printed.language,
    size,
    skip,
    id: z
      .union([IdParam, z.array(IdParam).min(1).max(MOST_LABELS, `must not name more than ${MOST_LABELS}`)])
      .transform((ids) => (typeof ids === 'string' ? [ids] : ids)),
  }),
  errors: ['InvalidModel', 'EvidenceNotFound', 'EvidenceDeleted', 'TenantNotFound'],
})

export const printCaseLabels = route({
  ...base,
  interface: 'case',
  id: 'printCaseLabels',
  path: `${REPORTS}/case/:caseId/labels`,
  summary: 'Labels with QR codes for the evidence of a case',
  description: `Of the evidence that the caller can view, at most ${MOST_LABELS}. ${WRITTEN}`,
  permission: { kind: 'level', level: 'View', on: 'case' },
  params: CasePath,
  query: z.object({ language: printed.language, size, skip }),
  errors: ['InvalidModel', 'CaseNotFound', 'CaseDeleted', 'TenantNotFound'],
})
