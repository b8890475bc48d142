import { useTranslation } from 'react-i18next'
import { Fault } from '../../client/api.ts'
import { Button } from '../../ui/button/button.tsx'
import { Note } from '../../ui/note/note.tsx'

interface ProblemProps {
  readonly error: Error
  /** What did not happen; left out: that this part did not load. */
  readonly title?: string | undefined
  readonly onRetry?: (() => void) | undefined
}

/** What did not work, in its place: what is safe, what to do, an id to quote (guide, Errors). */
export function Problem({ error, title, onRetry }: ProblemProps) {
  const { t } = useTranslation('cases')
  const common = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
  const forbidden = error instanceof Fault && error.code === 'Forbidden'
  const message =
    error instanceof TypeError ? common.t('offlineTitle') : forbidden ? t('refusedBody') : withStop(error.message)
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
  details
    .map(({ Path, Message }) => `${Path === '' ? '' : `${Path} `}${Message}`)
    .join('; ')
    .concat('.')
