/** The life of a session: opened, idle, locked, closed, expired (decisions 10). */
import { Fault } from '../../../../shared/kernel/errors.ts'
import { INTERNAL, type Principal } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { newToken, tokenHash } from './cookie.ts'
import * as store from './sessions.store.ts'

/** The person of a session. Exists only for sessions that have not ended. */
export interface SessionPrincipal extends Principal {
  readonly tenantId: string
  readonly guest: boolean
  readonly sessionId: number
  readonly locked: boolean
  /** Another person chose the password: it must be changed before anything else. */
  readonly passwordDue: boolean
}

export interface Lifetimes {
  readonly idleSeconds: number
  readonly sessionSeconds: number
}

export interface SessionLifecycle {
  /** The session of a cookie. Reading it locks an idle session and ends an expired one. */
  find(token: string, correlationId: string): Promise<SessionPrincipal | null>
  /** Like `find`, by the session's id. */
  findById(sessionId: number, correlationId: string): Promise<store.SessionRow | null>
  /** Opens a session and closes the one that `replaced` names. @returns its id and cookie. */
  open(tx: Tx, call: Call, given: Opening): Promise<{ sessionId: number; token: string }>
  /** Runs `work` on the current session. @throws Fault Unauthorized when it has ended. */
  change(call: Call, sessionId: number, work: (tx: Tx, row: store.SessionRow) => Promise<void>): Promise<void>
  lock(call: Call, sessionId: number): Promise<void>
  /** Called in the transaction of `change`. @returns the new cookie. */
  unlock(tx: Tx, call: Call, row: store.SessionRow): Promise<string>
  activity(call: Call, sessionId: number): Promise<void>
  close(call: Call, sessionId: number): Promise<void>
  /** Ends the sessions, each with a ledger entry. */
  end(tx: Tx, call: Call, rows: readonly store.SessionRow[], reason: EndReason): Promise<void>
  /** Ends all sessions of a person except the caller's, after a change of how they sign in. */
  endOthers(
    tx: Tx,
    call: Call,
    asking: { readonly principalId: number; readonly sessionId: number },
    reason: EndReason,
  ): Promise<void>
}

/** Why a session's own person ended it. */
type EndReason = 'password' | 'person' | 'secondStep' | 'passkey'

export interface Opening {
  readonly person: store.PersonRow
  readonly noticeId: string
  readonly replaced: SessionPrincipal | null
  /** The second step that followed the password, if the person has one. */
  readonly secondStep?: 'code' | 'recovery' | undefined
  /** The id of the passkey that replaced password and second step. */
  readonly passkey?: string | undefined
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly lifetimes: Lifetimes
}

/** How long rows of ended sessions stay. Their ledger entries stay for ever. */
const KEPT_MILLIS = 30 * 86_400_000
/** Milliseconds. If the clock went back further than this, the idle time is unknown. */
const CLOCK_SLACK = 60_000

