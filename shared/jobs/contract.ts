import { z } from 'zod'
import { Count, IdParam, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** What the station is doing: extensions, for the drawer of the window and for curl. */
const JobPath = Tenant.extend({ jobId: IdParam })
const State = z.enum(['queued', 'running', 'waiting', 'done', 'failed', 'cancelled'])

export const JobModel = z
  .object({
    JobId: z.string(),
    Kind: z.string(),
    Subject: z.string(),
    State,
    Attempts: z.int(),
    Progress: z.number().nullable().meta({ description: '0 to 1, null when unknown' }),
    Message: z.string(),
    CreatedTimeUtc: z.string(),
    StartedTimeUtc: z.string().nullable(),
    FinishedTimeUtc: z.string().nullable(),
    Evidence: z
      .object({
        EvidenceId: z.string(),
        Name: z.string(),
        FileName: z.string().nullable().meta({ description: 'Of the file that is worked on.' }),
        MayChange: z.boolean().meta({ description: 'Whether the caller may cancel it or run it again.' }),
      })
      .nullable()
      .meta({
        description: 'What it is about; null for a job about no evidence, or about one the caller cannot view.',
      }),
  })
  .meta({ id: 'Job' })

const member = { kind: 'member', guests: false } as const

export const listJobs = route({
  id: 'listJobs',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/job',
  origin: 'extension',
  summary: 'List jobs, newest first',
  description:
    'Those about evidence that the caller may view, and those of packages that they see, among the 10,000 newest of the state that is asked for.',
  permission: member,
  audit: {
    by: 'none',
    reason: 'What the station is busy with; of evidence only the names of what the caller can view.',
  },
  params: Tenant,
  query: z.object({ state: State.optional(), before: IdParam.optional(), count: Count(100) }),
  responses: { 200: z.array(JobModel) },
  errors: ['InvalidModel', 'TenantNotFound'],
  whileLocked: true,
})

export const jobEvents = route({
  id: 'jobEvents',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/job/events',
  origin: 'extension',
  summary: 'Jobs as they change, as server-sent events named `job`',
  description: 'Those about evidence that the caller may view at that time, and those of packages that they see then.',
  permission: member,
  audit: { by: 'none', reason: 'As listJobs.' },
  params: Tenant,
  responses: { 200: 'bytes' },
  events: { job: JobModel },
  errors: ['TenantNotFound'],
  uncounted: true,
  whileLocked: true,
})

export const cancelJob = route({
  id: 'cancelJob',
  interface: 'operations',
  method: 'POST',
  path: '/api/v1/tenant/:tenantId/job/:jobId/cancel',
  origin: 'extension',
  summary: 'Cancel a job that has not ended',
  description: 'A job about evidence needs Edit on it.',
  permission: member,
  audit: { by: 'own', actions: ['job.cancelled'] },
  params: JobPath,
  responses: { 200: JobModel },
  errors: ['JobNotFound', 'JobNotInState', 'TenantNotFound'],
})

export const retryJob = route({
  id: 'retryJob',
  interface: 'operations',
  method: 'POST',
  path: '/api/v1/tenant/:tenantId/job/:jobId/retry',
  origin: 'extension',
  summary: 'Run a failed, cancelled or waiting job again',
  description: 'A job about evidence needs Edit on it.',
  permission: member,
  audit: { by: 'own', actions: ['job.retried'] },
  params: JobPath,
  responses: { 200: JobModel },
  errors: ['JobNotFound', 'JobNotInState', 'TenantNotFound'],
})
