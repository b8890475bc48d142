import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/users.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActButton } from '../act-button.tsx'
import { useRefresh } from '../queries.ts'
import { Part } from '../editing/panel.tsx'
import styles from '../people.module.css'
import { useOne } from '../people-queries.ts'
import { Problem } from '../problem.tsx'

/** Where somebody is signed in, and the way to end it. */
export function Sessions({ userId }: { readonly userId: string }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefresh()
  const params = { tenantId: tenant, userId }
  const { data, error, refetch } = useOne('sessions', userId, (tenantId, id, signal) =>
    call(contract.listUserSessions, { params: { tenantId, userId: id }, signal }),
  )
  const ended = (): void => {
    // One's own may be among them: then the page is signed out as well.
    refresh('session')
    toasts.show({ text: t('sessionEnded') })
  }
  return (
    <Part title={t('sessions')}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className="small muted">{t('sessionsNone')}</p>}
      <ul className={styles['lines']}>
        {(data ?? []).map(({ SessionId, State, SignedInUtc, ActiveUtc, Source }) => (
          <li key={SessionId} className={styles['line']}>
            <span className={styles['two']}>
              <span>
                {visible(Source)}, {t(State === 'open' ? 'sessionOpen' : 'sessionLocked')}
              </span>
              <span className={styles['second']}>
                {t('sessionTimes', {
                  since: format.instant(SignedInUtc, { precision: 'minute' }),
                  active: format.timeOrDay(ActiveUtc),
                })}
              </span>
            </span>
            <ActButton
              label={t('sessionEnd')}
              failed={t('notDone')}
              onAct={() => call(contract.endUserSession, { params: { ...params, sessionId: SessionId } }).then(ended)}
            />
          </li>
        ))}
      </ul>
      {(data?.length ?? 0) > 1 && (
        <div className={styles['acts']}>
          <ActButton
            label={t('sessionsEnd')}
            failed={t('notDone')}
            onAct={() => call(contract.endUserSessions, { params }).then(ended)}
          />
        </div>
      )}
    </Part>
  )
}
