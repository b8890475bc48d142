import { z } from 'zod'
import { EVIDENCE_STATUSES, EVIDENCE_TYPES } from '../evidence/list.contract.ts'
import { RecordedClock } from '../evidence/recorded-clock.contract.ts'
import { TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { CASE_REASONS, MISSING, SETUP_STEPS } from './today.ts'

/** The start page: what a person has to do, by the rights of that person alone. Extensions. */

const TODAY = '/api/v1/tenant/:tenantId/today'
const Time = z.string()

const TodayRecording = z
  .object({
    EvidenceId: z.string(),
    Name: z.string(),
    DisplayName: z.string().meta({ description: 'Under which it is shown, as in the list of evidence.' }),
    Type: z.enum([...EVIDENCE_TYPES, 'none']),
    Clock: RecordedClock,
    Status: z.enum(EVIDENCE_STATUSES),
    Missing: z.array(z.enum(MISSING)).meta({
      description:
        'Title: it is still called like its file, or as the camera calls it. Time: nobody knows when it was recorded. Processing: the station is not done with it. Failed: something could not be made of it, or its bytes changed.',
    }),
  })
  .meta({ id: 'TodayRecording' })

const Counted = z
  .object({ Count: z.int(), More: z.boolean().meta({ description: 'There are more than were counted.' }) })
  .meta({ id: 'TodayCount' })

const TodayCase = z
  .object({
    CaseId: z.string(),
    Ordinal: z.string(),
    Title: z.string(),
    State: z.enum(['Open', 'Closed']),
    EvidenceCount: z.int(),
    LastModifiedUtcTime: Time,
    Reasons: z.array(z.enum(CASE_REASONS)).meta({
      description:
        'Owner: holds Manage in their own name. Personnel: is named in the case. Follower: follows it. Shared: it was shared with a guest.',
    }),
    Changes: Counted.extend({ SinceUtc: Time }).nullable().meta({
      description: 'By others since the caller last opened or changed the case; null: they never did, or long ago.',
    }),
  })
  .meta({ id: 'TodayCase' })

const IdleCamera = z
  .object({
    DeviceId: z.string(),
    Name: z.string(),
    Officer: z
      .object({ PrincipalId: z.string(), Username: z.string(), FirstName: z.string(), LastName: z.string() })
      .nullable(),
    LastDockedUtc: Time.nullable().meta({ description: 'null: it was never docked here.' }),
  })
  .meta({ id: 'TodayIdleCamera' })

export const SetupChecklistModel = z
  .object({
    Steps: z.array(z.object({ Step: z.enum(SETUP_STEPS), Done: z.boolean() })),
    Dismissed: z.boolean().meta({ description: 'An administrator dismissed it; it shows no more.' }),
  })
  .meta({ id: 'SetupChecklist' })

export const TodayModel = z
  .object({
    TimeUtc: Time,
    Shift: z
      .object({
        Name: z.string(),
        FromUtc: Time,
        ToUtc: Time,
        Recorded: z.boolean().meta({ description: 'Some of it was recorded by a camera that was the caller’s.' }),
      })
      .nullable()
      .meta({ description: 'The last one in which the caller recorded or added something; null: there is none.' }),
    Recordings: z.object({ Items: z.array(TodayRecording), Total: Counted }).meta({
      description:
        'Of that shift, newest first: docked from a camera that was the caller’s, or added by them. To a guest: what was shared with them alone.',
    }),
    Cases: z.object({ Items: z.array(TodayCase), Total: Counted }).meta({
      description:
        'Open ones of the caller, the last changed one first; to a guest all that were shared with them, closed ones too.',
    }),
    Waiting: z
      .object({
        Tasks: Counted,
        AccessRequests: Counted,
        Reviews: Counted,
        Approvals: Counted,
        Disclosures: Counted,
        Shares: Counted.extend({ Cases: z.array(z.object({ CaseId: z.string(), Title: z.string() })) }),
        FailedJobs: Counted,
        Notices: Counted,
      })
      .meta({
        description:
          'What waits for the caller. Tasks: open ones that were given to them. AccessRequests: for cases that they manage. Reviews: questions of the correlation engine that they may decide. Approvals: destructions that they may approve now. Disclosures: that wait for a second person and that they may approve. Shares: notices of cases shared with them that they have not read. FailedJobs: that they may start again.',
      }),
    Cameras: z
      .object({ AfterDays: z.int(), Items: z.array(IdleCamera), Total: Counted })
      .nullable()
      .meta({ description: 'Not docked for so long, or longer. null to who is not in ManageDevices.' }),
    Checklist: SetupChecklistModel.nullable().meta({ description: 'null to who is no administrator.' }),
  })
  .meta({ id: 'Today' })

export const getToday = route({
  id: 'getToday',
  interface: 'operations',
  method: 'GET',
  path: TODAY,
  origin: 'extension',
  summary: 'What the caller has to do',
  description:
    'Of the caller alone. Lists and counts hold only what the caller can view, as the lists of evidence and cases do. Each list says how many there are, as far as they were counted.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'list.read', objectType: 'today' },
  params: Tenant,
  responses: { 200: TodayModel },
  errors: ['TenantNotFound'],
})

export const putSetupChecklist = route({
  id: 'putSetupChecklist',
  interface: 'operations',
  method: 'PUT',
  path: `${TODAY}/checklist`,
  origin: 'extension',
  summary: 'Dismiss the checklist of the set-up, or bring it back',
  permission: { kind: 'administrator' },
  audit: { by: 'own', actions: ['station.checklistChanged'] },
  params: Tenant,
  body: z.object({ Dismissed: z.boolean() }).meta({ id: 'SetupChecklistChange' }),
  responses: { 200: SetupChecklistModel },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
