/**
 * What somebody without an account does with a link (docs/decisions/0037). Link, session and every file are judged by their rows at each request: nothing
 * is remembered of an earlier answer.
 */
import { randomBytes } from 'node:crypto'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import { SESSION_MS, type ShareLinkState, stateOf, WRONG_CODES } from '../../../shared/share-links/rules.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import { refuseForwarded } from '../../kernel/evidence/forwarded.store.ts'
import { resourceObject } from '../../kernel/evidence/objects.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { newToken, tokenHash } from '../../kernel/token-cookie.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { Copies, CopyFile } from './copies.ts'
import { type GuestOut, linkObject, personThen } from './share-links.models.ts'
import * as rows from './share-links.store.ts'
import { type SharedFile, type StandingDeps, standingFiles } from './standing.ts'

/** Whoever opened a link. It holds no right of its own, and its id is that of no account. */
export interface GuestPrincipal extends Principal {
  readonly guest: true
  readonly linkId: number
  /** SHA-256 of the cookie. */
  readonly session: string
}

/** One attempt at a code, whose turn it is; the queue and the delays are those of passwords. */
interface CodeAttempt {
  verify(codeHash: string, code: string): Promise<boolean>
  failed(tx: Tx): Promise<void>
}

export interface GuestDeps extends StandingDeps, Pick<Kernel, 'db' | 'store'> {
  readonly ledger: Pick<Ledger, 'append' | 'record' | 'tally'>
  readonly copies: Copies
  readonly codes: {
    hash(code: string): Promise<string>
    inTurn<T>(call: Call, key: string, work: (attempt: CodeAttempt) => Promise<T>): Promise<T>
  }
  readonly notices: Pick<Notices, 'tell'>
  readonly station: { readonly name: string; readonly timeZone: string }
}

export type Guests = ReturnType<typeof createGuests>

/** A file of the link that was asked for, and may be handed out. */
export interface Reached {
  readonly guest: GuestPrincipal
  readonly link: rows.LinkRow
  readonly item: rows.ItemRow
  readonly file: SharedFile
}

export function createGuests(deps: GuestDeps) {
  const { db, ledger, clock, copies } = deps

  /** The link of a session that stands, or null. */
  const standing = async (from: Tx, session: string): Promise<rows.LinkRow | null> => {
    const row = await rows.sessionByToken(from, session)
    if (row === undefined || row.ends_at <= clock.now()) return null
    const link = await rows.linkById(from, row.link_id)
    return link !== undefined && stateOf(link, clock.now()) === 'open' ? link : null
  }
  const reach = async (call: HttpCall, item: string): Promise<Reached> => {
    const guest = guestOf(call)
    const link = await standing(db.read, guest.session)
    if (link === null) throw noSession()
    const found = (await rows.itemsOf(db.read, [link.link_id])).find((one) => String(one.item) === item)
    const file = found === undefined ? undefined : (await standingFiles(deps, db.read, link, [found])).get(found.item)
    // Not there, and not shown any more: the same answer.
    if (found === undefined || file === undefined) throw fault('ResourceNotFound', `The link shows no file ${item}.`)
    return { guest, link, item: found, file }
  }
  const copyOf = async ({ link, item, file }: Reached, which: 'copy' | 'poster'): Promise<CopyFile> => {
    if (file.shows === 'nothing') throw fault('ResourceNotFound', 'There is no copy of files of this kind.')
    const copy = await copies.open(link.link_id, item.item, which)
    if (copy === null) throw fault('NotReady', 'The copy is being made. Ask again in a moment.')
    return copy
  }

  return {
    /** For the authorisation: who a cookie is, or null. */
    find: async (token: string): Promise<GuestPrincipal | null> => {
      const session = tokenHash(token)
      const link = await standing(db.read, session)
      return link === null ? null : principalOf(link, session)
    },
    /** Whether a download that runs may go on. @param item that it is of */
    mayGoOn: async ({ session }: GuestPrincipal, item: string | undefined): Promise<boolean> => {
      const link = await standing(db.read, session)
      if (link === null) return false
      if (item === undefined) return true
      const found = (await rows.itemsOf(db.read, [link.link_id])).find((one) => String(one.item) === item)
      return found !== undefined && (await standingFiles(deps, db.read, link, [found])).has(found.item)
    },
    open: openLink(deps),
    describe: async (call: HttpCall): Promise<GuestOut> => {
      const { session } = guestOf(call)
      const link = await standing(db.read, session)
      const row = await rows.sessionByToken(db.read, session)
      if (link === null || row === undefined) throw noSession()
      return guestModel(deps, link, row.ends_at)
    },
    close: async (call: HttpCall): Promise<void> => {
      const { session } = guestOf(call)
      await db.transaction(async (tx) => {
        const link = await standing(tx, session)
        await rows.endSessions(tx, [session])
        if (link !== null) await ledger.append(tx, call, { action: 'shareLink.closed', object: linkObject(link) })
      })
    },
    poster: async (call: HttpCall, item: string): Promise<CopyFile> => copyOf(await reach(call, item), 'poster'),
    /** The first look of a session at a copy is an entry; a player asks for the same file in many pieces. */
    copy: async (call: HttpCall, item: string): Promise<{ readonly copy: CopyFile; readonly of: Reached }> => {
      const of = await reach(call, item)
      const copy = await copyOf(of, 'copy')
      if (!(await rows.isViewed(db.read, of.guest.session, of.item.item)))
        await db.transaction(async (tx) => {
          if (await rows.isViewed(tx, of.guest.session, of.item.item)) return
          if ((await standing(tx, of.guest.session)) === null) throw noSession()
          await rows.insertView(tx, of.guest.session, of.item.item)
          await ledger.append(tx, call, { action: 'resource.linkViewed', ...entryOf(of) })
        })
      return { copy, of }
    },
    original: async (call: HttpCall, item: string): Promise<Reached> => {
      const of = await reach(call, item)
      if (of.link.mode !== 'download') throw fault('ResourceNotFound', 'The link is for viewing only.')
      await refuseForwarded(db.read, of.file.original.sha256)
      return of
    },
    /** Before the bytes go out. */
    recordDownload: async (call: HttpCall, of: Reached, range: string | null): Promise<void> => {
      const { sha256, length } = of.file.original
      const { detail, object } = entryOf(of)
      await ledger.record(call, {
        action: 'resource.linkDownloaded',
        object,
        sha256,
        bytes: length,
        detail: { ...detail, range },
      })
    },
    /** Sessions that are over. */
    forget: async (): Promise<void> => {
      for (;;) {
        const over = await rows.sessionTokens(db.read, { endedBefore: clock.now() })
        if (over.length === 0) return
        await db.transaction((tx) => rows.endSessions(tx, over))
      }
    },
  }
}

