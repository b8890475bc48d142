import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import type { NoticeModel, SeenNoticesModel } from '../../../shared/notifications/contract.ts'
import {
  isNoticeKind,
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeWay,
  ruleOf,
} from '../../../shared/notifications/rules.ts'
import { includes, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { putWay, waysOfPerson } from './notices.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  countUnseen,
  markSeen,
  namesOfEvidence,
  namesOfOwnLinks,
  namesOfPrincipals,
  namesOfSavedSearches,
  namesOfSessions,
  type NoticeRow,
  noticesOf,
  titlesOfCases,
} from './own-notices.store.ts'

export type NoticeOut = z.input<typeof NoticeModel>

interface Choice {
  readonly Kind: NoticeKind
  readonly Way: NoticeWay
}

/** Notices of one person. Nobody can read those of others. */
export interface OwnNotices {
  /** @throws Fault InvalidModel for a cursor that is none */
  list(
    call: HttpCall,
    tenant: string,
    page: { unseen: boolean; cursor?: string | undefined; count: number },
  ): Promise<{ Items: NoticeOut[]; Cursor: string | null; Unseen: number }>
  see(call: HttpCall, tenant: string, which: z.output<typeof SeenNoticesModel>): Promise<{ Unseen: number }>
  /** Of the kinds that the caller could be told of. */
  choices(call: HttpCall): Promise<Choice[]>
  choose(call: HttpCall, choices: readonly Choice[]): Promise<Choice[]>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly access: Pick<Access, 'onCases' | 'onEvidences'>
  readonly clock: Clock
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
}

/** What the objects of notices are called today, those that the caller cannot view left out. */
type Names = ReadonlyMap<string, string>
const nameKey = ({ object_type: type, object_id: id }: Pick<NoticeRow, 'object_type' | 'object_id'>): string =>
  `${type} ${id}`

/** Whoever takes part in a handover knows who the other one is; of accounts only administrators are told otherwise. */
const isOfHandover = ({ kind, object_type: type }: NoticeRow): boolean =>
  type === 'user' && (kind === 'case.received' || kind === 'case.handedOver')

