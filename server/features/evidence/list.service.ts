import type { z } from 'zod'
import type { EvidenceListItem, EvidenceSums } from '../../../shared/evidence/list.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Database } from '../../kernel/database/database.ts'
import { liveCase } from '../../kernel/access/access.store.ts'
import { byRow, isGathered, type Viewer } from '../../kernel/access/viewable.store.ts'
import type { Access } from '../../kernel/access/access.ts'
import { lastChecks } from '../../kernel/evidence/checks.store.ts'
import {
  evidenceRows,
  listedRows,
  playedRows,
  resourceRows,
  resourceStates,
} from '../../kernel/evidence/list-rows.store.ts'
import {
  countedTags,
  countListed,
  findsFew,
  gatheredPage,
  goesThroughWords,
  LISTED_TYPES,
  type ListFilter,
  type ListOrder,
  type ListPage,
  listedAtMost,
  listedPage,
  pageOfCommonWords,
  type Place,
  SORTED_BY_TEXT,
  sumsOfListed,
} from '../../kernel/evidence/list.store.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'
import { policiesOf, type ResourceRow, tagsOf } from '../../kernel/evidence/records.store.ts'
import { tagKey } from '../../kernel/evidence/records.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { evidenceModel } from './documents.models.ts'
import { summaryModel } from './list.models.ts'

export type ListItem = z.input<typeof EvidenceListItem>

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
  tags(call: HttpCall, tenant: string, text: string, count: number): Promise<{ Tag: string; Count: number }[]>
}

interface Deps {
  db: Database
  jobs: Pick<JobQueue, 'ofSubjects'>
  access: Access
  isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  /** What is few here; tests choose, for their worlds are small. */
  few?: number
}

type Known = Pick<ResourceRow, 'resource_id' | 'evidence_id' | 'state'>

/** Subjects asked for at once: SQLite takes so many values and no more. */
const SUBJECTS = 5000
/** So many that a filter finds are looked up by their ids and asked one by one who can view them. */
const FEW = 10_000
/** So many times as many are looked at as hold the words on a page if these lie anywhere in the order. */
const CANDIDATES = 1.5
/** From here on a set of all that hold the words costs no more. */
const MOST_CANDIDATES = 50_000
/** Rows of a page of what is handed out whole. */
const PAGE = 500

