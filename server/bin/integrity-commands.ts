/** What keeps the station from the terminal (decisions 11): snapshots, restoring them, checkpoints elsewhere, alarms. */
import type { ShownKey } from '../kernel/ledger/signed-note.ts'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RestoreReport } from '../features/integrity/backup/restore.ts'
import { settingsFromEnvironment } from '../config/environment.ts'
import type { Command } from './command.ts'
import { connectionFileAt } from './connection-file.ts'
import { formatBytes, oneLine } from './format.ts'
import { inStation, osUser } from './in-station.ts'
import { UsageError } from './error-messages.ts'
import { DATA, fromStdin, JSON_FLAG, note, one, out, row, settings, withProgress } from './arguments.ts'

/** What shows whose snapshot it is. */
const ROOTS = { 'signed-by': { type: 'string' }, checkpoints: { type: 'string' } } as const
/** A key is given as it is printed, or as a file. */
const rootsOf = (values: { 'signed-by'?: string | undefined; checkpoints?: string | undefined }) => ({
  signedBy: values['signed-by'] ?? null,
  checkpoints: values.checkpoints === undefined ? null : resolve(values.checkpoints),
})
const SHOWN_BY = {
  key: 'The key that was given shows that it is this station’s.',
  checkpoints: 'The checkpoints that were kept outside show that it is this station’s.',
  keys: 'The keys in it show that it is this station’s.',
  none: 'NOTHING SHOWS WHOSE IT IS: an alarm stays open until an administrator settles it with a reason.',
} as const

const PASSPHRASE = { 'passphrase-stdin': { type: 'boolean', default: false } } as const

export const INTEGRITY_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'backup',
    {
      usage: 'backup --to DIR [--with-keys --passphrase-stdin]',
      does: 'makes a snapshot of database and blobs into an empty folder, or one that has snapshots of this station',
      run: backup,
    },
  ],
  [
    'backup schedule',
    {
      usage: 'backup schedule --to DIR [--every-hours 24]',
      does: 'makes snapshots there by and by while the station runs',
      run: schedule,
    },
  ],
  [
    'backup unschedule',
    { usage: 'backup unschedule ID', does: 'makes no more snapshots there', run: byId('backup.unschedule', 'is left') },
  ],
  [
    'restore',
    {
      usage:
        'restore --from DIR --data DIR (--signed-by KEY | --checkpoints DIR | --passphrase-stdin | --trust-on-sight) [--snapshot NAME] [--keep-going]',
      does: 'makes a station out of a snapshot, in an empty folder, when its key, checkpoints kept outside or the keys in it show whose it is; without the keys it gets new ones',
      run: restore,
    },
  ],
  [
    'key show',
    {
      usage: 'key show',
      does: 'prints the public key that shows whose a snapshot or a checkpoint is; keep it on paper',
      run: showKey,
    },
  ],
  [
    'ledger accept',
    {
      usage: 'ledger accept --reason TEXT',
      does: 'accepts a ledger or schema that is not as the station left it, with an entry that says so and an alarm; the station must be stopped',
      run: acceptState,
    },
  ],
  [
    'drill',
    {
      usage: 'drill --from DIR [--sample N] [--signed-by KEY] [--checkpoints DIR]',
      does: 'restores the newest snapshot for trial and compares; exit 1 when it is not as it was made',
      run: drill,
    },
  ],
  [
    'checkpoints add',
    {
      usage: 'checkpoints add (--folder DIR | --station config.json)',
      does: 'copies every signed checkpoint to another drive, or to another station',
      run: addCheckpoints,
    },
  ],
  [
    'checkpoints remove',
    {
      usage: 'checkpoints remove ID',
      does: 'copies checkpoints there no more',
      run: byId('checkpoints.remove', 'is left'),
    },
  ],
  [
    'checkpoints copy',
    { usage: 'checkpoints copy', does: 'copies now what does not lie there yet; exit 1 when one fails', run: copyNow },
  ],
  ['alarms', { usage: 'alarms', does: 'lists alarms; exit 1 while one is open', run: alarms }],
  [
    'alarms acknowledge',
    {
      usage: 'alarms acknowledge ID --reason TEXT',
      does: 'says that one knows of an alarm, and why that is enough',
      run: acknowledge,
    },
  ],
]

