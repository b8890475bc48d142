/** Simulated cameras that speak HTTP (decisions 5): each negotiates for itself and uploads, over the interfaces alone. */
import { resolve } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { parseArgs } from 'node:util'
import { comeHome, type Homecoming, HTTP_FAULTS, type HttpFault } from './http-camera.ts'
import { planCamera } from './plan.ts'
import { type StationAddress, stationCalls } from './station-calls.ts'
import { readText } from '../../server/platform/files/read-text.ts'
import { makeClips, writeCard } from './card.ts'
import { memoryOf } from './memory.ts'
import { openWire, Unplugged } from './wire.ts'
import { among, whole } from './camera-arguments.ts'
import type { Command } from '../../server/bin/command.ts'
import { UsageError } from '../../server/bin/error-messages.ts'
import { asConnection, type Connection, fetchToken } from '../../server/bin/token-client.ts'
import { JSON_FLAG, note, one, out, row } from '../../server/bin/arguments.ts'

/** What may happen to some of a fleet. */
const FLEET_FAULTS = ['pulled', ...HTTP_FAULTS] as const
type FleetFault = (typeof FLEET_FAULTS)[number]

export const CAMERA_HTTP_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'camera send',
    {
      usage: `camera send CAMERA… --config config.json [--block 4194304] [--pull-at BYTES] [--slow BYTES-A-SECOND] [--fault ${HTTP_FAULTS.join('|')}]… [--clear] [--ca CA.PEM] [--json]`,
      does: 'lets cameras that were made as folders (layout manifest) upload over HTTP themselves, from another machine with the CA of its station; one that was pulled goes on',
      run: send,
    },
  ],
  [
    'camera fleet',
    {
      usage: `camera fleet DIR --config config.json [--count 10] [--at-once 26] [--seconds 3600] [--recordings 3] [--parts 1] [--bytes 200000] [--clock SECONDS] [--seed TEXT] [--block 4194304] [--slow BYTES-A-SECOND] [--with ${FLEET_FAULTS.join('|')}=COUNT]… [--clear] [--json]`,
      does: 'makes many such cameras and lets them come home together; some of them pulled at half and put back, or with a fault',
      run: fleet,
    },
  ],
]

const SENDING = {
  ...JSON_FLAG,
  config: { type: 'string' },
  block: { type: 'string', default: '4194304' },
  slow: { type: 'string' },
  clear: { type: 'boolean', default: false },
} as const
const MOST = Number.MAX_SAFE_INTEGER

interface Trip {
  readonly folder: string
  readonly station: StationAddress
  readonly blockBytes: number
  readonly bytesPerSecond: number | null
  readonly pullAt: number | null
  readonly faults: readonly HttpFault[]
  readonly clear: boolean
  readonly signal: AbortSignal
  /** PEM; null: to this machine alone. */
  readonly ca?: string | null
}

/** @throws Unplugged where it was pulled */
async function oneTrip({
  folder,
  station,
  blockBytes,
  bytesPerSecond,
  pullAt,
  faults,
  clear,
  signal,
  ca = null,
}: Trip): Promise<Homecoming> {
  const wire = openWire({ bytesPerSecond, pullAt, signal, ca })
  try {
    const calls = stationCalls(wire, station, signal)
    return await comeHome(memoryOf(folder), calls, { blockBytes, faults, clear, now: Date.now })
  } finally {
    wire.close()
  }
}

async function send(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...SENDING,
      'pull-at': { type: 'string' },
      ca: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
    },
  })
  if (positionals.length === 0) throw new UsageError('camera send needs the folder of a camera.')
  const shared = await sharedBy(values, untilStopped())
  const pullAt = values['pull-at'] === undefined ? null : whole('--pull-at', values['pull-at'], 1, MOST)
  const faults = values.fault.map((fault) => among<HttpFault>('--fault', fault, HTTP_FAULTS))
  const ca = values.ca === undefined ? null : await readText(resolve(values.ca))
  // Signing in trusts it too, and nothing else.
  if (ca !== null) setDefaultCACertificates([ca])
  let pulled = 0
  for (const folder of positionals) {
    try {
      tell(await oneTrip({ ...shared, folder: resolve(folder), pullAt, faults, ca }), values.json)
    } catch (error) {
      if (!(error instanceof Unplugged)) throw error
      pulled++
      note(`${folder}: ${error.message} Send it again, and it goes on.`)
    }
  }
  return pulled === 0 ? 0 : 1
}

