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
  const { t } = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
  const message = error instanceof TypeError ? `${t('offlineTitle')}.` : withStop(error.message)
  const details = error instanceof Fault ? error.details.map(({ Message }) => withStop(Message)) : []
  return (
    <Note
      state="attention"
      title={title ?? t('errorTitle')}
      action={
        onRetry !== undefined && (
          <Button size="small" icon="retry" onPress={onRetry}>
            {t('tryAgain')}
          </Button>
        )
      }
    >
      {title === undefined ? t('errorBody', { message }) : message} {details.join(' ')}{' '}
      {id !== undefined && t('errorId', { id })}
    </Note>
  )
}

const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
