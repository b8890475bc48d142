/** Why bytes are in quarantine: the sentences of the catalogue, filled in, and read again from a row. */
import { quarantineReasons } from '../retention/quarantine.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof quarantineReasons>
const sentences: OfCatalogue = sentencesOf(quarantineReasons)

export const quarantineReason: OfCatalogue['say'] = sentences.say
export const readQuarantineReason: OfCatalogue['read'] = sentences.read
