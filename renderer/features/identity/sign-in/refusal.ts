/** Why somebody could not come in, in words that tell a stranger nothing. */
import type { Translate } from '../../../client/translate.ts'
import { Fault } from '../../../client/api.ts'
import { PasskeyStopped } from '../../../client/passkeys.ts'

type Words = Translate<'signIn'>

export function refusalOf(error: unknown, t: Words, wait: (seconds: number) => string): string {
  if (error instanceof PasskeyStopped) return t('passkeyStopped')
  if (error instanceof Fault) {
    if (error.code === 'PasskeyRefused') return t('passkeyRefused')
    if (error.code === 'SignInRefused') return t('wrong')
    if (error.code === 'SecondStepRefused') return t('codeWrong')
    if (error.code === 'AccountLockedUntilReleased') return t('accountLockedUntilReleased')
    if (error.code === 'AccountLocked') return t('accountLocked', { wait: wait(error.retryAfter ?? 60) })
    if (error.code === 'TooManyAttempts') return t('tooMany', { wait: wait(error.retryAfter ?? 60) })
    if (error.code === 'TooManyRequests') return t('busy', { wait: wait(error.retryAfter ?? 60) })
    if (error.code === 'SetupLinkInvalid') return t('setupLinkUsed')
    return [error.message, ...error.details.map(({ Message }) => Message)].join(' ')
  }
  return error instanceof TypeError ? t('unreachable') : String(error)
}
