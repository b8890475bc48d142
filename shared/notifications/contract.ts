import { z } from 'zod'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { Count, Cursor, IdMember, page, TenantParams as Tenant } from '../kernel/fields.ts'
import { NOTICE_KINDS, NOTICE_WAYS, ruleOf } from './rules.ts'
import { route } from '../kernel/route.ts'
import { USER_SERVICE } from '../identity/users.contract.ts'

/** What the station has to tell one person, such as a case that was shared with them (decisions 4), and how they want to hear of it: extensions. */

const member = { kind: 'member', guests: true } as const

const KINDS = NOTICE_KINDS.map((kind) => `\`${kind}\`: ${ruleOf(kind).description}`).join('. ')

export const NoticeModel = z
  .object({
    NoticeId: z.string(),
    Kind: z.string().meta({ description: `${KINDS}. Others may come.` }),
    Message: z
      .string()
      .meta({ description: 'As it was written, or a sentence of the station; empty for who cannot view the object.' }),
    Object: z.object({
      Type: z.string().meta({
        description: '`case`, `evidence`, `savedSearch`, `shareLink`, `dockSession`, `service`, `station`, `user`.',
      }),
      Id: z.string(),
      Name: z.string().nullable().meta({ description: 'As it is called today; null for who cannot view it any more.' }),
    }),
    Act: z.string().nullable().meta({
      description: 'Of the ledger, what was done with a case last; null for who cannot view the object.',
    }),
    Times: z
      .int()
      .meta({ description: 'How often it happened since `SinceUtc`: what comes in quick succession is one notice.' }),
    SinceUtc: z.string(),
    CreatedUtc: z.string(),
    CreatedBy: PrincipalOutputModel.nullable().meta({ description: 'Null for who cannot view the object.' }),
    SeenUtc: z.string().nullable(),
    System: z.boolean().meta({ description: 'Whether the person wants it as a notification of the system, too.' }),
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
  .object({
    NoticeIds: z.array(IdMember).min(1, 'must name a notice').max(1000).optional(),
    UpTo: IdMember.optional().meta({
      description: 'All, up to this one: what came after the person looked stays unseen.',
    }),
  })
  .refine(
    ({ NoticeIds, UpTo }) => (NoticeIds === undefined) !== (UpTo === undefined),
    'needs NoticeIds or UpTo, one of them',
  )
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

const Choice = z
  .object({
    Kind: z.enum(NOTICE_KINDS),
    Way: z.enum(NOTICE_WAYS).meta({
      description:
        '`none`: no notice is made. `app`: in the list. `system`: there, and as a notification of the system.',
    }),
  })
  .meta({ id: 'NoticeChoice' })

const Choices = z.object({ Items: z.array(Choice) }).meta({ id: 'NoticeChoices' })

export const getNoticeChoices = route({
  id: 'getNoticeChoices',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/notices/choices`,
  origin: 'extension',
  summary: 'How one wants to hear of what',
  description: 'Of the kinds that the caller could be told of.',
  permission: member,
  audit: { by: 'none', reason: 'tells a person what they chose themselves' },
  params: Tenant,
  responses: { 200: Choices },
  errors: ['TenantNotFound'],
})

export const chooseNotices = route({
  id: 'chooseNotices',
  interface: 'user',
  method: 'PUT',
  path: `${USER_SERVICE}/notices/choices`,
  origin: 'extension',
  summary: 'Choose how one wants to hear of what',
  description: 'Kinds that are not named stay as they are. Notices that were made already stay.',
  permission: member,
  audit: { by: 'own', actions: ['notice.chosen'] },
  params: Tenant,
  body: z
    .object({
      Items: z
        .array(Choice)
        .min(1, 'must name a kind')
        .max(NOTICE_KINDS.length)
        .refine((items) => new Set(items.map(({ Kind }) => Kind)).size === items.length, 'must name each kind once'),
    })
    .meta({ id: 'ChooseNoticesModel' }),
  responses: { 200: Choices },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
