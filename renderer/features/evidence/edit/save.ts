/** Sending changes of one evidence: one after the other, over what stands there now, and with what the station answered shown at once. */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { patchEvidence } from '../../../../shared/evidence/change.contract.ts'
import { getEvidence } from '../../../../shared/evidence/contract.ts'
import { getCustody } from '../../../../shared/evidence/custody.contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { takeAnswer } from '../../../client/take-answer.ts'
import type { Evidence } from '../page/queries.ts'
import type { Patch } from './parts.ts'

/** Somebody who saves without pause is somebody to talk to. */
const MOST_TRIES = 8
/** Entries among which the change of somebody else is looked for. */
const RECENT = '20'

/** `stop`: something of it is other than whoever changes it has seen. */
type Judgement = 'go' | 'stop'

export type Sent =
  | { readonly done: true; readonly before: Evidence; readonly after: Evidence }
  | { readonly done: false; readonly now: Evidence }

export interface Changed {
  readonly by: string
  readonly at: string
}

export interface Sender {
  readonly latest: () => Evidence
  /** @throws Fault, TypeError */
  readonly send: (patch: (onto: Evidence) => Patch, judge: (onto: Evidence) => Judgement) => Promise<Sent>
  /** Who changed it last, as its custody says; null where that is not told. */
  readonly lastChange: () => Promise<Changed | null>
  /** Asks for the record anew: its rights may be others. */
  readonly refresh: () => void
}

export function useSender(evidence: Evidence): Sender {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const shown = useRef(evidence)
  shown.current = evidence
  const { EvidenceId: evidenceId } = evidence
  return useMemo(() => {
    const params = { tenantName: tenant, evidenceId }
    const key = ['evidence', evidenceId, 'record']
    const latest = (): Evidence => queries.getQueryData<Evidence>(key) ?? shown.current
    const take = async (record: Evidence): Promise<void> => takeAnswer<Evidence>(queries, key, () => record)
    const send: Sender['send'] = async (patch, judge) => {
      let onto = latest()
      for (let tries = 1; ; tries++) {
        if (judge(onto) === 'stop') return { done: false, now: onto }
        try {
          const body = { ...patch(onto), ConcurrencyId: onto.ConcurrencyId }
          const after = await call(patchEvidence, { params, body })
          await take(after)
          for (const one of [['evidence-list'], ['tags'], ['evidence', evidenceId, 'custody']])
            void queries.invalidateQueries({ queryKey: one })
          return { done: true, before: onto, after }
        } catch (failure) {
          if (!(failure instanceof Fault && failure.code === 'EvidenceNotUpToDate') || tries === MOST_TRIES)
            throw failure
          onto = await call(getEvidence, { params, query: {} })
          await take(onto)
        }
      }
    }
    return {
      latest,
      send: (...given) => {
        const next = queue.current.then(() => send(...given))
        queue.current = next.catch(() => undefined)
        return next
      },
      lastChange: async () => {
        try {
          const { Entries } = await call(getCustody, { params, query: { kind: 'changes', count: RECENT } })
          const entry = Entries.find(({ Action }) => Action === 'evidence.changed')
          return entry === undefined ? null : { by: entry.Actor.Name, at: entry.TimeUtc }
        } catch {
          return null
        }
      },
      refresh: () => void queries.invalidateQueries({ queryKey: ['evidence', evidenceId] }),
    }
  }, [queries, tenant, evidenceId])
}
