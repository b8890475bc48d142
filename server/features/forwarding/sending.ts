/** One contact with headquarters: sends the items that wait, one after the other, while a window is open. */
import { evidenceObject } from '../../kernel/evidence/objects.ts'
import { evidenceOf } from '../../kernel/evidence/records.store.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Log } from '../../platform/log/log.ts'
import { HeadquartersAway, type HeadquartersClient, HeadquartersRefusal } from './client.ts'
import { type Contact, type ForwardDeps, Interrupted, NeedsPerson } from './contact.ts'
import { forwardItem } from './forward.ts'
import * as rows from './forwarding.store.ts'
import { ownCall, type Present, presentStation, recordReached, recordRefused } from './reachability.ts'
import { isOpen, type Rules } from './rules.ts'

export interface SendDeps extends ForwardDeps {
  readonly log: Log
  readonly timeZone: string
  readonly present: Present
  readonly mayWrite: () => boolean
}

/** The item that is sent now. */
export interface Current {
  readonly evidenceId: number
  readonly name: string
  readonly bytes: number
  sent: number
}

interface Contacted {
  readonly row: rows.HeadquartersRow
  readonly rules: Rules
  /** Opens the client; called when an item waits. */
  readonly open: () => HeadquartersClient
  readonly signal: AbortSignal
  /** What is sent now, by tenant. */
  readonly currents: Map<string, Current>
}

/** An item is tried so often before a person is asked. */
const MOST_ATTEMPTS = 5
const ITEM_RETRY_MS = 60_000
/** Milliseconds between two checks of the station's identity in one contact. */
const PRESENT_EVERY = 10 * 60_000
/** Fewer bytes tell nothing of the pace. */
const FEWEST_MEASURED = 64 * 1024

/** What becomes of an item that could not be sent. @param isFinal trying again does not help */
export function itemAfterFailure(item: rows.ItemRow, problem: string, isFinal: boolean, now: number) {
  const attempts = item.attempts + 1
  const state: 'failed' | 'waiting' = isFinal || attempts >= MOST_ATTEMPTS ? 'failed' : 'waiting'
  return { state, attempts, problem, next_at: now + ITEM_RETRY_MS * attempts }
}

/** Bytes a second, smoothed. @param took milliseconds @returns the pace of before when this was too little to tell */
export function paceAfter(before: number | null, bytes: number, took: number): number | null {
  if (bytes < FEWEST_MEASURED || took < 1) return before
  const now = (bytes / took) * 1000
  return before === null ? now : before * 0.7 + now * 0.3
}

/** Errors that end the contact; every other one is the item's. */
const endsContact = (error: unknown): boolean =>
  error instanceof HeadquartersAway || (error instanceof HeadquartersRefusal && error.code === 'TokenRefused')

/** @throws HeadquartersAway, HeadquartersRefusal */
export async function sendWaiting(deps: SendDeps, contacted: Contacted): Promise<void> {
  const { db, clock, mayWrite } = deps
  const { row, rules, signal, currents } = contacted
  const tenant = row.tenant_id
  const next = () => rows.nextItem(db.read, tenant, clock.now(), rules.Order)
  let item = await next()
  if (item === undefined) return
  const client = contacted.open()
  const call = ownCall()
  let pace = row.bytes_per_second
  let presentedAt = Number.NEGATIVE_INFINITY
  let categories: Contact['categories'] = []
  for (; item !== undefined && !signal.aborted && mayWrite(); item = await next()) {
    if (!isOpen(rules.Windows, clock.now(), deps.timeZone)) return
    if (clock.monotonic() - presentedAt > PRESENT_EVERY) {
      const why = await presentStation(deps.present, client)
      if (why !== null) return recordRefused(deps, row, why)
      await recordReached(deps, row)
      categories = await client.categories()
      presentedAt = clock.monotonic()
    }
    const { name } = await evidenceOf(db.read, item.evidence_id)
    const current: Current = { evidenceId: item.evidence_id, name, bytes: item.bytes, sent: 0 }
    currents.set(tenant, current)
    try {
      pace = await sendItem(deps, { tenant, rules, client, categories, call }, { current, pace, signal })
    } catch (error) {
      if (error instanceof Interrupted || signal.aborted) return
      if (endsContact(error)) throw error
      deps.log.warn({ err: error, evidence: item.evidence_id }, 'an evidence could not be forwarded')
      await recordFailure(deps, item, call, error as Error)
    } finally {
      currents.delete(tenant)
    }
  }
}

/** @returns the pace as it is known afterwards: measured over files, not over pauses between them */
async function sendItem(
  deps: SendDeps,
  contact: Omit<Contact, 'onSent' | 'goOn'>,
  { current, pace, signal }: { readonly current: Current; readonly pace: number | null; readonly signal: AbortSignal },
): Promise<number | null> {
  const { db, clock } = deps
  const began = clock.monotonic()
  const onSent = (bytes: number): void => {
    current.sent += bytes
  }
  const goOn = (): void => {
    if (signal.aborted || !deps.mayWrite()) throw new Interrupted('Forwarding pauses.')
    if (!isOpen(contact.rules.Windows, clock.now(), deps.timeZone)) throw new Interrupted('The window is closed.')
  }
  await forwardItem(deps, { ...contact, onSent, goOn }, current.evidenceId)
  const measured = paceAfter(pace, current.sent, clock.monotonic() - began)
  if (measured !== pace)
    await db.inBackground.transaction((tx) =>
      rows.changeHeadquarters(tx, contact.tenant, { bytes_per_second: measured }),
    )
  return measured
}

async function recordFailure(deps: SendDeps, item: rows.ItemRow, call: Call, error: Error): Promise<void> {
  const after = itemAfterFailure(item, error.message, error instanceof NeedsPerson, deps.clock.now())
  await deps.db.inBackground.transaction(async (tx) => {
    await rows.changeItem(tx, item.evidence_id, after)
    if (after.state === 'failed')
      await deps.ledger.append(tx, call, {
        action: 'forwarding.failed',
        object: evidenceObject(await evidenceOf(tx, item.evidence_id)),
        outcome: 'failed',
        reason: error.message,
      })
  })
}
