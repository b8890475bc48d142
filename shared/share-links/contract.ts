import { z } from 'zod'
import { IdMember, IdParam, line, TenantParams as Tenant, text, UtcTime } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { COPY_STATES, MOST_SHARED, NOT_SHARED, SHARE_LINK_MODES, SHARE_LINK_STATES, USUAL_DAYS } from './rules.ts'

/** Links for somebody without an account (docs/decisions/0037). Extensions. */

const LINKS = '/api/v1/tenant/:tenantId/share-links'
const GUEST = '/api/v1/share-link'

const Ids = z
  .union([
    z.array(IdParam).max(MOST_SHARED, `must not be given more than ${MOST_SHARED} times`),
    IdParam.transform((id) => [id]),
  ])
  .meta({ override: { type: 'array', items: { type: 'string', pattern: '^[0-9]{1,19}$' }, maxItems: MOST_SHARED } })

export const CreateShareLinkModel = z
  .object({
    EvidenceIds: z.array(IdMember).min(1).max(MOST_SHARED, `must not name more than ${MOST_SHARED}`),
    Recipient: z.object({
      Name: line(128).refine((name) => name.trim() !== '', 'must not be empty'),
      Organisation: line(128).default(''),
    }),
    Note: text(2000).default('').meta({ description: 'For the station alone; the recipient does not see it.' }),
    Mode: z.enum(SHARE_LINK_MODES),
    ExpiresTimeUtc: UtcTime.nullish().meta({
      description: `Left out: ${USUAL_DAYS} days from now. At most 90 days from now.`,
    }),
  })
  .meta({ id: 'CreateShareLinkModel' })

export const RecallShareLinkModel = z.object({ Reason: text(2000).default('') }).meta({ id: 'RecallShareLinkModel' })

const Time = z.string()
const Person = z.object({ PrincipalId: z.string(), Username: z.string() })

const link = {
  LinkId: z.string(),
  Mode: z.enum(SHARE_LINK_MODES),
  State: z.enum(SHARE_LINK_STATES),
  Recipient: z.object({ Name: z.string(), Organisation: z.string() }),
  Note: z.string(),
  MadeTimeUtc: Time,
  MadeBy: Person,
  ExpiresTimeUtc: Time,
  LockedTimeUtc: Time.nullable(),
  RecalledTimeUtc: Time.nullable(),
  RecalledBy: Person.nullable(),
  RecallReason: z.string(),
  WrongCodes: z.int(),
  OpenedCount: z.int(),
  LastOpenedTimeUtc: Time.nullable(),
  Evidence: z
    .array(z.object({ EvidenceId: z.string(), Name: z.string() }))
    .meta({ description: 'What the caller may view of it.' }),
  EvidenceCount: z.int(),
  Copies: z.object({ Making: z.int(), Ready: z.int(), Failed: z.int(), None: z.int() }).meta({
    description: 'Marked copies. While there are some to make, the page of the guest says so.',
  }),
}
export const ShareLinkModel = z.object(link).meta({ id: 'ShareLink' })

const ItemModel = z
  .object({
    No: z.int(),
    EvidenceId: z.string(),
    Evidence: z.string(),
    Name: z.string(),
    Copy: z.enum(COPY_STATES),
    Progress: z.number().nullable(),
    Message: z.string(),
    Withheld: z
      .boolean()
      .meta({ description: 'It is not shown now: restricted, deleted, or its maker lost the right.' }),
  })
  .meta({ id: 'ShareLinkItem' })

const LogModel = z
  .object({
    TimeUtc: Time,
    Action: z.string(),
    Outcome: z.string(),
    Source: z.string(),
    Actor: z.string(),
    Object: z.string(),
  })
  .meta({ id: 'ShareLinkEntry' })

const REACH = z
  .object({
    Reachable: z.boolean().meta({
      description: 'The LAN is on, or a proxy stands in front. Otherwise nobody outside this machine can open it.',
    }),
    Origin: z.string().meta({ description: 'What its address begins with.' }),
  })
  .meta({ id: 'ShareLinkReach' })

const officer = {
  interface: 'operations',
  origin: 'extension',
  permission: { kind: 'member', guests: false },
} as const
const guest = { interface: 'operations', origin: 'extension', permission: { kind: 'share-link' } } as const