export function createOwnNotices({ db, ledger, access, clock, isInPolicy, isAdministrator }: Deps): OwnNotices {
  const own = (call: HttpCall): number => Number(call.principal?.id ?? 0)
  const viewableCases = async (call: HttpCall, tenant: string, ids: readonly number[]) => {
    const levels = await access.onCases(db.read, call.principal, ids)
    return titlesOfCases(
      db.read,
      tenant,
      ids.filter((id) => includes(levels.get(id) ?? 'None', 'View')),
    )
  }
  const viewableEvidence = async (call: HttpCall, tenant: string, ids: readonly number[]) => {
    const levels = await access.onEvidences(db.read, call.principal, ids)
    return namesOfEvidence(
      db.read,
      tenant,
      ids.filter((id) => includes(levels.get(id) ?? 'None', 'View')),
    )
  }
  const names = async (call: HttpCall, tenant: string, shown: readonly NoticeRow[]): Promise<Names> => {
    const who = call.principal?.id ?? '0'
    const of = (type: string): number[] => [
      ...new Set(shown.flatMap((row) => (row.object_type === type ? [Number(row.object_id)] : []))),
    ]
    const found = new Map<string, string>()
    const add = (type: string, some: ReadonlyMap<number, string>): void => {
      for (const [id, name] of some) found.set(nameKey({ object_type: type, object_id: String(id) }), name)
    }
    const [cases, sessions, services, users] = [of('case'), of('dockSession'), of('service'), of('user')]
    if (cases.length > 0) add('case', await viewableCases(call, tenant, cases))
    const searches = of('savedSearch')
    if (searches.length > 0) add('savedSearch', await namesOfSavedSearches(db.read, own(call), searches))
    const links = of('shareLink')
    if (links.length > 0) add('shareLink', await namesOfOwnLinks(db.read, own(call), links))
    const evidence = of('evidence')
    if (evidence.length > 0) add('evidence', await viewableEvidence(call, tenant, evidence))
    if (sessions.length > 0 && (await isInPolicy(who, 'ManageDevices')))
      add('dockSession', await namesOfSessions(db.read, tenant, sessions))
    if (services.length > 0 && (await isInPolicy(who, 'ManageConfiguration')))
      add('service', await namesOfPrincipals(db.read, tenant, services))
    if (users.length > 0) {
      const ofHandovers = shown.flatMap((row) => (isOfHandover(row) ? [Number(row.object_id)] : []))
      const named = (await isAdministrator(who)) ? users : ofHandovers
      add('user', await namesOfPrincipals(db.read, tenant, named))
    }
    if (shown.some((row) => row.object_type === 'station') && (await isAdministrator(who)))
      found.set(nameKey({ object_type: 'station', object_id: tenant }), tenant)
    return found
  }
  const choices = async (from: Tx, call: HttpCall): Promise<Choice[]> => {
    const who = call.principal?.id ?? '0'
    const ways = await waysOfPerson(from, own(call))
    const [administers, configures] = [await isAdministrator(who), await isInPolicy(who, 'ManageConfiguration')]
    const possible = (kind: NoticeKind): boolean => {
      const { only } = ruleOf(kind)
      return only === undefined || (only === 'administrators' ? administers : configures)
    }
    return NOTICE_KINDS.filter(possible).map((Kind) => ({ Kind, Way: ways.get(Kind) ?? ruleOf(Kind).usualWay }))
  }

  return {
    list: async (call, tenant, { unseen, cursor, count }) => {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(cursor)
      const rows = await noticesOf(db.read, tenant, own(call), { unseen, before, count: count + 1 })
      const shown = rows.slice(0, count)
      const last = rows.length > count ? shown.at(-1) : undefined
      const named = await names(call, tenant, shown)
      const ways = await waysOfPerson(db.read, own(call))
      return {
        Items: shown.map((row) => noticeModel(row, named.get(nameKey(row)) ?? null, ways)),
        Cursor: last === undefined ? null : writeCursor(last.notice_id),
        Unseen: await countUnseen(db.read, tenant, own(call)),
      }
    },

    see: (call, tenant, { NoticeIds: ids = [], UpTo: upTo }) =>
      db.transaction(async (tx) => {
        // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
        const asked = [...new Set(ids.filter((id) => id.length <= 15).map(Number))]
        const which =
          upTo === undefined ? { ids: asked } : { upTo: upTo.length <= 15 ? Number(upTo) : Number.MAX_SAFE_INTEGER }
        const now = isoMillis(clock.now())
        const seen = upTo === undefined && asked.length === 0 ? [] : await markSeen(tx, tenant, own(call), which, now)
        const noticeIds = seen.sort((one, other) => one - other).map(String)
        // Also where nothing changed: that somebody asked for it is an act.
        await ledger.append(tx, call, {
          action: 'notice.seen',
          object: { type: 'user', id: call.actor.id, name: call.actor.name },
          detail: upTo === undefined ? { noticeIds } : { upTo, count: noticeIds.length },
        })
        return { Unseen: await countUnseen(tx, tenant, own(call)) }
      }),

    choices: (call) => choices(db.read, call),

    choose: (call, given) =>
      db.transaction(async (tx) => {
        for (const { Kind, Way } of given) await putWay(tx, own(call), Kind, Way)
        await ledger.append(tx, call, {
          action: 'notice.chosen',
          object: { type: 'user', id: call.actor.id, name: call.actor.name },
          detail: { ways: Object.fromEntries(given.map(({ Kind, Way }) => [Kind, Way])) },
        })
        return choices(tx, call)
      }),
  }
}

function noticeModel(row: NoticeRow, name: string | null, ways: ReadonlyMap<NoticeKind, NoticeWay>): NoticeOut {
  const by = JSON.parse(row.created_by) as NonNullable<NoticeOut['CreatedBy']>
  const viewed = name !== null
  return {
    NoticeId: String(row.notice_id),
    Kind: row.kind,
    Message: viewed ? row.message : '',
    Object: { Type: row.object_type, Id: row.object_id, Name: name },
    Act: viewed ? row.act : null,
    Times: row.count,
    SinceUtc: row.first_utc ?? row.created_utc,
    CreatedUtc: row.created_utc,
    CreatedBy: viewed ? by : null,
    SeenUtc: row.seen_utc,
    System: isNoticeKind(row.kind) && (ways.get(row.kind) ?? ruleOf(row.kind).usualWay) === 'system',
  }
}

const writeCursor = (id: number): string => Buffer.from(JSON.stringify(['notice', id])).toString('base64url')

function readCursor(cursor: string): number {
  const match = /^\["notice",(\d{1,15})\]$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (match === null)
    throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave' },
    ])
  return Number(match[1])
}
