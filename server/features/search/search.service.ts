import type { z } from 'zod'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { COUNTED, type SearchAnswer } from '../../../shared/search/contract.ts'
import type { CustomField } from '../../../shared/templates/custom-fields.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { matchOf, parseSearch, type SearchTerm, wordsToShow } from '../../../shared/search/search-query.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { dialectOf } from '../../kernel/database/kysely.ts'
import { isGathered, type Viewer } from '../../kernel/access/viewable.store.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { countDensity, DENSITY_LIMITS, type DensityLimits, type DensityOut, nothingCounted } from './search.density.ts'
import { countOf, countPassing, facetsOf } from './search.facets.ts'
import { displayNames } from '../../kernel/evidence/display-names.store.ts'
import { shownHits } from './search.hits.ts'
import { MOST_LOOKED, pageFrom, unsureOf } from './search.few-rows.ts'
import { boxAround, isIn, isNear, linesApart, type Measured, MOST_MEASURED } from './search.near.ts'
import {
  type Asked,
  type AskedDensity,
  facetFilter,
  fieldsAsked,
  type Place,
  type Question,
  type Sort,
} from './search.question.ts'
import {
  type CubeCell,
  countedCube,
  countedHits,
  type HitRow,
  hitsByName,
  hitsByPlace,
  type Kind,
  KINDS,
  type LookedRow,
  countMatches,
  namedAmong,
  newestHolding,
  newestRows,
  rowsTouching,
  type SearchFilter,
  type Seeker,
  type Stretch,
} from './search.store.ts'
import { geometriesOf, unsureLines } from './search-density.store.ts'
import type { NearFilter } from './search-where.store.ts'
import { casesNamed, categoriesNamed, exactRows, isGuest } from './search-objects.store.ts'

export type SearchOut = z.input<typeof SearchAnswer>

/** Search (decisions 7). */
export interface Search {
  /** Where the evidence that is found was. @throws Fault as `search` */
  density(call: HttpCall, tenant: string, asked: AskedDensity, signal?: AbortSignal): Promise<DensityOut>
  /** @throws Fault InvalidModel for a cursor of another order, and for values that no custom field can have */
  search(call: HttpCall, tenant: string, asked: Asked, signal?: AbortSignal): Promise<SearchOut>
}

interface Deps {
  readonly db: Database
  readonly access: Access
  /** IANA name, of the station. */
  readonly timeZone: string
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  /** Custom fields of the templates, by kind of object. */
  readonly customFields: (from: Tx, tenant: string) => Promise<Record<'Case' | 'Evidence', readonly CustomField[]>>
  /** How many names the first read checks for the words; tests with few rows set it. */
  readonly namesLookedAt?: number
  /** How many matches count as few; tests set it too. */
  readonly fewMatches?: number
  /** How many rows are looked at to learn how frequent words are. */
  readonly sampledRows?: number
  readonly densityLimits?: DensityLimits
}

const STANDARD_COUNT = 50
/** The most concurrent searches. Two threads serve them one after another, so more would wait for seconds (promise L5). */
const MOST_AT_ONCE = 48
/** The most rows with exactly the searched number; the newest come first. */
const MOST_EXACT = 100
type Counts = Pick<SearchOut, 'Total' | 'TotalIsAtLeast' | 'Facets'>
const NOTHING: SearchOut = {
  Total: 0,
  TotalIsAtLeast: false,
  PlaceIsRough: false,
  Hits: [],
  Facets: null,
  Cursor: null,
}

