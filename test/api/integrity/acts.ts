import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { signCheckpoint } from '../../../server/kernel/ledger/signed-note.ts'
import type { Given, Json } from '../../support/given.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'

const PLACE = '/api/v1/tenant/station/keeping'
const CHECKPOINT = '/api/v1/tenant/station/checkpoint'
const WAIVER = '/api/v1/tenant/station/station/warning/checkpoints/waiver'

/** One good call of each route of how the store is kept (promise I1). */
export const INTEGRITY_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getKeeping: (world) => ({
    call: () => asChief(world, 'GET', PLACE),
    status: 200,
    actor: 'chief',
    entries: () => [['keeping.read', 'station', '']],
  }),
  listNodes: (world) => ({
    call: () => asChief(world, 'GET', '/api/v1/tenant/station/node'),
    status: 200,
    actor: 'chief',
    entries: () => [],
  }),
  startFixityRun: async (world) => {
    await atRest(world)
    return {
      call: () => asChief(world, 'POST', `${PLACE}/run`),
      status: 201,
      actor: 'chief',
      entries: ({ json }) => [['fixity.runStarted', 'fixityRun', json.RunId]],
    }
  },
  cancelFixityRun: async (world) => {
    await atRest(world)
    await write(
      world.given,
      'INSERT INTO fixity_runs (state, started_at, started_by, total_blobs, total_bytes) VALUES (\'running\', 1, \'{"PrincipalId":"1","Name":"x","PrincipalType":"user"}\', 1, 1)',
    )
    return {
      call: () => asChief(world, 'POST', `${PLACE}/run/cancel`),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['fixity.runCancelled', 'fixityRun', json.RunId]],
    }
  },
  acknowledgeAlarm: async (world) => {
    const subject = `drive ${Math.random()}`
    const id = await write(
      world.given,
      "INSERT INTO alarms (kind, subject, message, detail, raised_at) VALUES ('backup', ?, 'No snapshot.', '{}', 1)",
      subject,
    )
    return {
      call: () => asChief(world, 'POST', `${PLACE}/alarm/${id}/acknowledge`, { Reason: 'Being mended.' }),
      status: 200,
      actor: 'chief',
      entries: () => [['alarm.acknowledged', 'alarm', String(id), { reason: 'Being mended.', detail: { subject } }]],
    }
  },
  addCheckpointTarget: (world) => {
    const folder = newFolder(world.given)
    return {
      call: () => asChief(world, 'POST', `${PLACE}/checkpoint-target`, { Folder: folder }),
      status: 201,
      actor: 'chief',
      entries: ({ json }) => [
        ['checkpoint.targetAdded', 'checkpointTarget', json.TargetId, { detail: { kind: 'folder' } }],
      ],
    }
  },
  removeCheckpointTarget: async (world) => {
    const { TargetId } = await checkpointTarget(world)
    return {
      call: () => asChief(world, 'DELETE', `${PLACE}/checkpoint-target/${TargetId}`),
      status: 204,
      actor: 'chief',
      entries: () => [['checkpoint.targetRemoved', 'checkpointTarget', TargetId]],
    }
  },
  copyCheckpoints: async (world) => {
    const { TargetId } = await checkpointTarget(world)
    return {
      call: () => asChief(world, 'POST', `${PLACE}/checkpoint-target/${TargetId}/copy`),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['checkpoint.copied', 'checkpoint', String(json.Size)]],
    }
  },
  addBackupTarget: (world) => {
    const folder = newFolder(world.given)
    return {
      call: () => asChief(world, 'POST', `${PLACE}/backup-target`, { Folder: folder, EveryHours: 24 }),
      status: 201,
      actor: 'chief',
      entries: ({ json }) => [['backup.targetAdded', 'backupTarget', json.TargetId, { detail: { everyHours: 24 } }]],
    }
  },
  removeBackupTarget: async (world) => {
    const { TargetId } = await backupTarget(world)
    return {
      call: () => asChief(world, 'DELETE', `${PLACE}/backup-target/${TargetId}`),
      status: 204,
      actor: 'chief',
      entries: () => [['backup.targetRemoved', 'backupTarget', TargetId]],
    }
  },
  waiveStationWarning: async (world) => {
    await withoutCheckpointTargets(world)
    const body = { Reason: 'The drive arrives on Thursday.', UntilUtc: inTwoDays() }
    return {
      call: () => asChief(world, 'PUT', WAIVER, body),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        [
          'station.warningWaived',
          'station',
          '1',
          { reason: body.Reason, detail: { warning: 'checkpoints', untilUtc: json.UntilUtc } },
        ],
      ],
    }
  },
  takeBackStationWaiver: async (world) => {
    await withoutCheckpointTargets(world)
    const body = { Reason: 'The drive arrives on Thursday.', UntilUtc: inTwoDays() }
    const { UntilUtc } = await world.given.expecting(200, asChief(world, 'PUT', WAIVER, body))
    return {
      call: () => asChief(world, 'DELETE', WAIVER),
      status: 204,
      actor: 'chief',
      entries: () => [
        ['station.waiverTakenBack', 'station', '1', { detail: { warning: 'checkpoints', untilUtc: UntilUtc } }],
      ],
    }
  },
  makeBackup: (world) => asked(world, 'snapshot'),
  drillBackup: (world) => asked(world, 'drill'),
  sendCheckpoint: (world) => {
    const given = foreignCheckpoint()
    return {
      call: () => world.given.call('POST', CHECKPOINT, { body: given.body }),
      status: 200,
      entries: () => [
        ['checkpoint.received', 'origin', given.origin, { detail: withRoot({ size: 7, before: null }, given) }],
      ],
    }
  },
  acceptRestoredStation: async (world) => {
    const { origin, signed, body } = foreignCheckpoint()
    await world.given.expecting(200, world.given.call('POST', CHECKPOINT, { body }))
    const older = { ...body, Checkpoint: signed(5) }
    await world.given.expecting(409, world.given.call('POST', CHECKPOINT, { body: older }))
    const shown = await keeping(world)
    const one = shown.Checkpoints.Received.find((row: Json) => row.Origin === origin)
    const alarm = shown.Alarms.find((row: Json) => row.Subject === `from ${origin}`)
    const headOf = ({ Size, Root }: Json): Json => ({ Size, Root })
    const given = { Origin: origin, Known: headOf(one), Presented: headOf(one.Presented), Reason: 'A disk failed.' }
    return {
      call: () => asChief(world, 'POST', `${PLACE}/station/accept`, given),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        [
          'checkpoint.accepted',
          'origin',
          origin,
          {
            reason: given.Reason,
            detail: {
              known: { size: 7, root: one.Root, branch: 1, receivedUtc: one.ReceivedTimeUtc },
              presented: {
                size: 5,
                root: json.Root,
                branch: 2,
                presentedUtc: one.Presented.PresentedTimeUtc,
                source: '127.0.0.1',
                principalId: one.Presented.By.PrincipalId,
              },
            },
          },
        ],
        ['alarm.acknowledged', 'alarm', alarm.AlarmId, { reason: given.Reason, detail: { subject: `from ${origin}` } }],
      ],
    }
  },
  getKeptCheckpoint: async (world) => {
    const given = foreignCheckpoint()
    await world.given.expecting(200, world.given.call('POST', CHECKPOINT, { body: given.body }))
    return {
      call: () => world.given.call('GET', `${CHECKPOINT}?origin=${encodeURIComponent(given.origin)}`),
      status: 200,
      entries: () => [['checkpoint.asked', 'origin', given.origin, { detail: { size: 7 } }]],
    }
  },
}

