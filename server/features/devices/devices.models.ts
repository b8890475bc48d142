/** From rows to what goes out (shared/devices/contract.ts and its neighbours), and what the parts of the device service share. */
import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { PrincipalOutputModel } from '../../../shared/cases/categories.contract.ts'
import type { DeviceDetail, DeviceListItem, DeviceRecord, DeviceTransaction } from '../../../shared/devices/contract.ts'
import {
  DEVICE_FIELD_NAMES,
  DEVICE_FIELDS,
  type DeviceFieldColumns,
  type DeviceFieldName,
  IDENTIFICATION_NAMES,
  type outputsOf,
} from '../../../shared/devices/fields.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { OfficerRow } from './associations.store.ts'
import type { TransactionRow } from './configurations.store.ts'
import type { DeviceRow, Place } from './devices.store.ts'
import type { FreeForm, Vault } from './vault.ts'

export type DeviceOut = z.input<typeof DeviceRecord>
export type DeviceItem = z.input<typeof DeviceListItem>
export type DeviceDetailOut = z.input<typeof DeviceDetail>
export type PrincipalOut = z.input<typeof PrincipalOutputModel>

/** What an entry of the ledger is about. */
export const deviceObject = (row: Pick<DeviceRow, 'device_id' | 'serial_number' | 'common_name'>) => ({
  type: 'device',
  id: row.device_id,
  name: row.common_name || row.serial_number,
})

export const officerOut = (row: OfficerRow): PrincipalOut => ({
  PrincipalId: String(row.principal_id),
  KId: row.k_id,
  Name: `${row.first_name} ${row.last_name}`.trim() || row.name,
  Username: row.name,
  PrincipalType: row.kind,
})

/** As others are told it: an open one whose time is over is expired. */
export function transactionModel(row: TransactionRow, now: number): z.input<typeof DeviceTransaction> {
  const expired = row.state === 'Open' && row.expires_at <= now
  const expires = isoMillis(row.expires_at)
  return {
    TransactionId: row.transaction_id,
    State: expired ? 'Expired' : row.state,
    CreatedUtc: row.created_utc,
    ExpiresUtc: expires,
    EndedUtc: expired ? expires : row.ended_utc,
    ReasonCode: row.reason_code,
    ReasonMessage: row.reason_message,
  }
}

export interface DeviceDetails {
  readonly officers: readonly OfficerRow[]
  readonly transaction: TransactionRow | undefined
  readonly now: number
}

/** Members of an answer, from the columns of a device. */
export const membersOf = <N extends DeviceFieldName>(row: DeviceFieldColumns, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, row[DEVICE_FIELDS[name].column]])) as z.output<
    z.ZodObject<ReturnType<typeof outputsOf<N>>>
  >

export const deviceItem = (
  row: DeviceRow,
  { officers, transaction, now }: DeviceDetails,
): Omit<DeviceItem, 'Standing'> => ({
  Id: row.device_id,
  DeviceIdentification: membersOf(row, IDENTIFICATION_NAMES),
  DeviceType: row.device_type,
  State: row.active === 1 ? 'Active' : 'Inactive',
  AssignedTo: officers.map(officerOut),
  LastSeenUtc: row.last_seen_utc,
  Transaction: transaction === undefined ? null : transactionModel(transaction, now),
  CreatedUtcTime: row.created_utc,
})

export const deviceRecord = (row: DeviceRow, details: DeviceDetails, vault: Vault): DeviceOut => ({
  ...deviceItem(row, details),
  Capabilities: row.capabilities === null ? null : (JSON.parse(row.capabilities) as FreeForm),
  EffectiveConfiguration: vault.open(row.effective, 'effective', row.device_id),
  EffectiveSinceUtc: row.effective_utc,
  ConcurrencyId: deviceVersion(row),
})

/** Of what people set. What is sealed differs each time that it is sealed, so no text of it is needed. */
export const deviceVersion = (row: DeviceRow): string =>
  stateId([...Object.values(membersOf(row, DEVICE_FIELD_NAMES)), row.active, row.desired])

/** First 40 hexadecimal digits of SHA-256, as other versions have; of what has no versions of its own. */
export const stateId = (state: unknown): string => hash('sha256', JSON.stringify(state), 'hex').slice(0, 40)

/** @throws Fault ConcurrentWritingError; one that was not sent is not checked */
export function requireCurrent(sent: string | null | undefined, current: string): void {
  if (sent !== null && sent !== undefined && sent !== current)
    throw fault('ConcurrentWritingError', 'Somebody changed this since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

/** Without case and accents. */
const foldAccents = (text: string): string => nameKey(text).normalize('NFD').replaceAll(/\p{M}/gu, '')
export const searchKey = (row: DeviceFieldColumns): string =>
  IDENTIFICATION_NAMES.map((name) => foldAccents(row[DEVICE_FIELDS[name].column] ?? ''))
    .join(' ')
    .trim()
/** Each of them has to be found, in any order. */
export const searchWords = (text: string): string[] =>
  foldAccents(text)
    .split(/\s+/)
    .filter((word) => word !== '')

export const writeCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** @throws Fault InvalidModel for what no list gave */
export function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined || cursor === '') return null
  try {
    const [serial, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    if (typeof serial === 'string' && typeof id === 'string') return [serial, id]
  } catch {
    // Said below, as for what is JSON and no cursor.
  }
  throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
    { Path: 'cursor', Message: 'is not one that this list gave' },
  ])
}
