import { z } from 'zod'
import { DOCK_STATES, FILE_OUTCOMES } from './docking.ts'
import { Count, Cursor, IdMember, IdParam, line, page, TenantParams as Tenant, UtcTime } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { RecordedClock } from '../evidence/recorded-clock.contract.ts'

/** Cameras in their bays (decisions 5, 10): the wall, what became of each camera and each of its files, the receipt. Extensions. */

const Time = z.string()
const State = z.enum(DOCK_STATES)

const DeviceModel = z.object({
  DeviceType: z.string().nullable(),
  Manufacturer: z.string().nullable(),
  SerialNumber: z.string().nullable(),
  Model: z.string().nullable(),
})

const OfficerModel = z.object({ PrincipalId: z.string(), KId: z.string(), Username: z.string() })

const Progress = {
  Files: z.int().meta({ description: 'Of recordings; what is foreign is none of them.' }),
  FilesDone: z.int(),
  Bytes: z.int(),
  BytesDone: z.int(),
  Problems: z.int().meta({
    description: 'Files that could not be taken or differ from the camera’s list, and what was not looked at.',
  }),
  Differs: z.int().meta({ description: 'Of these: files that are kept and differ from the camera’s own list.' }),
  NotLookedAt: z.int().meta({ description: 'Of these: folders and files on it that the station did not look at.' }),
}

const BayNumber = z
  .int()
  .meta({ description: 'Given to a bay when it is first used, and never to another one. It is what people call it.' })

export const DockTileModel = z
  .object({
    DockSessionId: z.string(),
    Bay: z.string(),
    Number: BayNumber,
    Present: z.boolean().meta({ description: 'False: it was pulled early and is awaited.' }),
    State,
    SafeToTake: z.boolean().meta({
      description:
        'Everything that could be taken is durable, read back and in the ledger, nothing on it was left unlooked at, and nothing is being removed from it now.',
    }),
    SerialNumber: z.string().nullable(),
    Model: z.string().nullable(),
    Name: z.string().nullable().meta({ description: 'What the device is commonly called.' }),
    Assigned: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether somebody wears this camera now; null while it is not known which camera it is.' }),
    Wearer: z.string().nullable().meta({
      description:
        'The surname of the one who wears it now, only where the station’s setting dockWallNames lets the wall name people.',
    }),
    ...Progress,
    Foreign: z.int().meta({ description: 'Files on it that no camera wrote; they were left where they are.' }),
    Cleared: z.int().meta({ description: 'Files that the station removed from it.' }),
    BytesPerSecond: z.number().nullable(),
    SecondsLeft: z.number().nullable().meta({
      description:
        'An estimate: everything that is left in all bays, dealt to the lanes as the dock deals it, at the pace of the last minutes. Cameras that come later make it longer.',
    }),
    Waiting: z.boolean().meta({ description: 'It waits for a lane: others are being copied.' }),
    StartsInSeconds: z
      .number()
      .nullable()
      .meta({ description: 'Of a camera that waits for a lane: when it has one, estimated likewise.' }),
    Before: z
      .int()
      .nullable()
      .meta({ description: 'Of a camera that waits for a lane: how many others that wait have one before it.' }),
    Reason: z.string().nullable(),
    DetectedTimeUtc: Time,
    FirstByteTimeUtc: Time.nullable(),
    ReleasedTimeUtc: Time.nullable(),
  })
  .meta({ id: 'DockTile' })

export const DockWallModel = z
  .object({
    TimeUtc: Time,
    Docks: z.boolean().meta({ description: 'Whether this station looks for cameras.' }),
    TimeZone: z.string().meta({ description: 'The station’s: an IANA name.' }),
    Tiles: z.array(DockTileModel),
    Empty: z
      .array(z.object({ Bay: z.string(), Number: BayNumber }))
      .meta({ description: 'Bays that held a camera in the last week and hold none now.' }),
  })
  .meta({ id: 'DockWall' })

const ClockModel = z.object({
  Round: z.int(),
  Camera: z
    .object({
      ShowedUtc: Time,
      StationUtc: Time,
      OffsetMilliseconds: z.number(),
      UncertaintyMilliseconds: z.number(),
      How: z.string(),
    })
    .nullable()
    .meta({ description: 'Null: nothing on the camera tells what its clock shows.' }),
  StationSource: z.enum(['ntp', 'free', 'unknown']),
  StationErrorMilliseconds: z.number().nullable(),
})

