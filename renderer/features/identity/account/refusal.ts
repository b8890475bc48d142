import type { Translate } from '../../../client/translate.ts'
import { Fault } from '../../../client/api.ts'
import { PasskeyStopped } from '../../../client/passkeys.ts'

type Words = Translate<'account'>

/** Why a change of one's own sign-in was refused, in one's own language. */
export function refusalOf(error: unknown, t: Words, wait: (seconds: number) => string): string {
  if (error instanceof PasskeyStopped) return t(error.why === 'there' ? 'passkeyThere' : 'passkeyStopped')
  if (!(error instanceof Fault)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'SignInRefused') return t('passwordWrong')
  if (error.code === 'SecondStepRefused') return t('codeWrong')
  if (error.code === 'SecondStepOff') return t('beginAgain')
  if (error.code === 'PasskeyRefused') return t('passkeyRefused')
  if (error.code === 'TooManyPasskeys') return t('passkeyTooMany')
  if (error.code === 'InvalidModel' && error.details.some(({ Path }) => Path === 'NewPassword'))
    return t('passwordUnusable')
  if (error.code === 'TooManyAttempts' || error.code === 'TooManyRequests')
    return t('tooMany', { wait: wait(error.retryAfter ?? 60) })
  return error.message
}
