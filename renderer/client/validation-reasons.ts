/** What a self-validation did and found. Whoever asks is fetched with the words of `validationReasons`. */
import { readValidationReason } from '../../shared/messages/validation-reasons.ts'
import { useSentences } from './station-sentences.ts'

const OF_VALIDATIONS = [{ area: 'validationReasons', read: readValidationReason }] as const

export const useValidationReasons = (): ((text: string) => string) => useSentences(OF_VALIDATIONS)
