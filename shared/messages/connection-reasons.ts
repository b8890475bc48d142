/** Why a connection or the LAN does not work: the sentences of the catalogue, filled in, and read again from a text. */
import { connectionReasons } from '../network/reasons.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof connectionReasons>
const sentences: OfCatalogue = sentencesOf(connectionReasons)

export const connectionReason: OfCatalogue['say'] = sentences.say
export const readConnectionReason: OfCatalogue['read'] = sentences.read
