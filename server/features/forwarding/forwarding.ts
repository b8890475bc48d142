/** The rounds of forwarding: finds what the rules name, contacts headquarters inside the windows, sends what waits, and clears. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import { createPace } from '../../platform/network/outgoing.ts'
import { clearDue, type ClearDeps, hasAll, removeCleared } from './clearing.ts'
import { createHeadquartersClient, type HeadquartersClient, type TokenProtocol } from './client.ts'
import * as rows from './forwarding.store.ts'
import { ownCall, recordAway, recordReached, recordRefused, type Tried, tryHeadquarters } from './reachability.ts'
import { isOpen, nextOpening, paceOf, type Rules } from './rules.ts'
import { type Current, type SendDeps, sendWaiting } from './sending.ts'
import { isSweepDue, sweep } from './sweep.ts'

export interface ForwarderDeps extends SendDeps, ClearDeps {
  readonly ledger: SendDeps['ledger'] & ClearDeps['ledger']
  readonly store: SendDeps['store'] & ClearDeps['store']
  readonly tokens: TokenProtocol
  readonly clockIsSteady: () => boolean
  readonly sealer: {
    seal(secret: Uint8Array, about: string): string
    open(sealed: string, about: string): Uint8Array | null
  }
}

export interface Forwarder {
  /** A task. */
  run(signal: AbortSignal): Promise<void>
  stop(): Promise<void>
  current(tenant: string): Current | null
  /** Signs in with a connection file and presents this station. */
  try(file: unknown): Promise<Tried & { readonly client: HeadquartersClient | null }>
  /** Ends the pause after failures, for somebody who asks. */
  tryNow(tenant: string): Promise<Tried>
  clientFor(tenant: string, address: string, signal: AbortSignal): Promise<HeadquartersClient | null>
  /** Breaks off the item that is sent, so that new rules count at once. */
  interrupt(): void
}

const CLEAR_EVERY = 60_000

export const sealedAbout = (tenant: string): string => `headquarters ${tenant}`
const rulesOf = (row: rows.HeadquartersRow): Rules => JSON.parse(row.rules) as Rules