const entryOf = ({ link, file }: Reached) => ({
  object: resourceObject(file.original),
  detail: {
    evidenceId: String(file.evidence.evidence_id),
    linkId: String(link.link_id),
    recipient: link.recipient_name,
  },
})

const noSession = () => fault('Unauthorized', 'Open the link with its code first.')

const principalOf = (link: rows.LinkRow, session: string): GuestPrincipal => ({
  kind: 'share-link',
  id: `link-${link.link_id}`,
  name:
    link.recipient_organisation === '' ? link.recipient_name : `${link.recipient_name}, ${link.recipient_organisation}`,
  kId: '',
  guest: true,
  linkId: link.link_id,
  session,
})

/** The authorisation let in whoever has a cookie of a link, and nobody else. */
function guestOf({ principal }: HttpCall): GuestPrincipal {
  if (principal === null || principal.kind !== 'share-link' || !('session' in principal)) throw noSession()
  return principal as GuestPrincipal
}

async function guestModel(deps: GuestDeps, link: rows.LinkRow, endsAt: number): Promise<GuestOut> {
  const items = await rows.itemsOf(deps.db.read, [link.link_id])
  const files = await standingFiles(deps, deps.db.read, link, items)
  const copies = await deps.copies.standing(link.link_id, files)
  return {
    Number: String(link.link_id),
    Station: deps.station.name,
    GivenBy: personThen(link.made_by_then).Username,
    Recipient: { Name: link.recipient_name, Organisation: link.recipient_organisation },
    Mode: link.mode,
    MadeTimeUtc: link.made_utc,
    ExpiresTimeUtc: link.expires_utc,
    SessionEndsTimeUtc: isoMillis(endsAt),
    TimeZone: deps.station.timeZone,
    Items: [...files].map(([No, { evidence, original, shows }]) => ({
      No,
      Evidence: evidence.name,
      Name: original.name,
      Shows: shows,
      Copy: copies.get(No)?.state ?? 'none',
      Progress: copies.get(No)?.progress ?? null,
      Original: link.mode === 'download' ? { Sha256: original.sha256, LengthInBytes: original.length } : null,
    })),
    Withheld: items.length - files.size,
  }
}

