/** The station on its network (decisions 10): on and off, allowed addresses, certificates, and connected hosts. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import type { LanChange } from '../../../shared/network/contract.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger, LedgerEntry } from '../../kernel/ledger/ledger.ts'
import type { Database } from '../../kernel/database/database.ts'
import { readCertificate } from '../../platform/certificates/authority.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Announcer } from '../../platform/network/announce.ts'
import type { Machine } from '../../platform/network/machine.ts'
import type { Credential } from '../../platform/certificates/authority.ts'
import { type Certificates, LAN_OBJECT, untold, type Why } from './certificates.ts'
import { type LanChoice, type LanRow, lanRow, updateLan } from './lan.store.ts'
import * as names from './names.ts'
import type { LanSettings, Listener } from './ports.ts'

type Change = z.output<typeof LanChange>

export interface LanDeps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  readonly certificates: Certificates
  readonly listener: Listener
  readonly announcer: Announcer
  readonly machine: () => Machine
  readonly settings: LanSettings
  readonly hasAdministrator: () => Promise<boolean>
  readonly mayWrite: () => boolean
}

/** The current state. */
export interface LanState {
  readonly row: LanRow
  readonly problem: string | null
  /** The machine as of the last check, a few seconds ago. */
  readonly machine: Machine
  readonly port: number
}

export interface Lan {
  /** Before anything listens: what was chosen, and whether the ledger knows of the keys that are there. */
  start(): Promise<void>
  state(): LanState
  /** @throws Fault InvalidModel, LanWouldLockYouOut, LanNewCaNeeded, LanPortTaken, ReadOnly */
  change(call: Call, given: Change): Promise<void>
  /** @throws Fault LanOff, ReadOnly */
  renew(call: Call): Promise<void>
  /** @throws Fault LanOff, LanCaNotCurrent, ReadOnly */
  replaceCa(call: Call, fingerprint: string): Promise<void>
  /** @throws Fault LanHostNotFound, ReadOnly */
  disconnect(call: Call, address: string): Promise<number>
  mayCome(address: string): boolean
  /** Every origin of the listener; none while it is off. */
  origins(): string[]
  /** Periodic work: renews certificates, retries a failed listener, and follows changed names and addresses. */
  tick(): Promise<void>
  close(millis: number): Promise<number>
}

const STANDARD_PORT = 7443
/** Milliseconds for running requests to end when the LAN is turned off. */
const DRAIN = 5_000
const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const NOTHING: LanRow = {
  enabled: false,
  port: null,
  names: [],
  allowed: [],
  authority: null,
  certificate: null,
  replaced: null,
}

/** The LAN while the station runs. */
interface RunningLan {
  readonly deps: LanDeps
  row: LanRow
  machine: Machine
  /** Of `row` and `machine`: whether a host may come from an address. */
  admitted: ReturnType<typeof names.admission>
  problem: string | null
  /** Whether `--lan` waits to be applied. */
  asked: boolean
  closed: boolean
}

export function createLan(deps: LanDeps): Lan {
  const { db, certificates, listener, announcer, settings } = deps
  const machine = deps.machine()
  const lan: RunningLan = {
    deps,
    row: NOTHING,
    machine,
    admitted: names.admission(NOTHING, machine),
    problem: null,
    asked: settings.wanted,
    closed: false,
  }
  const inTurn = oneAfterTheOther()
  return {
    start: () =>
      inTurn(async () => {
        take(lan, await lanRow(db.read))
        if (lan.row.enabled) await open(lan)
        if (listener.port() !== null) await announce(lan)
      }),
    state: () => ({
      row: lan.row,
      problem: lan.problem,
      machine: lan.machine,
      port: listener.port() ?? portOf(settings, lan.row),
    }),
    change: (call, given) => inTurn(() => changeAsAsked(lan, call, given)),
    renew: (call) =>
      inTurn(async () => {
        requireOn(lan)
        const reach = names.reachOf(lan.row, settings, lan.machine)
        const { certificate } = await certificates.make(namesOf(lan, lan.row), reach, false)
        await commit(lan, call, lan.row, [], 'asked')
        listener.setCertificate(certificate)
      }),
    replaceCa: (call, fingerprint) =>
      inTurn(async () => {
        requireOn(lan)
        if (fingerprint.toLowerCase() !== lan.row.authority)
          throw fault('LanCaNotCurrent', 'This is not the fingerprint of the CA that the station has. Read it again.')
        await change(lan, call, lan.row, [], true)
      }),
    disconnect: (call, address) => disconnect(deps, call, address),
    mayCome: (address) => lan.admitted(address),
    origins: () => {
      const port = listener.port()
      return port === null ? [] : namesOf(lan, lan.row).map((name) => names.originOf(name, port))
    },
    tick: () => inTurn(() => tick(lan)),
    close: (millis) => {
      lan.closed = true
      return inTurn(async () => {
        await announcer.stop()
        return listener.close(millis)
      })
    },
  }
}