async function backup(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...DATA,
      ...JSON_FLAG,
      ...PASSPHRASE,
      to: { type: 'string' },
      'with-keys': { type: 'boolean', default: false },
    },
  })
  if (values.to === undefined) throw new UsageError('backup needs --to.')
  if (values['with-keys'] !== values['passphrase-stdin'])
    throw new UsageError('Keys leave the station only wrapped: give --with-keys and --passphrase-stdin together.')
  const to = resolve(values.to)
  const passphrase = values['with-keys'] ? await fromStdin() : null
  const made = (await withProgress((onProgress) =>
    inStation({ settings: settings(values), command: 'backup', args: { to, passphrase }, onProgress, mustExist: true }),
  )) as {
    name: string
    newBlobs: number
    newBytes: number
    manifest: { blobs: { count: number; damaged: string[] }; ledger: { entries: number } }
  }
  const { blobs, ledger } = made.manifest
  if (values.json) out(JSON.stringify(made))
  else
    out(
      `Snapshot ${made.name}: ${ledger.entries} entries, ${blobs.count} blobs, ${made.newBlobs} of them new (${formatBytes(made.newBytes)}).`,
    )
  for (const sha256 of blobs.damaged) note(`NOT IN IT  ${sha256}: the station itself does not have it whole.`)
  return blobs.damaged.length === 0 ? 0 : 1
}

async function schedule(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { ...DATA, ...JSON_FLAG, to: { type: 'string' }, 'every-hours': { type: 'string', default: '24' } },
  })
  if (values.to === undefined) throw new UsageError('backup schedule needs --to.')
  const everyHours = Number(values['every-hours'])
  if (!Number.isInteger(everyHours) || everyHours < 1 || everyHours > 168)
    throw new UsageError('--every-hours is a whole number from 1 to 168.')
  const args = { to: resolve(values.to), everyHours }
  const made = (await inStation({ settings: settings(values), command: 'backup.schedule', args, mustExist: true })) as {
    target_id: number
    folder: string
  }
  out(
    values.json
      ? JSON.stringify(made)
      : `While the station runs it makes a snapshot into ${oneLine(made.folder)} every ${everyHours} hours (place ${made.target_id}).`,
  )
  return 0
}

async function restore(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...DATA,
      ...JSON_FLAG,
      ...PASSPHRASE,
      from: { type: 'string' },
      ...ROOTS,
      snapshot: { type: 'string' },
      'trust-on-sight': { type: 'boolean', default: false },
      'keep-going': { type: 'boolean', default: false },
    },
  })
  if (values.from === undefined || values.data === undefined)
    throw new UsageError('restore needs --from and --data: it never restores into a folder that nobody named.')
  const from = resolve(values.from)
  const { data, blobsDir, blobUrl } = settingsFromEnvironment({ data: resolve(values.data) })
  if (blobUrl !== undefined)
    throw new UsageError(
      'restore writes to a folder and not to an object store (SALLYPORT_BLOB_URL is set). Unset it, and restore into a folder.',
    )
  const passphrase = values['passphrase-stdin'] ? await fromStdin() : null
  const { restoreStation } = await import('../features/integrity/backup/restore.ts')
  const { systemClock } = await import('../platform/clock/clock.ts')
  const { createLog } = await import('../platform/log/log.ts')
  const { cliActor } = await import('../commands.ts')
  const report: RestoreReport = await withProgress((onProgress) =>
    restoreStation({
      from,
      snapshot: values.snapshot ?? null,
      data,
      blobsDir: blobsDir ?? join(data, 'blobs'),
      passphrase,
      roots: rootsOf(values),
      trustOnSight: values['trust-on-sight'],
      keepGoing: values['keep-going'],
      actor: cliActor(osUser()),
      clock: systemClock,
      log: createLog('error'),
      onProgress,
    }),
  )
  if (values.json) out(JSON.stringify(report))
  else {
    out(
      `Restored from snapshot ${report.snapshot}: ${report.entries} entries, ${report.blobs} blobs (${formatBytes(report.bytes)}).`,
    )
    out(`It was signed by ${oneLine(report.printedKey)}. ${SHOWN_BY[report.trust]}`)
    out(report.keys === 'restored' ? 'The station has its keys again.' : 'The station has new keys. What that means:')
    for (const sentence of report.lost) out(`  ${sentence}`)
  }
  for (const problem of report.problems) note(oneLine(`LEFT OUT  ${problem}`))
  return report.problems.length === 0 ? 0 : 1
}

