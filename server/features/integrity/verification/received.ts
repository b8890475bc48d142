import { alarmReason } from '../../../../shared/messages/alarm-reasons.ts'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Alarms } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import {
  forgetRefused,
  insertRetiredKey,
  isRetiredKey,
  keepReceived,
  keepRefused,
  markRefused,
  type ReceivedRow,
  receivedOf,
} from './copies.store.ts'
import { toHex } from '../../../kernel/ledger/format.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { verifyConsistency } from '../../../kernel/ledger/merkle.ts'
import { type Cosignature, cosign } from '../../../kernel/ledger/cosignature.ts'
import { BadNote, openCheckpoint, type Signer } from '../../../kernel/ledger/signed-note.ts'
import { readRotation } from '../../../kernel/ledger/key-rotation.ts'

export interface GivenCheckpoint {
  readonly note: string
  /** Raw Ed25519 key that signed it, in base64. */
  readonly publicKey: string
  /** Statements as `rotation.ts` reads them, oldest first. */
  readonly rotations: readonly unknown[]
  /** Consistency proof (RFC 6962 2.1.2) between the stored checkpoint and this one, from the smaller to the larger, in base64. */
  readonly proof: readonly string[]
}

/** A checkpoint that was accepted, with our co-signature of it (docs/decisions/0038). */
export interface Accepted {
  /** The checkpoint that is kept of the station now. */
  readonly row: ReceivedRow
  readonly cosignature: Cosignature
}

/**
 * Checkpoints of other stations (promise I4). For each origin the last one is stored, with the key of the first one. A checkpoint that does
 * not continue the stored one is refused, with an alarm.
 */
export interface Received {
  /** @throws Fault InvalidModel, CheckpointRefused */
  receive(call: Call, given: GivenCheckpoint): Promise<Accepted>
  /**
   * Co-signs a checkpoint that the kept one continues; the kept one stays. One that is not older is received.
   * @throws Fault as `receive`
   */
  cosignOlder(call: Call, given: GivenCheckpoint): Promise<Accepted>
  /** @throws Fault CheckpointNotFound */
  last(origin: string): Promise<ReceivedRow>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly clock: Clock
  /** Of this station: the name and the key of its co-signatures. */
  readonly origin: string
  readonly signer: () => Signer
}

export function createReceived(deps: Deps): Received {
  const { db, ledger, clock } = deps
  const cosignatureOf = ({ note }: GivenCheckpoint): Cosignature =>
    cosign(note, { name: deps.origin, time: Math.floor(clock.now() / 1000) }, deps.signer())
  const receive = async (call: Call, given: GivenCheckpoint): Promise<Accepted> => {
    const signed = opened(given)
    const done = await db.transaction(async (tx): Promise<ReceivedRow | Fault> => {
      const before = await receivedOf(tx, signed.origin)
      const wrong = before === undefined ? null : refusalOf(before, signed, given)
      if (before !== undefined && wrong !== null) return refuse(deps, tx, call, { before, signed, given, why: wrong })
      const now = isoMillis(clock.now())
      const row: ReceivedRow = {
        origin: signed.origin,
        principal_id: Number(call.actor.id),
        public_key: given.publicKey,
        size: signed.size,
        root: signed.root,
        note: given.note,
        first_utc: before?.first_utc ?? now,
        received_utc: now,
        refused_utc: before?.refused_utc ?? null,
      }
      await keepReceived(tx, row)
      // What was refused before is a copy of this station: it cannot be accepted any more.
      await forgetRefused(tx, signed.origin)
      for (const key of before === undefined ? [] : (replacedKeys(before.public_key, given) ?? []))
        await insertRetiredKey(tx, { origin: signed.origin, public_key: key, retired_utc: now })
      await ledger.append(tx, call, {
        action: 'checkpoint.received',
        object: { type: 'origin', id: signed.origin, name: '' },
        detail: {
          size: signed.size,
          root: Buffer.from(signed.root).toString('base64'),
          before: before?.size ?? null,
        },
      })
      return row
    })
    // Thrown after the commit, so that the refusal stays recorded.
    if (done instanceof Fault) throw done
    return { row: done, cosignature: cosignatureOf(given) }
  }
  return {
    receive,
    cosignOlder: async (call, given) => {
      const signed = opened(given)
      const before = await receivedOf(db.read, signed.origin)
      if (before === undefined || signed.size >= before.size) return receive(call, given)
      const why = await olderRefusal(deps, before, signed, given)
      if (why !== null) {
        const refusal = await db.transaction((tx) => refuse(deps, tx, call, { before, signed, given, why }))
        throw refusal
      }
      const cosignature = cosignatureOf(given)
      await db.transaction((tx) =>
        ledger.append(tx, call, {
          action: 'checkpoint.cosigned',
          object: { type: 'origin', id: signed.origin, name: '' },
          detail: { size: signed.size, root: Buffer.from(signed.root).toString('base64'), kept: before.size },
        }),
      )
      return { row: before, cosignature }
    },
    last: async (origin) => {
      const row = await receivedOf(db.read, origin)
      if (row === undefined) throw fault('CheckpointNotFound', 'No checkpoint of this station is kept here.')
      return row
    },
  }
}