async function changeAsAsked(lan: RunningLan, call: Call, given: Change): Promise<void> {
  requireWrites(lan.deps)
  lan.machine = lan.deps.machine()
  const { row } = lan
  const next = nextRow(row, given, lan.deps.settings)
  if (given.LockMeOut !== true) refuseLockOut(call.source, next, lan.machine)
  const outside = lan.deps.certificates.outside(next.names.filter((name) => !row.names.includes(name)))
  const newCa = next.enabled && outside.length > 0
  if (newCa && given.NewCa !== true) throw newCaNeeded(outside)
  await change(lan, call, next, changesOf(row, next), newCa)
}

async function disconnect(deps: LanDeps, call: Call, address: string): Promise<number> {
  const { db, ledger, listener } = deps
  requireWrites(deps)
  if (!listener.hosts().some((host) => host.address === address))
    throw fault('LanHostNotFound', 'This host is not connected any more.')
  await db.transaction(async (tx) => {
    await ledger.append(tx, call, { action: 'lan.disconnected', object: LAN_OBJECT, detail: { address } })
  })
  return listener.disconnect(address)
}

async function tick(lan: RunningLan): Promise<void> {
  if (lan.closed) return
  lan.machine = lan.deps.machine()
  lan.admitted = names.admission(lan.row, lan.machine)
  if (lan.asked) await turnOnAsAsked(lan)
  if (!lan.row.enabled) return
  if (lan.deps.listener.port() === null) await open(lan)
  else if (lan.deps.mayWrite()) await renewWhenDue(lan)
  await announce(lan)
}

const portOf = (settings: LanSettings, choice: LanChoice): number => settings.port ?? choice.port ?? STANDARD_PORT

const namesOf = ({ deps, machine }: RunningLan, choice: LanChoice): string[] =>
  names.namesOf(choice, deps.settings, machine)

function take(lan: RunningLan, next: LanRow): void {
  lan.row = next
  lan.admitted = names.admission(next, lan.machine)
}

/** Stores a choice with its entries in one transaction. New keys that the ledger does not know of get an entry too. */
async function commit(lan: RunningLan, call: Call, next: LanRow, entries: readonly LedgerEntry[], why: Why) {
  const { db, ledger, clock, certificates } = lan.deps
  const recorded = untold(next, certificates.current(), why, clock.now())
  if (entries.length + recorded.entries.length === 0) return
  await db.transaction(async (tx) => {
    await updateLan(tx, recorded.row)
    for (const entry of [...entries, ...recorded.entries]) await ledger.append(tx, call, entry)
  })
  take(lan, recorded.row)
}

/** @returns the certificate in force, and why it is a new one; null when it is not */
async function certified(lan: RunningLan, choice: LanChoice, newCa = false) {
  const { certificates, settings } = lan.deps
  const wanted = namesOf(lan, choice)
  const why = newCa ? 'newCa' : certificates.needed(wanted)
  const held = certificates.current()
  if (why === null && held !== null) return { credential: held.certificate, why }
  const { certificate } = await certificates.make(wanted, names.reachOf(choice, settings, lan.machine), newCa)
  return { credential: certificate, why }
}

function announce({ deps, machine }: RunningLan): Promise<void> {
  const { listener, announcer, settings } = deps
  const port = listener.port()
  return port === null
    ? announcer.stop()
    : announcer.announce({
        name: announcedName(settings, machine),
        host: machine.localName,
        port,
        addresses: names.addressesOf(settings, machine),
      })
}

async function listen({ listener, settings }: LanDeps, choice: LanChoice, credential: Credential) {
  const port = portOf(settings, choice)
  try {
    return await listener.prepare({ host: settings.host, port }, credential)
  } catch (error) {
    throw unheard(error as NodeJS.ErrnoException, settings.host, port)
  }
}

/** Stores a choice and puts it into force: when storing fails, the old one stays in force. */
async function change(lan: RunningLan, call: Call, next: LanRow, entries: readonly LedgerEntry[], newCa: boolean) {
  const { listener, announcer, settings } = lan.deps
  if (!next.enabled) {
    await commit(lan, call, next, entries, 'asked')
    await announcer.stop()
    lan.problem = null
    // Running requests may finish, including the answer to this one.
    void listener.close(DRAIN)
    return
  }
  const { credential, why } = await certified(lan, next, newCa)
  const moved = listener.port() === null || portOf(settings, next) !== portOf(settings, lan.row)
  const endpoint = moved ? await listen(lan.deps, next, credential) : null
  try {
    await commit(lan, call, next, entries, why ?? 'asked')
  } catch (error) {
    await endpoint?.discard()
    throw error
  }
  if (endpoint === null) listener.setCertificate(credential)
  else endpoint.use()
  lan.problem = null
  listener.disconnectForbidden()
  await announce(lan)
}

function requireWrites({ mayWrite }: LanDeps): void {
  if (!mayWrite()) throw new Fault('ReadOnly', 'The station takes no changes at the moment.', { retryAfter: 30 })
}

