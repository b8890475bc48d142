import { z } from 'zod'
import { TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { WarningName } from './warnings.contract.ts'

/** How the station is doing, for whoever is signed in: extensions, for the foot of the window's rail and for what is on its screen. */

const member = { kind: 'member', guests: false } as const

const OwnFigure = z.int().nullable()

export const StationModel = z
  .object({
    Name: z.string(),
    Version: z.string(),
    TimeUtc: z.string(),
    TimeZone: z.string().meta({ description: 'IANA name.' }),
    Mode: z.enum(['ready', 'read-only', 'failed']),
    Reason: z.string().nullable(),
    Disk: z
      .object({ FreeBytes: z.int(), TotalBytes: z.int(), FloorBytes: z.int() })
      .meta({ description: 'Of the fuller volume where database and blobs lie on two.' }),
    Queue: z.object({ Running: OwnFigure, Queued: OwnFigure, Waiting: OwnFigure, Failed: OwnFigure }).meta({
      description:
        'Jobs about evidence that the caller may view, of failed ones those that they may run again (Edit on the evidence); all of the station to members of ManageConfiguration. null: too many to be judged one by one.',
    }),
    Clock: z
      .object({ Source: z.enum(['ntp', 'free', 'unknown']), ErrorMilliseconds: z.number().nullable() })
      .meta({ description: 'As the machine itself says; at most a minute old.' }),
    LastVerification: z
      .object({ TimeUtc: z.string(), Result: z.enum(['intact', 'broken']), Problems: z.int() })
      .nullable(),
    Alarms: z.object({ Open: z.int() }).meta({ description: 'That nobody has acknowledged yet.' }),
    Sandbox: z.boolean().meta({ description: 'Whether media programs are shut in.' }),
    MissingTools: z.array(z.object({ Name: z.string(), Effect: z.string(), Install: z.string() })),
    Evidence: z.object({
      Count: OwnFigure.meta({
        description:
          'What the caller can view, without the recycle bin; null: more than 10,000 and not all of the station.',
      }),
    }),
    Copies: z
      .object({ Backups: z.int(), Checkpoints: z.int() })
      .meta({ description: 'How many places are set up for each; without one the loss of the machine loses all.' }),
    Forwards: z.boolean().meta({ description: 'Whether a headquarters is set, to which evidence is forwarded.' }),
    Waived: z
      .array(z.object({ Warning: WarningName, UntilUtc: z.string() }))
      .meta({ description: 'Warnings that stand and do not count until then, since an administrator waived them.' }),
  })
  .meta({ id: 'Station' })

const doing = { by: 'none', reason: 'Says how the station is doing; no evidence and no person is in it.' } as const

export const getStation = route({
  id: 'getStation',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/station',
  origin: 'extension',
  summary: 'How the station is doing',
  permission: member,
  audit: doing,
  params: Tenant,
  responses: { 200: StationModel },
  errors: ['TenantNotFound'],
})

/** Data of the events named `evidence`; those named `station` carry a StationModel. */
export const EvidenceEvent = z.object({ EvidenceId: z.string() }).meta({ id: 'EvidenceEvent' })

/** Data of the events named `case`. */
export const CaseEvent = z.object({ CaseId: z.string() }).meta({ id: 'CaseEvent' })

/** Data of the events named `notice`, told to nobody but the person: how many of their notices are not seen, and which is the newest of all. */
export const NoticeEvent = z.object({ Unseen: z.int(), Newest: z.string().nullable() }).meta({ id: 'NoticeEvent' })

/** Data of events that say only that something happened. */
const EmptyEvent = z.object({})

export const stationEvents = route({
  id: 'stationEvents',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/station/events',
  origin: 'extension',
  summary:
    'What changes, as server-sent events named `evidence`, `case`, `review`, `disclosure`, `notice`, `dispatch`, `station` and `missed`',
  description:
    '`evidence` and `case` carry the id of one that changed, at most four times a second each; `review` says that the correlation engine asks something or was answered; `disclosure`, empty, that something about disclosure changed; `notice` how many of one’s own notices are unseen and which is the newest, when that changed; `dispatch`, empty, that something came from a dispatch system or became of it; `station` the state above when it changed, at most every five seconds. Ids are numbers of entries of the ledger: a stream that is opened with `Last-Event-ID`, at whichever node, first tells what changed since; `missed`, empty, says that this was too much, so ask for everything again.',
  permission: member,
  audit: { by: 'none', reason: 'Carries ids alone; whoever wants to know more asks for it.' },
  params: Tenant,
  responses: { 200: 'bytes' },
  events: {
    evidence: EvidenceEvent,
    case: CaseEvent,
    review: EmptyEvent,
    disclosure: EmptyEvent,
    notice: NoticeEvent,
    dispatch: EmptyEvent,
    station: StationModel,
    missed: EmptyEvent,
  },
  errors: ['TenantNotFound'],
  uncounted: true,
})