export const previewShareLink = route({
  ...officer,
  id: 'previewShareLink',
  method: 'GET',
  path: `${LINKS}/preview`,
  summary: 'What a link of evidence would hold, and who could open it',
  description:
    'For whoever is about to make one: what is refused, what the recipient would see, and whether the LAN is on.',
  audit: { by: 'read', action: 'shareLink.previewed', objectType: 'shareLink' },
  params: Tenant,
  query: z.object({ id: Ids }),
  responses: {
    200: z
      .object({
        Reach: REACH,
        Items: z.array(
          z.object({
            EvidenceId: z.string(),
            Name: z.string(),
            Refused: z.enum(NOT_SHARED).nullable(),
            Files: z.int(),
            Marked: z.int().meta({ description: 'Files of which a marked copy can be made: video and pictures.' }),
          }),
        ),
      })
      .meta({ id: 'ShareLinkPreview' }),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const createShareLink = route({
  ...officer,
  id: 'createShareLink',
  method: 'POST',
  path: LINKS,
  summary: 'Make a link for somebody without an account',
  description:
    'Needs Manage on every evidence, as sharing it does. Address and code are in this answer alone: the station keeps hashes of both. Asked again with the same Idempotency-Key it is answered without them.',
  audit: { by: 'own', actions: ['shareLink.made', 'evidence.linkMade'] },
  idempotent: true,
  params: Tenant,
  body: CreateShareLinkModel,
  responses: {
    201: z
      .object({
        Link: ShareLinkModel,
        Address: z.string().nullable(),
        Code: z.string().nullable(),
        Reach: REACH,
      })
      .meta({ id: 'MadeShareLink' }),
  },
  errors: [
    'InvalidModel',
    'TenantNotFound',
    'EvidenceNotFound',
    'EvidenceDeleted',
    'EvidenceRestricted',
    'OriginalForwarded',
    'NothingToShare',
    'ReadOnly',
  ],
})

export const listShareLinks = route({
  ...officer,
  id: 'listShareLinks',
  method: 'GET',
  path: LINKS,
  summary: 'The links that the caller made, the newest first',
  audit: { by: 'read', action: 'shareLink.listed', objectType: 'shareLink' },
  params: Tenant,
  responses: { 200: z.object({ Items: z.array(ShareLinkModel) }).meta({ id: 'ShareLinks' }) },
  errors: ['TenantNotFound'],
})

export const listEvidenceShareLinks = route({
  ...officer,
  id: 'listEvidenceShareLinks',
  method: 'GET',
  path: `${LINKS}/evidence/:evidenceId`,
  summary: 'The links that hold an evidence, the newest first',
  permission: { kind: 'level', level: 'Manage', on: 'evidence' },
  audit: { by: 'read', action: 'shareLink.listed', objectType: 'evidence', objectParam: 'evidenceId' },
  params: Tenant.extend({ evidenceId: IdParam }),
  responses: { 200: z.object({ Items: z.array(ShareLinkModel) }).meta({ id: 'EvidenceShareLinks' }) },
  errors: ['EvidenceNotFound', 'EvidenceDeleted', 'TenantNotFound'],
})

export const getShareLink = route({
  ...officer,
  id: 'getShareLink',
  method: 'GET',
  path: `${LINKS}/link/:linkId`,
  summary: 'A link with its files and the log of its openings',
  description: 'For its maker, and for who manages an evidence in it.',
  audit: { by: 'read', action: 'shareLink.read', objectType: 'shareLink', objectParam: 'linkId' },
  params: Tenant.extend({ linkId: IdParam }),
  responses: {
    200: z
      .object({ Link: ShareLinkModel, Items: z.array(ItemModel), Log: z.array(LogModel) })
      .meta({ id: 'ShareLinkDetail' }),
  },
  errors: ['ShareLinkNotFound', 'TenantNotFound'],
})

export const recallShareLink = route({
  ...officer,
  id: 'recallShareLink',
  method: 'POST',
  path: `${LINKS}/link/:linkId/recall`,
  summary: 'Recall a link: it opens nothing any more, at once and for ever',
  description: 'For its maker, and for who manages an evidence in it. Downloads that run are cut off within seconds.',
  audit: { by: 'own', actions: ['shareLink.recalled', 'evidence.linkRecalled'] },
  params: Tenant.extend({ linkId: IdParam }),
  body: RecallShareLinkModel,
  responses: { 200: ShareLinkModel },
  errors: ['InvalidModel', 'ShareLinkNotFound', 'ShareLinkEnded', 'TenantNotFound', 'ReadOnly'],
})

export const renewShareLinkCode = route({
  ...officer,
  id: 'renewShareLinkCode',
  method: 'POST',
  path: `${LINKS}/link/:linkId/code`,
  summary: 'Give a link another code: the one before opens nothing any more',
  description:
    'For its maker alone. Sessions of the link end at once, and one that wrong codes locked opens again. The address stays. The code is in this answer alone.',
  audit: { by: 'own', actions: ['shareLink.codeRenewed'] },
  params: Tenant.extend({ linkId: IdParam }),
  responses: { 200: z.object({ Link: ShareLinkModel, Code: z.string() }).meta({ id: 'RenewedShareLinkCode' }) },
  errors: ['ShareLinkNotFound', 'ShareLinkEnded', 'TenantNotFound', 'ReadOnly'],
})

// For guests: what an address and its code open. Nothing else answers them, and these answer nobody else.

const GuestLink = z
  .object({
    Number: z.string(),
    Station: z.string(),
    GivenBy: z.string(),
    Recipient: link.Recipient,
    Mode: z.enum(SHARE_LINK_MODES),
    MadeTimeUtc: Time,
    ExpiresTimeUtc: Time,
    SessionEndsTimeUtc: Time,
    TimeZone: z.string(),
    Items: z.array(
      z.object({
        No: z.int(),
        Evidence: z.string(),
        Name: z.string(),
        Shows: z.enum(['video', 'picture', 'nothing']),
        Copy: z.enum(COPY_STATES),
        Progress: z.number().nullable(),
        Original: z
          .object({ Sha256: z.string(), LengthInBytes: z.int() })
          .nullable()
          .meta({ description: 'null where the link is for viewing only.' }),
      }),
    ),
    Withheld: z.int().meta({ description: 'Number of files that the link held and that are not shown any more.' }),
  })
  .meta({ id: 'GuestLink' })

export const openShareLink = route({
  id: 'openShareLink',
  interface: 'operations',
  origin: 'extension',
  method: 'POST',
  path: `${GUEST}/session`,
  summary: 'Open a link with its token and code',
  description:
    'Gives a cookie for two hours that opens this link and nothing else. An unknown token, a wrong code, and a link that is locked are answered alike. Five wrong codes lock the link.',
  permission: { kind: 'anyone' },
  audit: { by: 'own', actions: ['shareLink.opened', 'shareLink.refused', 'shareLink.locked'] },
  body: z
    .object({ Token: z.string().min(1).max(128), Code: z.string().min(1).max(32) })
    .meta({ id: 'OpenShareLinkModel' }),
  responses: { 200: GuestLink },
  errors: ['InvalidModel', 'ShareLinkRefused', 'ShareLinkEnded', 'TooManyAttempts', 'TooManyRequests', 'ReadOnly'],
})

export const getGuestLink = route({
  ...guest,
  id: 'getGuestLink',
  method: 'GET',
  path: `${GUEST}/session`,
  summary: 'What the opened link holds',
  audit: { by: 'none', reason: 'The opening of the link is an entry, and each file that is shown.' },
  responses: { 200: GuestLink },
  errors: [],
})

export const endGuestSession = route({
  ...guest,
  id: 'endGuestSession',
  method: 'DELETE',
  path: `${GUEST}/session`,
  summary: 'Close the link on this computer',
  audit: { by: 'own', actions: ['shareLink.closed'] },
  responses: { 204: null },
  errors: ['ReadOnly'],
})

const file = {
  ...guest,
  method: 'GET',
  params: z.object({ item: IdParam }),
  responses: { 200: 'bytes', 206: 'bytes', 304: null },
  errors: ['InvalidModel', 'ResourceNotFound', 'NotReady', 'PreconditionFailed', 'RangeNotSatisfiable'],
} as const

export const getGuestPoster = route({
  ...file,
  id: 'getGuestPoster',
  path: `${GUEST}/item/:item/poster`,
  summary: 'A small picture of a file of the link, with the mark',
  audit: { by: 'none', reason: 'Small pictures are part of the list, whose opening is an entry.' },
})

export const getGuestCopy = route({
  ...file,
  id: 'getGuestCopy',
  path: `${GUEST}/item/:item/copy`,
  summary: 'The marked copy of a file of the link',
  audit: { by: 'own', actions: ['resource.linkViewed'] },
})

export const getGuestOriginal = route({
  ...file,
  id: 'getGuestOriginal',
  path: `${GUEST}/item/:item/original`,
  summary: 'The original of a file, of a link for downloading',
  audit: { by: 'own', actions: ['resource.linkDownloaded'] },
  errors: [...file.errors, 'OriginalForwarded'],
})
