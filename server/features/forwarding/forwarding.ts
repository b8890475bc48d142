/** The rounds of forwarding: finds what the rules name, contacts headquarters inside the windows, sends one item after the other, and clears. */
import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { evidenceObject } from '../../kernel/evidence/objects.ts'
import { evidenceOf } from '../../kernel/evidence/records.store.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Log } from '../../platform/log/log.ts'
import { createPace } from '../../platform/network/outgoing.ts'
import { clearDue, type ClearDeps, removeCleared } from './clearing.ts'
import {
  createHeadquartersClient,
  HeadquartersAway,
  type HeadquartersClient,
  HeadquartersRefusal,
  type TokenProtocol,
} from './client.ts'
import { type Contact, type ForwardDeps, Interrupted, NeedsPerson } from './contact.ts'
import { forwardItem } from './forward.ts'
import * as rows from './forwarding.store.ts'
import { backoffMs, groundOf, isOpen, nextOpening, paceOf, type Rules } from './rules.ts'

export type Present = (remote: HeadquartersClient['checkpoints']) => Promise<string | null>

export interface ForwarderDeps extends ForwardDeps, ClearDeps {
  readonly ledger: ForwardDeps['ledger'] & ClearDeps['ledger']
  readonly store: ForwardDeps['store'] & ClearDeps['store']
  readonly alarms: Pick<Alarms, 'raise'>
  readonly log: Log
  readonly timeZone: string
  readonly tokens: TokenProtocol
  readonly present: Present
  readonly sealer: {
    seal(secret: Uint8Array, about: string): string
    open(sealed: string, about: string): Uint8Array | null
  }
  readonly mayWrite: () => boolean
}

export interface Current {
  readonly evidenceId: number
  readonly name: string
  readonly bytes: number
  sent: number
}

/** What a person is told: whether headquarters answered, and what it said. */
export type Tried = { readonly ok: true } | { readonly ok: false; readonly refused: boolean; readonly problem: string }

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

/** An item is tried so often before a person is asked. */
const MOST_ATTEMPTS = 5
const ITEM_RETRY_MS = 60_000
/** After changes, and in any case since evidence grows older. A sweep takes at most a tenth of the time. */
const SWEEP_AFTER_CHANGES = 1_000
const SWEEP_EVERY = 5 * 60_000
const SWEEP_PART = 10
const CLEAR_EVERY = 60_000
/** Items between two checks of the station's identity in one contact. */
const PRESENT_EVERY = 10 * 60_000
const CANDIDATES = 1000

export const sealedAbout = (tenant: string): string => `headquarters ${tenant}`
const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })

