/** Why bytes are in quarantine. Whoever asks is fetched with the words of the area `quarantineReasons`. */
import { readQuarantineReason } from '../../shared/messages/quarantine-reasons.ts'
import { useSentences } from './station-sentences.ts'

const OF_QUARANTINE = [{ area: 'quarantineReasons', read: readQuarantineReason }] as const

export const useQuarantineReasons = (): ((text: string) => string) => useSentences(OF_QUARANTINE)