async function fleet(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...SENDING,
      count: { type: 'string', default: '10' },
      'at-once': { type: 'string', default: '26' },
      seconds: { type: 'string', default: '3600' },
      recordings: { type: 'string', default: '3' },
      parts: { type: 'string', default: '1' },
      bytes: { type: 'string', default: '200000' },
      clock: { type: 'string', default: '0' },
      seed: { type: 'string', default: 'fleet' },
      with: { type: 'string', multiple: true, default: [] },
    },
  })
  const folder = resolve(one(positionals, 'camera fleet needs one folder.'))
  const count = whole('--count', values.count, 1, 1000)
  const size = {
    recordings: whole('--recordings', values.recordings, 1, 1000),
    parts: whole('--parts', values.parts, 1, 100),
    bytes: whole('--bytes', values.bytes, 0, 4_000_000_000),
    clockAheadMs: whole('--clock', values.clock, -1_000_000_000, 1_000_000_000) * 1000,
    seed: values.seed,
  }
  const faultOf = dealFaults(values.with, count)
  const seconds = whole('--seconds', values.seconds, 1, 86_400)
  const shared = await sharedBy(values, AbortSignal.any([untilStopped(), AbortSignal.timeout(seconds * 1000)]))
  const clips = await makeClips()
  const folders: string[] = []
  for (let number = 1; number <= count; number++) {
    const plan = { ...size, number, layout: 'manifest', nowMs: Date.now(), faults: [] } as const
    folders.push((await writeCard(planCamera(plan), folder, clips)).path)
  }
  const half = Math.max(1, Math.floor((size.recordings * size.parts * size.bytes) / 2))
  const home = async (at: number): Promise<Homecoming> => {
    const fault = faultOf[at] ?? null
    const trip = {
      ...shared,
      folder: folders[at] as string,
      pullAt: null,
      faults: fault === null || fault === 'pulled' ? [] : [fault],
    }
    if (fault === 'pulled')
      await oneTrip({ ...trip, pullAt: half }).catch((error: unknown) => {
        if (!(error instanceof Unplugged)) throw error
      })
    return oneTrip(trip)
  }
  return allHome(folders, home, { atOnce: whole('--at-once', values['at-once'], 1, 1000), json: values.json })
}

async function allHome(
  folders: readonly string[],
  home: (at: number) => Promise<Homecoming>,
  { atOnce, json }: { atOnce: number; json: boolean },
): Promise<number> {
  const since = performance.now()
  const came: Homecoming[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < folders.length; at = next++) {
      try {
        const one = await home(at)
        came.push(one)
        tell(one, json)
      } catch (error) {
        note(`${folders[at]}: ${(error as Error).message}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const bytes = came.reduce((sum, one) => sum + one.bytes, 0)
  const took = (performance.now() - since) / 1000
  note(`${came.length} of ${folders.length} cameras are safe to take: ${bytes} bytes in ${took.toFixed(1)} s.`)
  return came.length === folders.length ? 0 : 1
}

function tell(home: Homecoming, json: boolean): void {
  if (json) return out(JSON.stringify(home))
  const { serial, files, bytes, negotiation, blocksSent, blocksHeld } = home
  row(
    serial,
    'safe to take',
    `${files} files`,
    `${bytes} bytes`,
    negotiation,
    `${blocksSent} blocks sent, ${blocksHeld} there already`,
  )
}

/** `pulled=3`: each fault has cameras of its own, from the first on. */
function dealFaults(words: readonly string[], count: number): FleetFault[] {
  const dealt = words.flatMap((word) => {
    const [name = '', number = ''] = word.split('=')
    const fault = among<FleetFault>('--with', name, FLEET_FAULTS)
    return Array.from({ length: whole(`--with ${fault}`, number, 1, count) }, () => fault)
  })
  if (dealt.length > count) throw new UsageError('There are fewer cameras than faults.')
  return dealt
}

interface Shared {
  readonly config?: string | undefined
  readonly block: string
  readonly slow?: string | undefined
  readonly clear: boolean
}

async function sharedBy(values: Shared, signal: AbortSignal) {
  if (values.config === undefined)
    throw new UsageError('The connection file of an integration that may manage devices is needed: --config.')
  return {
    station: await addressIn(resolve(values.config), signal),
    blockBytes: whole('--block', values.block, 1, 100 * 2 ** 20),
    bytesPerSecond: values.slow === undefined ? null : whole('--slow', values.slow, 1, MOST),
    clear: values.clear,
    signal,
  }
}

function untilStopped(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error('Stopped.')))
  return stop.signal
}

async function addressIn(file: string, signal: AbortSignal): Promise<StationAddress> {
  let value: unknown
  try {
    value = JSON.parse(await readText(file))
  } catch {
    throw new Error(`${file} is no connection file.`)
  }
  return stationOf(asConnection(value), signal)
}

/** Where the device service and the document service answer stands in the file (decisions 9). */
function stationOf(connection: Connection, signal: AbortSignal): StationAddress {
  const members = connection as Connection & Readonly<Record<string, unknown>>
  const first = (name: string): string => {
    const [address] = (members[name] ?? []) as readonly unknown[]
    if (typeof address !== 'string') throw new Error(`The connection file lacks ${name}.`)
    return address
  }
  let token: Promise<string> | null = null
  let until = 0
  return {
    tenant: connection.TenantId,
    devices: first('DeviceServiceBaseAddresses'),
    documents: first('DocumentStoreBaseAddresses'),
    token: () => {
      if (token === null || Date.now() > until) {
        until = Date.now() + 30 * 60_000
        token = fetchToken(connection, signal).then(({ access_token }) => access_token)
        token.catch(() => {
          token = null
        })
      }
      return token
    },
  }
}
