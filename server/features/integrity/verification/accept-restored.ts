import { fault } from '../../../../shared/kernel/errors.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Alarms, storedPrincipal } from '../../../kernel/ledger/alarms.ts'
import { lastAlarmOf } from '../../../kernel/ledger/alarms.store.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { toHex } from '../../../kernel/ledger/format.ts'
import { branchesOf, type BranchRow } from '../../../kernel/ledger/known-stations.store.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import {
  forgetRefused,
  insertBranch,
  insertRetiredKey,
  keepReceived,
  type ReceivedRow,
  receivedOf,
  type RefusedRow,
  refusedOf,
} from './copies.store.ts'
import { alarmSubjectOf } from './received.ts'

export interface Head {
  readonly size: number
  readonly root: Uint8Array
}

/** What somebody read before they decided, and why they accept it. */
export interface Acceptance {
  readonly origin: string
  readonly known: Head
  readonly presented: Head
  readonly reason: string
}

/** A station whose checkpoints are kept here, with what was refused last and the branches of its ledger that ended. */
export interface KnownStation {
  readonly received: ReceivedRow
  readonly refused: RefusedRow | null
  readonly ended: readonly BranchRow[]
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly alarms: Pick<Alarms, 'acknowledge'>
  readonly clock: Clock
}

/**
 * Accepts that a station, which was restored from a snapshot, goes on from the head that it presented and that was refused. The known head
 * becomes the end of a branch. From then on a checkpoint has to continue the accepted one.
 * @throws Fault CheckpointNotFound, PresentedHeadChanged, StationKeyDiffers
 */
export function acceptRestored(
  { db, ledger, alarms, clock }: Deps,
  call: Call,
  given: Acceptance,
): Promise<KnownStation> {
  const { origin, reason } = given
  return db.transaction(async (tx) => {
    const { known, presented } = await requireAcceptable(tx, given)
    const branch = (await branchesOf(tx, origin)).length + 1
    const now = isoMillis(clock.now())
    await insertBranch(tx, {
      origin,
      branch,
      size: known.size,
      root: known.root,
      note: known.note,
      received_utc: known.received_utc,
      next_size: presented.size,
      next_root: presented.root,
      next_note: presented.note,
      presented_utc: presented.refused_utc,
      accepted_utc: now,
      accepted_by: JSON.stringify(storedPrincipal(call.actor)),
      reason,
    })
    await keepReceived(tx, {
      ...known,
      principal_id: presented.principal_id,
      public_key: presented.public_key,
      size: presented.size,
      root: presented.root,
      note: presented.note,
      received_utc: now,
    })
    await forgetRefused(tx, origin)
    if (presented.public_key !== known.public_key)
      await insertRetiredKey(tx, { origin, public_key: known.public_key, retired_utc: now })
    await ledger.append(tx, call, {
      action: 'checkpoint.accepted',
      object: { type: 'origin', id: origin, name: '' },
      reason,
      detail: {
        known: { size: known.size, root: base64(known.root), branch, receivedUtc: known.received_utc },
        presented: {
          size: presented.size,
          root: base64(presented.root),
          branch: branch + 1,
          presentedUtc: presented.refused_utc,
          source: presented.source,
          principalId: String(presented.principal_id),
        },
      },
    })
    // Closed, so that the next refusal raises an alarm again.
    const alarm = await lastAlarmOf(tx, 'checkpoint', alarmSubjectOf(origin))
    if (alarm !== undefined && alarm.acknowledged_at === null)
      await alarms.acknowledge(tx, call, String(alarm.alarm_id), reason)
    return requireStation(tx, origin)
  })
}

/** What is known and what was presented, when both are what somebody read. @throws Fault as acceptRestored */
async function requireAcceptable(
  tx: Tx,
  given: Acceptance,
): Promise<{ readonly known: ReceivedRow; readonly presented: RefusedRow }> {
  const { origin } = given
  const known = await receivedOf(tx, origin)
  if (known === undefined) throw fault('CheckpointNotFound', `No checkpoint of ${origin} is kept here.`)
  const presented = await refusedOf(tx, origin)
  if (presented === undefined || !isSame(presented, given.presented))
    throw fault(
      'PresentedHeadChanged',
      'The station did not present this head last. Look again at what it presents now.',
    )
  // It was refused beside another known head, or somebody read an older one.
  if (!isSame(known, given.known) || known.size !== presented.known_size || !sameRoot(known.root, presented.known_root))
    throw fault('PresentedHeadChanged', 'Another head of this station is known by now. Look again.')
  if (presented.same_key !== 1)
    throw fault(
      'StationKeyDiffers',
      'Another key signed this head. A station with another key is not this station, and cannot be accepted as it.',
    )
  return { known, presented }
}

/** @throws Fault CheckpointNotFound */
export async function requireStation(from: Tx, origin: string): Promise<KnownStation> {
  const received = await receivedOf(from, origin)
  if (received === undefined) throw fault('CheckpointNotFound', `No checkpoint of ${origin} is kept here.`)
  return stationOf(from, received)
}

export const stationOf = async (from: Tx, received: ReceivedRow): Promise<KnownStation> => ({
  received,
  refused: (await refusedOf(from, received.origin)) ?? null,
  ended: await branchesOf(from, received.origin),
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const sameRoot = (one: Uint8Array, other: Uint8Array): boolean => toHex(one) === toHex(other)
const isSame = (one: Head, other: Head): boolean => one.size === other.size && sameRoot(one.root, other.root)
