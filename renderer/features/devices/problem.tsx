import { useTranslation } from '../../client/translate.ts'
import { Fault } from '../../client/api.ts'
import { ActDialog as PlainDialog, type ActDialogProps } from '../../ui/act/act-dialog.tsx'
import { Problem as Plain, type ProblemProps } from '../../ui/problem/problem.tsx'

/** Refusals that have words of their own in every language; others are told as the station says them. */
const WORDS = {
  ActiveDeviceLimitReached: 'refusedLimit',
  DeviceNotActive: 'refusedNotActive',
  OfficerAlreadyAssociated: 'refusedAlready',
  TooManyOfficers: 'refusedTooMany',
  InvalidDateTimeRange: 'refusedRange',
  NothingToConfirm: 'refusedNothingToConfirm',
  AssociationWithheld: 'refusedWithheld',
  AssociationNotFound: 'refusedGone',
  ConcurrentWritingError: 'refusedConcurrent',
  DeviceNotFound: 'refusedNoDevice',
  ReadOnly: 'refusedReadOnly',
} as const

/** With the words that these pages have for a refusal. */
export function Problem(props: Omit<ProblemProps, 'said'>) {
  const { t } = useTranslation('devices')
  const { error } = props
  const known = error instanceof Fault ? WORDS[error.code as keyof typeof WORDS] : undefined
  const own = error instanceof Fault && error.code === 'Forbidden' ? 'refusedForbidden' : known
  return <Plain {...props} said={own === undefined ? undefined : t(own)} />
}

/** A decision about a device. */
export const ActDialog = (props: Omit<ActDialogProps, 'problem'>) => (
  <PlainDialog {...props} problem={(error) => <Problem error={error} title={props.failed} />} />
)