/** Of the alarms about refused checkpoints of this origin. */
export const alarmSubjectOf = (origin: string): string => `from ${origin}`

type Signed = ReturnType<typeof openCheckpoint>

function opened({ note, publicKey }: GivenCheckpoint): Signed {
  try {
    return openCheckpoint(note, [new Uint8Array(Buffer.from(publicKey, 'base64'))])
  } catch (error) {
    if (!(error instanceof BadNote)) throw error
    throw fault('InvalidModel', 'This is no signed checkpoint.', [{ Path: 'Checkpoint', Message: `${error.message}.` }])
  }
}

/** @returns a sentence why it does not continue the stored checkpoint; null when it does */
function refusalOf(before: ReceivedRow, signed: Signed, given: GivenCheckpoint): string | null {
  if (replacedKeys(before.public_key, given) === null) return alarmReason('keyNotHandedOver')
  if (signed.size < before.size) return alarmReason('ledgerShorter', { size: signed.size, kept: before.size })
  if (signed.size === before.size)
    return toHex(signed.root) === toHex(before.root) ? null : alarmReason('otherOfSameSize', { size: signed.size })
  const proof = given.proof.map((text) => new Uint8Array(Buffer.from(text, 'base64')))
  return verifyConsistency(before, signed, proof) ? null : alarmReason('notGoingOn', { kept: before.size })
}

/** @returns a sentence why the kept checkpoint does not continue this older one; null when it does */
async function olderRefusal(
  { db }: Deps,
  before: ReceivedRow,
  signed: Signed,
  { publicKey, proof }: GivenCheckpoint,
): Promise<string | null> {
  if (publicKey !== before.public_key && !(await isRetiredKey(db.read, signed.origin, publicKey)))
    return alarmReason('keyUnknown')
  const hashes = proof.map((text) => new Uint8Array(Buffer.from(text, 'base64')))
  return verifyConsistency(signed, before, hashes) ? null : alarmReason('keptNotGoingOn', { kept: before.size })
}

/** The keys that rotations, each signed by both of its keys, replaced on the way from the known key to the signing one; null without a way. */
function replacedKeys(known: string, { publicKey, rotations }: Pick<GivenCheckpoint, 'publicKey' | 'rotations'>) {
  const replaced: string[] = []
  let key = known
  for (const given of rotations) {
    if (key === publicKey) break
    const rotation = readRotation(given)
    if (rotation === null || rotation.oldKey !== key) continue
    replaced.push(key)
    key = rotation.newKey
  }
  return key === publicKey ? replaced : null
}

interface Refusal {
  readonly before: ReceivedRow
  readonly signed: Signed
  readonly given: GivenCheckpoint
  readonly why: string
}

async function refuse(
  { ledger, alarms, clock }: Deps,
  tx: Tx,
  call: Call,
  { before, signed: { origin, size, root }, given, why }: Refusal,
): Promise<Fault> {
  const now = isoMillis(clock.now())
  await markRefused(tx, origin, now)
  await keepRefused(tx, {
    origin,
    principal_id: Number(call.actor.id),
    source: call.source,
    public_key: given.publicKey,
    same_key: replacedKeys(before.public_key, given) === null ? 0 : 1,
    size,
    root,
    note: given.note,
    known_size: before.size,
    known_root: before.root,
    reason: why,
    refused_utc: now,
  })
  await ledger.append(tx, call, {
    action: 'checkpoint.refused',
    object: { type: 'origin', id: origin, name: '' },
    outcome: 'failed',
    reason: why,
    detail: { size, root: Buffer.from(root).toString('base64') },
  })
  await alarms.raise(tx, call, {
    kind: 'checkpoint',
    subject: alarmSubjectOf(origin),
    message: alarmReason('checkpointRefused', { origin, why }),
    detail: { size },
  })
  return new Fault('CheckpointRefused', why)
}
