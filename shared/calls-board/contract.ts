import { z } from 'zod'
import { CSV_RULES } from '../kernel/csv.ts'
import { FOOTAGE_REASONS, FOOTAGE_STATES } from './footage.ts'
import { CalendarDate, IdMember, IdParam, line, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { RecordedClock } from '../evidence/recorded-clock.contract.ts'

/** Calls versus footage: of every call and every officer sent to it whether it was recorded, and if not, why. Extensions. */

const BOARD = '/api/v1/correlation/:tenantId/board'
const Time = z.string()

const FootageState = z.enum(FOOTAGE_STATES)

const Officer = z
  .object({
    PrincipalId: z.string(),
    Username: z.string(),
    FirstName: z.string(),
    LastName: z.string(),
    Badge: z.string(),
  })
  .meta({ id: 'BoardOfficer' })

const Spans = z.array(z.object({ FromUtc: Time, ToUtc: Time }))

const Footage = {
  FromUtc: Time.meta({ description: 'When the officer was sent; where nobody said, when the call began.' }),
  ToUtc: Time.nullable().meta({
    description: 'When the officer was free again; null: nobody said, and the beginning alone is looked at.',
  }),
  State: FootageState.meta({ description: 'Covered: a minute of it is missing at most, in all.' }),
  Reason: z.enum(FOOTAGE_REASONS),
  DispatchedSeconds: z.number(),
  CoveredSeconds: z.number(),
  Recorded: Spans.meta({ description: 'By corrected time, within the call.' }),
}

const BoardItem = z.object({ CaseId: z.string(), ...Footage }).meta({ id: 'BoardItem' })

const BoardCall = z
  .object({
    CaseId: z.string(),
    Number: z.string().meta({ description: 'The id of the event in the dispatch system.' }),
    Title: z.string(),
    FromUtc: Time,
    ToUtc: Time.nullable(),
    Officers: z.int().meta({ description: 'How many officers of this station were sent.' }),
  })
  .meta({ id: 'BoardCall' })

const NumberGap = z
  .object({
    PrincipalId: z.string(),
    Camera: z.string(),
    Missing: z.array(z.string()).meta({ description: 'Numbers in the names of files, as the camera writes them.' }),
    FromUtc: Time,
    ToUtc: Time,
    BeforeEvidenceId: z.string(),
    AfterEvidenceId: z.string(),
    Sure: z.boolean().meta({
      description:
        'Everything that ever came out of a bay was looked through; else it is missing among what the caller can view.',
    }),
  })
  .meta({ id: 'BoardNumberGap' })

const Row = z
  .object({
    Unit: z.string().meta({ description: 'Empty: the messages name none.' }),
    Officer,
    Cameras: z.array(z.string()),
    Items: z.array(BoardItem),
    Gaps: z.array(NumberGap),
  })
  .meta({ id: 'BoardRow' })

export const BoardTally = z
  .object({
    Covered: z.int(),
    Partly: z.int(),
    None: z.int(),
    NotDocked: z.int(),
    CameraFailed: z.int(),
    DispatchedSeconds: z.number(),
    CoveredSeconds: z.number(),
  })
  .meta({ id: 'BoardTally', description: 'Of calls and officers, counted in pairs.' })

const Shift = z
  .object({ Index: z.int(), Name: z.string(), FromUtc: Time, ToUtc: Time })
  .meta({ id: 'BoardShift', description: 'A call belongs to the shift in which it began.' })

export const CallsBoardModel = z
  .object({
    TimeUtc: Time,
    TimeZone: z.string().meta({ description: 'The station’s: an IANA name. Days and shifts are split on its wall.' }),
    Date: z.string(),
    Shift: z.int().nullable().meta({ description: 'null: the whole day.' }),
    Shifts: z.array(Shift),
    FromUtc: Time,
    ToUtc: Time,
    AnyCalls: z.boolean().meta({ description: 'Whether the caller can view any call of a dispatch system at all.' }),
    CamerasTold: z.boolean().meta({
      description:
        'Whether the caller is told of cameras (ManageDevices); else of their own alone, and what others did not record is None.',
    }),
    Units: z.array(z.string()),
    Officers: z.array(Officer),
    Tally: BoardTally.meta({ description: 'Before the state is filtered.' }),
    Calls: z.array(BoardCall),
    Rows: z.array(Row),
  })
  .meta({ id: 'CallsBoard' })

const filter = {
  unit: z.string().max(256).optional(),
  officer: IdMember.optional().meta({ description: 'A principal.' }),
  state: FootageState.optional(),
}
const day = {
  date: CalendarDate.optional().meta({
    description:
      'Of the shift’s beginning, in the station’s zone. Without it and without `shift` the shift that is on now; where the caller can view no call of it, the last one that has some.',
  }),
  shift: z
    .string()
    .regex(/^(all|\d{1,2})$/, 'must be all or the index of a shift')
    .optional()
    .meta({ description: '`all` for the whole day.' }),
}

const RIGHTS =
  'Calls and recordings are those that the caller can view, and everything is counted of them alone; cameras are told of to members of ManageDevices and to whoever wore them.'
const base = { interface: 'case', origin: 'extension', permission: { kind: 'member', guests: false } } as const

export const getBoard = route({
  ...base,
  id: 'getCallsBoard',
  method: 'GET',
  path: BOARD,
  summary: 'Calls versus footage: one shift or one day',
  description: RIGHTS,
  audit: { by: 'read', action: 'list.read', objectType: 'callsBoard' },
  params: Tenant,
  query: z.object({ ...day, ...filter }),
  responses: { 200: CallsBoardModel },
  errors: ['InvalidModel', 'TenantNotFound'],
})

const ReasonRecording = z
  .object({
    EvidenceId: z.string(),
    Name: z.string().nullable(),
    FromUtc: Time,
    ToUtc: Time,
    Counts: z.boolean().meta({ description: 'Whether it covers the call.' }),
    OwnOfficer: z.boolean().meta({ description: 'Whether it is this officer’s.' }),
    OverlapSeconds: z.number(),
    OffsetSeconds: z
      .number()
      .nullable()
      .meta({ description: 'What the camera’s clock was put right by; null: nothing is known of it.' }),
    UncertaintySeconds: z.number().nullable(),
    Clock: RecordedClock.meta({
      description:
        'What is shown everywhere of when it was recorded. A time that a person typed is here, and decides nothing about the call: the engine goes by what no edit can change.',
    }),
    State: z.enum(['Linked', 'Confirmed', 'Refused', 'Review', 'NotLinked']),
    Rule: z.enum(['officer', 'place', 'number']).nullable(),
    Confidence: z.enum(['High', 'Medium', 'Low']).nullable(),
    Against: z
      .array(z.string())
      .meta({ description: 'Codes of the checks of the correlation engine that do not hold.' }),
    Text: z.string().meta({ description: 'The whole of it, in English.' }),
    MayConfirm: z.boolean(),
  })
  .meta({ id: 'BoardRecording' })

const ReasonCamera = z
  .object({
    Name: z.string(),
    Active: z.boolean(),
    Docked: z.enum(['Since', 'Now', 'Pulled', 'No']),
    DockedUtc: Time.nullable(),
    Failed: z.enum(['Docking', 'Files']).nullable(),
  })
  .meta({ id: 'BoardCamera' })

export const CallReasonModel = z
  .object({
    Call: BoardCall,
    Officer,
    Unit: z.string(),
    ...Footage,
    CamerasTold: z.boolean(),
    Cameras: z.array(ReasonCamera),
    Recordings: z
      .array(ReasonRecording)
      .meta({ description: 'That count, or nearly do: in the time of the call, or linked to it.' }),
  })
  .meta({ id: 'CallFootageReason' })

export const getCallReason = route({
  ...base,
  id: 'getCallFootageReason',
  method: 'GET',
  path: `${BOARD}/:caseId/:principalId`,
  summary: 'Why a call was recorded by an officer, or why it was not',
  description: `Needs View on the case. ${RIGHTS}`,
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'read', action: 'correlation.read', objectType: 'case', objectParam: 'caseId' },
  params: Tenant.extend({ caseId: IdParam, principalId: IdParam }),
  responses: { 200: CallReasonModel },
  errors: ['CaseNotFound', 'CaseDeleted', 'UserNotFound', 'TenantNotFound'],
})

