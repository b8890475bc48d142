/**
 * Negotiation of configurations (interfaces.md 3.4, decisions 5). What a device has becomes effective with a commit and in no other way.
 * Of each device one negotiation is open at most: the next supersedes it, and after 15 minutes it can no longer be committed.
 */
import { randomUUID } from 'node:crypto'
import { fault } from '../../../shared/kernel/errors.ts'
import { sameJson } from '../../../shared/kernel/same-json.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import {
  forgetTransactions,
  insertTransaction,
  newestTransaction,
  type TransactionRow,
  transactionById,
  typeConfiguration,
  updateTransaction,
} from './configurations.store.ts'
import type { Credentials } from './credentials.service.ts'
import type { DeviceCore, Identification, Named } from './devices.core.ts'
import { deviceObject } from './devices.models.ts'
import { type DeviceRow, updateDevice } from './devices.store.ts'
import type { FreeForm, Vault } from './vault.ts'

export const NEGOTIATION_MILLIS = 15 * 60_000

/** Of one device: a commit that comes after so many more finds no trace of its own. */
const KEPT_TRANSACTIONS = 100

export interface Submitted extends Named {
  /** Null: it reports none, and those that are stored stay. */
  readonly capabilities: FreeForm | null
  readonly configuration: FreeForm
  readonly credential: string | null
}

export interface Offer {
  readonly transactionId: string
  readonly configuration: FreeForm
  readonly expiresUtc: string
}

export interface Negotiation {
  /** Null: it has what is expected, and there is nothing to do. A device that is unknown is added, inactive. */
  negotiate(call: Call, tenant: string, submitted: Submitted): Promise<Offer | null>
  /** Also once more. @throws Fault TransactionNotFound, TransactionNotOpen */
  commit(call: Call, tenant: string, identification: Identification, transactionId: string): Promise<void>
  /** Also once more: the first reason stays. @throws Fault TransactionNotFound, TransactionNotOpen */
  reject(
    call: Call,
    tenant: string,
    identification: Identification,
    transactionId: string,
    reason: { readonly code: string | null; readonly message: string | null },
  ): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly vault: Vault
  readonly core: DeviceCore
  readonly credentials: Credentials
}