export function createSearch({
  db,
  access,
  isInPolicy,
  timeZone,
  customFields,
  namesLookedAt = 1_600,
  fewMatches = 10_000,
  sampledRows = 16_384,
  densityLimits = DENSITY_LIMITS,
}: Deps): Search {
  /** What SQLite reads was measured without the windows of rows, and it does well. */
  const onPostgres = dialectOf(db.read) === 'postgres'
  const seekerOf = async (call: HttpCall, asked: Asked, matches: number | null): Promise<Seeker> => {
    const viewer = await access.viewer(db.read, call.principal)
    const id = call.principal?.id ?? '0'
    const guest = await isGuest(db.read, Number(id))
    const deleted = (asked.States ?? []).includes('Deleted') && (await isInPolicy(id, 'RestoreFromRecycleBin'))
    const kinds: readonly Kind[] = guest ? ['Case', 'Evidence'] : KINDS
    const devices = (await isInPolicy(id, 'ManageDevices')) ? 'all' : 'own'
    // Access is checked row by row when the words find fewer rows than the caller can view.
    const few = viewer.few && !(matches !== null && matches <= fewMatches)
    return { ...viewer, few, kinds, devices, deleted }
  }

  /** Lines and areas are measured once for a request: SQL knows the box around them only. */
  const measured = async (
    tenant: string,
    seeker: Seeker,
    filter: SearchFilter,
    signal: AbortSignal | undefined,
  ): Promise<Measured> => {
    const { box, near } = filter
    if (box === null && near === null) return { apart: [], isRough: false }
    const rows = await db.longRead(unsureLines(db.read, tenant, seeker, filter, MOST_MEASURED + 1), signal)
    return linesApart(
      rows.map(({ search_id: id }) => id),
      (shapes) => (near === null || isNear(shapes, near)) && (box === null || isIn(shapes, box)),
      (ids) => db.longRead(geometriesOf(db.read, ids), signal),
    )
  }

  const questionOf = async (
    call: HttpCall,
    tenant: string,
    asked: Asked,
    terms: readonly SearchTerm[],
    signal: AbortSignal | undefined,
  ) => {
    const match = matchOf(terms)
    const matches = match.all === null ? null : await countMatches(db, match.all, Math.max(fewMatches, MOST_LOOKED))
    const seeker = await seekerOf(call, asked, matches)
    const given = asked.CustomFields ?? []
    const times = { fromTicks: asked.FromUtc?.ticks ?? null, toTicks: asked.ToUtc?.ticks ?? null }
    const filter: SearchFilter = {
      near: nearFilter(asked),
      apart: [],
      match,
      ...times,
      rows:
        onPostgres && times.fromTicks !== null && !isGathered(seeker) ? await rowsTouching(db, tenant, times) : null,
      deviceId: asked.DeviceId ?? null,
      inCases: await casesAsked(db.read, tenant, seeker, asked, terms),
      unassociated: asked.Unassociated === true,
      inCategories: await categoriesAsked(db.read, tenant, terms),
      fields: given.length === 0 ? null : fieldsAsked(given, await customFields(db.read, tenant)),
      box: asked.BoundingBox ?? null,
    }
    const { apart, isRough } = await measured(tenant, seeker, filter, signal)
    const sort = asked.Sort ?? 'relevance'
    const question: Question = {
      tenant,
      seeker,
      filter: { ...filter, apart },
      isRough,
      matches,
      facets: facetFilter(asked, seeker.deleted),
      exact: match.all === null ? [] : await exactRows(db.read, (asked.Query ?? '').trim(), MOST_EXACT),
      sort,
      after: asked.Cursor == null ? null : readCursor(asked.Cursor, sort),
      count: asked.Count ?? STANDARD_COUNT,
      signal,
    }
    return question
  }

  /** Counts to one more than the exact limit, which shows that there are more. */
  const counted = async (question: Question, wanted: boolean): Promise<Counts> => {
    const { tenant, seeker, filter, facets, signal } = question
    const most = COUNTED + 1
    const cube = wanted ? await cubeOf(question, most) : null
    const whole = cube !== null && countOf(cube) < most
    const passing = cube === null ? 0 : countPassing(cube, facets)
    // A total above the exact limit is known already and not counted again.
    const total =
      whole || passing >= most
        ? passing
        : ((await db.longRead(countedHits(db.read, tenant, seeker, filter, facets, most), signal))[0]?.n ?? 0)
    return {
      Total: Math.min(total, COUNTED),
      TotalIsAtLeast: total > COUNTED,
      Facets: cube === null ? null : facetsOf(cube, facets, !whole),
    }
  }

  /**
   * SQLite follows the order of rows through an index of words; PostgreSQL would leave the index for the order, as if all could be viewed. For
   * whoever views what is in no case that is mostly so.
   */
  const gathers = ({ matches, seeker }: Question): boolean =>
    matches !== null && matches <= fewMatches && seeker.unassociated === 'None' && onPostgres

  const cubeOf = async ({ tenant, seeker, filter, matches, signal }: Question, most: number): Promise<CubeCell[]> => {
    const { all: match } = filter.match
    const asked = (within: SearchFilter) => db.longRead(countedCube(db.read, tenant, seeker, within, most), signal)
    // The newest of frequent words lie close together; PostgreSQL would find all that match first.
    if (onPostgres && match !== null && (matches ?? 0) > fewMatches && !isGathered(seeker) && !isNarrow(filter)) {
      const rows = await newestHolding(db, match, most, sampledRows)
      const newest = rows === null ? [] : await asked({ ...filter, rows })
      if (countOf(newest) >= most) return newest
    }
    return asked(filter)
  }

  /** All found rows when they are few; null when they are many, or probably many. */
  const lookedAt = async (question: Question): Promise<LookedRow[] | null> => {
    const { tenant, seeker, filter, matches, signal } = question
    let fewWords = false
    if (!isGathered(seeker)) {
      // Without words every row is read, so a failed attempt would double the cost.
      if (matches === null) return null
      // A caller who can view most of the station finds about as many rows as the words match, so the matches are counted first.
      fewWords = !isNarrow(filter) && matches <= MOST_LOOKED
      if (!fewWords && !isNarrow(filter)) return null
    }
    const rows = await db.longRead(
      newestRows(
        db.read,
        tenant,
        seeker,
        filter,
        MOST_LOOKED + 1,
        fewWords || onPostgres ? null : namesLookedAt,
        gathers(question),
      ),
      signal,
    )
    if (rows.length > MOST_LOOKED) return null
    const unsure = unsureOf(rows, question)
    if (unsure.length === 0 || filter.match.named === null) return rows
    const named = await db.longRead(namedAmong(db.read, filter.match.named, unsure), signal)
    const ids = new Set(named.map((row) => row.search_id))
    return rows.map((row) => (row.sure === 1 ? row : { ...row, sure: 1, named: ids.has(row.search_id) ? 1 : 0 }))
  }

  const answered = async (question: Question, facets: boolean): Promise<[Counts, (HitRow & { tier: number })[]]> => {
    const rows = await lookedAt(question)
    if (rows !== null) return [countsOf(rows, question, facets), pageFrom(rows, question)]
    const total = counted(question, facets)
    // Two threads read in parallel. Both are awaited, so that no rejection is unhandled.
    return Promise.all([
      total,
      question.sort === 'name' ? byName(question, (await total).TotalIsAtLeast) : byPlace(question),
    ])
  }

  const byPlace = async (question: Question): Promise<(HitRow & { tier: number })[]> => {
    const { tenant, seeker, filter, facets, after, count, signal } = question
    const found: (HitRow & { tier: number })[] = []
    for (const stretch of stretchesOf(question)) {
      if (found.length > count) break
      const more = {
        ...stretch,
        after: after?.tier === stretch.tier ? after.id : null,
        count: count + 1 - found.length,
        gather: gathers(question),
      }
      const rows = await db.longRead(hitsByPlace(db.read, tenant, seeker, filter, facets, more), signal)
      found.push(...rows.map((row) => ({ ...row, tier: stretch.tier })))
    }
    return found
  }

  const byName = async (question: Question, many: boolean): Promise<(HitRow & { tier: number })[]> => {
    const { tenant, seeker, filter, facets, after, count, signal } = question
    const page = { after, count: count + 1, walk: many || filter.match.all === null }
    const rows = await db.longRead(hitsByName(db.read, tenant, seeker, filter, facets, page), signal)
    return rows.map((row) => ({ ...row, tier: 0 }))
  }

  let underWay = 0
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay >= MOST_AT_ONCE)
      throw new Fault('NotReady', 'More is searched for than the station can find at the moment.', { retryAfter: 2 })
    underWay++
    try {
      return await work()
    } finally {
      underWay--
    }
  }

  const search = async (
    call: HttpCall,
    tenant: string,
    asked: Asked,
    signal: AbortSignal | undefined,
  ): Promise<SearchOut> => {
    const terms = parseSearch(asked.Query ?? '')
    const facets = asked.Facets !== false
    if (isUnsearchable(asked, terms))
      return { ...NOTHING, Facets: facets ? facetsOf([], facetFilter(asked, false), false) : null }
    const question = await questionOf(call, tenant, asked, terms, signal)
    const [counts, found] = await answered(question, facets)
    const shown = found.slice(0, question.count)
    const last = shown.at(-1)
    return {
      ...counts,
      PlaceIsRough: question.isRough,
      Hits: await shownHits(db.read, tenant, shown, {
        exact: new Set(question.exact),
        words: wordsToShow(terms),
        named: (ids) => displayNames({ access, timeZone }, db.read, call.principal, ids),
      }),
      Cursor:
        found.length > shown.length && last !== undefined
          ? writeCursor(question.sort, { tier: last.tier, id: last.search_id, key: last.name_key })
          : null,
    }
  }
  const density = async (
    call: HttpCall,
    tenant: string,
    { Area, Level, ...asked }: AskedDensity,
    signal: AbortSignal | undefined,
  ): Promise<DensityOut> => {
    const terms = parseSearch(asked.Query ?? '')
    const shown = Area == null || Level == null ? null : { area: Area, level: Level }
    if (isUnsearchable(asked, terms)) return nothingCounted(shown)
    const question = await questionOf(call, tenant, { ...asked, Cursor: null }, terms, signal)
    return countDensity(db, question, shown, densityLimits)
  }

  return {
    search: (call, tenant, asked, signal) => inTurn(() => search(call, tenant, asked, signal)),
    density: (call, tenant, asked, signal) => inTurn(() => density(call, tenant, asked, signal)),
  }
}

