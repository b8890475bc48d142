/** Makes the question of a request: who asks, what the words match, and the filters by which rows are found. */
import { nameKey } from '../../../shared/kernel/names.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { matchOf, type SearchTerm } from '../../../shared/search/search-query.ts'
import type { CustomField } from '../../../shared/templates/custom-fields.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Access } from '../../kernel/access/access.ts'
import { isGathered, type Viewer } from '../../kernel/access/viewable.store.ts'
import type { SearchMatch } from '../../../shared/search/search-query.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { LEAST_SAMPLED, readEach, type RowRange } from '../../kernel/database/newest-rows.ts'
import { dialectOf } from '../../kernel/database/kysely.ts'
import { geometriesOf, unsureLines } from './search-density.store.ts'
import { casesNamed, categoriesNamed, exactRows, isGuest } from './search-objects.store.ts'
import type { NearFilter } from './search-where.store.ts'
import { readCursor } from './search.cursor.ts'
import { MOST_LOOKED } from './search.few-rows.ts'
import { boxAround, isIn, isNear, linesApart, type Measured, MOST_MEASURED } from './search.near.ts'
import { type Asked, facetFilter, fieldsAsked, type Question } from './search.question.ts'
import {
  countMatches,
  countNewest,
  type Kind,
  KINDS,
  type NamedCounts,
  rowsTouching,
  type SearchFilter,
  type Seeker,
} from './search.store.ts'

const STANDARD_COUNT = 50
/** The most rows with exactly the searched number; the newest come first. */
const MOST_EXACT = 100

export interface QuestionDeps {
  readonly db: Database
  readonly access: Access
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  /** Custom fields of the templates, by kind of object. */
  readonly customFields: (from: Tx, tenant: string) => Promise<Record<'Case' | 'Evidence', readonly CustomField[]>>
  /** How many matches count as few. */
  readonly fewMatches: number
  /** How many of the newest rows are looked at to learn how frequent words are. */
  readonly sampledRows: number
}

/** A request for hits or for density, with what the typed text says. */
export interface Request {
  readonly tenant: string
  readonly asked: Asked
  readonly terms: readonly SearchTerm[]
  /** Reads stop when the client has disconnected. */
  readonly signal: AbortSignal | undefined
}

/** @throws Fault InvalidModel for a cursor of another order, and for values that no custom field can have */
export async function questionOf(deps: QuestionDeps, call: HttpCall, request: Request): Promise<Question> {
  const { db, customFields } = deps
  const { tenant, asked, terms, signal } = request
  const match = matchOf(terms)
  const onPostgres = dialectOf(db.read) === 'postgres'
  // What SQLite reads was measured without windows of rows, and it does well.
  const sampled = onPostgres ? await countNewest(db, match, deps.sampledRows) : null
  const matches = await matchesOf(deps, match, sampled)
  const times = { fromTicks: asked.FromUtc?.ticks ?? null, toTicks: asked.ToUtc?.ticks ?? null }
  const seeker = await seekerOf(deps, call, asked, matches)
  const given = asked.CustomFields ?? []
  const filter: SearchFilter = {
    near: nearFilter(asked),
    apart: [],
    match,
    ...times,
    rows: onPostgres && !isGathered(seeker) ? await rowsOfTime(db, tenant, times, sampled) : null,
    deviceId: asked.DeviceId ?? null,
    inCases: await casesAsked(db.read, tenant, seeker, asked, terms),
    unassociated: asked.Unassociated === true,
    inCategories: await categoriesAsked(db.read, tenant, terms),
    fields: given.length === 0 ? null : fieldsAsked(given, await customFields(db.read, tenant)),
    box: asked.BoundingBox ?? null,
  }
  const { apart, isRough } = await measured(db, request, seeker, filter)
  const sort = asked.Sort ?? 'relevance'
  return {
    tenant,
    seeker,
    filter: { ...filter, apart },
    isRough,
    matches,
    // Of somebody who views little, what they view is looked up, and the words are asked of that.
    newest: isGathered(seeker) ? null : sampled,
    facets: facetFilter(asked, seeker.deleted),
    exact: match.all === null ? [] : await exactRows(db.read, (asked.Query ?? '').trim(), MOST_EXACT),
    sort,
    after: asked.Cursor == null ? null : readCursor(asked.Cursor, sort),
    count: asked.Count ?? STANDARD_COUNT,
    signal,
  }
}

