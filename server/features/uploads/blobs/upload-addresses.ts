/**
 * Ends all upload addresses that an account was given before a moment. An address is valid for a day (blobs.signature.ts), so the moment
 * is stored only a little longer.
 */
import type { Tx } from '../../../kernel/database/database.ts'
import type { LinkHolder } from './blobs.signature.ts'
import { setStationValue, stationValue } from '../../../kernel/database/station-values.ts'

/** Row of `station`: JSON `{ "PrincipalId": milliseconds since 1970 }`. */
const ENDED = 'upload-addresses-ended'
/** Milliseconds; longer than a day in case the clock is corrected meanwhile. */
const KEPT_MILLIS = 2 * 86_400_000

type Ended = Readonly<Record<string, number>>

async function endedAddresses(from: Tx): Promise<Ended> {
  const ended = await stationValue(from, ENDED)
  return ended === null ? {} : (JSON.parse(ended) as Ended)
}

/** Ends all addresses that the account was given until now, even if the account is enabled again. @returns how many unfinished uploads it had */
export async function endUploadAddresses(tx: Tx, principalId: number, now: number): Promise<number> {
  const before = Object.entries(await endedAddresses(tx)).filter(([, at]) => Math.abs(now - at) < KEPT_MILLIS)
  const value = JSON.stringify({ ...Object.fromEntries(before), [principalId]: now })
  await setStationValue(tx, ENDED, value)
  const open = await tx
    .selectFrom('resources')
    .select('uploaded_by')
    .where('state', '=', 'None')
    .where('role', '=', 'original')
    .execute()
  return open.filter((row) => uploaderOf(row.uploaded_by) === String(principalId)).length
}

const uploaderOf = (uploadedBy: string): string => (JSON.parse(uploadedBy) as { PrincipalId: string }).PrincipalId

/** Whether an address is still valid: its holder is enabled, and it was issued after their addresses were last ended. */
export async function isStillHeld(from: Tx, { principalId, issuedAt }: LinkHolder): Promise<boolean> {
  const holder = await from
    .selectFrom('principals')
    .select('enabled')
    .where('principal_id', '=', Number(principalId))
    .executeTakeFirst()
  const endedAt = (await endedAddresses(from))[principalId]
  return holder?.enabled === 1 && (endedAt === undefined || issuedAt > endedAt)
}
