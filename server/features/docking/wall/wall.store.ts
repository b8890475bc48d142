import type { Tx } from '../../../kernel/database/database.ts'
import { beginsWith } from '../../../kernel/database/expressions.ts'
import { WATCHED_KEY } from '../../../../shared/docking/docking.ts'
import { COLUMNS, type SessionRow } from './dock.store.ts'

/**
 * Those whose camera stands in a bay, and those whose camera is awaited; shorter where it was gone before anybody knew whether it was one:
 * an empty place where something else is about to be mounted looks like that too.
 */
export const onTheWall = (
  from: Tx,
  tenant: string,
  {
    docked,
    awaitedSince,
    unknownSince,
    most,
  }: { docked: readonly number[]; awaitedSince: number; unknownSince: number; most: number },
): Promise<SessionRow[]> =>
  from
    .selectFrom('dock_sessions')
    .select(COLUMNS)
    .where('tenant_id', '=', tenant)
    // A folder that is watched stands in no bay.
    .where((e) => e.not(beginsWith('camera_key', WATCHED_KEY)))
    .where((e) =>
      e.or([
        e('session_id', 'in', docked.length === 0 ? [-1] : [...docked]),
        e.and([
          e('state', '=', 'pulled'),
          e('ended', '=', 0),
          e('detected_at', '>=', awaitedSince),
          e.or([e('before', '<>', 'detected'), e('detected_at', '>=', unknownSince)]),
        ]),
      ]),
    )
    .orderBy('session_id')
    .limit(most)
    .execute()

export interface BayRow {
  readonly place: string
  readonly number: number
  readonly used_at: number
}

/** These bays whenever they were used, and the others that were used since then, lately used first. */
export const baysOf = (
  from: Tx,
  tenant: string,
  { places, since, most }: { places: readonly string[]; since: number; most: number },
): Promise<BayRow[]> =>
  from
    .selectFrom('dock_bays')
    .select(['place', 'number', 'used_at'])
    .where('tenant_id', '=', tenant)
    .where((e) => e.or([e('used_at', '>=', since), e('place', 'in', ['', ...places])]))
    .orderBy('used_at', 'desc')
    .orderBy('number')
    .limit(most)
    .execute()

export interface WornDevice {
  readonly name: string | null
  /** Of those who wear it now, by surname, else by the name that they sign in with. */
  readonly wearers: readonly string[]
}

/** @param ticks of now */
export async function wornDevices(
  from: Tx,
  deviceIds: readonly string[],
  ticks: bigint,
): Promise<Map<string, WornDevice>> {
  if (deviceIds.length === 0) return new Map()
  const rows = await from
    .selectFrom('devices as d')
    .leftJoin('device_associations as a', (join) =>
      join
        .onRef('a.device_id', '=', 'd.device_id')
        .on('a.from_ticks', '<=', ticks)
        .on((e) => e.or([e('a.to_ticks', 'is', null), e('a.to_ticks', '>', ticks)])),
    )
    .leftJoin('principals as p', 'p.principal_id', 'a.principal_id')
    .select(['d.device_id', 'd.common_name', 'p.last_name', 'p.name'])
    .where('d.device_id', 'in', [...deviceIds])
    .orderBy('a.association_id')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.device_id)].map(([id, found]) => [
      id,
      {
        name: found[0]?.common_name ?? null,
        wearers: found.flatMap(({ last_name: last, name }) => (name === null ? [] : [last || name])),
      },
    ]),
  )
}