export function createSessionLifecycle({ db, ledger, clock, lifetimes }: Deps): SessionLifecycle {
  const judge = judgeBy(lifetimes)

  /** Locks an idle session and ends an expired one. @returns null when it has ended. */
  const applyTimeouts = async (
    tx: Tx,
    row: store.SessionRow,
    correlationId: string,
  ): Promise<store.SessionRow | null> => {
    const now = clock.now()
    const state = judge(row, now)
    if (state === 'open' || state === 'locked') return row
    const call: Call = { actor: INTERNAL, source: 'station', correlationId }
    if (state === 'idle') {
      await store.changeSession(tx, row.session_id, { locked_at: now })
      await ledger.append(tx, call, { action: 'session.locked', ...aboutSession(row), reason: 'idle' })
      return { ...row, locked_at: now }
    }
    await store.changeSession(tx, row.session_id, { ended_at: now })
    await ledger.append(tx, call, { action: 'session.ended', ...aboutSession(row), reason: state })
    return null
  }
  const withTimeouts = async (
    row: store.SessionRow | null,
    correlationId: string,
  ): Promise<store.SessionRow | null> => {
    if (row === null) return null
    const state = judge(row, clock.now())
    if (state === 'open' || state === 'locked') return row
    return db.transaction(async (tx) => {
      const fresh = await store.sessionById(tx, row.session_id)
      return fresh === null ? null : applyTimeouts(tx, fresh, correlationId)
    })
  }
  const change: SessionLifecycle['change'] = async (call, sessionId, work) => {
    const stands = await db.transaction(async (tx) => {
      const row = await store.sessionById(tx, sessionId)
      const now = row === null ? null : await applyTimeouts(tx, row, call.correlationId)
      if (now !== null) await work(tx, now)
      return now !== null
    })
    // After the commit, which stores the reason of the end.
    if (!stands) throw noSession()
  }

  const end: SessionLifecycle['end'] = async (tx, call, rows, reason) => {
    for (const row of rows) {
      await store.changeSession(tx, row.session_id, { ended_at: clock.now() })
      await ledger.append(tx, call, { action: 'session.ended', ...aboutSession(row), reason })
    }
  }

  return {
    end,
    endOthers: async (tx, call, { principalId, sessionId }, reason) => {
      const others = (await store.sessionsOf(tx, principalId)).filter((session) => session.session_id !== sessionId)
      await end(tx, call, others, reason)
    },
    find: async (token, correlationId) => {
      const row = await withTimeouts(await store.sessionByToken(db.read, tokenHash(token)), correlationId)
      return row === null ? null : principalOf(row)
    },
    findById: async (sessionId, correlationId) =>
      withTimeouts(await store.sessionById(db.read, sessionId), correlationId),
    change,
    open: async (tx, call, { person, noticeId, replaced, secondStep, passkey }) => {
      const now = clock.now()
      const before = replaced === null ? null : await store.sessionById(tx, replaced.sessionId)
      if (before !== null) {
        await store.changeSession(tx, before.session_id, { ended_at: now })
        await ledger.append(tx, call, { action: 'session.closed', ...aboutSession(before), reason: 'replaced' })
      }
      await store.forgetSessions(tx, now - lifetimes.sessionSeconds * 1000 - KEPT_MILLIS)
      const token = newToken()
      const sessionId = await store.insertSession(tx, {
        tokenHash: tokenHash(token),
        principalId: person.principal_id,
        source: call.source,
        notice: noticeId,
        now,
      })
      const about = aboutSession({ ...person, session_id: sessionId })
      await ledger.append(
        tx,
        { ...call, actor: actorOf(person) },
        {
          action: 'session.opened',
          ...about,
          detail: {
            ...about.detail,
            notice: noticeId,
            ...(secondStep === undefined ? {} : { secondStep }),
            ...(passkey === undefined ? {} : { passkey }),
          },
        },
      )
      return { sessionId, token }
    },
    lock: (call, sessionId) =>
      change(call, sessionId, async (tx, row) => {
        if (row.locked_at !== null) return
        await store.changeSession(tx, sessionId, { locked_at: clock.now() })
        await ledger.append(tx, call, { action: 'session.locked', ...aboutSession(row) })
      }),
    unlock: async (tx, call, row) => {
      const token = newToken()
      const opened = { token_hash: tokenHash(token), active_at: clock.now(), locked_at: null }
      await store.changeSession(tx, row.session_id, opened)
      await ledger.append(tx, call, { action: 'session.unlocked', ...aboutSession(row) })
      return token
    },
    activity: (call, sessionId) =>
      change(call, sessionId, async (tx, row) => {
        if (row.locked_at === null) await store.changeSession(tx, sessionId, { active_at: clock.now() })
      }),
    close: (call, sessionId) =>
      db.transaction(async (tx) => {
        const row = await store.sessionById(tx, sessionId)
        if (row === null) return
        await store.changeSession(tx, sessionId, { ended_at: clock.now() })
        await ledger.append(tx, call, { action: 'session.closed', ...aboutSession(row) })
      }),
  }
}

type Standing = 'open' | 'locked' | 'idle' | 'expired' | 'disabled'

const judgeBy =
  ({ idleSeconds, sessionSeconds }: Lifetimes) =>
  (row: store.SessionRow, now: number): Standing => {
    if (row.enabled !== 1) return 'disabled'
    if (now - row.created_at >= sessionSeconds * 1000) return 'expired'
    if (row.locked_at !== null) return 'locked'
    const idle = now - row.active_at
    return idle >= idleSeconds * 1000 || idle < -CLOCK_SLACK ? 'idle' : 'open'
  }

export const actorOf = (person: store.PersonRow): Principal => ({
  kind: 'user',
  id: String(person.principal_id),
  name: person.name,
  kId: person.k_id,
})

export const principalOf = (row: store.SessionRow): SessionPrincipal => ({
  ...actorOf(row),
  tenantId: row.tenant_id,
  guest: row.guest === 1,
  sessionId: row.session_id,
  locked: row.locked_at !== null,
  passwordDue: row.password_due === 1,
})

/** Ledger entries about a session name its person as their object. */
export const aboutSession = (row: store.PersonRow & { readonly session_id: number }) => ({
  object: { type: 'user', id: String(row.principal_id), name: row.name },
  detail: { session: String(row.session_id) },
})

export const noSession = (): Fault =>
  new Fault('Unauthorized', 'Nobody is signed in here. Sign in first.', { reason: 'NoSession' })
