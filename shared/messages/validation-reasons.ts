/** What a self-validation did and found: the sentences of the catalogue, filled in, and read again from its result. */
import { validationReasons } from '../validation/reasons.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof validationReasons>
const sentences: OfCatalogue = sentencesOf(validationReasons)

export const validationReason: OfCatalogue['say'] = sentences.say
export const readValidationReason: OfCatalogue['read'] = sentences.read
