/** The engine on a database of its own, without a server: what changes the facts is written as the services write it, in one transaction each. */
import { createCorrelation } from '../../server/features/correlation/correlation.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import type { Database, Tx } from '../../server/kernel/database/database.ts'
import { openTestDatabase } from '../support/rows.ts'
import { createAccess } from '../../server/kernel/access/access.ts'
import { deviceRecordId } from '../../server/kernel/evidence/device.ts'
import { createRecords } from '../../server/kernel/evidence/records.ts'
import { createCaseCore } from '../../server/features/cases/case-aggregate.ts'
import * as cases from '../../server/features/cases/cases.store.ts'
import { createJobQueue } from '../../server/kernel/jobs/queue.ts'
import { systemClock as clock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import { type Time, timeOf } from '../../shared/kernel/time.ts'

export const ZERO = Date.UTC(2026, 10, 20, 14)
export const MINUTE = 60_000
/** Minutes after the evening began. */
export const at = (minutes: number): Time => timeOf(ZERO + minutes * MINUTE)

export interface Incident {
  readonly from: number | null
  readonly to: number | null
}
export interface Shift {
  readonly officer: number
  readonly from: number
  readonly to: number | null
}

export type EngineWorld = Awaited<ReturnType<typeof engineWorld>>

const call = { actor: INTERNAL, source: 'station', correlationId: 'test' }

export async function engineWorld(file: string) {
  const db: Database = await openTestDatabase({ file })
  const log = createLog('silent')
  const ledger = createLedger({ db, clock, log })
  const versions = createVersions({ db })
  const jobs = createJobQueue({ db, clock, log, handlers: () => ({}), concurrency: 1 })
  const records = createRecords({ ledger, versions, jobs, clock })
  const core = createCaseCore({ ledger, versions, clock, access: createAccess({ clock }) })
  const engine = createCorrelation({
    db,
    ledger,
    records,
    clock,
    mayWrite: () => true,
    caseChanged: async (tx, by, id, changed) => {
      await core.changed(tx, by, await cases.caseByIdOfAnyTenant(tx, id), {}, 'case.linked', { ...changed })
    },
  })
  const now = timeOf(clock.now())
  await db.transaction((tx) =>
    tx.insertInto('tenants').values({ tenant_id: 'station', name_key: 'station', created_utc: now.text }).execute(),
  )
  let serial = 0
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction(work)
  const deviceNamed = (name: string) => ({
    DeviceType: 'BodyWornCamera',
    Manufacturer: 'Acme',
    SerialNumber: name,
    Model: null,
  })

  return {
    db,
    run: engine.run,
    close: async () => {
      await ledger.stop()
      await db.close()
    },
    officer: () =>
      inTransaction(async (tx) => {
        const name = `officer ${++serial}`
        const { principal_id: id } = await tx
          .insertInto('principals')
          .values({
            tenant_id: 'station',
            kind: 'user',
            name,
            name_key: name,
            k_id: name,
            password_hash: null,
            base_url: null,
            created_utc: now.text,
            created_by: '{}',
            last_sign_in_at: null,
            deleted_utc: null,
          })
          .returning('principal_id')
          .executeTakeFirstOrThrow()
        return id
      }),
    /** Active since long ago. */
    device: () =>
      inTransaction(async (tx) => {
        const name = `S ${++serial}`
        const id = deviceRecordId(deviceNamed(name)) as string
        await tx
          .insertInto('devices')
          .values({
            device_id: id,
            tenant_id: 'station',
            serial_number: name,
            manufacturer: 'Acme',
            model: null,
            common_name: null,
            device_type: 'BodyWornCamera',
            active: 1,
            capabilities: null,
            desired: null,
            effective: null,
            effective_utc: null,
            last_seen_utc: null,
            search_key: name,
            created_utc: now.text,
          })
          .execute()
        await tx.insertInto('device_activity').values({ device_id: id, from_ticks: 0n, to_ticks: null }).execute()
        return { id, name }
      }),
    /** Takes all associations of the device away and makes these, with the access that they give. */
    shifts: (device: string, shifts: readonly Shift[], confirmed = true) =>
      inTransaction(async (tx) => {
        await tx.deleteFrom('device_associations').where('device_id', '=', device).execute()
        for (const { officer, from, to } of shifts) {
          const [start, end] = [at(from), to === null ? null : at(to)]
          const { association_id: id } = await tx
            .insertInto('device_associations')
            .values({
              device_id: device,
              principal_id: officer,
              from_utc: start.text,
              from_ticks: start.ticks,
              to_utc: end?.text ?? null,
              to_ticks: end?.ticks ?? null,
              makers: '[]',
              created_utc: now.text,
              created_by: '{}',
              confirmed_utc: null,
              confirmed_by: null,
            })
            .returning('association_id')
            .executeTakeFirstOrThrow()
          if (!confirmed) continue
          await tx
            .insertInto('device_accesses')
            .values({
              association_id: id,
              from_ticks: start.ticks,
              to_ticks: end?.ticks ?? null,
              device_id: device,
              principal_id: officer,
            })
            .execute()
        }
      }),
    incident: () =>
      inTransaction(async (tx) => {
        const number = ++serial
        const made = await cases.insertCase(tx, {
          tenant_id: 'station',
          ordinal_year: 2026,
          ordinal_number: number,
          title: `call ${number}`,
          state: 'Open',
          lifecycle_state: 'Normal',
          tags: '[]',
          custom_fields: '{}',
          source_type: 'Cad',
          concurrency_id: '',
          created_utc: now.text,
          created_ticks: now.ticks,
          created_by: '{}',
          modified_utc: now.text,
          modified_by: '{}',
        })
        return made.case_id
      }),
    times: (caseId: number, { from, to }: Incident) =>
      inTransaction((tx) => {
        const [start, end] = [from === null ? null : at(from), to === null ? null : at(to)]
        return cases.updateCase(tx, caseId, {
          occurred_on: start?.text ?? null,
          occurred_ticks: start?.ticks ?? null,
          ended_on: end?.text ?? null,
          ended_ticks: end?.ticks ?? null,
        })
      }),
    assigned: (caseId: number, officers: readonly number[]) =>
      inTransaction((tx) =>
        cases.replacePersonnel(
          tx,
          caseId,
          officers.map((principalId) => ({ principalId, role: 'Assigned' })),
        ),
      ),
    /** As a camera in its bay brings it, by the clock that was believed then. */
    recording: (device: { id: string; name: string }, from: number, to: number) =>
      inTransaction(async (tx) => {
        const [start, end] = [at(from), at(to)]
        const evidence = await records.createEvidence(tx, call, 'station', {
          Name: `clip ${++serial}`,
          StartTimeUtc: start,
          EndTimeUtc: end,
          device: deviceNamed(device.name),
          deviceIdentity: 'Docked',
        })
        const { session_id: session } = await tx
          .insertInto('dock_sessions')
          .values({
            tenant_id: 'station',
            volume_id: 'v',
            camera_key: device.id,
            bay: '1',
            label: 'x',
            state: 'released',
            before: null,
            reason: null,
            device_id: device.id,
            device: null,
            profile: null,
            notes: null,
            clock: null,
            configuration: null,
            clear_rule: 'never',
            detected_at: 0,
            first_byte_at: null,
            last_byte_at: null,
            committed_at: null,
            released_at: null,
            receipt: null,
            receipt_sha256: null,
            receipt_signature: null,
            receipt_key: null,
          })
          .returning('session_id')
          .executeTakeFirstOrThrow()
        const { recording_id: recording } = await tx
          .insertInto('dock_recordings')
          .values({
            session_id: session,
            recording_key: `r${serial}`,
            name: 'x',
            start_utc: start.text,
            end_utc: end.text,
            corrected_start_utc: start.text,
            corrected_end_utc: end.text,
            officer: null,
            marks: '[]',
            location_wkt: null,
            evidence_id: null,
          })
          .returning('recording_id')
          .executeTakeFirstOrThrow()
        await tx
          .updateTable('dock_recordings')
          .set({ evidence_id: evidence.evidence_id })
          .where('recording_id', '=', recording)
          .execute()
        return { evidenceId: evidence.evidence_id, recording, session }
      }),
    /** The clock statement is put right: the recording was at another time. */
    corrected: (of: { recording: number; session: number }, from: number, to: number, offset: number) =>
      inTransaction(async (tx) => {
        await tx
          .updateTable('dock_recordings')
          .set({ corrected_start_utc: at(from).text, corrected_end_utc: at(to).text })
          .where('recording_id', '=', of.recording)
          .execute()
        const statement = {
          camera: { offsetMilliseconds: offset * MINUTE, uncertaintyMilliseconds: 1000 },
          station: { errorMilliseconds: null },
        }
        await tx
          .updateTable('dock_sessions')
          .set({ clock: JSON.stringify([statement]) })
          .where('session_id', '=', of.session)
          .execute()
      }),
    /** What the ledger says of it, the oldest first. */
    acts: async (type: string, id: string): Promise<string[]> => {
      const entries = await ledger.entriesFor(type, id, { count: 100 })
      return entries.map(({ entry }) => entry.action).reverse()
    },
    links: async (): Promise<string[]> => {
      const rows = await db.read
        .selectFrom('case_links')
        .select(['case_id', 'evidence_id'])
        .where('kind', '=', 'Automatic')
        .execute()
      return rows.map((row) => `${row.case_id}:${row.evidence_id}`).sort()
    },
  }
}
