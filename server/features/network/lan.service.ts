/** The station on its network (decisions 10): on and off, allowed addresses, certificates, and connected hosts. */
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

export function createLan(deps: LanDeps): Lan {
  const { db, ledger, clock, log, certificates, listener, announcer, settings } = deps
  let row = NOTHING
  let machine = deps.machine()
  let admitted = names.admission(row, machine)
  let problem: string | null = null
  let asked = settings.wanted
  let closed = false
  const inTurn = oneAfterTheOther()

  const portOf = (choice: LanChoice): number => settings.port ?? choice.port ?? STANDARD_PORT
  const namesOf = (choice: LanChoice): string[] => names.namesOf(choice, settings, machine)
  const take = (next: LanRow): void => {
    row = next
    admitted = names.admission(row, machine)
  }
  /** Change and entries, those on keys that the ledger does not know of included, in one transaction. */
  const commit = async (call: Call, next: LanRow, entries: readonly LedgerEntry[], why: Why): Promise<void> => {
    const recorded = untold(next, certificates.current(), why, clock.now())
    if (entries.length + recorded.entries.length === 0) return
    await db.transaction(async (tx) => {
      await updateLan(tx, recorded.row)
      for (const entry of [...entries, ...recorded.entries]) await ledger.append(tx, call, entry)
    })
    take(recorded.row)
  }
  /** @returns the certificate in force, and why it is a new one */
  const certified = async (choice: LanChoice, newCa = false): Promise<{ credential: Credential; why: Why | null }> => {
    const why = newCa ? 'newCa' : certificates.needed(namesOf(choice))
    const held = certificates.current()
    if (why === null && held !== null) return { credential: held.certificate, why }
    const reach = names.reachOf(choice, settings, machine)
    const { certificate } = await certificates.make(namesOf(choice), reach, newCa)
    return { credential: certificate, why }
  }
  const announce = (): Promise<void> => {
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
  const listen = async (choice: LanChoice, credential: Credential) => {
    try {
      return await listener.prepare({ host: settings.host, port: portOf(choice) }, credential)
    } catch (error) {
      throw unheard(error as NodeJS.ErrnoException, settings.host, portOf(choice))
    }
  }
  /** What was chosen comes into force; what is in force was chosen. */
  const change = async (call: Call, next: LanRow, entries: readonly LedgerEntry[], newCa: boolean): Promise<void> => {
    if (!next.enabled) {
      await commit(call, next, entries, 'asked')
      await announcer.stop()
      problem = null
      // Running requests may finish, including the answer to this one.
      void listener.close(DRAIN)
      return
    }
    const { credential, why } = await certified(next, newCa)
    const moved = listener.port() === null || portOf(next) !== portOf(row)
    const endpoint = moved ? await listen(next, credential) : null
    try {
      await commit(call, next, entries, why ?? 'asked')
    } catch (error) {
      await endpoint?.discard()
      throw error
    }
    if (endpoint === null) listener.setCertificate(credential)
    else endpoint.use()
    problem = null
    listener.disconnectForbidden()
    await announce()
  }
  const requireWrites = (): void => {
    if (!deps.mayWrite()) throw new Fault('ReadOnly', 'The station takes no changes at the moment.', { retryAfter: 30 })
  }
  const requireOn = (): void => {
    if (!row.enabled) throw fault('LanOff', 'The LAN is off. Turn it on first.')
  }
  /** Logged once; the attempt is repeated. */
  const failed = (error: Error): void => {
    if (problem !== error.message) log.warn({ err: error }, 'the LAN is to be on, and nobody hears the station there')
    problem = error.message
  }
  /** A listener that was on when the station stopped, or whose port was taken. */
  const open = async (): Promise<void> => {
    try {
      const { credential, why } = await certified(row)
      const endpoint = await listen(row, credential)
      await commit(ownCall(), row, [], why === 'first' && row.authority !== null ? 'lost' : (why ?? 'asked')).catch(
        async (error: unknown) => {
          await endpoint.discard()
          throw error
        },
      )
      endpoint.use()
      problem = null
    } catch (error) {
      failed(error as Error)
    }
  }
  /** `--lan`: applied once for each start, so that turning the LAN off later is respected. */
  const turnOnAsAsked = async (): Promise<void> => {
    if (!row.enabled) {
      if (!deps.mayWrite() || !(await deps.hasAdministrator())) return
      const next = { ...row, enabled: true }
      try {
        await change(ownCall(), next, changesOf(row, next), false)
      } catch (error) {
        failed(error as Error)
        return
      }
    }
    asked = false
  }
  const renewWhenDue = async (): Promise<void> => {
    if (certificates.needed(namesOf(row)) === null) return
    const { credential, why } = await certified(row)
    await commit(ownCall(), row, [], why ?? 'asked')
    listener.setCertificate(credential)
    log.info({ why }, 'the certificate of the LAN was made anew')
  }

  return {
    start: () =>
      inTurn(async () => {
        take(await lanRow(db.read))
        if (row.enabled) await open()
        if (listener.port() !== null) await announce()
      }),
    state: () => ({ row, problem, machine, port: listener.port() ?? portOf(row) }),
    change: (call, given) =>
      inTurn(async () => {
        requireWrites()
        machine = deps.machine()
        const next = nextRow(row, given, settings)
        if (given.LockMeOut !== true) refuseLockOut(call.source, next, machine)
        const outside = certificates.outside(next.names.filter((name) => !row.names.includes(name)))
        const newCa = next.enabled && outside.length > 0
        if (newCa && given.NewCa !== true) throw newCaNeeded(outside)
        const entries = changesOf(row, next)
        await change(call, next, entries, newCa)
      }),
    renew: (call) =>
      inTurn(async () => {
        requireWrites()
        requireOn()
        const reach = names.reachOf(row, settings, machine)
        const { certificate } = await certificates.make(namesOf(row), reach, false)
        await commit(call, row, [], 'asked')
        listener.setCertificate(certificate)
      }),
    replaceCa: (call, fingerprint) =>
      inTurn(async () => {
        requireWrites()
        requireOn()
        if (fingerprint.toLowerCase() !== row.authority)
          throw fault('LanCaNotCurrent', 'This is not the fingerprint of the CA that the station has. Read it again.')
        await change(call, row, [], true)
      }),
    disconnect: async (call, address) => {
      requireWrites()
      if (!listener.hosts().some((host) => host.address === address))
        throw fault('LanHostNotFound', 'This host is not connected any more.')
      await db.transaction(async (tx) => {
        await ledger.append(tx, call, { action: 'lan.disconnected', object: LAN_OBJECT, detail: { address } })
      })
      return listener.disconnect(address)
    },
    mayCome: (address) => admitted(address),
    origins: () => {
      const port = listener.port()
      return port === null ? [] : namesOf(row).map((name) => names.originOf(name, port))
    },
    tick: () =>
      inTurn(async () => {
        if (closed) return
        machine = deps.machine()
        admitted = names.admission(row, machine)
        if (asked) await turnOnAsAsked()
        if (!row.enabled) return
        if (listener.port() === null) await open()
        else if (deps.mayWrite()) await renewWhenDue()
        await announce()
      }),
    close: (millis) => {
      closed = true
      return inTurn(async () => {
        await announcer.stop()
        return listener.close(millis)
      })
    },
  }
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
  if (error.code === 'EADDRINUSE')
    return fault('LanPortTaken', `Another program listens at ${at}. Choose another port, or end that program.`)
  if (error.code === 'EACCES')
    return fault(
      'LanPortTaken',
      `The station may not listen at ${at}: ports below 1024 belong to the system. Choose another.`,
    )
  if (error.code === 'EADDRNOTAVAIL')
    return fault('LanPortTaken', `This machine does not have the address ${host}, which SALLYPORT_LAN_HOST names.`)
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
