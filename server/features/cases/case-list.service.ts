import type { z } from 'zod'
import type { CaseListItem, CaseListQuery } from '../../../shared/cases/case-list.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { includes, type Level, levelsUpTo, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Database } from '../../kernel/database/database.ts'
import { dialectOf } from '../../kernel/database/kysely.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { Viewer } from '../../kernel/access/viewable.store.ts'
import { namesOfUsers } from '../../kernel/access/people.store.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  type AssignedRow,
  assignedTo,
  type CaseFilter,
  type CaseLine,
  casesPage,
  evidenceCounts,
  followedAmong,
  LINE_FIELDS,
  newestCases,
  picturedIn,
} from './case-list.store.ts'
import { membersOf } from './cases.fields.ts'
import { ordinalOf, thumbnailPlace } from './cases.models.ts'
import type { Author } from './history.ts'

export type CaseListItemOut = z.input<typeof CaseListItem>
type Query = z.output<typeof CaseListQuery>

export interface CaseList {
  /** @throws Fault InvalidModel for a cursor that this list did not give */
  list(call: HttpCall, tenant: string, query: Query): Promise<{ Items: CaseListItemOut[]; Cursor: string | null }>
}

interface Deps {
  readonly db: Database
  readonly access: Access
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

/** Pages that are read for one, where the caller cannot view some of the cases. */
const MOST_PAGES = 3
/** Lines of a page that is read on the event loop. */
const SHORT_PAGE = 201

/**
 * A page for a caller whom most cases name, and who asks for no particular ones: the newest cases, of which those are left out that they
 * cannot view. Short reads on the event loop: with SQLite a read on another thread costs more than these rows.
 * @returns with the caller's level on each; null: not so found, `casesPage` finds it
 */
async function viewedAmongNewest(
  { db, access }: Pick<Deps, 'db' | 'access'>,
  call: HttpCall,
  { tenant, filter, viewer }: { readonly tenant: string; readonly filter: CaseFilter; readonly viewer: Viewer | null },
  { before, count }: { readonly before: number | null; readonly count: number },
): Promise<{ readonly lines: CaseLine[]; readonly levels: Levels } | null> {
  const { deleted, ...particular } = filter
  const asksForSome = deleted || Object.keys(particular).length > 0
  if (asksForSome || count > SHORT_PAGE || viewer?.mostCases !== true || dialectOf(db.read) !== 'sqlite') return null
  const found: CaseLine[] = []
  const known: Map<number, Level> = new Map()
  let last = before
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { lines, isAll } = await newestCases(db.read, tenant, { before: last, count })
    const levels = await access.onCases(db.read, call.principal, idsOf(lines))
    for (const line of lines) {
      const level = levels.get(line.case_id) ?? 'None'
      if (!includes(level, 'View')) continue
      found.push(line)
      known.set(line.case_id, level)
    }
    if (isAll || found.length >= count) return { lines: found.slice(0, count), levels: known }
    if (lines.length < count) return null
    last = lines.at(-1)?.case_id ?? null
  }
  return null
}

export function createCaseList(deps: Deps): CaseList {
  const { db, access, isInPolicy } = deps
  return {
    list: async (call, tenant, query) => {
      const who = Number(call.principal?.id ?? 0)
      const deleted = query.deleted === 'true'
      const all = deleted && (await isInPolicy(String(who), 'RestoreFromRecycleBin'))
      const viewer = all ? null : await access.viewer(db.read, call.principal)
      const page = { before: query.cursor === undefined ? null : readCursor(query.cursor), count: query.count + 1 }
      const filter = filterOf(query, who)
      const newest = await viewedAmongNewest(deps, call, { tenant, filter, viewer }, page)
      const found = newest?.lines ?? (await db.longRead(casesPage(db.read, tenant, filter, viewer, page)))
      const shown = found.slice(0, query.count)
      const ids = idsOf(shown)
      const faces = query.faces === 'true'
      const beside: Beside = {
        levels: newest?.levels ?? (await access.onCases(db.read, call.principal, ids)),
        counts: await evidenceCounts(db.read, ids),
        followed: await followedAmong(db.read, who, ids),
        officers: Map.groupBy(await assignedTo(db.read, ids), (one) => one.case_id),
        // What is in the recycle bin has no picture: `viewer` is null there alone.
        pictured: faces && !deleted && viewer !== null ? await picturedIn(db.read, ids, viewer) : new Map(),
      }
      const items = shown.map(itemsWith(tenant, beside))
      const last = shown.at(-1)
      return {
        Items: faces ? await withPeople(db, items) : items,
        Cursor: found.length > shown.length && last !== undefined ? writeCursor(last.case_id) : null,
      }
    },
  }
}

