import { z } from 'zod'
import { CSV_RULES } from '../kernel/csv.ts'
import { CalendarDate, IdParam, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { REPORTS as BASE } from './documents.contract.ts'
import { AGES, REPORT_NAMES } from './reports.ts'

/** Figures of the station for those who answer for it, and what becomes due when. Extensions. */

const Value = z.union([z.string(), z.number()]).nullable()
const CellKind = z.enum(['text', 'count', 'bytes', 'hours', 'time', 'day', 'evidence', 'device', 'job', 'word', 'age'])

export const ReportModel = z
  .object({
    Report: z.enum(REPORT_NAMES),
    TimeUtc: z.string(),
    TimeZone: z.string().meta({ description: 'The station’s: days begin and end on its wall.' }),
    From: z.string().nullable().meta({ description: 'The first day.' }),
    Until: z.string().nullable().meta({ description: 'The last day.' }),
    Days: z.int().nullable(),
    Age: z.enum(AGES).nullable(),
    Columns: z.array(z.object({ Key: z.string(), Kind: CellKind })).meta({
      description:
        '`hours` are seconds; `evidence`, `device` and `job` are ids, with a name in the member `…Name` of the row.',
    }),
    Rows: z.array(z.record(z.string(), Value)),
    Figures: z
      .array(z.object({ Key: z.string(), Kind: CellKind, Value }))
      .meta({ description: 'Of the whole report, such as totals.' }),
    Notes: z.array(z.string()).meta({ description: 'Codes of what has to be known with the figures.' }),
    Most: z.int().meta({ description: 'Rows, or things that were looked at, at most.' }),
    More: z.boolean().meta({ description: 'There was more than that: figures are least ones.' }),
  })
  .meta({ id: 'Report' })
export type Report = z.output<typeof ReportModel>

const asked = {
  from: CalendarDate.optional().meta({ description: 'Of reports about a time; without it the last 30 days.' }),
  until: CalendarDate.optional(),
  days: z
    .string()
    .regex(/^\d{1,3}$/, 'must be an integer between 1 and 366')
    .default('7')
    .transform(Number)
    .pipe(z.number().int().min(1).max(366))
    .meta({ override: { type: 'integer', minimum: 1, maximum: 366, default: 7 }, description: 'Of `cameras`.' }),
  age: z.enum(AGES).optional().meta({ description: 'Of `uncategorized`: the list of those instead of the figures.' }),
}

const RIGHTS =
  'coverage and access: AccessAuditTrail. uncategorized: AccessUnassociatedFiles or ApproveDisposition. retention: ApproveDisposition. storage: ManageConfiguration or ApproveDisposition. cameras: ManageDevices. jobs: ManageConfiguration. Recordings, evidence and jobs are those that the caller can view, and figures are of them alone, except retention, which is of everything that disposition may take.'
const ReportPath = Tenant.extend({ report: z.enum(REPORT_NAMES) })

export const getReport = route({
  id: 'getReport',
  interface: 'operations',
  method: 'GET',
  path: `${BASE}/figures/:report`,
  origin: 'extension',
  summary: 'A report of the station',
  description: RIGHTS,
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'report.read', objectType: 'report', objectParam: 'report' },
  params: ReportPath,
  query: z.object(asked),
  responses: { 200: ReportModel },
  errors: ['InvalidModel', 'Forbidden', 'TenantNotFound'],
})

export const exportReport = route({
  id: 'exportReport',
  interface: 'operations',
  method: 'GET',
  path: `${BASE}/figures/:report/export`,
  origin: 'extension',
  summary: 'A report of the station as a file: CSV, JSON or PDF',
  description: `${RIGHTS} ${CSV_RULES}`,
  permission: { kind: 'member', guests: false },
  audit: {
    by: 'own',
    actions: ['list.exportStarted', 'list.exported', 'list.read', 'document.begun', 'document.made', 'report.read'],
  },
  offers: ['text/csv', 'application/json', 'application/pdf'],
  params: ReportPath,
  query: z.object({
    ...asked,
    format: z.enum(['csv', 'json', 'pdf']).default('csv'),
    language: z.enum(['en', 'fr']).default('en').meta({ description: 'Of PDF.' }),
    paper: z.enum(['a4', 'letter']).default('a4').meta({ description: 'Of PDF.' }),
  }),
  responses: { 200: 'bytes' },
  errors: ['InvalidModel', 'Forbidden', 'TenantNotFound'],
})

const Amount = { Evidence: z.int(), Files: z.int(), Bytes: z.int(), Held: z.int() }

export const RetentionCalendarModel = z
  .object({
    TimeUtc: z.string(),
    TimeZone: z.string(),
    Month: z.string(),
    Days: z.array(
      z.object({
        Day: z.string(),
        ...Amount,
        Categories: z.array(
          z.object({
            Kind: z.enum(['Category', 'Source', 'Deleted']),
            Id: z.string().nullable(),
            Name: z.string(),
            ...Amount,
          }),
        ),
      }),
    ),
    Overdue: z.object(Amount).meta({ description: 'Due before this month and still here: in the queue, or held.' }),
    Most: z.int(),
    More: z.boolean(),
  })
  .meta({
    id: 'RetentionCalendar',
    description:
      'Held: of the evidence of that day, what something keeps as things stand (an open or protected case, a protection, a withdrawn link).',
  })
export type RetentionCalendar = z.output<typeof RetentionCalendarModel>

export const getRetentionCalendar = route({
  id: 'getRetentionCalendar',
  interface: 'operations',
  method: 'GET',
  path: `${BASE}/retention/calendar`,
  origin: 'extension',
  summary: 'What becomes due on the days of a month, by the rule that makes it go',
  permission: { kind: 'policy', policy: 'ApproveDisposition' },
  audit: { by: 'read', action: 'report.read', objectType: 'report' },
  params: Tenant,
  query: z.object({
    month: z
      .string()
      .regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
      .optional(),
  }),
  responses: { 200: RetentionCalendarModel },
  errors: ['InvalidModel', 'TenantNotFound'],
})

const HoldOn = z.enum(['Case', 'Evidence'])
export const CaseHoldsModel = z
  .object({
    Items: z.array(
      z.object({
        On: HoldOn,
        Id: z.string(),
        Name: z.string(),
        By: z.string().nullable().meta({ description: 'Who protected it; null where the ledger does not say.' }),
        SinceUtc: z.string().nullable(),
        Reason: z.string().nullable().meta({ description: 'As it was given; null: none was.' }),
        UntilUtc: z.string().nullable().meta({ description: 'null: until somebody ends it.' }),
        LedgerSeq: z.int().nullable(),
      }),
    ),
    Most: z.int(),
    More: z.boolean(),
  })
  .meta({
    id: 'CaseHolds',
    description: 'The protection of the case itself, then those of evidence that the caller can view.',
  })
export type CaseHolds = z.output<typeof CaseHoldsModel>

export const getCaseHolds = route({
  id: 'getCaseHolds',
  interface: 'case',
  method: 'GET',
  path: `${BASE}/case/:caseId/holds`,
  origin: 'extension',
  summary: 'What of a case is protected from deletion: by whom, since when, why and until when',
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'read', action: 'report.read', objectType: 'case', objectParam: 'caseId' },
  params: Tenant.extend({ caseId: IdParam }),
  responses: { 200: CaseHoldsModel },
  errors: ['CaseNotFound', 'CaseDeleted', 'TenantNotFound'],
})