export const DockSessionModel = z
  .object({
    DockSessionId: z.string(),
    Bay: z.string(),
    Label: z.string(),
    State,
    Before: State.nullable().meta({ description: 'The state that it failed in, or was pulled out of.' }),
    Reason: z.string().nullable(),
    Rounds: z.int().meta({ description: 'How often it was put in.' }),
    Device: DeviceModel.nullable(),
    DeviceId: z.string().nullable(),
    Officers: z.array(OfficerModel).meta({ description: 'Of its recordings, each once, as they were taken in.' }),
    Profile: z.string().nullable(),
    ClearRule: z.string(),
    ...Progress,
    Foreign: z.int(),
    Cleared: z.int(),
    DetectedTimeUtc: Time,
    FirstByteTimeUtc: Time.nullable(),
    LastByteTimeUtc: Time.nullable(),
    CommittedTimeUtc: Time.nullable(),
    ReleasedTimeUtc: Time.nullable(),
    ReceiptSha256: z.string().nullable(),
  })
  .meta({ id: 'DockSession' })

const RecordingModel = z.object({
  Name: z.string(),
  EvidenceId: z.string().nullable(),
  StartTimeUtc: Time.nullable().meta({ description: 'By the camera’s clock.' }),
  EndTimeUtc: Time.nullable(),
  CorrectedStartTimeUtc: Time.nullable().meta({ description: 'By the station’s clock.' }),
  CorrectedEndTimeUtc: Time.nullable(),
  Clock: RecordedClock.meta({ description: 'What is shown everywhere of when it was recorded.' }),
  Officer: OfficerModel.nullable().meta({ description: 'Whose it was when it was taken in.' }),
  OfficersNow: z
    .array(OfficerModel)
    .meta({ description: 'Whose it is by the associations of today; several mean that nobody can say.' }),
  Marks: z.array(z.object({ Seconds: z.number(), Title: z.string() })),
  LocationWKT: z.string().nullable(),
})

export const DockSessionDetailModel = DockSessionModel.extend({
  Clock: z.array(ClockModel).meta({ description: 'One statement for each time it was put in.' }),
  Notes: z.array(z.string()).meta({ description: 'What on the camera does not fit together.' }),
  Configuration: z.object({ Result: z.string(), Reason: z.string().nullable() }).nullable(),
  Recordings: z.array(RecordingModel),
  ReceiptLedgerSeq: z.int().nullable().meta({ description: 'The entry of the ledger that holds the receipt’s hash.' }),
}).meta({ id: 'DockSessionDetail' })

export const DockFileModel = z
  .object({
    DockFileId: z.string(),
    Path: z.string(),
    LengthInBytes: z.int(),
    Outcome: z.enum(FILE_OUTCOMES),
    Reason: z.string().nullable(),
    Sha256: z.string().nullable(),
    CameraSha256: z
      .string()
      .nullable()
      .meta({ description: 'The hash in the camera’s own list, where the bytes have another.' }),
    ReadBack: z.enum(['direct', 'cache']).nullable(),
    EvidenceId: z.string().nullable(),
    ResourceId: z.string().nullable(),
    LedgerSeq: z.int().nullable(),
    Cleared: z.enum(['no', 'kept', 'begun', 'cleared']),
    KeptBecause: z.string().nullable(),
  })
  .meta({ id: 'DockFile' })

const devices = { kind: 'policy', policy: 'ManageDevices' } as const
const at = (path: string) => `/api/v1/tenant/:tenantId/dock${path}` as const
const SessionPath = Tenant.extend({ dockSessionId: IdParam })

export const getDockWall = route({
  id: 'getDockWall',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/dock/wall',
  origin: 'decision',
  summary: 'The dock wall: every bay with its camera',
  description:
    'Answered on the station’s machine with nobody signed in. It names no person, unless the station’s setting dockWallNames says so.',
  permission: { kind: 'loopback-or-administrator' },
  audit: {
    by: 'none',
    reason:
      'Says what stands in the bays and how far it is, as anybody in the room sees; no evidence is in it, and of a person the surname at most.',
  },
  params: Tenant,
  responses: { 200: DockWallModel },
  errors: ['TenantNotFound'],
  uncounted: true,
})