export function createForwarder(deps: ForwarderDeps): Forwarder {
  const { db, clock, log } = deps
  const write = db.inBackground
  const stopping = new AbortController()
  const currents = new Map<string, Current>()
  const paces = new Map<string, (bytes: number) => Promise<void>>()
  const rates = new Map<string, number | null>()
  const clearedAfter = new Map<string, string>()
  let sweptAt = Number.NEGATIVE_INFINITY
  let sweepTook = 0
  let isChanged = true
  db.onRowsChanged(() => {
    isChanged = true
  })
  let clearedAt = Number.NEGATIVE_INFINITY
  let interruption = new AbortController()
  let running: Promise<void> | null = null

  const paceFor = (tenant: string): ((bytes: number) => Promise<void>) => {
    let pace = paces.get(tenant)
    if (pace === undefined) {
      pace = createPace(() => rates.get(tenant) ?? null, clock.monotonic)
      paces.set(tenant, pace)
    }
    return pace
  }
  const rulesOf = (row: rows.HeadquartersRow): Rules => JSON.parse(row.rules) as Rules
  const fileOf = (row: rows.HeadquartersRow): unknown => {
    const secret = deps.sealer.open(row.sealed, sealedAbout(row.tenant_id))
    if (secret === null) throw new Error('Its connection file cannot be opened by the keys of now. Import it again.')
    return JSON.parse(Buffer.from(secret).toString('utf8'))
  }
  const clientOf = (file: unknown, tenant: string, signal: AbortSignal): HeadquartersClient =>
    createHeadquartersClient(file, { tokens: deps.tokens, now: clock.now, pace: paceFor(tenant), signal })
  const change = (tenant: string, set: Parameters<typeof rows.changeHeadquarters>[2]): Promise<void> =>
    write.transaction((tx) => rows.changeHeadquarters(tx, tenant, set))

  const reached = async (row: rows.HeadquartersRow): Promise<void> => {
    if (row.failures > 0) log.info({ headquarters: row.address }, 'headquarters answers again')
    await change(row.tenant_id, { contact_at: clock.now(), problem: null, refused: 0, failures: 0, next_at: 0 })
  }
  /** Days without a connection are normal: one line of the log when they begin. */
  const away = async (row: rows.HeadquartersRow, problem: string): Promise<void> => {
    if (row.failures === 0)
      log.info({ headquarters: row.address, problem }, 'headquarters does not answer; forwarding waits')
    const failures = row.failures + 1
    await change(row.tenant_id, { problem, failures, next_at: clock.now() + backoffMs(failures) })
  }
  const refused = async (row: rows.HeadquartersRow, why: string): Promise<void> =>
    write.transaction(async (tx) => {
      await rows.changeHeadquarters(tx, row.tenant_id, { problem: why, refused: 1, contact_at: clock.now() })
      const call = ownCall()
      await deps.ledger.append(tx, call, {
        action: 'headquarters.refusedStation',
        object: { type: 'headquarters', id: row.tenant_id, name: row.address },
        outcome: 'failed',
        reason: why,
      })
      await deps.alarms.raise(tx, call, {
        kind: 'forwarding',
        subject: row.address,
        message: `Headquarters refuses this station. ${why} Nothing is forwarded until it accepts it.`,
      })
    })

  /** @returns why headquarters refuses this station; null when it accepts it. @throws HeadquartersAway */
  const present = async (client: HeadquartersClient): Promise<string | null> => {
    try {
      return await deps.present(client.checkpoints)
    } catch (error) {
      if (error instanceof HeadquartersAway || error instanceof HeadquartersRefusal) throw error
      throw new HeadquartersAway((error as Error).message, { cause: error })
    }
  }
  const tryFile = async (file: unknown, tenant: string): Promise<Tried & { client: HeadquartersClient | null }> => {
    let client: HeadquartersClient
    try {
      client = clientOf(file, tenant, stopping.signal)
    } catch (error) {
      return { ok: false, refused: false, problem: (error as Error).message, client: null }
    }
    try {
      await client.signIn()
      const why = await present(client)
      return why === null ? { ok: true, client } : { ok: false, refused: true, problem: why, client }
    } catch (error) {
      return { ok: false, refused: false, problem: (error as Error).message, client }
    }
  }

  // What waits

  /** Puts into the queue what the rules name, and what changed since it was forwarded. */
  const sweep = async (row: rows.HeadquartersRow): Promise<void> => {
    const { tenant_id: tenant } = row
    const rules = rulesOf(row)
    const now = clock.now()
    const named = rules.Everything || rules.CategoryIds.length > 0 || rules.InCase || rules.AfterDays !== null
    for (let after = 0, more = named; more && !stopping.signal.aborted; ) {
      const page = await db.longRead(rows.candidatesAfter(db.read, tenant, after, CANDIDATES))
      after = page.at(-1)?.evidence_id ?? 0
      more = page.length === CANDIDATES
      const found = page.flatMap((one) => {
        const createdAt = Date.parse(one.created_utc)
        const ground = groundOf(rules, { categoryId: one.category_id, inCase: one.in_case === 1, createdAt }, now)
        return ground === null ? [] : [{ ...one, createdAt, ground }]
      })
      if (found.length === 0) continue
      await write.transaction(async (tx) => {
        for (const one of found)
          await rows.insertItem(tx, {
            evidence_id: one.evidence_id,
            tenant_id: tenant,
            state: 'waiting',
            ground: one.ground,
            created_at: one.createdAt,
            bytes: one.bytes,
            queued_at: now,
          })
      })
    }
    const changed = await db.longRead(rows.changedSince(db.read, tenant, CANDIDATES))
    if (changed.length > 0)
      await write.transaction(async (tx) => {
        for (const { evidence_id: id, bytes } of changed)
          await rows.changeItem(tx, id, {
            state: 'waiting',
            ground: 'changed',
            bytes,
            queued_at: now,
            next_at: 0,
            attempts: 0,
          })
      })
  }

  // Sending

  const failItem = async (item: rows.ItemRow, call: Call, error: Error, isFinal: boolean): Promise<void> => {
    const attempts = item.attempts + 1
    const failed = isFinal || attempts >= MOST_ATTEMPTS
    await write.transaction(async (tx) => {
      await rows.changeItem(tx, item.evidence_id, {
        state: failed ? 'failed' : 'waiting',
        attempts,
        problem: error.message,
        next_at: clock.now() + ITEM_RETRY_MS * attempts,
      })
      if (failed)
        await deps.ledger.append(tx, call, {
          action: 'forwarding.failed',
          object: evidenceObject(await evidenceOf(tx, item.evidence_id)),
          outcome: 'failed',
          reason: error.message,
        })
    })
  }

  /** Measured over files, not over pauses between them. */
  const measure = (tenant: string) => {
    let bytes = 0
    let began = clock.monotonic()
    return {
      start: (): void => {
        began = clock.monotonic()
        bytes = 0
      },
      add: (sent: number): void => {
        bytes += sent
        const current = currents.get(tenant)
        if (current !== undefined) current.sent += sent
      },
      keep: async (before: number | null): Promise<number | null> => {
        const took = clock.monotonic() - began
        if (bytes < 64 * 1024 || took < 1) return before
        const now = (bytes / took) * 1000
        const kept = before === null ? now : before * 0.7 + now * 0.3
        await change(tenant, { bytes_per_second: kept })
        return kept
      },
    }
  }

  const contact = async (row: rows.HeadquartersRow): Promise<void> => {
    const { tenant_id: tenant } = row
    const rules = rulesOf(row)
    rates.set(tenant, paceOf(rules))
    const signal = AbortSignal.any([stopping.signal, interruption.signal])
    const next = () => rows.nextItem(db.read, tenant, clock.now(), rules.Order)
    let item = await next()
    if (item === undefined) return
    const client = clientOf(fileOf(row), tenant, signal)
    const call = ownCall()
    const measured = measure(tenant)
    let pace = row.bytes_per_second
    let presentedAt = Number.NEGATIVE_INFINITY
    let categories: Contact['categories'] = []
    for (; item !== undefined && !signal.aborted && deps.mayWrite(); item = await next()) {
      if (!isOpen(rules.Windows, clock.now(), deps.timeZone)) return
      if (clock.monotonic() - presentedAt > PRESENT_EVERY) {
        const why = await present(client)
        if (why !== null) return refused(row, why)
        await reached(row)
        categories = await client.categories()
        presentedAt = clock.monotonic()
      }
      const evidence = await evidenceOf(db.read, item.evidence_id)
      currents.set(tenant, { evidenceId: item.evidence_id, name: evidence.name, bytes: item.bytes, sent: 0 })
      measured.start()
      try {
        await forwardItem(
          deps,
          {
            tenant,
            rules,
            client,
            categories,
            call,
            onSent: measured.add,
            goOn: () => {
              if (signal.aborted || !deps.mayWrite()) throw new Interrupted('Forwarding pauses.')
              if (!isOpen(rules.Windows, clock.now(), deps.timeZone)) throw new Interrupted('The window is closed.')
            },
          },
          item.evidence_id,
        )
        pace = await measured.keep(pace)
      } catch (error) {
        if (error instanceof Interrupted || signal.aborted) return
        if (error instanceof HeadquartersAway) throw error
        if (error instanceof HeadquartersRefusal && error.code === 'TokenRefused') throw error
        log.warn({ err: error, evidence: item.evidence_id }, 'an evidence could not be forwarded')
        await failItem(item, call, error as Error, error instanceof NeedsPerson)
      } finally {
        currents.delete(tenant)
      }
    }
  }

  const clear = async (row: rows.HeadquartersRow): Promise<void> => {
    const rules = rulesOf(row)
    if (rules.ClearAfterDays === null) return
    const { tenant_id: tenant } = row
    const client = clientOf(fileOf(row), tenant, stopping.signal)
    const isStillThere = async (receipts: readonly rows.ReceiptRow[]): Promise<boolean> => {
      for (const receipt of receipts) {
        if (receipt.address !== client.origin) return false
        try {
          const found = await client.readResource(receipt.remote_evidence_id, receipt.remote_resource_id)
          if (found.State !== 'UserCompleted' || found.Sha256 !== receipt.sha256) return false
        } catch (error) {
          // Not found, deleted or not readable there: then it stays here.
          if (error instanceof HeadquartersRefusal) return false
          throw error
        }
      }
      return receipts.length > 0
    }
    const after = await clearDue(deps, ownCall(), rules, { after: clearedAfter.get(tenant) ?? '', isStillThere })
    clearedAfter.set(tenant, after)
  }

  const round = async (): Promise<void> => {
    await removeCleared(deps)
    const all = await rows.allHeadquarters(db.read)
    if (all.length === 0) return
    const waited = clock.monotonic() - sweptAt
    const isSweepDue =
      waited >= SWEEP_EVERY || (isChanged && waited >= Math.max(SWEEP_AFTER_CHANGES, SWEEP_PART * sweepTook))
    if (isSweepDue) {
      isChanged = false
      const began = clock.monotonic()
      for (const row of all) await sweep(row)
      sweptAt = clock.monotonic()
      sweepTook = sweptAt - began
    }
    const isClearDue = clock.monotonic() - clearedAt >= CLEAR_EVERY
    if (isClearDue) clearedAt = clock.monotonic()
    for (const given of all) {
      if (stopping.signal.aborted || !deps.mayWrite()) return
      const rules = rulesOf(given)
      if (rules.Paused || given.refused === 1 || given.next_at > clock.now()) continue
      if (!isOpen(rules.Windows, clock.now(), deps.timeZone)) continue
      const row = (await rows.headquartersOf(db.read, given.tenant_id)) ?? given
      try {
        await contact(row)
        if (isClearDue) await clear(row)
      } catch (error) {
        if (stopping.signal.aborted || interruption.signal.aborted) continue
        const now = (await rows.headquartersOf(db.read, given.tenant_id)) ?? row
        await away(now, (error as Error).message)
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
    try: (file) => tryFile(file, ''),
    tryNow: async (tenant) => {
      const row = (await rows.headquartersOf(db.read, tenant)) as rows.HeadquartersRow
      let tried: Tried
      try {
        tried = await tryFile(fileOf(row), tenant)
      } catch (error) {
        tried = { ok: false, refused: false, problem: (error as Error).message }
      }
      if (tried.ok) await reached(row)
      else if (tried.refused) await refused(row, tried.problem)
      else await away(row, tried.problem)
      return tried
    },
    clientFor: async (tenant, address, signal) => {
      const row = await rows.headquartersOf(db.read, tenant)
      if (row === undefined || row.address !== address) return null
      return clientOf(fileOf(row), tenant, signal)
    },
    interrupt: () => {
      sweptAt = Number.NEGATIVE_INFINITY
      clearedAt = Number.NEGATIVE_INFINITY
      isChanged = true
      interruption.abort(new Error('The rules changed'))
    },
  }
}

/** When forwarding goes on by itself. */
export const nextWindow = (rules: Rules, now: number, zone: string): number | null =>
  nextOpening(rules.Windows, now, zone)