export function createNegotiation({ db, ledger, clock, vault, core, credentials }: Deps): Negotiation {
  const expected = async (tx: Tx, row: DeviceRow): Promise<FreeForm | null> => {
    const own = vault.open(row.desired, 'desired', row.device_id)
    if (own !== null) return own
    const ofType = await typeConfiguration(tx, row.tenant_id, row.device_type)
    return ofType === undefined ? null : vault.open(ofType.sealed, 'type', row.device_type)
  }

  /** @returns the number of the next one */
  const supersede = async (tx: Tx, deviceId: string): Promise<number> => {
    const last = await newestTransaction(tx, deviceId)
    if (last?.state === 'Open') {
      const late = last.expires_at <= clock.now()
      await updateTransaction(tx, last.transaction_id, {
        state: late ? 'Expired' : 'Superseded',
        offered: null,
        ended_utc: isoMillis(late ? last.expires_at : clock.now()),
      })
    }
    return (last?.number ?? 0) + 1
  }

  /** What it rejected it has after all, as far as is known since now; otherwise the rejection would be told for ever. */
  const markSettled = async (tx: Tx, row: DeviceRow): Promise<void> => {
    if ((await newestTransaction(tx, row.device_id))?.state === 'Rejected')
      await updateDevice(tx, row.device_id, { effective_utc: isoMillis(clock.now()) })
  }

  const offer = async (tx: Tx, row: DeviceRow, number: number, configuration: FreeForm): Promise<Offer> => {
    const now = clock.now()
    const transactionId = randomUUID()
    await insertTransaction(tx, {
      transaction_id: transactionId,
      device_id: row.device_id,
      number,
      state: 'Open',
      offered: vault.seal(configuration, 'offered', transactionId),
      created_utc: isoMillis(now),
      expires_at: now + NEGOTIATION_MILLIS,
      ended_utc: null,
      reason_code: null,
      reason_message: null,
    })
    await forgetTransactions(tx, row.device_id, number - KEPT_TRANSACTIONS)
    return { transactionId, configuration, expiresUtc: isoMillis(now + NEGOTIATION_MILLIS) }
  }

  /** @throws Fault TransactionNotFound: also of another device's */
  const needed = async (
    tx: Tx,
    tenant: string,
    identification: Identification,
    id: string,
  ): Promise<{ row: DeviceRow; transaction: TransactionRow }> => {
    const row = await core.named(tx, tenant, identification)
    const transaction = row === undefined ? undefined : await transactionById(tx, row.device_id, id)
    if (row === undefined || transaction === undefined)
      throw fault('TransactionNotFound', 'There is no such transaction of this device.')
    return { row, transaction }
  }
  const requireOpen = ({ state, expires_at: expires }: TransactionRow): void => {
    if (state !== 'Open')
      throw fault('TransactionNotOpen', `The transaction is ${state.toLowerCase()}. Negotiate again.`)
    if (expires <= clock.now()) throw fault('TransactionNotOpen', 'The transaction is expired. Negotiate again.')
  }
  const recordRead = (tx: Tx, call: Call, row: DeviceRow) =>
    ledger.append(tx, call, { action: 'device.read', object: deviceObject(row) })

  return {
    negotiate: (call, tenant, submitted) =>
      db.transaction(async (tx) => {
        const { capabilities, configuration, credential } = submitted
        const { row } = await core.known(tx, call, tenant, submitted)
        await updateDevice(tx, row.device_id, {
          last_seen_utc: isoMillis(clock.now()),
          ...(capabilities === null ? {} : { capabilities: JSON.stringify(capabilities) }),
        })
        const wanted = (await expected(tx, row)) ?? configuration
        const effective = vault.open(row.effective, 'effective', row.device_id)
        const number = await supersede(tx, row.device_id)
        const settled = effective !== null && sameJson(configuration, wanted) && sameJson(configuration, effective)
        if (settled) await markSettled(tx, row)
        if (credential !== null)
          await credentials.submit(tx, row.device_id, credential, settled ? 'Current' : 'Pending')
        const offered = settled ? null : await offer(tx, row, number, wanted)
        await ledger.append(tx, call, {
          action: 'device.negotiated',
          object: deviceObject(row),
          detail: { transactionId: offered?.transactionId ?? null, withCredential: credential !== null },
        })
        return offered
      }),

    commit: (call, tenant, identification, transactionId) =>
      db.transaction(async (tx) => {
        const { row, transaction } = await needed(tx, tenant, identification, transactionId)
        if (transaction.state === 'Committed') {
          await recordRead(tx, call, row)
          return
        }
        requireOpen(transaction)
        const configuration = vault.open(transaction.offered, 'offered', transactionId)
        // The key that sealed it is gone: what the device applied is not known here, and it has to negotiate anew.
        if (configuration === null)
          throw fault('TransactionNotOpen', 'The transaction cannot be read. Negotiate again.')
        const now = isoMillis(clock.now())
        await updateTransaction(tx, transactionId, { state: 'Committed', offered: null, ended_utc: now })
        await updateDevice(tx, row.device_id, {
          effective: vault.seal(configuration, 'effective', row.device_id),
          effective_utc: now,
          last_seen_utc: now,
        })
        const current = await credentials.makePendingCurrent(tx, row.device_id)
        await ledger.append(tx, call, {
          action: 'device.configured',
          object: deviceObject(row),
          detail: { transactionId, credentialsCurrent: current },
        })
      }),

    reject: (call, tenant, identification, transactionId, { code, message }) =>
      db.transaction(async (tx) => {
        const { row, transaction } = await needed(tx, tenant, identification, transactionId)
        if (transaction.state === 'Rejected') {
          await recordRead(tx, call, row)
          return
        }
        requireOpen(transaction)
        const now = isoMillis(clock.now())
        await updateTransaction(tx, transactionId, {
          state: 'Rejected',
          offered: null,
          ended_utc: now,
          reason_code: code,
          reason_message: message,
        })
        await updateDevice(tx, row.device_id, { last_seen_utc: now })
        await ledger.append(tx, call, {
          action: 'device.configurationRejected',
          object: deviceObject(row),
          ...(code === null && message === null ? {} : { reason: [code, message].filter((one) => one).join(': ') }),
          detail: { transactionId },
        })
      }),
  }
}
