/** Lists of evidence: pages, exports, sums and tags, of what the caller can view. */
import type { z } from 'zod'
import {
  type EvidenceSums,
  type listEvidence,
  type listEvidenceFacet,
  MOST_COUNTED,
} from '../../../shared/evidence/list.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { liveCase } from '../../kernel/access/access.store.ts'
import {
  countedTags,
  type Facet,
  facetOfListed,
  type FacetRow,
  findsFew,
  LISTED_TYPES,
  type ListFilter,
  type ListOrder,
  listedPage,
  type Place,
  SORTED_BY_TEXT,
  sumsOfListed,
} from '../../kernel/evidence/list.store.ts'
import { categoryNames } from '../../kernel/evidence/categories.store.ts'
import { cameraNames, officerNames } from '../../kernel/evidence/faces.store.ts'
import { isGathered } from '../../kernel/access/viewable.store.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { dialectOf } from '../../kernel/database/kysely.ts'
import { ROWS_LOOKED_AT } from '../../kernel/database/newest-rows.ts'
import { recordedTicks } from '../../kernel/evidence/list-rows.store.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { tagKey } from '../../kernel/evidence/records.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { type ItemDeps, type ListItem, listItems } from './list.items.ts'
import { FEW, findPage } from './list.page.ts'

export interface ListPageAsked extends ListOrder {
  readonly cursor?: string
  readonly offset?: number
  readonly count: number
  /** Up to where the total must be exact; everywhere when not given. */
  readonly exactTo?: number
}

export interface ListService {
  /** @throws Fault InvalidModel for a cursor that is not one of this order's. */
  list(
    call: HttpCall,
    tenant: string,
    filter: ListFilter,
    page: ListPageAsked,
  ): Promise<{ Items: ListItem[]; Cursor: string | null; Total: number; TotalIsAtLeast: boolean }>
  /** All that match, in order, a page at a time; who may view what is judged anew for each. */
  pages(call: HttpCall, tenant: string, filter: ListFilter, order: ListOrder): AsyncIterable<readonly ListItem[]>
  /** Of all that match and that the caller can view. */
  sums(call: HttpCall, tenant: string, filter: ListFilter): Promise<z.input<typeof EvidenceSums>>
  /** The shifts in which these of one page began, in their order, each with what of the list began in it. */
  shifts(call: HttpCall, tenant: string, filter: ListFilter, ids: readonly string[]): Promise<ShiftOut[]>
  /** How many there are of each value, of what matches and the caller can view. */
  facet(
    call: HttpCall,
    tenant: string,
    filter: ListFilter,
    facet: Facet,
  ): Promise<z.input<(typeof listEvidenceFacet)['responses'][200]>>
  tags(call: HttpCall, tenant: string, text: string, count: number): Promise<{ Tag: string; Count: number }[]>
}

type ShiftOut = NonNullable<z.input<(typeof listEvidence)['responses'][200]>['Shifts']>[number]

/** Milliseconds since 1970; the second one is outside. */
interface NamedSpan {
  readonly name: string
  readonly from: number
  readonly to: number
}

interface Deps extends ItemDeps {
  /** The shift in which a moment lies. */
  readonly shiftAt: (tenant: string, millis: number) => Promise<NamedSpan>
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  /** What is few here; tests choose, for their worlds are small. */
  readonly few?: number
}

/** Rows of a page of what is handed out whole. */
const PAGE = 500