async function acceptState(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG, reason: { type: 'string' } } })
  const reason = values.reason?.trim() ?? ''
  if (reason === '') throw new UsageError('ledger accept needs --reason.')
  const { acceptLedger } = await import('../app/accept-ledger.ts')
  const { systemClock } = await import('../platform/clock/clock.ts')
  const { createLog } = await import('../platform/log/log.ts')
  const { cliActor } = await import('../commands.ts')
  const { data, databaseUrl: url, wrappingKeyFile: file, wrappingKey: text } = settings(values)
  const report = await acceptLedger({
    data,
    database: url === undefined ? null : { url, file, text },
    reason,
    actor: cliActor(osUser()),
    clock: systemClock,
    log: createLog('error'),
  })
  if (values.json) out(JSON.stringify(report))
  else {
    out(`Accepted with entry ${report.entry}, after ${report.size} entries. An alarm about it stays open.`)
    for (const problem of report.problems) out(oneLine(`  ${problem}`))
    if (report.setAside > 0) out(`  ${report.setAside} checkpoints that do not fit lie in checkpoints/set-aside.`)
  }
  return 0
}

async function drill(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { ...DATA, ...JSON_FLAG, ...ROOTS, from: { type: 'string' }, sample: { type: 'string' } },
  })
  if (values.from === undefined) throw new UsageError('drill needs --from.')
  const sample = values.sample === undefined ? null : Number(values.sample)
  if (sample !== null && !(Number.isInteger(sample) && sample > 0))
    throw new UsageError('--sample is a whole number of blobs.')
  const from = resolve(values.from)
  const report = (await withProgress((onProgress) =>
    inStation({
      settings: settings(values),
      command: 'drill',
      args: { from, sample, roots: rootsOf(values) },
      onProgress,
      mustExist: true,
    }),
  )) as { snapshot: string; problems: string[]; entries: number; blobs: number; of: number; bytes: number }
  if (values.json) out(JSON.stringify(report))
  else {
    for (const problem of report.problems) row('broken', problem)
    out(
      report.problems.length === 0
        ? `Snapshot ${report.snapshot} gives back what it should: ${report.entries} entries, ${report.blobs} of ${report.of} blobs restored for trial (${formatBytes(report.bytes)}).`
        : `Snapshot ${report.snapshot} is not as it was made.`,
    )
  }
  return report.problems.length === 0 ? 0 : 1
}

async function addCheckpoints(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { ...DATA, ...JSON_FLAG, folder: { type: 'string' }, station: { type: 'string' } },
  })
  if ((values.folder === undefined) === (values.station === undefined))
    throw new UsageError('checkpoints add needs either --folder or --station.')
  const asked =
    values.folder === undefined
      ? {
          command: 'checkpoints.station',
          args: { connection: await connectionFileAt(resolve(values.station as string)) },
        }
      : { command: 'checkpoints.folder', args: { folder: resolve(values.folder) } }
  const made = (await inStation({ settings: settings(values), ...asked, mustExist: true })) as {
    TargetId: string
    Address: string
    Problem: string | null
  }
  out(
    values.json
      ? JSON.stringify(made)
      : `Every signed checkpoint is copied to ${oneLine(made.Address)} from now on (place ${made.TargetId}).`,
  )
  if (made.Problem === null) return 0
  note(oneLine(`The first copy failed, and is tried again: ${made.Problem}`))
  return 1
}