type Opening =
  | { readonly how: 'opened'; readonly token: string; readonly link: rows.LinkRow; readonly endsAt: number }
  | { readonly how: 'refused' }
  | { readonly how: 'ended'; readonly state: ShareLinkState }

/**
 * An unknown token, a wrong code and a locked link take equally long and are answered alike. That a link expired or was recalled learns who has its code.
 * @throws Fault ShareLinkRefused, ShareLinkEnded, TooManyAttempts, TooManyRequests
 */
function openLink(deps: GuestDeps) {
  const { db, codes, ledger } = deps
  let decoy: Promise<string> | null = null
  return async (
    call: HttpCall,
    given: { readonly Token: string; readonly Code: string },
  ): Promise<{ readonly token: string; readonly out: GuestOut }> => {
    const hash = tokenHash(given.Token)
    const code = given.Code.replace(/[\s-]/g, '')
    const opening = await codes.inTurn(call, `share link ${hash}`, async (attempt): Promise<Opening> => {
      const row = await rows.linkByToken(db.read, hash)
      decoy ??= codes.hash(randomBytes(24).toString('base64'))
      const decoyHash = await decoy
      const fits = await attempt.verify(row?.code_hash ?? decoyHash, code)
      return db.transaction((tx) => judge(deps, tx, call, { id: row?.link_id ?? null, fits, attempt }))
    })
    if (opening.how === 'opened')
      return { token: opening.token, out: await guestModel(deps, opening.link, opening.endsAt) }
    if (opening.how === 'ended')
      throw fault(
        'ShareLinkEnded',
        opening.state === 'expired' ? 'The link has expired.' : 'The link was recalled by who gave it.',
      )
    ledger.tally(call, {
      action: 'shareLink.refused',
      object: { type: 'shareLink', id: '', name: '' },
      outcome: 'denied',
      reason: 'token or code',
    })
    throw fault('ShareLinkRefused', 'The address or the code is not right. After five wrong codes a link is locked.')
  }
}

interface Judging {
  /** Null: no link has the token. */
  readonly id: number | null
  readonly fits: boolean
  readonly attempt: CodeAttempt
}

/** By the rows of the transaction that counts or opens: the link may have been locked or recalled since its code was verified. */
async function judge(
  { clock, ledger, notices }: GuestDeps,
  tx: Tx,
  call: HttpCall,
  { id, fits, attempt }: Judging,
): Promise<Opening> {
  const link = id === null ? undefined : await rows.linkById(tx, id)
  const state = link === undefined ? null : stateOf(link, clock.now())
  if (link === undefined || state === null || link.locked_utc !== null) {
    await attempt.failed(tx)
    return { how: 'refused' }
  }
  if (!fits) {
    await attempt.failed(tx)
    const wrong = link.wrong_codes + 1
    const locks = wrong >= WRONG_CODES
    await rows.setLink(tx, link.link_id, {
      wrong_codes: wrong,
      ...(locks ? { locked_utc: isoMillis(clock.now()) } : {}),
    })
    await ledger.append(tx, call, {
      action: 'shareLink.refused',
      object: linkObject(link),
      outcome: 'denied',
      reason: 'code',
      detail: { wrong },
    })
    if (!locks) return { how: 'refused' }
    await rows.endSessions(tx, await rows.sessionTokens(tx, { link: link.link_id }))
    await ledger.append(tx, call, { action: 'shareLink.locked', object: linkObject(link), detail: { wrong } })
    await notices.tell(tx, call, [link.made_by], {
      tenant: link.tenant_id,
      kind: 'shareLink.locked',
      object: { type: 'shareLink', id: String(link.link_id) },
    })
    return { how: 'refused' }
  }
  if (state !== 'open') return { how: 'ended', state }
  const token = newToken()
  const endsAt = Math.min(clock.now() + SESSION_MS, Date.parse(link.expires_utc))
  await rows.insertSession(tx, { token_sha256: tokenHash(token), link_id: link.link_id, ends_at: endsAt })
  if (link.wrong_codes > 0) await rows.setLink(tx, link.link_id, { wrong_codes: 0 })
  const guest = principalOf(link, tokenHash(token))
  const actor = { kind: guest.kind, id: guest.id, name: guest.name, kId: guest.kId }
  await ledger.append(tx, { ...call, actor }, { action: 'shareLink.opened', object: linkObject(link) })
  return { how: 'opened', token, link, endsAt }
}
