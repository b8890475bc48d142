/** The connection to headquarters, its rules, and what waits. */
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type * as contract from '../../../shared/forwarding/contract.ts'
import { ForwardingRules } from '../../../shared/forwarding/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Database } from '../../kernel/database/database.ts'
import { sampleData } from '../../kernel/sample-data.ts'
import { storedPrincipal } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import { nextWindow, sealedAbout } from './forwarding.ts'
import * as rows from './forwarding.store.ts'
import { estimateEnd, isOpen, paceOf, type Rules } from './rules.ts'

export type HeadquartersOut = z.input<typeof contract.HeadquartersModel>

const NO_RULES: Rules = ForwardingRules.parse({})
const objectOf = (tenant: string, address: string) => ({ type: 'headquarters', id: tenant, name: address })

/** @throws Fault HeadquartersNotSet */
export async function requireHeadquarters(from: Database['read'], tenant: string): Promise<rows.HeadquartersRow> {
  const row = await rows.headquartersOf(from, tenant)
  if (row === undefined)
    throw fault('HeadquartersNotSet', 'No headquarters is set. An administrator imports its connection file first.')
  return row
}

async function backlogOf(
  { db, clock, forwarder, timeZone }: ForwardingDeps,
  tenant: string,
  row: rows.HeadquartersRow | undefined,
  rules: Rules,
): Promise<HeadquartersOut['Backlog']> {
  const now = clock.now()
  const byState = new Map((await rows.backlogOf(db.read, tenant)).map((one) => [one.state, one]))
  const current = forwarder.current(tenant)
  const waiting = byState.get('waiting')
  const bytes = Math.max(0, (waiting?.bytes ?? 0) - (current?.sent ?? 0))
  const measured = row?.bytes_per_second ?? null
  const limit = paceOf(rules)
  const pace = measured === null ? limit : limit === null ? measured : Math.min(measured, limit)
  const end = estimateEnd(bytes, pace, rules.Windows, now, timeZone)
  const opening = nextWindow(rules, now, timeZone)
  return {
    Waiting: waiting?.items ?? 0,
    WaitingBytes: bytes,
    Failed: byState.get('failed')?.items ?? 0,
    Done: byState.get('done')?.items ?? 0,
    Questions: await rows.countQuestions(db.read, tenant),
    BytesPerSecond: pace,
    DoneTimeUtc: waiting === undefined || rules.Paused || end === null ? null : isoMillis(end),
    NextWindowUtc: opening === null ? null : isoMillis(opening),
    Current:
      current === null
        ? null
        : {
            EvidenceId: String(current.evidenceId),
            Name: current.name,
            Bytes: current.bytes,
            SentBytes: Math.min(current.sent, current.bytes),
          },
  }
}

function stateOf(
  { clock, timeZone }: ForwardingDeps,
  row: rows.HeadquartersRow | undefined,
  rules: Rules,
): HeadquartersOut['State'] {
  if (row === undefined) return 'none'
  if (row.refused === 1) return 'refused'
  if (rules.Paused) return 'paused'
  if (row.failures > 0) return 'away'
  return isOpen(rules.Windows, clock.now(), timeZone) ? 'ready' : 'window'
}

export async function readHeadquarters(deps: ForwardingDeps, tenant: string): Promise<HeadquartersOut> {
  const { db } = deps
  const row = await rows.headquartersOf(db.read, tenant)
  const rules = row === undefined ? NO_RULES : ForwardingRules.parse(JSON.parse(row.rules))
  const cleared = await rows.clearedTotals(db.read)
  return {
    State: stateOf(deps, row, rules),
    Address: row?.address ?? null,
    ClientId: row?.client_id ?? null,
    ImportedTimeUtc: row?.imported_utc ?? null,
    Rules: rules,
    LastContactUtc: row?.contact_at == null ? null : isoMillis(row.contact_at),
    Problem: row?.problem ?? null,
    NextTryUtc: row === undefined || row.failures === 0 ? null : isoMillis(row.next_at),
    Station: {
      Origin: deps.origin,
      Fingerprint: createHash('sha256').update(deps.signer().publicKey).digest('hex'),
      TimeZone: deps.timeZone,
    },
    Backlog: await backlogOf(deps, tenant, row, rules),
    Cleared: { Blobs: cleared.blobs, Bytes: cleared.bytes },
  }
}

