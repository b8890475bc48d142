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
  const { t } = useTranslation('disposition')
  const common = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
  const message =
    error instanceof TypeError
      ? common.t('offlineTitle')
      : error instanceof Fault && error.code === 'Forbidden'
        ? t('refusedBody')
        : error.message
  return (
    <Note
      state="attention"
      title={title ?? t('failedLoad')}
      action={
        onRetry !== undefined && (
          <Button size="small" icon="retry" onPress={onRetry}>
            {common.t('tryAgain')}
          </Button>
        )
      }
    >
      {/[.!?]$/.test(message) ? message : `${message}.`} {id !== undefined && common.t('errorId', { id })}
    </Note>
  )
}

export const asError = (failure: unknown): Error => (failure instanceof Error ? failure : new Error(String(failure)))
