import { z } from 'zod'
import { IdParam, isLine, isText, line, TenantParams as Tenant, text } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { StationWarningModel } from '../station/warnings.contract.ts'

/** How the store is kept (promises I4, I5, D9): what is read again and when, alarms, checkpoints and snapshots elsewhere. Extensions. */

const Who = z.object({ PrincipalId: z.string(), Name: z.string(), PrincipalType: z.string() })
const Time = z.string()

export const AlarmModel = z
  .object({
    AlarmId: z.string(),
    Kind: z.enum([
      'changed',
      'missing',
      'untracked',
      'ledger',
      'checkpoint',
      'backup',
      'source',
      'forwarding',
      'validation',
    ]),
    Subject: z.string().meta({ description: 'The SHA-256 of a blob, or a place.' }),
    Message: z.string(),
    EvidenceIds: z.array(z.string()).meta({ description: 'Whose bytes these are.' }),
    RaisedTimeUtc: Time,
    AcknowledgedTimeUtc: Time.nullable(),
    AcknowledgedBy: Who.nullable(),
    Reason: z.string().nullable(),
  })
  .meta({ id: 'Alarm' })

export const FixityRunModel = z
  .object({
    RunId: z.string(),
    State: z.enum(['running', 'done', 'cancelled']),
    StartedTimeUtc: Time,
    StartedBy: Who,
    EndedTimeUtc: Time.nullable(),
    TotalBlobs: z.int(),
    TotalBytes: z.int(),
    Blobs: z.int(),
    Bytes: z.int(),
    Problems: z.int(),
  })
  .meta({ id: 'FixityRun' })

const BlobModel = z.object({
  Sha256: z.string(),
  LengthInBytes: z.int(),
  CheckedTimeUtc: Time.meta({ description: 'Being read back as it came in counts as the first time.' }),
  DueTimeUtc: Time,
  Result: z.enum(['matches', 'changed', 'missing']),
  ReadBack: z.enum(['direct', 'cache']).nullable(),
})

export const CheckpointTargetModel = z
  .object({
    TargetId: z.string(),
    Kind: z.enum(['folder', 'station']),
    Address: z.string(),
    CreatedTimeUtc: Time,
    Size: z.int().meta({ description: 'Entries under the last checkpoint that lies there.' }),
    CopiedTimeUtc: Time.nullable(),
    State: z.enum(['waiting', 'copied', 'behind', 'failing', 'refused']),
    Problem: z.string().nullable(),
    NextTimeUtc: Time.nullable(),
  })
  .meta({ id: 'CheckpointTarget' })

export const BackupModel = z
  .object({
    BackupId: z.string(),
    Folder: z.string(),
    Snapshot: z.string().nullable(),
    State: z.enum(['made', 'failed']),
    StartedTimeUtc: Time,
    EndedTimeUtc: Time,
    MadeBy: Who,
    Entries: z.int(),
    Blobs: z.int(),
    Bytes: z.int(),
    NewBlobs: z.int(),
    NewBytes: z.int(),
    Problem: z.string().nullable(),
  })
  .meta({ id: 'Backup' })

export const DrillModel = z
  .object({
    DrillId: z.string(),
    Folder: z.string(),
    Snapshot: z.string(),
    Result: z.enum(['restored', 'broken']),
    EndedTimeUtc: Time,
    MadeBy: Who,
    Entries: z.int(),
    Blobs: z.int(),
    Bytes: z.int(),
    Problems: z.array(z.string()),
  })
  .meta({ id: 'BackupDrill' })

export const BackupTargetModel = z
  .object({
    TargetId: z.string(),
    Folder: z.string(),
    EveryHours: z.int(),
    CreatedTimeUtc: Time,
    NextTimeUtc: Time,
    Failures: z.int(),
    Last: BackupModel.nullable(),
    LastDrill: DrillModel.nullable(),
  })
  .meta({ id: 'BackupTarget' })

/** A head of the ledger of another station: how many entries a checkpoint is over, and its root in base64. */
const HeadModel = z.object({ Size: z.int(), Root: z.string() })

export const KnownStationModel = z
  .object({
    Origin: z.string(),
    Size: z.int(),
    Root: z.string(),
    FirstTimeUtc: Time,
    ReceivedTimeUtc: Time,
    RefusedTimeUtc: Time.nullable(),
    Presented: HeadModel.extend({
      PresentedTimeUtc: Time,
      Source: z.string().meta({ description: 'The address from which it came.' }),
      By: Who.meta({ description: 'The integration that presented it.' }),
      Reason: z.string().meta({ description: 'Why it was refused.' }),
      SameKey: z.boolean().meta({ description: 'The known key signed it. Without that it cannot be accepted.' }),
    })
      .nullable()
      .meta({ description: 'The head that was refused last; null when one was received since, or was accepted.' }),
    Branch: z.int().meta({ description: 'The branch of its ledger on which it goes on, from 1.' }),
    Ended: z
      .array(
        HeadModel.extend({
          Branch: z.int(),
          Next: HeadModel.meta({ description: 'The head from which the next branch goes on.' }),
          AcceptedTimeUtc: Time,
          AcceptedBy: Who,
          Reason: z.string(),
        }),
      )
      .meta({ description: 'Branches that ended, because a restored station was accepted; oldest first.' }),
  })
  .meta({ id: 'KnownStation' })

