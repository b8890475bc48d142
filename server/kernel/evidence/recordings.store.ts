import type { Kysely } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { deviceRecordId } from './device.ts'
import type { Device } from './model.ts'

/** Whose word for the device attributes a recording to an officer (decisions 5): never that of an uploader alone. */
const PROVED: ReadonlySet<string | null> = new Set(['Credential', 'Docked'])

/**
 * Writes down which device recorded it, and when: once, where the device was proved. Later edits of the record's times leave it as it is,
 * since whoever may edit must not choose whose recording it is.
 * @param of `device` is the JSON of a Device, as the evidence holds it
 */
export async function keepRecording(
  tx: Kysely<Tables>,
  evidenceId: number,
  of: { readonly device: string | null; readonly identity: string | null; readonly start: bigint | null },
): Promise<void> {
  if (of.device === null || of.start === null || !PROVED.has(of.identity)) return
  const deviceId = deviceRecordId(JSON.parse(of.device) as Device)
  if (deviceId === null) return
  await tx
    .insertInto('evidence_recordings')
    .values({ evidence_id: evidenceId, device_id: deviceId, recorded_ticks: of.start })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
