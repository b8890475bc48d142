import { z } from 'zod'
import { PrincipalOutputModel } from './categories.contract.ts'
import { listedIn, namesIn, outputsOf } from './fields.ts'
import { Count, Cursor, IdMember, page, TenantParams as Tenant, UtcTime } from '../kernel/fields.ts'
import { PersonName } from '../kernel/people.contract.ts'
import { route } from '../kernel/route.ts'

/** The list of cases (decisions 4, extensions): those that the caller can view. */

/** Between the state of a case and its place, in the list and in its export. */
export const LISTED = listedIn('about', 'category', 'department', 'times', 'references', 'incident', 'place')

export const CaseListItem = z
  .object({
    CaseId: z.string(),
    Ordinal: z.string(),
    ...outputsOf(namesIn('title')),
    State: z.enum(['Open', 'Closed']),
    LifecycleState: z.enum(['Normal', 'Protected', 'Deleted']),
    ...outputsOf(LISTED),
    LocationWKT: z.string().nullable(),
    ...outputsOf(namesIn('tags')),
    Creator: PrincipalOutputModel,
    CreatedUtcTime: z.string(),
    LastModifiedUtcTime: z.string(),
    LastModifiedBy: PrincipalOutputModel,
    ClosedOn: z.string().nullable(),
    ProtectedUntil: z.string().nullable(),
    ScheduledDeletionUtc: z.string().nullable(),
    ConcurrencyId: z.string(),
    EvidenceCount: z.int(),
    Officers: z
      .array(z.object({ PrincipalId: z.string(), Username: z.string(), FirstName: z.string(), LastName: z.string() }))
      .meta({ description: 'Who is assigned to it.' }),
    LastModifiedPerson: PersonName.nullable().meta({
      description:
        'What the person who changed it last is called today; null: it was nobody with an account, or `faces` was not asked for.',
    }),
    Thumbnail: z.string().nullable().meta({
      description:
        'Where the small picture of the newest evidence in it lies that has one and that the caller can view, among the newest 50; null: none, the case is deleted, or `faces` was not asked for.',
    }),
    AccessorPermissions: z.array(z.string()),
    Following: z.boolean(),
  })
  .meta({ id: 'CaseListItem' })

const flag = z.enum(['true', 'false']).optional()

export const CaseListQuery = z.object({
  state: z.enum(['Open', 'Closed']).optional(),
  category: IdMember.optional(),
  department: z.string().min(1).max(48).optional(),
  mine: flag.meta({ description: 'Those one made or is assigned to.' }),
  following: flag,
  deleted: flag.meta({
    description:
      'The recycle bin instead: for members of RestoreFromRecycleBin all of it, for others what they could view.',
  }),
  from: UtcTime.optional(),
  to: UtcTime.optional(),
  text: z.string().max(256).optional(),
  faces: flag.meta({
    description: 'Whether Thumbnail and LastModifiedPerson are looked up; without it both are null.',
  }),
  cursor: Cursor,
  count: Count(100),
})

export const listCases = route({
  id: 'listCases',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId',
  origin: 'extension',
  summary: 'List cases, newest first',
  description:
    '`text` is found in titles, descriptions, reference numbers, ordinals, locations and tags, without regard to case. `from` and `to` are compared with OccurredOn and EndedOn, where there are none with the creation.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'list.read', objectType: 'case' },
  params: Tenant,
  query: CaseListQuery,
  responses: { 200: page(CaseListItem).meta({ id: 'CasePage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})
