import { useTranslation } from 'react-i18next'
import { Fault } from '../../client/api.ts'
import { Button } from '../../ui/button/button.tsx'
import { Note } from '../../ui/note/note.tsx'

/** Refusals that have words of their own in every language; others are told as the station says them. */
const WORDS = {
  Forbidden: 'refusedForbidden',
  NameTaken: 'refusedNameTaken',
  CategoryWithSameNameAlreadyExists: 'refusedNameTaken',
  DepartmentAlreadyExists: 'refusedNameTaken',
  DepartmentWithoutManagePermission: 'refusedNoManage',
  CannotDisableADefaultDepartment: 'refusedDefault',
  CannotAssignToDisabledDepartment: 'refusedDisabledDefault',
  LastAdministrator: 'refusedLastAdministrator',
  CannotRemoveLastAccessPolicyWithFullPermissions: 'refusedLastManage',
  BuiltInGroup: 'refusedBuiltIn',
  ConcurrentWritingError: 'refusedConcurrent',
  ReadOnly: 'refusedReadOnly',
} as const

const NAME_CODES: ReadonlySet<string> = new Set([
  'NameTaken',
  'CategoryWithSameNameAlreadyExists',
  'DepartmentAlreadyExists',
])

/** Whether it is about the name, and is told beside it. */
export const isNameTaken = (error: Error | null): boolean => error instanceof Fault && NAME_CODES.has(error.code)

export const asError = (failure: unknown): Error => (failure instanceof Error ? failure : new Error(String(failure)))

interface ProblemProps {
  readonly error: Error
  /** What did not happen; left out: that this part did not load. */
  readonly title?: string | undefined
  readonly onRetry?: (() => void) | undefined
}

/** What did not work, in its place: what is safe, what to do, an id to quote (guide, Errors). */
export function Problem({ error, title, onRetry }: ProblemProps) {
  const { t } = useTranslation('administration')
  const common = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
  const known = error instanceof Fault ? WORDS[error.code as keyof typeof WORDS] : undefined
  const message =
    error instanceof TypeError
      ? `${common.t('offlineTitle')}.`
      : known === undefined
        ? withStop(error.message)
        : t(known)
  return (
    <Note
      state="attention"
      title={title ?? common.t('errorTitle')}
      action={
        onRetry !== undefined && (
          <Button size="small" icon="retry" onPress={onRetry}>
            {common.t('tryAgain')}
          </Button>
        )
      }
    >
      {title === undefined ? common.t('errorBody', { message }) : message}
      {error instanceof Fault && error.details.length > 0 && ` ${detailsOf(error)}`}{' '}
      {id !== undefined && common.t('errorId', { id })}
    </Note>
  )
}

const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
const detailsOf = ({ details }: Fault): string =>
  details.map(({ Path, Message }) => withStop(`${Path === '' ? '' : `${Path} `}${Message}`)).join(' ')