export const IntegrityModel = z
  .object({
    TimeUtc: Time,
    Fixity: z.object({
      Blobs: z.int(),
      Bytes: z.int(),
      BlobsBad: z.int().meta({ description: 'Not as they were taken in when they were last read.' }),
      BlobsForwarded: z.int().meta({
        description: 'Originals whose bytes are at headquarters only, with a receipt. They are not read here.',
      }),
      BytesForwarded: z.int(),
      BlobsInTime: z
        .int()
        .meta({ description: 'Read within their time: a day after they came in, every 90 days from then on.' }),
      BytesInTime: z.int(),
      OldestTimeUtc: Time.nullable().meta({ description: 'When the one that was not read for longest was read.' }),
      BytesPerSecond: z
        .number()
        .nullable()
        .meta({ description: 'At which it reads now; null while it reads nothing.' }),
      LimitBytesPerSecond: z.number(),
      GivingWay: z.boolean().meta({ description: 'People are at work, and it reads slower for that.' }),
      Run: FixityRunModel.nullable(),
      LastRun: FixityRunModel.nullable(),
      LastRead: z.array(BlobModel),
      Next: z.array(BlobModel),
    }),
    Warnings: z
      .array(StationWarningModel)
      .meta({ description: 'About the station, that stand now and may be waived.' }),
    OpenAlarms: z.int(),
    Alarms: z.array(AlarmModel).meta({ description: 'Open ones first, each newest first; the last hundred.' }),
    Checkpoints: z.object({
      Origin: z.string(),
      Size: z.int(),
      SignedTimeUtc: Time.nullable(),
      VerifierKey: z.string().meta({ description: 'As checkers of signed notes (C2SP) take it.' }),
      Targets: z.array(CheckpointTargetModel),
      Received: z.array(KnownStationModel),
    }),
    Backups: z.object({
      Doing: z.object({ Folder: z.string(), What: z.enum(['snapshot', 'drill']), Text: z.string() }).nullable(),
      Targets: z.array(BackupTargetModel),
      Last: z.array(BackupModel),
      Drills: z.array(DrillModel),
    }),
  })
  .meta({ id: 'Keeping' })

const administrator = { kind: 'administrator' } as const
const at = (path: string) => `/api/v1/tenant/:tenantId/keeping${path}` as const
const TargetPath = Tenant.extend({ targetId: IdParam })
export const LONGEST_FOLDER = 4096
/** Of the station's machine. */
export const Folder = line(LONGEST_FOLDER, 1)
export const isFolder = (folder: string): boolean => isLine(folder, LONGEST_FOLDER, 1)

export const getKeeping = route({
  id: 'getKeeping',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/keeping',
  origin: 'extension',
  summary: 'How the store, the checkpoints and the snapshots are kept',
  permission: administrator,
  audit: { by: 'read', action: 'keeping.read', objectType: 'station' },
  params: Tenant,
  responses: { 200: IntegrityModel },
  errors: ['TenantNotFound'],
})

export const startFixityRun = route({
  id: 'startFixityRun',
  interface: 'operations',
  method: 'POST',
  path: at('/run'),
  origin: 'extension',
  summary: 'Read the whole store now, oldest first',
  description: 'It goes on after a restart and gives way to people. What was due is due no more when it has been read.',
  permission: administrator,
  audit: { by: 'own', actions: ['fixity.runStarted'] },
  params: Tenant,
  responses: { 201: FixityRunModel },
  errors: ['RunInProgress', 'TenantNotFound', 'ReadOnly'],
})

export const cancelFixityRun = route({
  id: 'cancelFixityRun',
  interface: 'operations',
  method: 'POST',
  path: at('/run/cancel'),
  origin: 'extension',
  summary: 'Stop the reading of the whole store that was asked for',
  permission: administrator,
  audit: { by: 'own', actions: ['fixity.runCancelled'] },
  params: Tenant,
  responses: { 200: FixityRunModel },
  errors: ['NoRunInProgress', 'TenantNotFound', 'ReadOnly'],
})

