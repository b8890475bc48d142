/** What people who keep the station are told: cameras that stay away, and what the set-up lacks. */
import { sql } from 'kysely'
import type { SetupStep } from '../../../shared/today/today.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { deleteStationValue, setStationValue, stationValue } from '../../kernel/database/station-values.ts'

/** Cameras that are looked through. */
const MOST_CAMERAS = 2_000

export interface IdleRow {
  readonly device_id: string
  readonly name: string
  readonly docked_at: number | null
  readonly principal_id: number | null
  readonly username: string | null
  readonly first_name: string | null
  readonly last_name: string | null
}

/**
 * Active cameras that were last docked before `before` (milliseconds), longest first. Of those that were never docked, the ones that
 * somebody has had for so long.
 */
export async function idleCameras(from: Tx, tenant: string, before: number, now: number): Promise<IdleRow[]> {
  const [nowTicks, beforeTicks] = [BigInt(now) * 10_000n, BigInt(before) * 10_000n]
  const { rows } = await sql<IdleRow>`
    SELECT d.device_id, coalesce(d.common_name, d.serial_number) AS name, d.docked_at,
      p.principal_id, p.name AS username, p.first_name, p.last_name
    FROM (SELECT device_id, common_name, serial_number,
        (SELECT max(s.detected_at) FROM dock_sessions s WHERE s.device_id = devices.device_id) AS docked_at,
        (SELECT max(a.association_id) FROM device_associations a WHERE a.device_id = devices.device_id
          AND a.from_ticks <= ${nowTicks} AND (a.to_ticks IS NULL OR a.to_ticks > ${nowTicks})) AS association_id
      FROM devices WHERE tenant_id = ${tenant} AND active = 1 LIMIT ${MOST_CAMERAS}) d
    LEFT JOIN device_associations a ON a.association_id = d.association_id
    LEFT JOIN principals p ON p.principal_id = a.principal_id
    WHERE d.docked_at < ${before} OR (d.docked_at IS NULL AND a.from_ticks < ${beforeTicks})
    ORDER BY coalesce(d.docked_at, 0), d.device_id`.execute(from)
  return rows
}

type StoredStep = Exclude<SetupStep, 'Name'>

/** What of the set-up is there by what the database holds. */
export async function setUpSteps(from: Tx, tenant: string): Promise<Readonly<Record<StoredStep, boolean>>> {
  const { rows } = await sql<Record<StoredStep, number>>`SELECT
    CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM principals WHERE tenant_id = ${tenant} AND kind = 'user' AND guest = 0
      AND enabled = 1 AND deleted_utc IS NULL LIMIT 2) two) = 2 THEN 1 ELSE 0 END AS "People",
    CASE WHEN EXISTS (SELECT 1 FROM categories WHERE tenant_id = ${tenant} AND enabled = 1 AND retention_days IS NOT NULL)
      THEN 1 ELSE 0 END AS "Categories",
    CASE WHEN EXISTS (SELECT 1 FROM departments WHERE tenant_id = ${tenant} AND enabled = 1) THEN 1 ELSE 0 END AS "Departments",
    CASE WHEN EXISTS (SELECT 1 FROM devices WHERE tenant_id = ${tenant} AND active = 1) THEN 1 ELSE 0 END AS "Cameras",
    CASE WHEN EXISTS (SELECT 1 FROM cad_messages WHERE tenant_id = ${tenant} AND state = 'applied') THEN 1 ELSE 0 END AS "Dispatch",
    CASE WHEN EXISTS (SELECT 1 FROM backup_targets WHERE removed_utc IS NULL) THEN 1 ELSE 0 END AS "Backup",
    CASE WHEN EXISTS (SELECT 1 FROM lan WHERE enabled = 1) THEN 1 ELSE 0 END AS "Network"`.execute(from)
  const row = rows[0]
  const is = (step: StoredStep): boolean => row?.[step] === 1
  return {
    People: is('People'),
    Categories: is('Categories'),
    Departments: is('Departments'),
    Cameras: is('Cameras'),
    Dispatch: is('Dispatch'),
    Backup: is('Backup'),
    Network: is('Network'),
  }
}

const DISMISSED = 'setup-checklist-dismissed'

export const isDismissed = async (from: Tx): Promise<boolean> => (await stationValue(from, DISMISSED)) !== null

export const setDismissed = (tx: Tx, dismissed: boolean, at: string): Promise<void> =>
  dismissed ? setStationValue(tx, DISMISSED, at) : deleteStationValue(tx, DISMISSED)
