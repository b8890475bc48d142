/** Whether headquarters can be reached and accepts this station: how that is tried, and what is written down of it. */
import { alarmReason } from '../../../shared/messages/alarm-reasons.ts'
import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { HeadquartersAway, type HeadquartersClient, HeadquartersRefusal } from './client.ts'
import * as rows from './forwarding.store.ts'
import { backoffMs } from './rules.ts'

/** Presents the station by its checkpoints. @returns why headquarters refuses it; null when it accepts it */
export type Present = (remote: HeadquartersClient['checkpoints']) => Promise<string | null>

/** What a person is told: whether headquarters answered, and what it said. */
export type Tried = { readonly ok: true } | { readonly ok: false; readonly refused: boolean; readonly problem: string }

interface Deps {
  readonly db: Pick<Database, 'inBackground'>
  readonly ledger: Pick<Ledger, 'append'>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly clock: Clock
  readonly log: Log
}

export const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })

const changeRow = (
  { db }: Pick<Deps, 'db'>,
  row: rows.HeadquartersRow,
  set: Parameters<typeof rows.changeHeadquarters>[2],
): Promise<void> => db.inBackground.transaction((tx) => rows.changeHeadquarters(tx, row.tenant_id, set))

export async function recordReached(deps: Deps, row: rows.HeadquartersRow): Promise<void> {
  if (row.failures > 0) deps.log.info({ headquarters: row.address }, 'headquarters answers again')
  await changeRow(deps, row, { contact_at: deps.clock.now(), problem: null, refused: 0, failures: 0, next_at: 0 })
}

/** Days without a connection are normal: one line of the log when they begin. */
export async function recordAway(deps: Deps, row: rows.HeadquartersRow, problem: string): Promise<void> {
  if (row.failures === 0)
    deps.log.info({ headquarters: row.address, problem }, 'headquarters does not answer; forwarding waits')
  const failures = row.failures + 1
  await changeRow(deps, row, { problem, failures, next_at: deps.clock.now() + backoffMs(failures) })
}

export const recordRefused = (deps: Deps, row: rows.HeadquartersRow, why: string): Promise<void> =>
  deps.db.inBackground.transaction(async (tx) => {
    await rows.changeHeadquarters(tx, row.tenant_id, { problem: why, refused: 1, contact_at: deps.clock.now() })
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
      message: alarmReason('stationRefused', { why }),
    })
  })

/** @returns why headquarters refuses this station; null when it accepts it. @throws HeadquartersAway, HeadquartersRefusal */
export async function presentStation(present: Present, client: HeadquartersClient): Promise<string | null> {
  try {
    return await present(client.checkpoints)
  } catch (error) {
    if (error instanceof HeadquartersAway || error instanceof HeadquartersRefusal) throw error
    throw new HeadquartersAway((error as Error).message, { cause: error })
  }
}

/**
 * Signs in and presents this station.
 * @param open makes the client; what it throws is the problem
 */
export async function tryHeadquarters(
  open: () => HeadquartersClient,
  present: Present,
): Promise<Tried & { readonly client: HeadquartersClient | null }> {
  let client: HeadquartersClient | null = null
  try {
    client = open()
    await client.signIn()
    const why = await presentStation(present, client)
    return why === null ? { ok: true, client } : { ok: false, refused: true, problem: why, client }
  } catch (error) {
    return { ok: false, refused: false, problem: (error as Error).message, client }
  }
}