export const LONGEST_ALARM_REASON = 2000
export const isAlarmReason = (reason: string): boolean => reason.trim() !== '' && isText(reason, LONGEST_ALARM_REASON)
export const AlarmReason = text(LONGEST_ALARM_REASON).refine((reason) => reason.trim() !== '', 'must not be empty')

export const acknowledgeAlarm = route({
  id: 'acknowledgeAlarm',
  interface: 'operations',
  method: 'POST',
  path: at('/alarm/:alarmId/acknowledge'),
  origin: 'extension',
  summary: 'Say that one knows of an alarm, and why that is enough',
  permission: administrator,
  audit: { by: 'own', actions: ['alarm.acknowledged'] },
  params: Tenant.extend({ alarmId: IdParam }),
  body: z.object({ Reason: AlarmReason }),
  responses: { 200: AlarmModel },
  errors: ['InvalidModel', 'AlarmNotFound', 'AlarmAcknowledged', 'TenantNotFound', 'ReadOnly'],
})

export const addCheckpointTarget = route({
  id: 'addCheckpointTarget',
  interface: 'operations',
  method: 'POST',
  path: at('/checkpoint-target'),
  origin: 'extension',
  summary: 'Copy every signed checkpoint to a folder or to another station',
  description:
    'Give `Folder`, on another drive; or `Connection`, the connection file of an integration of another station. Either is tried before it is kept.',
  permission: administrator,
  audit: { by: 'own', actions: ['checkpoint.targetAdded'] },
  params: Tenant,
  body: z
    .object({ Folder: Folder.nullish(), Connection: z.record(z.string().max(256), z.unknown()).nullish() })
    .refine(
      ({ Folder: folder, Connection }) => ((folder ?? null) === null) !== ((Connection ?? null) === null),
      'give either Folder or Connection',
    ),
  responses: { 201: CheckpointTargetModel },
  errors: ['InvalidModel', 'TargetUnusable', 'TargetExists', 'TenantNotFound', 'ReadOnly'],
})