async function copyNow(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const done = (await inStation({
    settings: settings(values),
    command: 'checkpoints.copy',
    args: {},
    mustExist: true,
  })) as { address: string; size: number; problem: string | null }[]
  if (values.json) out(JSON.stringify(done))
  else
    for (const { address, size, problem } of done)
      row(problem === null ? `${size} entries` : 'FAILED', address, problem ?? '')
  return done.every(({ problem }) => problem === null) ? 0 : 1
}

async function alarms(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const list = (await inStation({ settings: settings(values), command: 'alarms', args: {}, mustExist: true })) as {
    AlarmId: string
    Kind: string
    Subject: string
    Message: string
    RaisedTimeUtc: string
    AcknowledgedTimeUtc: string | null
  }[]
  const open = list.filter(({ AcknowledgedTimeUtc }) => AcknowledgedTimeUtc === null)
  if (values.json) out(JSON.stringify(list))
  else {
    for (const one of open) row(`alarm ${one.AlarmId}`, one.RaisedTimeUtc, one.Kind, one.Subject, one.Message)
    out(open.length === 0 ? 'No alarm is open.' : `${open.length} open.`)
  }
  return open.length === 0 ? 0 : 1
}

async function acknowledge(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...DATA, ...JSON_FLAG, reason: { type: 'string' } },
  })
  const id = one(positionals, 'alarms acknowledge needs one id.')
  if (values.reason === undefined || values.reason.trim() === '')
    throw new UsageError('alarms acknowledge needs --reason.')
  const args = { id, reason: values.reason }
  const done = await inStation({ settings: settings(values), command: 'alarms.acknowledge', args, mustExist: true })
  out(values.json ? JSON.stringify(done) : `Alarm ${id} is acknowledged.`)
  return 0
}

async function showKey(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const shown = await publicKeyOf(settings(values))
  out(values.json ? JSON.stringify(shown) : publicKeyText(shown))
  return 0
}

interface ShownKeys extends ShownKey {
  /** Of the key that signs packages; null before the station ran with a program that has one. */
  readonly packageFingerprint: string | null
}

export const publicKeyOf = async (given: ReturnType<typeof settings>): Promise<ShownKeys> =>
  (await inStation({ settings: given, command: 'key.show', args: {}, mustExist: true })) as ShownKeys

/** As it is kept on paper: in lines that somebody can copy by hand, and once in the form that `restore --signed-by` takes. */
export const publicKeyText = ({ key, fingerprint, packageFingerprint }: ShownKeys): string =>
  `The station’s public key. Keep it on paper, away from the station: it shows whose a snapshot is (restore --signed-by).\n  ${oneLine(key)}\nIts SHA-256 fingerprint:\n  ${inGroups(fingerprint)}${packageFingerprint === null ? '' : `\nThe fingerprint of the key that signs packages, which shows whose a package is (package verify --key):\n  ${inGroups(packageFingerprint)}`}`

const inGroups = (fingerprint: string): string => (fingerprint.match(/.{8}/g) ?? []).join(' ')

/** What needs an id alone. */
function byId(command: string, done: string): Command['run'] {
  return async (argv) => {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { ...DATA, ...JSON_FLAG },
    })
    const id = one(positionals, `${command.replace('.', ' ')} needs one id.`)
    await inStation({ settings: settings(values), command, args: { id }, mustExist: true })
    out(values.json ? JSON.stringify({ id }) : `Place ${id} ${done}; what lies there stays.`)
    return 0
  }
}
