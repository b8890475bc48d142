/** What an alarm says: the sentences of its catalogue, filled in, and read again from the message of an alarm. */
import { alarmReasons } from '../integrity/alarms.messages.en.ts'
import { type Sentences, sentencesOf } from './sentences.ts'

type OfCatalogue = Sentences<typeof alarmReasons>
const sentences: OfCatalogue = sentencesOf(alarmReasons)

export const alarmReason: OfCatalogue['say'] = sentences.say
export const readAlarmReason: OfCatalogue['read'] = sentences.read
