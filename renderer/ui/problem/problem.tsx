import type { ReactNode } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { Button } from '../button/button.tsx'
import { Note } from '../note/note.tsx'

export interface ProblemProps {
  readonly error: Error
  /** What did not happen; left out: that this part did not load. */
  readonly title?: string | undefined
  /** The reason in the page's own words; else as the station says it. */
  readonly said?: string | undefined
  /** Whether to say that nothing is lost; else where something did not load. */
  readonly safe?: boolean | undefined
  readonly onRetry?: (() => void) | undefined
  /** More words after the reason. */
  readonly children?: ReactNode
}

/** What did not work, in its place: what is safe, what to do, an id to quote (guide, Errors). */
export function Problem({ error, title, said, safe = title === undefined, onRetry, children }: ProblemProps) {
  const { t } = useTranslation('common')
  const id = error instanceof Fault ? error.headers['X-Correlation-Id'] : undefined
  const message = withStop(error instanceof TypeError ? t('offlineTitle') : (said ?? error.message))
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
      {safe ? t('errorBody', { message }) : message}
      {error instanceof Fault && error.details.length > 0 && ` ${detailsOf(error)}`}
      {children !== undefined && <> {children}</>} {id !== undefined && t('errorId', { id })}
    </Note>
  )
}

const withStop = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`)
const detailsOf = ({ details }: Fault): string =>
  details.map(({ Path, Message }) => withStop(`${Path === '' ? '' : `${Path} `}${Message}`)).join(' ')
