/**
 * The names under which docked footage is shown. What a person called it stays; what still has the title of the camera's file is called by
 * camera, time and place. A call names it only to those who can view its case.
 */
import { sql } from 'kysely'
import { displayName } from '../../../shared/evidence/display-name.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Access } from '../access/access.ts'
import type { Tx } from '../database/database.ts'
import { listOf, membersOf } from '../database/expressions.ts'
import { clocksOf } from './clocks.store.ts'
import { evidenceNames } from './records.store.ts'
import { type Camera, camerasOf, type LinkedCase, viewableCasesOf } from './faces.store.ts'

export interface NamingDeps {
  readonly access: Pick<Access, 'asker'>
  /** IANA name, of the station. */
  readonly timeZone: string
}

/** What the caller of this function read already. */
interface Known {
  readonly clocks?: ReadonlyMap<number, RecordedTime>
  readonly cameras?: ReadonlyMap<number, Camera>
  readonly cases?: readonly LinkedCase[]
}

interface DockedRow {
  readonly evidence_id: number
  readonly name: string
  readonly location_text: string | null
  readonly device: string | null
}

/** By id, of those among them that are shown under another name than the stored one. */
export async function displayNames(
  { access, timeZone }: NamingDeps,
  from: Tx,
  principal: Principal | null,
  ids: readonly number[],
  known: Known = {},
): Promise<Map<number, string>> {
  const docked = await untitled(from, ids)
  if (docked.length === 0) return new Map()
  const own = docked.map((row) => row.evidence_id)
  const clocks = known.clocks ?? (await clocksOf(from, own))
  const cameras = known.cameras ?? (await camerasOf(from, docked))
  const cases = known.cases ?? (await viewableCasesOf(from, await access.asker(from, principal), own))
  const calls = Map.groupBy(
    cases.filter((one) => one.source_type === 'Cad'),
    (one) => one.evidence_id,
  )
  const timeOfDay = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return new Map(
    docked.map(({ evidence_id: id, name, location_text: place }) => {
      const corrected = clocks.get(id)?.corrected ?? null
      const [call] = calls.get(id) ?? []
      const parts = {
        name,
        camera: cameras.get(id)?.label ?? null,
        at: corrected === null ? null : timeOfDay.format(new Date(corrected)),
        places: [place, call?.address ?? null, call?.title ?? null],
      }
      return [id, displayName(parts)]
    }),
  )
}

/** As it is called for this caller. Without a camera it is its stored name, and nothing is asked. */
export async function displayNameOf(
  deps: NamingDeps,
  from: Tx,
  principal: Principal | null,
  row: Omit<DockedRow, 'location_text'>,
): Promise<string> {
  if (row.device === null) return row.name
  return (await displayNames(deps, from, principal, [row.evidence_id])).get(row.evidence_id) ?? row.name
}

/** Names by id as this caller is shown them; destroyed evidence has none. */
export async function shownNames(
  deps: NamingDeps,
  from: Tx,
  principal: Principal | null,
  ids: readonly number[],
): Promise<Map<number, string>> {
  return new Map([...(await evidenceNames(from, ids)), ...(await displayNames(deps, from, principal, ids))])
}

/** Docked, and still called as the camera's file is. */
async function untitled(from: Tx, ids: readonly number[]): Promise<DockedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<DockedRow>`
    SELECT e.evidence_id, e.name, e.location_text, e.device FROM evidence e
    WHERE e.evidence_id IN ${membersOf(listOf(ids))} AND EXISTS (
      SELECT 1 FROM dock_recordings d WHERE d.evidence_id = e.evidence_id AND d.name = e.name)`.execute(from)
  return rows
}
