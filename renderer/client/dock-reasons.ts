/** What became of the files of a camera, and why. Whoever asks is fetched with the words of the area `dockReasons`. */
import { readDockReason } from '../../shared/messages/dock-reasons.ts'
import { useSentences } from './station-sentences.ts'

const OF_DOCKING = [{ area: 'dockReasons', read: readDockReason }] as const

export const useDockReasons = (): ((text: string) => string) => useSentences(OF_DOCKING)
