import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import * as documents from '../../../../../../shared/evidence/contract.ts'
import * as contract from '../../../../../../shared/media/clips.contract.ts'
import { call, newKey } from '../../../../../client/api.ts'
import { type Job, useJobs } from '../../../../../client/jobs.ts'
import { useSession } from '../../../../../client/session.tsx'
import { useTranslation } from '../../../../../client/translate.ts'
import { toasts } from '../../../../../ui/toast/toast.tsx'
import { useRefresh } from '../../queries.ts'
import { visible } from '../../text/visible.ts'
import { exactly, type Range } from './ranges.ts'

const bodyOf = (ranges: readonly Range[]) =>
  ranges.map(({ from, to }) => ({ FromSeconds: exactly(from), ToSeconds: exactly(to) }))

/** Asks for clips, one job each. */
export function useMakeClips(evidenceId: string, resourceId: string, onAsked: (jobIds: readonly string[]) => void) {
  const { tenant } = useSession()
  return useMutation({
    mutationFn: ({ kind, ranges }: { readonly kind: contract.ClipKind; readonly ranges: readonly Range[] }) =>
      call(contract.makeClips, {
        params: { tenantName: tenant, evidenceId, resourceId },
        body: {
          Kind: kind,
          Ranges: bodyOf(ranges).map((range, at) => ({ ...range, Name: ranges[at]?.name.trim() || null })),
        },
        idempotencyKey: newKey(),
      }),
    onSuccess: ({ JobIds }) => onAsked(JobIds),
  })
}

/** Where clips of the untouched stream would begin and end: known before they are made. */
export function useClipBounds(evidenceId: string, resourceId: string, ranges: readonly Range[] | null) {
  const { tenant } = useSession()
  const Ranges = bodyOf(ranges ?? [])
  return useQuery({
    queryKey: ['evidence', evidenceId, 'clip-bounds', resourceId, Ranges],
    enabled: Ranges.length > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      call(contract.getClipBounds, {
        params: { tenantName: tenant, evidenceId, resourceId },
        body: { Ranges },
        signal,
      }),
  })
}

/** Tells when clips that were asked for here are ready, with the way to them, and why one is not. @returns told of the jobs to wait for */
export function useClipNews(
  evidenceId: string,
  onOpen: (resourceId: string) => void,
): (jobIds: readonly string[]) => void {
  const { t } = useTranslation('evidencePage')
  const { tenant } = useSession()
  const refresh = useRefresh(evidenceId)
  const jobs = useJobs()
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set())
  const open = useRef(onOpen)
  useEffect(() => {
    open.current = onOpen
  })
  useEffect(() => {
    const ended = jobs.filter(({ JobId, State }) => waiting.has(JobId) && ENDED.has(State))
    if (ended.length === 0) return
    const ids = new Set(ended.map(({ JobId }) => JobId))
    setWaiting((now) => new Set([...now].filter((id) => !ids.has(id))))
    refresh()
    for (const { State, Message } of ended)
      if (State === 'failed') toasts.problem(new Error(t('clipFailed', { message: Message })))
    const done = ended.filter(({ State }) => State === 'done')
    if (done.length > 0) void tell(done)
  })
  const tell = async (done: readonly Job[]): Promise<void> => {
    const list = await call(documents.listResources, { params: { tenantName: tenant, evidenceId } }).catch(() => [])
    const [first] = done
    // The station tells the name of the clip when its job is done.
    const clip = list.findLast(({ Name, Taken }) => Taken !== null && Name === first?.Message)
    const text = t('clipCreated', { count: done.length, name: visible(first?.Message ?? '') })
    toasts.show({
      text,
      ...(clip === undefined ? {} : { act: { label: t('clipOpen'), onAct: () => open.current(clip.ResourceId) } }),
    })
  }
  return useCallback((jobIds) => setWaiting((now) => new Set([...now, ...jobIds])), [])
}

const ENDED: ReadonlySet<Job['State']> = new Set(['done', 'failed', 'cancelled'])