function nearFilter({ Near: near }: Asked): NearFilter | null {
  if (near == null) return null
  const circle = { latitude: near.Latitude, longitude: near.Longitude, metres: near.RadiusMeters }
  return { ...circle, box: boxAround(circle) }
}

/** The typed text contains nothing that can be searched. */
const isUnsearchable = ({ Query }: Pick<Asked, 'Query'>, terms: readonly SearchTerm[]): boolean =>
  terms.length === 0 && (Query ?? '').trim() !== ''

/** Whether other filters than the words exclude most matches. */
const isNarrow = (filter: SearchFilter): boolean =>
  filter.fromTicks !== null ||
  filter.toTicks !== null ||
  filter.deviceId !== null ||
  filter.inCases.length > 0 ||
  filter.inCategories.length > 0 ||
  filter.unassociated ||
  filter.fields !== null ||
  filter.box !== null ||
  filter.near !== null

/** Counts over all found rows. */
function countsOf(rows: readonly LookedRow[], { facets }: Question, wanted: boolean): Counts {
  const cube = rows.map((row) => ({ ...row, n: 1 }))
  return {
    Total: countPassing(cube, facets),
    TotalIsAtLeast: false,
    Facets: wanted ? facetsOf(cube, facets, false) : null,
  }
}

/** The tiers of relevance, in order, or the single stretch of another order. */
function stretchesOf({
  filter: { match },
  exact,
  sort,
  after,
}: Question): (Omit<Stretch, 'after' | 'count' | 'gather'> & { tier: number })[] {
  const plain = { match: match.all, notMatch: null, only: null, not: [] as readonly number[] }
  if (sort !== 'relevance') return [{ ...plain, tier: 0, direction: sort === 'oldest' ? 'asc' : 'desc' }]
  const tiers = [
    ...(exact.length === 0 ? [] : [{ ...plain, tier: 0, only: exact }]),
    ...(match.named === null ? [] : [{ ...plain, tier: 1, match: match.named, not: exact }]),
    { ...plain, tier: 2, notMatch: match.named, not: exact },
  ]
  return tiers.filter(({ tier }) => tier >= (after?.tier ?? 0)).map((tier) => ({ ...tier, direction: 'desc' as const }))
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

/** The cursor contains the order, because its place is valid only in that order. */
const writeCursor = (sort: Sort, { tier, id, key }: Place): string =>
  Buffer.from(JSON.stringify([sort, tier, id, ...(sort === 'name' ? [key] : [])])).toString('base64url')

function readCursor(cursor: string, sort: Sort): Place {
  const refuse = () =>
    fault('InvalidModel', 'The cursor is not one that this search gave.', [
      { Path: 'Cursor', Message: 'is not one that this search gave in this order' },
    ])
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refuse()
  }
  if (!Array.isArray(value)) throw refuse()
  const [ofSort, tier, id, key = ''] = value as unknown[]
  if (ofSort !== sort || !Number.isSafeInteger(tier) || !Number.isSafeInteger(id) || typeof key !== 'string')
    throw refuse()
  return { tier: tier as number, id: id as number, key }
}