export function createListService({ db, jobs, access, isInPolicy, few: bound = FEW }: Deps): ListService {
  const jobsByEvidence = async (resources: readonly Known[]): Promise<Map<number, JobView[]>> => {
    const owner = new Map(resources.map((row) => [`resource:${row.resource_id}`, row.evidence_id]))
    const subjects = [...owner.keys()]
    const found: JobView[] = []
    for (let at = 0; at < subjects.length; at += SUBJECTS)
      found.push(...(await jobs.ofSubjects(subjects.slice(at, at + SUBJECTS))))
    return Map.groupBy(
      found.filter(({ kind }) => kind.startsWith('derive.')),
      ({ subject }) => owner.get(subject) as number,
    )
  }

  /** What the summaries of these evidences are made of, each by evidence. */
  const parts = async (ids: readonly number[]) => {
    const listed = await listedRows(db.read, ids)
    const leading = new Map(
      (
        await resourceRows(db.read, [
          ...new Set(listed.flatMap((row) => [row.first_id, row.lead_id]).filter((id) => id !== null)),
        ])
      ).map((row) => [row.resource_id, row]),
    )
    const unmeasured = listed
      .filter(({ type }) => type <= LISTED_TYPES.indexOf('audio'))
      .flatMap((row) => leading.get(row.lead_id ?? 0) ?? [])
      .filter((row) => !(row.media ?? '').includes('"DurationSeconds"'))
    const eventful = listed.filter(({ status }) => EVENTFUL.has(status)).map((row) => row.evidence_id)
    const known = Map.groupBy(await resourceStates(db.read, eventful), (row) => row.evidence_id)
    return {
      listed: new Map(listed.map((row) => [row.evidence_id, row])),
      leading,
      played: new Map((await playedRows(db.read, unmeasured)).map((row) => [row.parent_id, row])),
      known,
      work: await jobsByEvidence([...known.values()].flat()),
      gone: await goneAmong(db, [...known.values()].flat()),
    }
  }

  const items = async (call: HttpCall, ids: readonly number[]): Promise<ListItem[]> => {
    const rows = new Map((await evidenceRows(db.read, ids)).map((row) => [row.evidence_id, row]))
    const tags = await tagsOf(db.read, ids)
    const policies = Map.groupBy(await policiesOf(db.read, ids), (policy) => policy.evidence_id)
    const { listed, leading, played, known, work, gone } = await parts(ids)
    const levels = await access.onEvidences(db.read, call.principal, ids)
    const clocks = await clocksOf(db.read, ids)
    const inherited = Map.groupBy(await access.inherited(db.read, call.principal, ids), (policy) => policy.evidence_id)
    return ids.flatMap((id) => {
      const row = rows.get(id)
      const index = listed.get(id)
      const clock = clocks.get(id)
      if (row === undefined || index === undefined || clock === undefined) return []
      const summary = summaryModel({
        clock,
        listed: index,
        first: leading.get(index.first_id ?? 0),
        lead: leading.get(index.lead_id ?? 0),
        played: played.get(index.lead_id),
        jobs: work.get(id) ?? [],
        refused: known.get(id)?.some(({ state }) => state === 'Failed') ?? false,
        gone: gone.has(id),
      })
      const record = evidenceModel(
        row,
        tags.get(id) ?? [],
        policies.get(id) ?? [],
        levels.get(id) ?? 'None',
        inherited.get(id) ?? [],
        clock,
      )
      return [{ ...record, Summary: summary }]
    })
  }

  /** Whoever may restore sees the recycle bin whole. What is in a case is told to those who can view it: a number would tell others. */
  const viewableBy = async (call: HttpCall, filter: ListFilter) => {
    if (filter.caseId !== undefined) {
      const known = await liveCase(db.read, filter.caseId)
      if (!known || (await access.onCase(db.read, call.principal, filter.caseId)) === 'None') return 'nothing'
    }
    if (filter.deleted === true && (await isInPolicy(call.principal?.id ?? '0', 'RestoreFromRecycleBin'))) return null
    return access.viewer(db.read, call.principal)
  }

  /** What is few by the filter, or by what the caller can view at all, is found once, counted and sorted. */
  const gathered = async (
    tenant: string,
    filter: ListFilter,
    who: Viewer | null,
    page: ListPage,
  ): Promise<Found | null> => {
    const few = await findsFew(db, tenant, filter, bound)
    if (!few && (who === null || !isGathered(who))) return null
    const viewer = few && who !== null ? byRow(who) : who
    if (few || !goesThroughWords(filter))
      return foundOf(await db.longRead(gatheredPage(db.read, tenant, filter, viewer, page)))
    // Words may be in every evidence there is: each of the two threads that read goes through half of them.
    const middle = Math.floor((await listedAtMost(db.read)) / 2)
    const part = { ...page, offset: 0, count: page.offset + page.count }
    const halves = await Promise.all(
      [
        { from: 0, to: middle },
        { from: middle + 1, to: Number.MAX_SAFE_INTEGER },
      ].map(async (ids) => foundOf(await db.longRead(gatheredPage(db.read, tenant, filter, viewer, part, ids)))),
    )
    return {
      rows: inOrder(
        halves.flatMap(({ rows }) => rows),
        page,
      ).slice(page.offset, part.count),
      total: halves.reduce((sum, { total }) => sum + total, 0),
      atLeast: false,
    }
  }

  /**
   * The page of a filter that finds more than `exactTo`, as it is asked beside the count; null where it may pass too many rows for nothing.
   * What it finds by itself is more than `bound`, or it would have been gathered.
   */
  const pageAhead = async (tenant: string, filter: ListFilter, who: Viewer | null, page: ListPage, exactTo: number) => {
    const least = Math.max(1, bound, exactTo)
    const candidates = Math.ceil(CANDIDATES * (page.offset + page.count) * ((await listedAtMost(db.read)) / least))
    if (candidates > MOST_CANDIDATES) return null
    if (filter.text !== undefined) return pageOfCommonWords(db.read, tenant, filter, who, page, candidates)
    // Whatever else is asked for might be rare, and then this would pass every row before the count is there.
    const { tagKeys = [], ...rest } = filter
    return tagKeys.length === 1 && Object.keys(rest).length === 0
      ? listedPage(db.read, tenant, filter, who, page, 'walk')
      : null
  }

  /** What may be most of the station: rows are asked in their order, each by itself, and counted as far as is wanted. */
  const walked = async (
    tenant: string,
    filter: ListFilter,
    who: Viewer | null,
    page: ListPage,
    wanted: number,
  ): Promise<Found> => {
    // A page behind what must be counted: its own rows tell whether there are so many, and nothing before it is passed twice.
    if (page.offset + page.count > wanted && page.offset > 0 && page.after === undefined) {
      const rows = await db.longRead(listedPage(db.read, tenant, filter, who, page, 'walk'))
      if (rows.length === page.count) return { rows, total: page.offset + rows.length - 1, atLeast: true }
      if (rows.length > 0) return { rows, total: page.offset + rows.length, atLeast: false }
    }
    const exactTo = Math.max(wanted, page.offset + page.count - 1)
    const counted = countListed(db.read, tenant, filter, who, exactTo)
    // Where there are more than are counted, as there mostly are, the page is there as soon as the count.
    const ahead = exactTo === Number.POSITIVE_INFINITY ? null : await pageAhead(tenant, filter, who, page, exactTo)
    const [counts, first] = await Promise.all([db.longRead(counted), ahead === null ? [] : db.longRead(ahead)])
    const total = counts[0]?.total ?? 0
    if (total <= page.offset) return { rows: [], total, atLeast: false }
    if (total > exactTo && first.length === page.count) return { rows: first, total: exactTo, atLeast: true }
    // To follow the order passes as many rows as lie between two that match; to gather passes all that match, and sorts them.
    const passed = (page.offset + page.count) * ((await listedAtMost(db.read)) / total)
    const rows = await db.longRead(
      listedPage(db.read, tenant, filter, who, page, passed <= total || total > exactTo ? 'walk' : 'gather'),
    )
    return { rows, total: Math.min(total, exactTo), atLeast: total > exactTo }
  }

  return {
    list: async (
      call,
      tenant,
      filter,
      { sort, direction, cursor, offset = 0, count, exactTo = Number.POSITIVE_INFINITY },
    ) => {
      const order = { sort, direction }
      const who = await viewableBy(call, filter)
      const after = cursor === undefined ? undefined : readCursor(cursor, order)
      if (who === 'nothing') return { Items: [], Cursor: null, Total: 0, TotalIsAtLeast: false }
      const page = { ...order, offset, count: count + 1, ...(after === undefined ? {} : { after }) }
      const {
        rows: found,
        total,
        atLeast,
      } = (await gathered(tenant, filter, who, page)) ?? (await walked(tenant, filter, who, page, exactTo))
      const shown = found.slice(0, count)
      const last = shown.at(-1)
      return {
        Items: await items(
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
        const who = await viewableBy(call, filter)
        if (who === 'nothing') return
        const page = { ...order, offset: 0, count: PAGE, ...(after === undefined ? {} : { after }) }
        // All of them are wanted: following the order passes none that the other way would not pass too.
        const found = await db.longRead(listedPage(db.read, tenant, filter, who, page, 'walk'))
        const ids = found.map(({ id }) => id)
        if (ids.length > 0) yield await items(call, ids)
        after = found.at(-1)
        more = found.length === PAGE
      }
    },

    sums: async (call, tenant, filter) => {
      const who = await viewableBy(call, filter)
      if (who === 'nothing') return { Count: 0, LengthInBytes: 0, DurationSeconds: 0 }
      const [sums] = await db.longRead(sumsOfListed(db.read, tenant, filter, who))
      return { Count: sums?.count ?? 0, LengthInBytes: sums?.bytes ?? 0, DurationSeconds: sums?.seconds ?? 0 }
    },

    tags: async (call, tenant, text, count) => {
      const who = await access.viewer(db.read, call.principal)
      const counted = await db.longRead(countedTags(db.read, tenant, who, tagKey(text), count))
      return counted.map(({ tag, count: used }) => ({ Tag: tag, Count: used }))
    },
  }
}

interface Found {
  readonly rows: readonly Place[]
  readonly total: number
  readonly atLeast: boolean
}

const foundOf = (rows: readonly { total: number; id: number | null; key: string | null }[]): Found => ({
  rows: rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }])),
  total: rows[0]?.total ?? 0,
  atLeast: false,
})

