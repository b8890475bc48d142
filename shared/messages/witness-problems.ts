/** Why somebody outside the station does not vouch for it: the sentences of the catalogue, filled in, and read again from where they were stored. */
import { witnessProblems } from '../packages/witness-problems.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof witnessProblems>
const sentences: OfCatalogue = sentencesOf(witnessProblems)

export const witnessProblem: OfCatalogue['say'] = sentences.say
export const readWitnessProblem: OfCatalogue['read'] = sentences.read
