/** What became of a message of a dispatch system. Whoever asks is fetched with the words of the area `cadReasons`. */
import { readCadReason } from '../../shared/messages/cad-reasons.ts'
import { useSentences } from './station-sentences.ts'

const OF_CAD = [{ area: 'cadReasons', read: readCadReason }] as const

export const useCadReasons = (): ((text: string) => string) => useSentences(OF_CAD)
