/** Why somebody outside does not vouch for the station. Whoever asks is fetched with the words of `witnessProblems` and `alarmReasons`. */
import { readAlarmReason } from '../../shared/messages/alarm-reasons.ts'
import { readWitnessProblem } from '../../shared/messages/witness-problems.ts'
import { useSentences } from './station-sentences.ts'

const OF_WITNESSES = [
  { area: 'witnessProblems', read: readWitnessProblem },
  // Another station refuses by what its alarms say.
  { area: 'alarmReasons', read: readAlarmReason },
] as const

export const useWitnessProblems = (): ((text: string) => string) => useSentences(OF_WITNESSES)