export function createListService(deps: Deps): ListService {
  const { db, access, few = FEW } = deps
  // What SQLite reads was measured without it, and it does well.
  const sampled = dialectOf(db.read) === 'postgres' ? ROWS_LOOKED_AT : null
  return {
    list: async (
      call,
      tenant,
      filter,
      { sort, direction, cursor, offset = 0, count, exactTo = Number.POSITIVE_INFINITY },
    ) => {
      const order = { sort, direction }
      const who = await viewableBy(deps, call, filter)
      const after = cursor === undefined ? undefined : readCursor(cursor, order)
      if (who === 'nothing') return { Items: [], Cursor: null, Total: 0, TotalIsAtLeast: false }
      const page = { ...order, offset, count: count + 1, ...(after === undefined ? {} : { after }) }
      const {
        rows: found,
        total,
        atLeast,
      } = await findPage({ db, few, sampled }, { tenant, filter, who }, page, exactTo)
      const shown = found.slice(0, count)
      const last = shown.at(-1)
      return {
        Items: await listItems(
          deps,
          call,
          shown.map(({ id }) => id),
        ),
        Cursor: found.length > count && last !== undefined ? writeCursor(order, last) : null,
        Total: total,
        TotalIsAtLeast: atLeast,
      }
    },

    pages: async function* (call, tenant, filter, order) {
      for (let after: Place | undefined, more = true; more; ) {
        const who = await viewableBy(deps, call, filter)
        if (who === 'nothing') return
        const page = { ...order, offset: 0, count: PAGE, ...(after === undefined ? {} : { after }) }
        // All of them are wanted: following the order passes none that the other way would not pass too.
        const found = await db.longRead(listedPage(db.read, tenant, filter, who, page, 'walk'))
        const ids = found.map(({ id }) => id)
        if (ids.length > 0) yield await listItems(deps, call, ids)
        after = found.at(-1)
        more = found.length === PAGE
      }
    },

    sums: async (call, tenant, filter) => {
      const who = await viewableBy(deps, call, filter)
      if (who === 'nothing') return { Count: 0, LengthInBytes: 0, DurationSeconds: 0 }
      const [sums] = await db.longRead(sumsOfListed(db.read, tenant, filter, who))
      return { Count: sums?.count ?? 0, LengthInBytes: sums?.bytes ?? 0, DurationSeconds: sums?.seconds ?? 0 }
    },

    shifts: async (call, tenant, filter, ids) => {
      const who = await viewableBy(deps, call, filter)
      if (who === 'nothing') return []
      const ticks = await recordedTicks(db.read, ids.map(Number))
      const found: { first: number; shift: NamedSpan }[] = []
      for (const [first, id] of ids.entries()) {
        const millis = Number((ticks.get(Number(id)) ?? 0n) / TICKS)
        const last = found.at(-1)?.shift
        if (last !== undefined && millis >= last.from && millis < last.to) continue
        if (found.length === MOST_SHIFTS) break
        found.push({ first, shift: await deps.shiftAt(tenant, millis) })
      }
      return Promise.all(
        found.map(async ({ first, shift: { name, from, to } }) => {
          const began = { from: BigInt(from) * TICKS, to: BigInt(to) * TICKS }
          const [sums] = await db.longRead(sumsOfListed(db.read, tenant, { ...filter, began }, who))
          return {
            Name: name,
            FromUtc: isoMillis(from),
            ToUtc: isoMillis(to),
            First: first,
            Count: sums?.count ?? 0,
            DurationSeconds: sums?.seconds ?? 0,
          }
        }),
      )
    },

    facet: async (call, tenant, filter, facet) => {
      const who = await viewableBy(deps, call, filter)
      if (who === 'nothing') return { Values: [], AreAtLeast: false }
      const free = without(filter, facet)
      const isFew = (await findsFew(db, tenant, free, few)) || (who !== null && isGathered(who))
      const asked = { way: isFew ? 'gather' : 'walk', most: MOST_COUNTED + 1, values: MOST_VALUES } as const
      const rows = await db.longRead(facetOfListed(db.read, tenant, free, who, facet, asked))
      const names = await namesOfValues(db.read, facet, rows)
      return {
        Values: rows.flatMap(({ value, count }) => {
          const name = names(value)
          return value === null || name === undefined
            ? []
            : [{ Value: valueOf(facet, value), Name: name, Count: count }]
        }),
        AreAtLeast: (rows[0]?.total ?? 0) > MOST_COUNTED,
      }
    },

    tags: async (call, tenant, text, count) => {
      const who = await access.viewer(db.read, call.principal)
      const counted = await db.longRead(countedTags(db.read, tenant, who, tagKey(text), count))
      return counted.map(({ tag, count: used }) => ({ Tag: tag, Count: used }))
    },
  }
}

/** Of one page; a page of many months has no use for heads. */
const MOST_SHIFTS = 12
const TICKS = 10_000n

/** So many values of a facet are given. */
const MOST_VALUES = 200

/** Several values of one filter may be chosen: what the others would add is counted without it. All tags and all of `has` must hold. */
function without(filter: ListFilter, facet: Facet): ListFilter {
  const { types, statuses, categories, devices, officers, ...rest } = filter
  const own = {
    type: 'types',
    status: 'statuses',
    category: 'categories',
    device: 'devices',
    officer: 'officers',
  } as const
  if (facet === 'tag' || facet === 'has') return filter
  const { [own[facet]]: _left, ...others } = { types, statuses, categories, devices, officers }
  return { ...rest, ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) }
}

const valueOf = (facet: Facet, value: string | number): string =>
  facet === 'type' ? (LISTED_TYPES[Number(value)] ?? 'none') : String(value)

/** What people call a value; undefined for one that has no name any more, null where it says itself what it is. */
async function namesOfValues(from: Tx, facet: Facet, rows: readonly FacetRow[]) {
  const values = rows.flatMap(({ value }) => value ?? [])
  const named =
    facet === 'category'
      ? await categoryNames(from, values.map(String))
      : facet === 'device'
        ? await cameraNames(from, values.map(String))
        : facet === 'officer'
          ? await officerNames(from, values.map(Number))
          : null
  return (value: string | number | null): string | null | undefined =>
    named === null ? null : named.get(String(value))
}

/** Whoever may restore sees the recycle bin whole. What is in a case is told to those who can view it: a number would tell others. */
async function viewableBy({ db, access, isInPolicy }: Deps, call: HttpCall, filter: ListFilter) {
  if (filter.caseId !== undefined) {
    const known = await liveCase(db.read, filter.caseId)
    if (!known || (await access.onCase(db.read, call.principal, filter.caseId)) === 'None') return 'nothing'
  }
  if (filter.deleted === true && (await isInPolicy(call.principal?.id ?? '0', 'RestoreFromRecycleBin'))) return null
  return access.viewer(db.read, call.principal)
}

/** The order belongs to it: in another one it would be another place. */
const writeCursor = ({ sort, direction }: ListOrder, { id, key }: Place): string =>
  Buffer.from(JSON.stringify([sort, direction, id, key])).toString('base64url')

const isInteger64 = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

function readCursor(cursor: string, { sort, direction }: ListOrder): Place {
  const refuse = () =>
    fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave in this order' },
    ])
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refuse()
  }
  if (!Array.isArray(value)) throw refuse()
  const [ofSort, ofDirection, id, key] = value as unknown[]
  if (ofSort !== sort || ofDirection !== direction || !Number.isSafeInteger(id) || typeof key !== 'string')
    throw refuse()
  if (!SORTED_BY_TEXT.has(sort) && !isInteger64(key)) throw refuse()
  return { id: id as number, key }
}