export function createForwarder(deps: ForwarderDeps): Forwarder {
  const { db, clock } = deps
  const stopping = new AbortController()
  const clients = createClients(deps)
  const currents = new Map<string, Current>()
  const clearedAfter = new Map<string, string>()
  const last = { sweptAt: Number.NEGATIVE_INFINITY, sweepTook: 0, isChanged: true, clearedAt: Number.NEGATIVE_INFINITY }
  db.onRowsChanged(() => {
    last.isChanged = true
  })
  let interruption = new AbortController()
  let running: Promise<void> | null = null

  const sweepIfDue = async (all: readonly rows.HeadquartersRow[]): Promise<void> => {
    const began = clock.monotonic()
    if (!isSweepDue({ ago: began - last.sweptAt, took: last.sweepTook, isChanged: last.isChanged })) return
    last.isChanged = false
    for (const row of all) await sweep(db, { tenant: row.tenant_id, rules: rulesOf(row) }, clock.now(), stopping.signal)
    last.sweptAt = clock.monotonic()
    last.sweepTook = last.sweptAt - began
  }
  const contact = async (row: rows.HeadquartersRow, isClearDue: boolean): Promise<void> => {
    const rules = rulesOf(row)
    const tenant = row.tenant_id
    clients.setRate(tenant, paceOf(rules))
    const signal = AbortSignal.any([stopping.signal, interruption.signal])
    await sendWaiting(deps, { row, rules, open: () => clients.open(row, signal), signal, currents })
    if (!isClearDue || rules.ClearAfterDays === null) return
    const client = clients.open(row, stopping.signal)
    const after = await clearDue(deps, ownCall(), rules, {
      after: clearedAfter.get(tenant) ?? '',
      isStillThere: (receipts) => hasAll(client, receipts),
    })
    clearedAfter.set(tenant, after)
  }
  const round = async (): Promise<void> => {
    await removeCleared(deps)
    const all = await rows.allHeadquarters(db.read)
    if (all.length === 0) return
    await sweepIfDue(all)
    // By a clock that jumped, files would be gone here before their days are over.
    const isClearDue = deps.clockIsSteady() && clock.monotonic() - last.clearedAt >= CLEAR_EVERY
    if (isClearDue) last.clearedAt = clock.monotonic()
    for (const given of all) {
      if (stopping.signal.aborted || !deps.mayWrite()) return
      if (!mayContact(given, clock.now(), deps.timeZone)) continue
      const row = (await rows.headquartersOf(db.read, given.tenant_id)) ?? given
      try {
        await contact(row, isClearDue)
      } catch (error) {
        if (stopping.signal.aborted || interruption.signal.aborted) continue
        const now = (await rows.headquartersOf(db.read, given.tenant_id)) ?? row
        await recordAway(deps, now, (error as Error).message)
      }
    }
  }

  return {
    run: (signal) => {
      if (!deps.mayWrite() || stopping.signal.aborted) return Promise.resolve()
      if (interruption.signal.aborted) interruption = new AbortController()
      // The node that runs the tasks now goes on with the item.
      const leave = (): void => interruption.abort(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      running = round().finally(() => {
        signal.removeEventListener('abort', leave)
        running = null
      })
      return running
    },
    stop: async () => {
      stopping.abort(new Error('The station is stopping'))
      await running?.catch(() => {})
    },
    current: (tenant) => currents.get(tenant) ?? null,
    try: (file) => tryHeadquarters(() => clients.ofFile(file, '', stopping.signal), deps.present),
    tryNow: async (tenant) => {
      const row = (await rows.headquartersOf(db.read, tenant)) as rows.HeadquartersRow
      const tried = await tryHeadquarters(() => clients.open(row, stopping.signal), deps.present)
      if (tried.ok) await recordReached(deps, row)
      else if (tried.refused) await recordRefused(deps, row, tried.problem)
      else await recordAway(deps, row, tried.problem)
      return tried
    },
    clientFor: async (tenant, address, signal) => {
      const row = await rows.headquartersOf(db.read, tenant)
      return row === undefined || row.address !== address ? null : clients.open(row, signal)
    },
    interrupt: () => {
      last.sweptAt = Number.NEGATIVE_INFINITY
      last.clearedAt = Number.NEGATIVE_INFINITY
      last.isChanged = true
      interruption.abort(new Error('The rules changed'))
    },
  }
}

function mayContact(row: rows.HeadquartersRow, now: number, zone: string): boolean {
  const { Paused, Windows } = rulesOf(row)
  return !Paused && row.refused !== 1 && row.next_at <= now && isOpen(Windows, now, zone)
}

/** Opens clients of headquarters. Those of one tenant share its pace. */
function createClients({ clock, tokens, sealer }: Pick<ForwarderDeps, 'clock' | 'tokens' | 'sealer'>) {
  const paces = new Map<string, (bytes: number) => Promise<void>>()
  const rates = new Map<string, number | null>()
  const paceFor = (tenant: string): ((bytes: number) => Promise<void>) => {
    const pace = paces.get(tenant) ?? createPace(() => rates.get(tenant) ?? null, clock.monotonic)
    paces.set(tenant, pace)
    return pace
  }
  const ofFile = (file: unknown, tenant: string, signal: AbortSignal): HeadquartersClient =>
    createHeadquartersClient(file, { tokens, now: clock.now, pace: paceFor(tenant), signal })
  return {
    ofFile,
    /** @param bytesPerSecond null: no limit */
    setRate: (tenant: string, bytesPerSecond: number | null): void => void rates.set(tenant, bytesPerSecond),
    /** @throws Error when the connection file cannot be opened */
    open: (row: rows.HeadquartersRow, signal: AbortSignal): HeadquartersClient => {
      const secret = sealer.open(row.sealed, sealedAbout(row.tenant_id))
      if (secret === null) throw new Error(connectionReason('fileNotOpened'))
      return ofFile(JSON.parse(Buffer.from(secret).toString('utf8')), row.tenant_id, signal)
    },
  }
}

/** When forwarding goes on by itself. */
export const nextWindow = (rules: Rules, now: number, zone: string): number | null =>
  nextOpening(rules.Windows, now, zone)