export const removeCheckpointTarget = route({
  id: 'removeCheckpointTarget',
  interface: 'operations',
  method: 'DELETE',
  path: at('/checkpoint-target/:targetId'),
  origin: 'extension',
  summary: 'Copy checkpoints there no more; those that lie there stay',
  permission: administrator,
  audit: { by: 'own', actions: ['checkpoint.targetRemoved'] },
  params: TargetPath,
  responses: { 204: null },
  errors: ['TargetNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const copyCheckpoints = route({
  id: 'copyCheckpoints',
  interface: 'operations',
  method: 'POST',
  path: at('/checkpoint-target/:targetId/copy'),
  origin: 'extension',
  summary: 'Copy the checkpoints that do not lie there yet now',
  permission: administrator,
  audit: { by: 'own', actions: ['checkpoint.copied', 'checkpoint.notCopied', 'alarm.raised'] },
  params: TargetPath,
  responses: { 200: CheckpointTargetModel },
  errors: ['CopyFailed', 'TargetNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const addBackupTarget = route({
  id: 'addBackupTarget',
  interface: 'operations',
  method: 'POST',
  path: at('/backup-target'),
  origin: 'extension',
  summary: 'Make snapshots into a folder by and by',
  description:
    'The folder must be there and be empty, or hold snapshots of this station. Of older snapshots the newest of each of the last 7 days, 4 weeks and 12 months stays. Keys are never in them.',
  permission: administrator,
  audit: { by: 'own', actions: ['backup.targetAdded'] },
  params: Tenant,
  body: z.object({ Folder, EveryHours: z.int().min(1).max(168).default(24) }),
  responses: { 201: BackupTargetModel },
  errors: ['InvalidModel', 'TargetUnusable', 'TargetExists', 'TenantNotFound', 'ReadOnly'],
})

export const removeBackupTarget = route({
  id: 'removeBackupTarget',
  interface: 'operations',
  method: 'DELETE',
  path: at('/backup-target/:targetId'),
  origin: 'extension',
  summary: 'Make no more snapshots there; those that lie there stay',
  permission: administrator,
  audit: { by: 'own', actions: ['backup.targetRemoved'] },
  params: TargetPath,
  responses: { 204: null },
  errors: ['TargetNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const makeBackup = route({
  id: 'makeBackup',
  interface: 'operations',
  method: 'POST',
  path: at('/backup-target/:targetId/snapshot'),
  origin: 'extension',
  summary: 'Begin a snapshot now',
  description: 'Answered when it has begun; what became of it is in `Backups` of the reading.',
  permission: administrator,
  audit: { by: 'own', actions: ['backup.asked'] },
  params: TargetPath,
  responses: { 202: BackupTargetModel },
  errors: ['BackupInProgress', 'TargetNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const drillBackup = route({
  id: 'drillBackup',
  interface: 'operations',
  method: 'POST',
  path: at('/backup-target/:targetId/drill'),
  origin: 'extension',
  summary: 'Begin to restore the newest snapshot for trial',
  description: 'Answered when it has begun; what came of it is in `Drills` of the reading.',
  permission: administrator,
  audit: { by: 'own', actions: ['backup.asked'] },
  params: TargetPath,
  responses: { 202: BackupTargetModel },
  errors: ['BackupInProgress', 'TargetNotFound', 'TenantNotFound', 'ReadOnly'],
})

const member = { kind: 'member', guests: false } as const
const Base64 = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')
const Base64Hash = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')

export const KeptCheckpointModel = z
  .object({ Origin: z.string(), Size: z.int(), Root: z.string(), Checkpoint: z.string(), ReceivedTimeUtc: Time })
  .meta({ id: 'KeptCheckpoint' })

export const ReceivedCheckpointModel = KeptCheckpointModel.extend({
  Cosignature: z
    .object({
      Line: z.string().meta({ description: '`— name base64(key id ‖ time ‖ signature)`, a line of a signed note.' }),
      Key: z.string().meta({ description: 'The key of it, as verifiers of signed notes take it.' }),
    })
    .meta({ description: 'Of the checkpoint that was given, by this station: C2SP `cosignature/v1`.' }),
}).meta({ id: 'ReceivedCheckpoint' })

export const getKeptCheckpoint = route({
  id: 'getKeptCheckpoint',
  interface: 'operations',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/checkpoint',
  origin: 'extension',
  summary: 'The last checkpoint of a station that is kept here',
  description: 'For integrations.',
  permission: member,
  audit: { by: 'read', action: 'checkpoint.asked', objectType: 'origin' },
  params: Tenant,
  query: z.object({ origin: line(200, 1) }),
  responses: { 200: KeptCheckpointModel },
  errors: ['InvalidModel', 'CheckpointNotFound', 'TenantNotFound'],
})

export const sendCheckpoint = route({
  id: 'sendCheckpoint',
  interface: 'operations',
  method: 'POST',
  path: '/api/v1/tenant/:tenantId/checkpoint',
  origin: 'extension',
  summary: 'Give a signed checkpoint of another station into keeping',
  description:
    'For integrations. Of each origin the last one is kept, with the key that the first one was signed by. It must continue the one before: `Proof` is the consistency proof of RFC 6962 2.1.2 from that one to this one. What does not is refused, with an alarm. With `Older` one that the kept one continues is co-signed, and not kept: `Proof` is then from this one to the kept one.',
  permission: member,
  audit: { by: 'own', actions: ['checkpoint.received', 'checkpoint.cosigned', 'checkpoint.refused', 'alarm.raised'] },
  params: Tenant,
  body: z.object({
    Checkpoint: z.string().min(1).max(8192),
    PublicKey: Base64Hash,
    Rotations: z
      .array(
        z.object({
          key: z.literal('signing'),
          oldKey: Base64Hash,
          newKey: Base64Hash,
          oldSignature: Base64(120),
          newSignature: Base64(120),
        }),
      )
      .max(200)
      .default([]),
    Proof: z.array(Base64Hash).max(128).default([]),
    Older: z.boolean().default(false),
  }),
  responses: { 200: ReceivedCheckpointModel },
  errors: ['InvalidModel', 'CheckpointRefused', 'TenantNotFound', 'ReadOnly'],
})

export const LONGEST_ACCEPT_REASON = 2000
export const isAcceptReason = (reason: string): boolean => reason.trim() !== '' && isText(reason, LONGEST_ACCEPT_REASON)
export const AcceptReason = text(LONGEST_ACCEPT_REASON).refine((reason) => reason.trim() !== '', 'must not be empty')
const GivenHead = z.object({ Size: z.int().min(0), Root: Base64Hash })

export const acceptRestoredStation = route({
  id: 'acceptRestoredStation',
  interface: 'operations',
  method: 'POST',
  path: at('/station/accept'),
  origin: 'extension',
  summary: 'Accept that a restored station goes on from an older head',
  description:
    'Give the heads that were read: `Known` and `Presented`. Where either is another one by now, it is refused. So is a head that another key signed. What was received before stays, as a branch of its own.',
  permission: administrator,
  audit: { by: 'own', actions: ['checkpoint.accepted', 'alarm.acknowledged'] },
  params: Tenant,
  body: z.object({ Origin: line(200, 1), Known: GivenHead, Presented: GivenHead, Reason: AcceptReason }),
  responses: { 200: KnownStationModel },
  errors: [
    'InvalidModel',
    'CheckpointNotFound',
    'PresentedHeadChanged',
    'StationKeyDiffers',
    'TenantNotFound',
    'ReadOnly',
  ],
})