function requireOn({ deps, row }: RunningLan): void {
  requireWrites(deps)
  if (!row.enabled) throw fault('LanOff', 'The LAN is off. Turn it on first.')
}

/** Logged once; the attempt is repeated. */
function failed(lan: RunningLan, error: Error): void {
  if (lan.problem !== error.message)
    lan.deps.log.warn({ err: error }, 'the LAN is to be on, and nobody hears the station there')
  lan.problem = error.message
}

/** A listener that was on when the station stopped, or whose port was taken. */
async function open(lan: RunningLan): Promise<void> {
  const { row } = lan
  try {
    const { credential, why } = await certified(lan, row)
    const endpoint = await listen(lan.deps, row, credential)
    try {
      await commit(lan, ownCall(), row, [], why === 'first' && row.authority !== null ? 'lost' : (why ?? 'asked'))
    } catch (error) {
      await endpoint.discard()
      throw error
    }
    endpoint.use()
    lan.problem = null
  } catch (error) {
    failed(lan, error as Error)
  }
}

/** `--lan`: applied once for each start, so that turning the LAN off later is respected. */
async function turnOnAsAsked(lan: RunningLan): Promise<void> {
  const { row } = lan
  if (!row.enabled) {
    if (!lan.deps.mayWrite() || !(await lan.deps.hasAdministrator())) return
    const next = { ...row, enabled: true }
    try {
      await change(lan, ownCall(), next, changesOf(row, next), false)
    } catch (error) {
      failed(lan, error as Error)
      return
    }
  }
  lan.asked = false
}

async function renewWhenDue(lan: RunningLan): Promise<void> {
  const { certificates, listener, log } = lan.deps
  if (certificates.needed(namesOf(lan, lan.row)) === null) return
  const { credential, why } = await certified(lan, lan.row)
  await commit(lan, ownCall(), lan.row, [], why ?? 'asked')
  listener.setCertificate(credential)
  log.info({ why }, 'the certificate of the LAN was made anew')
}

/** One label of DNS: without dots, and of 63 bytes at most (RFC 6763, 4.1.1). */
export function announcedName({ stationName }: LanSettings, machine: Machine): string {
  let text = `${stationName} on ${machine.localName.replace(/\.local$/, '')}`.replaceAll('.', '-')
  while (Buffer.byteLength(text) > 63) text = [...text].slice(0, -1).join('')
  return text
}

function nextRow(row: LanRow, given: Change, settings: LanSettings): LanRow {
  const { names: chosen, allowed } = names.checked(given)
  if (given.Port !== undefined && settings.port !== null && given.Port !== settings.port)
    throw fault('InvalidModel', 'The port was given when the station was started.', [
      { Path: 'Port', Message: 'Start the station without --lan-port and SALLYPORT_LAN_PORT to choose it here.' },
    ])
  return {
    ...row,
    enabled: given.Enabled ?? row.enabled,
    port: given.Port ?? row.port,
    names: chosen ?? row.names,
    allowed: allowed ?? row.allowed,
  }
}

function refuseLockOut(source: string, next: LanRow, machine: Machine): void {
  if (names.admission(next, machine)(source)) return
  const why = next.enabled
    ? `${source}, from where you ask, is in none of the networks that may come then.`
    : `You work over the LAN, from ${source}, and it would be off.`
  throw fault(
    'LanWouldLockYouOut',
    `${why} The station’s own machine may always come. Confirm it to do it all the same.`,
  )
}

const newCaNeeded = (outside: readonly string[]): Fault =>
  fault(
    'LanNewCaNeeded',
    `The CA may not speak for ${outside.join(', ')}. A new one can, with which every host has to pair again.`,
    outside.map((name) => ({ Path: 'Names', Message: name })),
  )

/** One entry with the old and new values; none without a change. */
function changesOf(row: LanRow, next: LanRow): LedgerEntry[] {
  const members = ['enabled', 'port', 'names', 'allowed'] as const
  const changed = members.filter((member) => JSON.stringify(row[member]) !== JSON.stringify(next[member]))
  if (changed.length === 0) return []
  const of = (from: LanRow) => Object.fromEntries(changed.map((member) => [member, from[member]]))
  return [{ action: 'lan.changed', object: LAN_OBJECT, detail: { from: of(row), to: of(next) } }]
}

function unheard(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const at = `${host}:${port}`
  if (error.code === 'EADDRINUSE') return fault('LanPortTaken', connectionReason('portTaken', { address: at }))
  if (error.code === 'EACCES') return fault('LanPortTaken', connectionReason('portOfSystem', { address: at }))
  if (error.code === 'EADDRNOTAVAIL') return fault('LanPortTaken', connectionReason('hostMissing', { host }))
  return error
}

/** SHA-256 of the CA, then of the certificate. */
export function thumbprints(certificates: Pick<Certificates, 'current'>): string[] {
  const held = certificates.current()
  if (held === null) return []
  return [held.authority, held.certificate].map(({ certificate }) => readCertificate(certificate).fingerprint)
}

function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let line: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = line.then(work, work)
    line = mine.catch(() => {})
    return mine
  }
}