/** @throws Fault HeadquartersUnusable, HeadquartersRefused */
export async function importHeadquarters(
  deps: ForwardingDeps,
  call: Call,
  tenant: string,
  file: unknown,
): Promise<HeadquartersOut> {
  const { db, ledger, clock, forwarder } = deps
  const tried = await forwarder.try(file)
  if (!tried.ok) throw fault(tried.refused ? 'HeadquartersRefused' : 'HeadquartersUnusable', tried.problem)
  const client = tried.client
  if (client === null) throw fault('HeadquartersUnusable', 'The connection file cannot be used.')
  await db.transaction(async (tx) => {
    if ((await sampleData(tx)) !== null)
      throw fault(
        'HeadquartersUnusable',
        'This station holds sample data, which no headquarters shall get. Remove the sample data first, then import the connection file again.',
      )
    const before = await rows.headquartersOf(tx, tenant)
    const isAnother = before !== undefined && before.address !== client.origin
    if (isAnother && (await rows.backlogOf(tx, tenant)).some(({ state }) => state === 'waiting'))
      throw fault(
        'HeadquartersUnusable',
        'Evidence is on its way to another headquarters. Wait until nothing waits, or remove that connection first.',
      )
    if (isAnother) await rows.forgetItems(tx, tenant)
    await rows.putHeadquarters(tx, {
      tenant_id: tenant,
      address: client.origin,
      client_id: client.clientId,
      sealed: deps.sealer.seal(Buffer.from(JSON.stringify(file)), sealedAbout(tenant)),
      rules: before?.rules ?? JSON.stringify(NO_RULES),
      imported_utc: isoMillis(clock.now()),
      imported_by: JSON.stringify(storedPrincipal(call.actor)),
      contact_at: clock.now(),
      problem: null,
      bytes_per_second: isAnother ? null : (before?.bytes_per_second ?? null),
    })
    await ledger.append(tx, call, {
      action: 'headquarters.imported',
      object: objectOf(tenant, client.origin),
      detail: { clientId: client.clientId, tenant: client.tenantId },
    })
  })
  forwarder.interrupt()
  return readHeadquarters(deps, tenant)
}

/** @throws Fault HeadquartersNotSet, HeadquartersNeeded */
export async function removeHeadquarters(deps: ForwardingDeps, call: Call, tenant: string): Promise<void> {
  const { db, ledger, forwarder } = deps
  await db.transaction(async (tx) => {
    const row = await requireHeadquarters(tx, tenant)
    const cleared = await rows.clearedTotals(tx)
    if (cleared.blobs > 0)
      throw fault(
        'HeadquartersNeeded',
        `The bytes of ${cleared.blobs} originals are at headquarters only. Fetch them back first.`,
      )
    await rows.forgetItems(tx, tenant)
    await rows.deleteHeadquarters(tx, tenant)
    await ledger.append(tx, call, { action: 'headquarters.removed', object: objectOf(tenant, row.address) })
  })
  forwarder.interrupt()
}

/** @throws Fault HeadquartersNotSet */
export async function setRules(
  deps: ForwardingDeps,
  call: Call,
  tenant: string,
  given: Rules,
): Promise<HeadquartersOut> {
  const { db, ledger, forwarder } = deps
  await db.transaction(async (tx) => {
    const row = await requireHeadquarters(tx, tenant)
    await rows.changeHeadquarters(tx, tenant, { rules: JSON.stringify(given) })
    await ledger.append(tx, call, {
      action: 'headquarters.rulesChanged',
      object: objectOf(tenant, row.address),
      detail: { ...given },
    })
  })
  forwarder.interrupt()
  return readHeadquarters(deps, tenant)
}

/** @throws Fault HeadquartersNotSet */
export async function testHeadquarters(deps: ForwardingDeps, call: Call, tenant: string): Promise<HeadquartersOut> {
  const { db, ledger, forwarder } = deps
  const row = await requireHeadquarters(db.read, tenant)
  const tried = await forwarder.tryNow(tenant)
  await db.transaction((tx) =>
    ledger.append(tx, call, {
      action: 'headquarters.tested',
      object: objectOf(tenant, row.address),
      outcome: tried.ok ? 'ok' : 'failed',
      ...(tried.ok ? {} : { reason: tried.problem }),
    }),
  )
  return readHeadquarters(deps, tenant)
}