function filterOf(query: Query, who: number): CaseFilter {
  const { state, category, department, mine, following, deleted, from, to, text } = query
  return {
    deleted: deleted === 'true',
    ...(state === undefined ? {} : { state }),
    ...(category === undefined ? {} : { categoryId: Number(category) }),
    // A malformed id names no department, so no case matches.
    ...(department === undefined ? {} : { departmentId: /^\d{1,15}$/.test(department) ? Number(department) : 0 }),
    ...(mine === 'true' ? { mine: who } : {}),
    ...(following === 'true' ? { followedBy: who } : {}),
    ...(from === undefined ? {} : { fromTicks: from.ticks }),
    ...(to === undefined ? {} : { toTicks: to.ticks }),
    ...(text === undefined ? {} : { text }),
  }
}

const officerModel = (row: AssignedRow) => ({
  PrincipalId: String(row.principal_id),
  Username: row.name,
  FirstName: row.first_name,
  LastName: row.last_name,
})

type Levels = ReadonlyMap<number, Level>

/** What stands beside the lines of a page, by case. */
interface Beside {
  readonly levels: Levels
  readonly counts: ReadonlyMap<number, number>
  readonly followed: ReadonlySet<number>
  readonly officers: ReadonlyMap<number, readonly AssignedRow[]>
  readonly pictured: ReadonlyMap<number, number>
}

const idsOf = (lines: readonly CaseLine[]): number[] => lines.map((line) => line.case_id)

/** Items of one page. Most of its cases have the same few authors: each text of one is parsed once. */
function itemsWith(tenant: string, { levels, counts, followed, officers, pictured }: Beside) {
  const authors = new Map<string, Author>()
  const authorOf = (text: string): Author => {
    const known = authors.get(text) ?? (JSON.parse(text) as Author)
    authors.set(text, known)
    return known
  }
  return (row: CaseLine): CaseListItemOut => {
    const id = row.case_id
    const picture = pictured.get(id)
    return {
      CaseId: String(id),
      Ordinal: ordinalOf(row),
      State: row.state,
      LifecycleState: row.lifecycle_state,
      ...membersOf(row, LINE_FIELDS),
      LocationWKT: row.location_wkt,
      Creator: authorOf(row.created_by),
      CreatedUtcTime: row.created_utc,
      LastModifiedUtcTime: row.modified_utc,
      LastModifiedBy: authorOf(row.modified_by),
      ClosedOn: row.closed_on,
      ProtectedUntil: row.protected_until,
      ScheduledDeletionUtc: row.scheduled_deletion_utc,
      ConcurrencyId: row.concurrency_id,
      EvidenceCount: counts.get(id) ?? 0,
      Officers: (officers.get(id) ?? []).map(officerModel),
      AccessorPermissions: levelsUpTo(levels.get(id) ?? 'None'),
      Following: followed.has(id),
      LastModifiedPerson: null,
      Thumbnail: picture === undefined ? null : thumbnailPlace(tenant, picture),
    }
  }
}

/** With the current names of who changed them last. */
async function withPeople(db: Database, items: readonly CaseListItemOut[]): Promise<CaseListItemOut[]> {
  const changedBy = items.map(({ LastModifiedBy }) => LastModifiedBy.PrincipalId)
  const people = new Map((await namesOfUsers(db.read, changedBy)).map((one) => [one.PrincipalId, one]))
  return items.map((one) => ({ ...one, LastModifiedPerson: people.get(one.LastModifiedBy.PrincipalId ?? '') ?? null }))
}

const writeCursor = (id: number): string => Buffer.from(JSON.stringify(['case', id])).toString('base64url')

function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const match = /^\["case",(\d{1,15})\]$/.exec(text)
  if (match === null)
    throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave' },
    ])
  return Number(match[1])
}
