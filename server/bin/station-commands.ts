/** Stations that are known here, from the terminal of headquarters (docs/operate/forwarding.md). */
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import type { KnownStationModel } from '../../shared/integrity/contract.ts'
import type { VerifiedImport } from '../features/packages/export/verify-imports.ts'
import type { StationCustody } from '../features/forwarding/received-custody.ts'
import { DATA, JSON_FLAG, note, one, out, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { UsageError } from './error-messages.ts'
import { oneLine } from './format.ts'
import { inStation } from './in-station.ts'

type KnownStation = z.output<typeof KnownStationModel>

export const STATION_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'stations',
    {
      usage: 'stations',
      does: 'lists the stations whose checkpoints are kept here, with what was refused; exit 1 while one is refused',
      run: list,
    },
  ],
  [
    'stations accept',
    {
      usage: 'stations accept ORIGIN --presented ROOT --reason TEXT',
      does: 'accepts that a restored station goes on from the older head that it presented; without --presented it prints both heads',
      run: accept,
    },
  ],
  [
    'stations verify',
    {
      usage: 'stations verify',
      does: 'verifies the custody records that stations forwarded here, and the ledgers that came with imports, and names the branches of restored ones; exit 1 when one does not hold',
      run: verify,
    },
  ],
]

const knownStations = async (given: ReturnType<typeof settings>): Promise<KnownStation[]> =>
  (await inStation({ settings: given, command: 'stations', args: {}, mustExist: true })) as KnownStation[]

async function list(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const found = await knownStations(settings(values))
  if (values.json) out(JSON.stringify(found))
  else for (const station of found) print(station)
  if (!values.json && found.length === 0) out('No checkpoint of another station is kept here.')
  return found.some(({ Presented }) => Presented !== null) ? 1 : 0
}

function print({ Origin, Size, Root, ReceivedTimeUtc, Branch, Ended, Presented }: KnownStation): void {
  out(oneLine(`${Origin}  branch ${Branch}`))
  for (const one of Ended)
    out(oneLine(`  branch ${one.Branch} ended at ${one.Size} entries, root ${one.Root}: ${one.Reason}`))
  out(`  known      ${Size} entries, root ${Root}, last received ${ReceivedTimeUtc}`)
  if (Presented === null) return
  out(
    oneLine(
      `  presented  ${Presented.Size} entries, root ${Presented.Root}, ${Presented.PresentedTimeUtc}, from ${Presented.Source} by integration ${Presented.By.Name}`,
    ),
  )
  out(oneLine(`  REFUSED    ${Presented.Reason}`))
  out(
    Presented.SameKey
      ? '  If this is the restored station, it can be accepted (stations accept).'
      : '  Another key signed it: it cannot be accepted.',
  )
}

async function accept(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...DATA, ...JSON_FLAG, presented: { type: 'string' }, reason: { type: 'string' } },
  })
  const origin = one(positionals, 'stations accept needs one origin, as stations prints it.')
  if (values.presented === undefined) {
    const station = (await knownStations(settings(values))).find(({ Origin }) => Origin === origin)
    if (station === undefined) throw new Error(`No checkpoint of ${origin} is kept here.`)
    print(station)
    note(
      'Nothing was accepted. To accept the head that was presented, name its root with --presented, and give --reason.',
    )
    return 2
  }
  if (values.reason === undefined || values.reason.trim() === '')
    throw new UsageError('stations accept needs --reason TEXT: it is kept in the ledger.')
  const done = (await inStation({
    settings: settings(values),
    command: 'stations.accept',
    args: { origin, presented: values.presented, reason: values.reason },
    mustExist: true,
  })) as KnownStation
  out(
    values.json
      ? JSON.stringify(done)
      : oneLine(
          `${done.Origin} goes on from ${done.Size} entries, on branch ${done.Branch}. Press "Test connection" at the station.`,
        ),
  )
  return 0
}

async function verify(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const found = (await inStation({
    settings: settings(values),
    command: 'stations.verify',
    args: {},
    mustExist: true,
  })) as StationCustody[]
  const imports = (await inStation({
    settings: settings(values),
    command: 'imports.verify',
    args: {},
    mustExist: true,
  })) as VerifiedImport[]
  if (values.json) out(JSON.stringify([...found, ...imports]))
  else for (const text of [...found.flatMap(linesOf), ...imports.flatMap(linesOfImport)]) out(oneLine(text))
  if (!values.json && found.length + imports.length === 0) out('No station forwarded a custody record here.')
  return [...found, ...imports].some(({ problems }) => problems.length > 0) ? 1 : 0
}

const linesOfImport = ({ origin, kind, name, entries, finishedUtc, problems }: VerifiedImport): string[] => [
  `${origin}  import of a ${kind} (${name}), ${finishedUtc ?? 'not complete'}: ${entries} entries under its signed tree head`,
  ...problems.map((text) => `  DOES NOT HOLD  ${text}`),
]

function linesOf({ origin, branches, problems }: StationCustody): string[] {
  return [
    origin,
    ...branches.map(({ branch, records, proved, entries, differsFrom, acceptedUtc, reason }) => {
      const since = acceptedUtc === null ? '' : `, accepted ${acceptedUtc} (${reason ?? ''})`
      const differs = differsFrom === null ? '' : `, differs from an older branch from entry ${differsFrom} on`
      return `  branch ${branch}: ${records} records (${proved} with proofs under a signed tree head), ${entries} entries${differs}${since}`
    }),
    ...problems.map(
      ({ evidenceId, resourceId, message }) =>
        `  DOES NOT HOLD  evidence ${evidenceId}, file ${resourceId}: ${message}`,
    ),
  ]
}