const newFolder = ({ dir }: Given): string => {
  const folder = path.join(dir, `drive-${Math.random()}`)
  mkdirSync(folder)
  return folder
}

/** As an intruder with the file. @returns the row's number */
const write = ({ meddle }: Given, sql: string, ...values: unknown[]): Promise<number> =>
  meddle((db) => Number(db.prepare(sql).run(...values).lastInsertRowid))

const keeping = (world: World): Promise<Json> => world.given.expecting(200, asChief(world, 'GET', PLACE))
/** No run and no snapshot is under way. */
async function atRest(world: World): Promise<Json> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await keeping(world)
    const waiting = found.Backups.Targets.some((one: Json) => one.Last === null)
    if (found.Fixity.Run === null && found.Backups.Doing === null && !waiting) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('the station is never at rest')
}

const inTwoDays = (): string => new Date(Date.now() + 2 * 86_400_000).toISOString()
/** The warning of which the waiver is stands, and is not waived. */
async function withoutCheckpointTargets(world: World): Promise<void> {
  for (const { TargetId } of (await keeping(world)).Checkpoints.Targets)
    await asChief(world, 'DELETE', `${PLACE}/checkpoint-target/${TargetId}`)
  await asChief(world, 'DELETE', WAIVER)
}

const checkpointTarget = (world: World): Promise<Json> =>
  world.given.expecting(201, asChief(world, 'POST', `${PLACE}/checkpoint-target`, { Folder: newFolder(world.given) }))
async function backupTarget(world: World): Promise<Json> {
  await atRest(world)
  return world.given.expecting(
    201,
    asChief(world, 'POST', `${PLACE}/backup-target`, { Folder: newFolder(world.given) }),
  )
}
async function asked(world: World, what: 'snapshot' | 'drill'): Promise<Act> {
  const { TargetId } = await backupTarget(world)
  await atRest(world)
  return {
    call: () => asChief(world, 'POST', `${PLACE}/backup-target/${TargetId}/${what}`),
    status: 202,
    actor: 'chief',
    entries: () => [['backup.asked', 'backupTarget', TargetId, { detail: { what } }]],
  }
}

/** Of a station that nobody knows yet. */
function foreignCheckpoint() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')
  const key = createPrivateKey({ key: privateKey.export({ format: 'jwk' }), format: 'jwk' })
  const origin = `station-${Math.random()}.example/ledger`
  const root = new Uint8Array(32).fill(7)
  const signer = { publicKey: raw, sign: (bytes: Uint8Array) => sign(null, bytes, key) }
  const signed = (size: number): string => signCheckpoint({ origin, size, root }, signer)
  return { origin, root, signed, body: { Checkpoint: signed(7), PublicKey: raw.toString('base64') } }
}
const withRoot = (detail: Json, { root }: { root: Uint8Array }): Json => ({
  ...detail,
  root: Buffer.from(root).toString('base64'),
})
