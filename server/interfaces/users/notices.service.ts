import type { z } from 'zod'
import { fault } from '../../../shared/contract/errors.ts'
import type { NoticeModel } from '../../../shared/contract/notices.ts'
import { includes } from '../../../shared/domain/permissions.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Database } from '../../db/database.ts'
import type { Access } from '../../evidence/access/access.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../handlers.ts'
import { countUnseen, markSeen, type NoticeRow, noticesOf, titlesOfCases } from './notices.repository.ts'

export type NoticeOut = z.input<typeof NoticeModel>

/** What the station tells one person; nobody reads those of others. */
export interface Notices {
  /** @throws Fault InvalidModel for a cursor that is none */
  list(
    call: HttpCall,
    tenant: string,
    page: { unseen: boolean; cursor?: string | undefined; count: number },
  ): Promise<{ Items: NoticeOut[]; Cursor: string | null; Unseen: number }>
  see(call: HttpCall, tenant: string, ids: readonly string[]): Promise<{ Unseen: number }>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly access: Pick<Access, 'onCases'>
  readonly clock: Clock
}

export function createNotices({ db, ledger, access, clock }: Deps): Notices {
  const own = (call: HttpCall): number => Number(call.principal?.id ?? 0)
  /** Of the cases among them, those that the caller can view today, with their titles. */
  const names = async (call: HttpCall, tenant: string, rows: readonly NoticeRow[]): Promise<Map<string, string>> => {
    const ids = [...new Set(rows.flatMap((row) => (row.object_type === 'case' ? [Number(row.object_id)] : [])))]
    const levels = await access.onCases(db.read, call.principal, ids)
    const seen = ids.filter((id) => includes(levels.get(id) ?? 'None', 'View'))
    const titles = await titlesOfCases(db.read, tenant, seen)
    return new Map([...titles].map(([id, title]) => [String(id), title]))
  }

  return {
    list: async (call, tenant, { unseen, cursor, count }) => {
      const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(cursor)
      const rows = await noticesOf(db.read, tenant, own(call), { unseen, before, count: count + 1 })
      const shown = rows.slice(0, count)
      const last = rows.length > count ? shown.at(-1) : undefined
      const titles = await names(call, tenant, shown)
      return {
        Items: shown.map((row) => noticeModel(row, titles)),
        Cursor: last === undefined ? null : writeCursor(last.notice_id),
        Unseen: await countUnseen(db.read, tenant, own(call)),
      }
    },

    see: (call, tenant, ids) =>
      db.transaction(async (tx) => {
        // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
        const asked = [...new Set(ids.filter((id) => id.length <= 15).map(Number))]
        const seen = asked.length === 0 ? [] : await markSeen(tx, tenant, own(call), asked, isoMillis(clock.now()))
        // Also where nothing changed: that somebody asked for it is an act.
        await ledger.append(tx, call, {
          action: 'notice.seen',
          object: { type: 'user', id: call.actor.id, name: call.actor.name },
          detail: { noticeIds: seen.sort((one, other) => one - other).map(String) },
        })
        return { Unseen: await countUnseen(tx, tenant, own(call)) }
      }),
  }
}

const noticeModel = (row: NoticeRow, titles: ReadonlyMap<string, string>): NoticeOut => ({
  NoticeId: String(row.notice_id),
  Kind: row.kind,
  Message: row.message,
  Object: {
    Type: row.object_type,
    Id: row.object_id,
    Name: row.object_type === 'case' ? (titles.get(row.object_id) ?? null) : null,
  },
  CreatedUtc: row.created_utc,
  CreatedBy: JSON.parse(row.created_by) as NoticeOut['CreatedBy'],
  SeenUtc: row.seen_utc,
})

const writeCursor = (id: number): string => Buffer.from(JSON.stringify(['notice', id])).toString('base64url')

function readCursor(cursor: string): number {
  const match = /^\["notice",(\d{1,15})\]$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (match === null)
    throw fault('InvalidModel', 'The cursor is not one that this list gave.', [
      { Path: 'cursor', Message: 'is not one that this list gave' },
    ])
  return Number(match[1])
}
