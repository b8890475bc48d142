import { z } from 'zod'
import { PrincipalOutputModel } from './categories.ts'
import { Count, Cursor, IdMember, page, TenantParams as Tenant } from './common.ts'
import { route } from './route.ts'
import { USER_SERVICE } from './users.ts'

/** What the station has to tell one person, such as a case that was shared with them (decisions 4): extensions. */

const member = { kind: 'member', guests: true } as const

export const NoticeModel = z
  .object({
    NoticeId: z.string(),
    Kind: z.string().meta({
      description: '`case.shared`; `cad.withoutDepartment`: a case of dispatch got no department. Others may come.',
    }),
    Message: z.string().meta({ description: 'As it was written; empty where nothing was.' }),
    Object: z.object({
      Type: z.string(),
      Id: z.string(),
      Name: z.string().nullable().meta({ description: 'As it is called today; null for who cannot view it any more.' }),
    }),
    CreatedUtc: z.string(),
    CreatedBy: PrincipalOutputModel,
    SeenUtc: z.string().nullable(),
  })
  .meta({ id: 'PersonalNotice' })

export const listNotices = route({
  id: 'listNotices',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/notices`,
  origin: 'extension',
  summary: 'List one’s own notices, newest first',
  permission: member,
  audit: { by: 'read', action: 'notice.listed', objectType: 'notice' },
  params: Tenant,
  query: z.object({ unseen: z.enum(['true', 'false']).optional(), cursor: Cursor, count: Count(50) }),
  responses: {
    200: page(NoticeModel)
      .extend({ Unseen: z.int().meta({ description: 'All that were not seen yet.' }) })
      .meta({ id: 'PersonalNoticePage' }),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const SeenNoticesModel = z
  .object({ NoticeIds: z.array(IdMember).min(1, 'must name a notice').max(1000) })
  .meta({ id: 'SeenNoticesModel' })

export const seeNotices = route({
  id: 'seeNotices',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/notices/seen`,
  origin: 'extension',
  summary: 'Mark notices of one’s own as seen',
  description: 'Those of others, those seen before and those that are not there are passed over.',
  permission: member,
  audit: { by: 'own', actions: ['notice.seen'] },
  params: Tenant,
  body: SeenNoticesModel,
  responses: {
    200: z.object({ Unseen: z.int().meta({ description: 'That are left.' }) }).meta({ id: 'UnseenNotices' }),
  },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
