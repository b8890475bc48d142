/** Why a package was not made: the sentences of its catalogue, filled in, and read again from a package. */
import { packageProblems } from '../packages/problems.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof packageProblems>
const sentences: OfCatalogue = sentencesOf(packageProblems)

export const packageProblem: OfCatalogue['say'] = sentences.say
export const readPackageProblem: OfCatalogue['read'] = sentences.read
