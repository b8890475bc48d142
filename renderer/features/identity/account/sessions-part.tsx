import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/own-access.contract.ts'
import { call } from '../../../client/api.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { Act } from './act.tsx'
import { Part } from './part.tsx'

const SESSIONS = ['account', 'sessions'] as const

/** Where one is signed in, and the way to end it from here. */
export function SessionsPart() {
  const { t } = useTranslation('account')
  const format = useFormat()
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: SESSIONS,
    queryFn: ({ signal }) => call(contract.listOwnSessions, { signal }),
  })
  const ended = async (): Promise<void> => {
    toasts.show({ text: t('sessionEnded') })
    await queries.invalidateQueries({ queryKey: SESSIONS })
  }
  return (
    <Part title={t('sessionsTitle')}>
      <p className={styles['words']}>{t('sessionsWhat')}</p>
      {error !== null && (
        <Note state="attention" title={t('refused')}>
          {error.message}
        </Note>
      )}
      <ul className={styles['lines']} aria-label={t('sessionsTitle')}>
        {(data ?? []).map(({ SessionId, Source, State, SignedInUtc, ActiveUtc, Here }) => (
          <li key={SessionId} className={styles['line']}>
            <span className={styles['two']}>
              <span id={`session-${SessionId}`} className="strong">
                {t(Here ? 'sessionHere' : State === 'open' ? 'sessionOpen' : 'sessionLocked', { address: Source })}
              </span>
              <span className={styles['second']}>
                {t('sessionTimes', {
                  since: format.instant(SignedInUtc, { precision: 'minute' }),
                  active: format.timeOrDay(ActiveUtc),
                })}
              </span>
            </span>
            {!Here && (
              <Act
                label={t('sessionEnd')}
                about={`session-${SessionId}`}
                onAct={() => call(contract.endOwnSession, { params: { sessionId: SessionId } }).then(ended)}
              />
            )}
          </li>
        ))}
      </ul>
      {(data?.length ?? 0) > 2 && (
        <Act label={t('sessionsEnd')} onAct={() => call(contract.endOtherSessions, {}).then(ended)} />
      )}
    </Part>
  )
}
