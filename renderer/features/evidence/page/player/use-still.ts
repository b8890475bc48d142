import { useMutation } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import * as contract from '../../../../../shared/media/contract.ts'
import { call, newKey } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { type Resource, useRefresh } from '../queries.ts'
import type { Controller } from './controller.ts'
import { placeText } from './marks.ts'
import { type ClockSource, momentAt, shownTime } from './recorded.ts'

export interface Still {
  readonly take: () => void
  readonly busy: boolean
  readonly taken: Resource | null
  /** Of the one that was taken, as it is called. */
  readonly words: string
  readonly error: Error | null
}

/** Takes the frame that is on screen as a resource of its own (decisions 6): by its time, which the station looks up in the original. */
export function useStill(controller: Controller, evidenceId: string, resourceId: string, clock: ClockSource): Still {
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefresh(evidenceId)
  const clockNow = useRef(clock)
  clockNow.current = clock
  const wordsOf = useCallback(
    (seconds: number): string => {
      const time = shownTime(momentAt(clockNow.current, seconds))
      return time === null ? format.position(seconds) : format.timeOfDay(time, 'millisecond')
    },
    [format],
  )
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (seconds: number) => {
      const taken = await call(contract.takeStill, {
        params: { tenantName: tenant, evidenceId, resourceId },
        body: { Seconds: seconds },
        idempotencyKey: newKey(),
      })
      return { taken, words: wordsOf(seconds) }
    },
    // Told once: the line below the controls says it, with the way to the still.
    onSuccess: refresh,
  })
  const take = useCallback(() => {
    controller.pause()
    mutate(Number(placeText(controller.place())))
  }, [controller, mutate])
  return useMemo(
    () => ({ take, busy: isPending, taken: data?.taken ?? null, words: data?.words ?? '', error }),
    [take, isPending, data, error],
  )
}