export const BoardWeekModel = z
  .object({ Year: z.int(), Week: z.int(), FromUtc: Time, ToUtc: Time, Calls: z.int(), Tally: BoardTally })
  .meta({ id: 'BoardWeek', description: 'A week of ISO 8601, from the first shift of its Monday.' })

export const BoardWeeksModel = z.object({ Items: z.array(BoardWeekModel) }).meta({ id: 'BoardWeeks' })

const MOST_WEEKS = 12

export const getBoardWeeks = route({
  ...base,
  id: 'getCallsBoardWeeks',
  method: 'GET',
  path: `${BOARD}/weeks`,
  summary: 'Calls versus footage: the figures of some weeks, the oldest first',
  description: RIGHTS,
  audit: { by: 'read', action: 'list.read', objectType: 'callsBoard' },
  params: Tenant,
  query: z.object({
    date: CalendarDate.optional().meta({ description: 'Any day of the last of them; without it today.' }),
    weeks: z
      .string()
      .regex(/^([1-9]|1[0-2])$/, `must be a number from 1 to ${MOST_WEEKS}`)
      .default(String(MOST_WEEKS))
      .transform(Number)
      .meta({ override: { type: 'integer', minimum: 1, maximum: MOST_WEEKS, default: MOST_WEEKS } }),
    unit: filter.unit,
    officer: filter.officer,
  }),
  responses: { 200: BoardWeeksModel },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const exportBoard = route({
  ...base,
  id: 'exportCallsBoard',
  method: 'GET',
  path: `${BOARD}/export`,
  summary: 'Calls versus footage as a file: a line for every call and officer',
  description: `Filtered as the board is; \`until\` takes further days, 92 in all. ${RIGHTS} An entry of the ledger says that it began, and another, before its last bytes, how many rows and bytes were sent and their SHA-256. ${CSV_RULES}`,
  audit: { by: 'own', actions: ['list.exportStarted', 'list.exported', 'list.read'] },
  offers: ['text/csv', 'application/json'],
  params: Tenant,
  query: z.object({
    ...day,
    ...filter,
    until: CalendarDate.optional(),
    format: z
      .enum(['csv', 'json'])
      .optional()
      .meta({ description: 'Without it what Accept likes better, text/csv or application/json; else CSV.' }),
  }),
  responses: { 200: 'bytes' },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const ShiftStart = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day such as 06:00')
  .meta({ description: 'On the station’s wall.' })

export const LONGEST_SHIFT_NAME = 40
export const ShiftName = line(LONGEST_SHIFT_NAME)
export const MOST_SHIFTS = 12

export const BoardShiftsModel = z
  .object({
    Shifts: z
      .array(z.object({ Start: ShiftStart, Name: ShiftName }))
      .min(1)
      .max(MOST_SHIFTS)
      .refine((all) => new Set(all.map((one) => one.Start)).size === all.length, 'must begin at different times')
      .meta({
        description: 'Each lasts until the next one begins, the last one into the next day. One alone is a whole day.',
      }),
  })
  .meta({ id: 'BoardShifts' })

export const getBoardShifts = route({
  ...base,
  id: 'getBoardShifts',
  method: 'GET',
  path: `${BOARD}/shifts`,
  summary: 'Where the day is split into shifts',
  description: 'Until somebody sets others: 06:00, 14:00 and 22:00.',
  audit: { by: 'read', action: 'list.read', objectType: 'callsBoard' },
  params: Tenant,
  responses: { 200: BoardShiftsModel },
  errors: ['TenantNotFound'],
})

export const putBoardShifts = route({
  ...base,
  id: 'putBoardShifts',
  method: 'PUT',
  path: `${BOARD}/shifts`,
  summary: 'Split the day into other shifts',
  permission: { kind: 'policy', policy: 'ManageConfiguration' },
  audit: { by: 'own', actions: ['board.shiftsChanged'] },
  params: Tenant,
  body: BoardShiftsModel,
  responses: { 200: BoardShiftsModel },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
