/**
 * Why a connection or the LAN does not work, also where a job says it. Whoever asks is fetched with the words of the area `connectionReasons`,
 * and of `jobReasons` where it shows jobs.
 */
import { readConnectionReason } from '../../shared/messages/connection-reasons.ts'
import { readJobReason } from '../../shared/messages/job-reasons.ts'
import { langOf, useSentences } from './station-sentences.ts'

const OF_CONNECTIONS = [
  { area: 'connectionReasons', read: readConnectionReason },
  { area: 'jobReasons', read: readJobReason },
] as const

export const useConnectionReasons = (): ((text: string) => string) => useSentences(OF_CONNECTIONS)

/** A text of the station in the language of the window; one that no catalogue has is marked as English. */
export function ConnectionReason({ text }: { readonly text: string }) {
  const said = useConnectionReasons()(text)
  return (
    <span lang={langOf(said, text)} dir="auto">
      {said}
    </span>
  )
}
