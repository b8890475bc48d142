import { useTranslation } from 'react-i18next'
import { Fault } from '../../../../client/api.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { Note } from '../../../../ui/note/note.tsx'

/** What did not work, in its place: what is safe, what to do, an id to quote (guide.md, Errors). */
export function Problem({
  error,
  title,
  onRetry,
}: {
  readonly error: Error
  readonly title?: string | undefined
  readonly onRetry?: (() => void) | undefined
}) {
  const { t } = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
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
      {t('errorBody', { message: error instanceof TypeError ? t('offlineTitle') : error.message })}{' '}
      {id !== undefined && t('errorId', { id })}
    </Note>
  )
}
