/** Times for many items at once: asking what is suggested for each, setting what was ticked, and taking it back. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { patchEvidence } from '../../../../shared/evidence/change.contract.ts'
import { getEvidence } from '../../../../shared/evidence/contract.ts'
import { getEvidenceSuggestions } from '../../../../shared/evidence/suggestions.contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { type Course, Stopped } from '../acts/course.ts'
import type { Target } from '../acts/targets.ts'
import type { Patch } from '../edit/parts.ts'
import type { Evidence } from '../page/queries.ts'
import type { Suggestion } from './suggestion-words.ts'

export interface Looked {
  readonly found: ReadonlyMap<string, readonly Suggestion[]>
  readonly failed: ReadonlySet<string>
  readonly done: boolean
}

/** As many are asked for at a time: the station has others to answer. */
const AT_ONCE = 4

/** What is suggested as the time of each; asked once, while the dialog is open. */
export function useLooked(targets: readonly Target[]): Looked {
  const { tenant } = useSession()
  const [asked] = useState(targets)
  const [looked, setLooked] = useState<Looked>({ found: new Map(), failed: new Set(), done: false })
  useEffect(() => {
    const gone = new AbortController()
    const left = [...asked]
    const ask = async (): Promise<void> => {
      for (let target = left.shift(); target !== undefined && !gone.signal.aborted; target = left.shift()) {
        const { EvidenceId: evidenceId } = target
        const params = { tenantName: tenant, evidenceId }
        const answer = await call(getEvidenceSuggestions, { params, signal: gone.signal }).catch(() => null)
        if (gone.signal.aborted) return
        setLooked((all) =>
          answer === null
            ? { ...all, failed: new Set([...all.failed, evidenceId]) }
            : { ...all, found: new Map([...all.found, [evidenceId, timesIn(answer.Items)]]) },
        )
      }
    }
    void Promise.all(Array.from({ length: AT_ONCE }, ask)).then(() => {
      if (!gone.signal.aborted) setLooked((all) => ({ ...all, done: true }))
    })
    return () => gone.abort()
  }, [asked, tenant])
  return looked
}

const timesIn = (items: readonly Suggestion[]): readonly Suggestion[] =>
  items.filter(({ Field }) => Field === 'StartTimeUtc')

export interface Setting {
  readonly target: Target
  readonly start: string
  readonly reason: string
}

export interface SetTime {
  readonly before: Target
  readonly after: Evidence
}

export interface RefusedTime {
  readonly target: Target
  /** Null: somebody changed it meanwhile. */
  readonly error: Error | null
}

/** Somebody gave it another time than the one that was looked at. */
class Changed extends Error {
  override readonly name = 'Changed'
}

const MOST_TRIES = 4

export function useTimes() {
  const { tenant } = useSession()
  const queries = useQueryClient()

  /** Over what stands there now, as long as its times are those that were seen. @throws Changed, Fault, TypeError */
  const write = useCallback(
    async (seen: Target, body: Patch): Promise<Evidence> => {
      const params = { tenantName: tenant, evidenceId: seen.EvidenceId }
      let version = seen.ConcurrencyId
      for (let tries = 1; ; tries++) {
        try {
          return await call(patchEvidence, { params, body: { ...body, ConcurrencyId: version } })
        } catch (failure) {
          if (!(failure instanceof Fault && failure.code === 'EvidenceNotUpToDate') || tries === MOST_TRIES)
            throw failure
          const now = await call(getEvidence, { params, query: {} })
          if (now.StartTimeUtc !== seen.StartTimeUtc || now.EndTimeUtc !== seen.EndTimeUtc) throw new Changed()
          version = now.ConcurrencyId
        }
      }
    },
    [tenant],
  )

  const refresh = useCallback(
    (targets: readonly Target[]): void => {
      for (const key of [['evidence-list'], ['case']]) void queries.invalidateQueries({ queryKey: key })
      for (const { EvidenceId } of targets) void queries.invalidateQueries({ queryKey: ['evidence', EvidenceId] })
    },
    [queries],
  )

  /** One after the other; one that is refused keeps none of the others from it. @throws Stopped, TypeError where the station is not reached */
  const set = useCallback(
    async (
      settings: readonly Setting[],
      course: Course,
      onSet: (done: SetTime) => void,
    ): Promise<readonly RefusedTime[]> => {
      const refused: RefusedTime[] = []
      try {
        for (const [at, { target, start, reason }] of settings.entries()) {
          if (course.isStopped()) throw new Stopped()
          try {
            const body = { StartTimeUtc: start, ...movedEnd(target, start), Reason: reason }
            onSet({ before: target, after: await write(target, body) })
          } catch (failure) {
            if (!(failure instanceof Fault || failure instanceof Changed)) throw failure
            refused.push({ target, error: failure instanceof Changed ? null : failure })
          }
          course.onDone(at + 1 - refused.length)
        }
      } finally {
        refresh(settings.map(({ target }) => target))
      }
      return refused
    },
    [write, refresh],
  )

  /** @returns how many are as before; the others were changed meanwhile @throws TypeError where the station is not reached */
  const undo = useCallback(
    async (done: readonly SetTime[], reason: string): Promise<number> => {
      let undone = 0
      try {
        for (const { before, after } of done) {
          try {
            await write(after, { ...restored(before, after), Reason: reason })
            undone += 1
          } catch (failure) {
            if (!(failure instanceof Fault || failure instanceof Changed)) throw failure
          }
        }
      } finally {
        refresh(done.map(({ before }) => before))
      }
      return undone
    },
    [write, refresh],
  )
  return { set, undo }
}

/** What is shown as its time now; null where none is known. */
export const standingTime = ({ StartTimeUtc, Clock }: Target): string | null => StartTimeUtc ?? Clock.CorrectedTimeUtc

/** A recording keeps its length. */
function movedEnd(target: Target, start: string): Patch {
  const before = standingTime(target)
  if (target.EndTimeUtc === null || before === null) return {}
  return {
    EndTimeUtc: new Date(Date.parse(target.EndTimeUtc) + Date.parse(start) - Date.parse(before)).toISOString(),
  }
}

function restored(before: Target, after: Target): Patch {
  const clear = [
    ...(before.StartTimeUtc === null ? (['StartTimeUtc'] as const) : []),
    ...(before.EndTimeUtc === null && after.EndTimeUtc !== null ? (['EndTimeUtc'] as const) : []),
  ]
  return {
    ...(before.StartTimeUtc === null ? {} : { StartTimeUtc: before.StartTimeUtc }),
    ...(before.EndTimeUtc === null ? {} : { EndTimeUtc: before.EndTimeUtc }),
    ...(clear.length === 0 ? {} : { Clear: clear }),
  }
}
