/** Why a camera was not taken, in words that say what to do. Pure. */
import type { Translate } from '../../../client/translate.ts'
import { Fault } from '../../../../shared/kernel/errors.ts'
import { PasskeyStopped } from '../../../client/passkeys.ts'
import { PasswordDue } from './once.ts'

type Words = Translate<'dockSessions'>
type Door = Translate<'signIn'>

const OF_CAMERA = {
  DeviceNotActive: 'notActive',
  DeviceNotFound: 'notFound',
  OfficerAlreadyAssociated: 'already',
  TooManyOfficers: 'tooMany',
} as const

export function refusalOf(error: Error, t: Words, door: Door, wait: (seconds: number) => string): string {
  if (error instanceof PasswordDue) return t('passwordDue')
  if (error instanceof PasskeyStopped) return door('passkeyStopped')
  if (error instanceof TypeError) return door('unreachable')
  if (!(error instanceof Fault)) return error.message
  const own = OF_CAMERA[error.code as keyof typeof OF_CAMERA]
  if (own !== undefined) return t(own)
  if (error.code === 'SignInRefused') return door('wrong')
  if (error.code === 'SecondStepRefused') return door('codeWrong')
  if (error.code === 'PasskeyRefused') return door('passkeyRefused')
  if (error.code === 'AccountLockedUntilReleased') return door('accountLockedUntilReleased')
  if (error.code === 'AccountLocked') return door('accountLocked', { wait: wait(error.retryAfter ?? 60) })
  if (error.code === 'TooManyAttempts') return door('tooMany', { wait: wait(error.retryAfter ?? 60) })
  if (error.code === 'TooManyRequests') return door('busy', { wait: wait(error.retryAfter ?? 60) })
  return error.message
}
