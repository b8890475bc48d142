/** What a job says of itself: the sentences of its catalogue, filled in, and read again from the message of a job. */
import { jobReasons } from '../jobs/reasons.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof jobReasons>
const sentences: OfCatalogue = sentencesOf(jobReasons)

export const jobReason: OfCatalogue['say'] = sentences.say
export const readJobReason: OfCatalogue['read'] = sentences.read