/** Data of the events named `wall`: a DockWall. */
export const dockWallEvents = route({
  id: 'dockWallEvents',
  interface: 'operations',
  method: 'GET',
  path: at('/wall/events'),
  origin: 'extension',
  summary: 'The dock wall as it changes, as server-sent events named `wall`',
  description:
    'Each carries the whole wall: when something on it changed, at most once a second, and every three seconds in any case. Whoever hears nothing for longer must not go by what was told before.',
  permission: { kind: 'loopback-or-administrator' },
  audit: { by: 'none', reason: 'Says what getDockWall says, as it changes.' },
  params: Tenant,
  responses: { 200: 'bytes' },
  events: { wall: DockWallModel },
  errors: ['TenantNotFound'],
  uncounted: true,
})

export const listDockSessions = route({
  id: 'listDockSessions',
  interface: 'operations',
  method: 'GET',
  path: at('/session'),
  origin: 'extension',
  summary: 'List what was docked, newest first',
  permission: devices,
  audit: { by: 'read', action: 'list.read', objectType: 'dockSession' },
  params: Tenant,
  query: z.object({
    deviceId: z.string().min(1).max(64).optional(),
    serial: line(256, 1).optional().meta({ description: 'A part of the serial number, whatever its case.' }),
    state: State.optional(),
    officer: IdMember.optional().meta({ description: 'PrincipalId of whom a recording of it was attributed to.' }),
    from: UtcTime.optional().meta({ description: 'Put in at this time or later.' }),
    to: UtcTime.optional().meta({ description: 'Put in before this time.' }),
    cursor: Cursor,
    count: Count(100),
  }),
  responses: { 200: page(DockSessionModel).meta({ id: 'DockSessionPage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const getDockSession = route({
  id: 'getDockSession',
  interface: 'operations',
  method: 'GET',
  path: at('/session/:dockSessionId'),
  origin: 'extension',
  summary: 'Read what became of one camera',
  permission: devices,
  audit: { by: 'read', action: 'dock.read', objectType: 'dockSession', objectParam: 'dockSessionId' },
  params: SessionPath,
  responses: { 200: DockSessionDetailModel },
  errors: ['InvalidModel', 'DockSessionNotFound', 'TenantNotFound'],
})

export const listDockFiles = route({
  id: 'listDockFiles',
  interface: 'operations',
  method: 'GET',
  path: at('/session/:dockSessionId/file'),
  origin: 'extension',
  summary: 'List everything that was on one camera, and what became of it',
  permission: devices,
  audit: { by: 'read', action: 'dock.read', objectType: 'dockSession', objectParam: 'dockSessionId' },
  params: SessionPath,
  query: z.object({ cursor: Cursor, count: Count(100) }),
  responses: { 200: page(DockFileModel).meta({ id: 'DockFilePage' }) },
  errors: ['InvalidModel', 'DockSessionNotFound', 'TenantNotFound'],
})

export const RECEIPT_PARTS = ['receipt.json', 'receipt.sig', 'key.pem', 'receipt.pdf'] as const

export const getDockReceiptPart = route({
  id: 'getDockReceiptPart',
  interface: 'operations',
  method: 'GET',
  path: at('/session/:dockSessionId/receipt/:part'),
  origin: 'extension',
  summary: 'Download a receipt, its signature, the key that made it, or all of it as a document',
  description:
    'receipt.json is canonical JSON (RFC 8785), receipt.sig its Ed25519 signature, key.pem the public key: `openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in receipt.json -sigfile receipt.sig`. There is one from the moment that the camera is released. receipt.pdf is for people: it says what receipt.json says, and holds the three as attachments.',
  permission: devices,
  audit: { by: 'own', actions: ['dock.receiptRead'] },
  params: SessionPath.extend({ part: z.enum(RECEIPT_PARTS) }),
  query: z.object({
    language: z.enum(['en', 'fr']).default('en').meta({ description: 'Of receipt.pdf.' }),
    paper: z.enum(['a4', 'letter']).default('a4').meta({ description: 'Of receipt.pdf.' }),
  }),
  responses: { 200: 'bytes' },
  errors: ['InvalidModel', 'DockSessionNotFound', 'ReceiptNotReady', 'TenantNotFound'],
})
