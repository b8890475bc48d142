/** What became of a message of a dispatch system: the sentences of the catalogue, filled in, and read again from a message. */
import { cadReasons } from '../dispatch/reasons.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof cadReasons>
const sentences: OfCatalogue = sentencesOf(cadReasons)

export const cadReason: OfCatalogue['say'] = sentences.say
export const readCadReason: OfCatalogue['read'] = sentences.read
