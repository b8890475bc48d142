/** Who is signed in at this page. One truth: the station's answer, asked again whenever a request was refused. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/identity/sessions.contract.ts'
import { call, onSessionRefused } from './api.ts'
import { forgetDrafts } from './drafts.ts'
import { forgetJobs } from './jobs.ts'
import { uploads } from './uploads/uploads.ts'

export type Session = z.output<typeof contract.SessionModel>
/** Signed in, not locked, and with nothing that has to be done first. */
export const atWork = ({ State, User }: Session): boolean => State === 'open' && User?.PasswordDue === false

export const SESSION = ['session'] as const
const ACTIVITY_EVERY = 60_000

interface SessionAccess {
  readonly session: Session
  readonly tenant: string
  /** When the last session of this page ended by itself, in milliseconds; null: none did, or somebody signed in or out since. */
  readonly endedAt: number | null
  /** Takes an answer that a session route gave. */
  readonly take: (session: Session) => void
  readonly lock: () => Promise<void>
  readonly signOut: () => Promise<void>
}

const Access = createContext<SessionAccess | null>(null)

export function useSession(): SessionAccess {
  const access = useContext(Access)
  if (access === null) throw new Error('useSession outside SessionProvider')
  return access
}

/** Guests see what is shared with them; of the station, its jobs and its lists of names they may ask nothing, so the window does not. */
export function useIsMember(): boolean {
  const { session } = useSession()
  return session.User !== null && !session.User.Guest
}

export const sessionQuery = queryOptions({
  queryKey: SESSION,
  queryFn: ({ signal }) => call(contract.getSession, { signal }),
  staleTime: Infinity,
})

export const useSessionQuery = () => useQuery(sessionQuery)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const queries = useQueryClient()
  const take = useCallback((next: Session): void => void queries.setQueryData(SESSION, next), [queries])
  const lock = useCallback(async () => take(await call(contract.lockSession, {})), [take])
  const { endedAt, leave } = useEndedAt(session.User !== null)
  const signOut = useCallback(async () => {
    await call(contract.signOut, {})
    leave()
    // Nothing of the person before is shown to the next.
    forgetJobs()
    forgetDrafts()
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
    await queries.invalidateQueries({ queryKey: SESSION })
  }, [queries, leave])
  useEffect(() => onSessionRefused(() => void queries.invalidateQueries({ queryKey: SESSION })), [queries])
  useIdle(session, take, () => void queries.invalidateQueries({ queryKey: SESSION }))
  const owner = atWork(session) ? session.User?.PrincipalId : undefined
  useEffect(() => {
    void uploads.signedIn(owner === undefined ? null : { tenant: session.TenantId, owner })
  }, [owner, session.TenantId])
  const access = useMemo(
    () => ({ session, tenant: session.TenantId, endedAt, take, lock, signOut }),
    [session, endedAt, take, lock, signOut],
  )
  return <Access value={access}>{children}</Access>
}

function useEndedAt(signedIn: boolean): { readonly endedAt: number | null; readonly leave: () => void } {
  const [known, setKnown] = useState({ signedIn, endedAt: null as number | null, leaves: false })
  if (known.signedIn !== signedIn)
    setKnown({ signedIn, endedAt: signedIn || known.leaves ? null : Date.now(), leaves: false })
  return { endedAt: known.endedAt, leave: useCallback(() => setKnown((before) => ({ ...before, leaves: true })), []) }
}

/** A person at work keeps the screen open; what goes on by itself does not. The station locks, and this page asks when it should have. */
function useIdle(session: Session, take: (session: Session) => void, look: () => void): void {
  const last = useRef(0)
  const open = session.State === 'open'
  useEffect(() => {
    if (!open) return
    const active = (): void => {
      const now = Date.now()
      if (now - last.current < ACTIVITY_EVERY) return
      last.current = now
      call(contract.sessionActivity, {}).then(take, () => {})
    }
    const playing = setInterval(() => {
      if (
        [...document.querySelectorAll('video, audio')].some(
          (media) => media instanceof HTMLMediaElement && !media.paused,
        )
      )
        active()
    }, ACTIVITY_EVERY / 2)
    const events = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
    for (const name of events) window.addEventListener(name, active, { passive: true, capture: true })
    return () => {
      clearInterval(playing)
      for (const name of events) window.removeEventListener(name, active, { capture: true })
    }
  }, [open, take])
  const { LocksUtc } = session
  useEffect(() => {
    if (!open || LocksUtc === null) return
    const wait = Math.min(Math.max(Date.parse(LocksUtc) - Date.now() + 500, 1_000), 2 ** 31 - 1)
    const timer = setTimeout(look, wait)
    return () => clearTimeout(timer)
  }, [open, LocksUtc, look])
}
