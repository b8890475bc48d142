/** What jobs say of themselves. Whoever asks is fetched with the words of the area `jobReasons`. */
import { readJobReason } from '../../shared/messages/job-reasons.ts'
import { useSentences } from './station-sentences.ts'

const OF_JOBS = [{ area: 'jobReasons', read: readJobReason }] as const

export const useJobReasons = (): ((text: string) => string) => useSentences(OF_JOBS)
