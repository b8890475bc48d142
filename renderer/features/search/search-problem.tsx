import { Fault } from '../../client/api.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { Note } from '../../ui/note/note.tsx'

/** What did not work, in its place: what is safe, what to do, an id to quote. */
export function SearchProblem({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useTranslation('search')
  const common = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
  const message = error instanceof TypeError ? common.t('offlineTitle') : error.message
  return (
    <Note
      state="attention"
      title={t('problemTitle')}
      action={
        <Button size="small" icon="retry" onPress={onRetry}>
          {common.t('tryAgain')}
        </Button>
      }
    >
      {message} {t('problemBody')} {id !== undefined && common.t('errorId', { id })}
    </Note>
  )
}