/** As SQLite orders them: numbers that JavaScript cannot hold, and texts by their bytes. */
function inOrder(rows: readonly Place[], { sort, direction }: ListOrder): Place[] {
  const ofTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
  const ofNumbers = (one: string, other: string): number => Number(BigInt(one) - BigInt(other))
  const compare = SORTED_BY_TEXT.has(sort) ? ofTexts : ofNumbers
  const turn = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => turn * (compare(one.key, other.key) || one.id - other.id))
}

/** Whose summary says more than how it stands. */
const EVENTFUL: ReadonlySet<string> = new Set(['working', 'waiting', 'attention', 'danger'])

async function goneAmong(db: Database, resources: readonly Known[]): Promise<Set<number>> {
  const owner = new Map(resources.map((row) => [row.resource_id, row.evidence_id]))
  const checks = await lastChecks(db.read, [...owner.keys()])
  return new Set(
    [...checks.values()]
      .filter(({ result }) => result === 'missing')
      .map((row) => owner.get(row.resource_id) as number),
  )
}

/** The order belongs to it: in another one it would be another place. */
const writeCursor = ({ sort, direction }: ListOrder, { id, key }: Place): string =>
  Buffer.from(JSON.stringify([sort, direction, id, key])).toString('base64url')

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
  if (!SORTED_BY_TEXT.has(sort) && !/^-?\d{1,19}$/.test(key)) throw refuse()
  return { id: id as number, key }
}
