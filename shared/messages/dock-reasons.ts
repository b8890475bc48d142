/** What became of the files of a camera, and why: the sentences of its catalogue, filled in, and read again from a file or a receipt. */
import { dockReasons } from '../docking/reasons.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof dockReasons>
const sentences: OfCatalogue = sentencesOf(dockReasons)

export const dockReason: OfCatalogue['say'] = sentences.say
export const readDockReason: OfCatalogue['read'] = sentences.read
