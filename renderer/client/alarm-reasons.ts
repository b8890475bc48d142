/** What alarms say, of which some is what a check of a file said. Whoever asks is fetched with the words of the areas below. */
import { readAlarmReason } from '../../shared/messages/alarm-reasons.ts'
import { readJobReason } from '../../shared/messages/job-reasons.ts'
import { readValidationReason } from '../../shared/messages/validation-reasons.ts'
import { readWitnessProblem } from '../../shared/messages/witness-problems.ts'
import { useSentences } from './station-sentences.ts'

const OF_ALARMS = [
  { area: 'alarmReasons', read: readAlarmReason },
  { area: 'jobReasons', read: readJobReason },
  { area: 'validationReasons', read: readValidationReason },
  { area: 'witnessProblems', read: readWitnessProblem },
] as const

export const useAlarmReasons = (): ((text: string) => string) => useSentences(OF_ALARMS)