/** How many rows the words match, counted to one more than is few. */
async function matchesOf(
  { db, fewMatches }: QuestionDeps,
  { all: match }: SearchMatch,
  sampled: NamedCounts | null,
): Promise<number | null> {
  if (match === null) return null
  const most = Math.max(fewMatches, MOST_LOOKED)
  // Frequent words are not counted: they match more than few, or so nearly that it makes no difference.
  return sampled !== null && sampled.all >= LEAST_SAMPLED ? most + 1 : countMatches(db, match, most)
}

async function rowsOfTime(
  db: Database,
  tenant: string,
  times: Pick<SearchFilter, 'fromTicks' | 'toTicks'>,
  newest: NamedCounts | null,
): Promise<RowRange | null> {
  const rows = times.fromTicks === null ? null : await rowsTouching(db, tenant, times)
  if (rows === null) return null
  return newest === null ? { ...rows, each: false } : readEach(newest, rows)
}

async function seekerOf(
  { db, access, isInPolicy, fewMatches }: QuestionDeps,
  call: HttpCall,
  asked: Asked,
  matches: number | null,
): Promise<Seeker> {
  const viewer = await access.viewer(db.read, call.principal)
  const id = call.principal?.id ?? '0'
  const guest = await isGuest(db.read, Number(id))
  const deleted = (asked.States ?? []).includes('Deleted') && (await isInPolicy(id, 'RestoreFromRecycleBin'))
  const kinds: readonly Kind[] = guest ? ['Case', 'Evidence'] : KINDS
  const devices = (await isInPolicy(id, 'ManageDevices')) ? 'all' : 'own'
  // Access is checked row by row when the words find fewer rows than the caller can view, or probably the time.
  const isFound = (matches !== null && matches <= fewMatches) || (viewer.manyPolicies === true && asked.FromUtc != null)
  const few = viewer.few && !isFound
  return { ...viewer, few, kinds, devices, deleted }
}

/** Lines and areas are measured once for a request: SQL knows the box around them only. */
async function measured(
  db: Database,
  { tenant, signal }: Request,
  seeker: Seeker,
  filter: SearchFilter,
): Promise<Measured> {
  const { box, near } = filter
  if (box === null && near === null) return { apart: [], isRough: false }
  const rows = await db.longRead(unsureLines(db.read, tenant, seeker, filter, MOST_MEASURED + 1), signal)
  return linesApart(
    rows.map(({ search_id: id }) => id),
    (shapes) => (near === null || isNear(shapes, near)) && (box === null || isIn(shapes, box)),
    (ids) => db.longRead(geometriesOf(db.read, ids), signal),
  )
}

function nearFilter({ Near: near }: Asked): NearFilter | null {
  if (near == null) return null
  const circle = { latitude: near.Latitude, longitude: near.Longitude, metres: near.RadiusMeters }
  return { ...circle, box: boxAround(circle) }
}

/** Cases that the caller cannot view count as empty, so that their content is not revealed. */
async function casesAsked(
  from: Tx,
  tenant: string,
  viewer: Viewer,
  { CaseId }: Asked,
  terms: readonly SearchTerm[],
): Promise<SearchFilter['inCases']> {
  const asked: { cases: readonly number[]; itself: boolean; exclude: boolean }[] = []
  for (const { field, text, exclude } of terms)
    if (field === 'case')
      asked.push({ cases: await casesNamed(from, tenant, viewer, text, MOST_EXACT), itself: true, exclude })
  if (CaseId != null) {
    const named = await casesNamed(from, tenant, viewer, CaseId, MOST_EXACT)
    // The number of another case is not an id.
    asked.push({ cases: named.filter((id) => String(id) === CaseId), itself: false, exclude: false })
  }
  return asked
}

async function categoriesAsked(
  from: Tx,
  tenant: string,
  terms: readonly SearchTerm[],
): Promise<SearchFilter['inCategories']> {
  const asked: { ids: number[]; exclude: boolean }[] = []
  for (const { field, text, exclude } of terms)
    if (field === 'category')
      asked.push({ ids: await categoriesNamed(from, tenant, nameKey(text.replaceAll('*', ''))), exclude })
  return asked
}
