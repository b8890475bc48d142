import type { z } from 'zod'
import { Fault } from '../../../shared/kernel/errors.ts'
import { COUNTED, type SearchAnswer } from '../../../shared/search/contract.ts'
import { parseSearch, type SearchTerm, wordsToShow } from '../../../shared/search/search-query.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { ROWS_LOOKED_AT } from '../../kernel/database/newest-rows.ts'
import { displayNames } from '../../kernel/evidence/display-names.store.ts'
import { questionOf, type QuestionDeps } from './search.ask.ts'
import { writeCursor } from './search.cursor.ts'
import { countDensity, DENSITY_LIMITS, type DensityLimits, type DensityOut, nothingCounted } from './search.density.ts'
import { facetsOf } from './search.facets.ts'
import { MOST_LOOKED } from './search.few-rows.ts'
import { createFinder, type FinderDeps } from './search.find.ts'
import { shownHits } from './search.hits.ts'
import { type Asked, type AskedDensity, facetFilter } from './search.question.ts'

export type SearchOut = z.input<typeof SearchAnswer>

/** Search (decisions 7). */
export interface Search {
  /** Where the evidence that is found was. @throws Fault as `search` */
  density(call: HttpCall, tenant: string, asked: AskedDensity, signal?: AbortSignal): Promise<DensityOut>
  /** @throws Fault InvalidModel for a cursor of another order, and for values that no custom field can have */
  search(call: HttpCall, tenant: string, asked: Asked, signal?: AbortSignal): Promise<SearchOut>
}

interface Deps
  extends Omit<QuestionDeps, 'fewMatches' | 'sampledRows'>,
    Partial<Omit<FinderDeps, 'db'>>,
    Partial<Pick<QuestionDeps, 'sampledRows'>> {
  /** IANA name, of the station. */
  readonly timeZone: string
  readonly densityLimits?: DensityLimits
}

/** The most concurrent searches. Two threads serve them one after another, so more would wait for seconds (promise L5). */
const MOST_AT_ONCE = 48
const NOTHING: SearchOut = {
  Total: 0,
  TotalIsAtLeast: false,
  PlaceIsRough: false,
  Hits: [],
  Facets: null,
  Cursor: null,
}

/** @param deps limits are the station's; tests with few rows set them */
export function createSearch({
  namesLookedAt = 1_600,
  fewMatches = 10_000,
  sampledRows = ROWS_LOOKED_AT,
  mostLooked = MOST_LOOKED,
  exactTo = COUNTED,
  densityLimits = DENSITY_LIMITS,
  ...deps
}: Deps): Search {
  const { db, access, timeZone } = deps
  const asking: QuestionDeps = { ...deps, fewMatches, sampledRows }
  const find = createFinder({ db, namesLookedAt, fewMatches, mostLooked, exactTo })

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
    const question = await questionOf(asking, call, { tenant, asked, terms, signal })
    const [counts, found] = await find(question, facets)
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
    const question = await questionOf(asking, call, { tenant, asked: { ...asked, Cursor: null }, terms, signal })
    return countDensity(db, question, shown, densityLimits)
  }

  return {
    search: (call, tenant, asked, signal) => inTurn(() => search(call, tenant, asked, signal)),
    density: (call, tenant, asked, signal) => inTurn(() => density(call, tenant, asked, signal)),
  }
}

/** The typed text contains nothing that can be searched. */
const isUnsearchable = ({ Query }: Pick<Asked, 'Query'>, terms: readonly SearchTerm[]): boolean =>
  terms.length === 0 && (Query ?? '').trim() !== ''
