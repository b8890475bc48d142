import { useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { retryMessages } from '../../../../shared/dispatch/cad-messages.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Problem } from '../problem.tsx'
import styles from './cad.module.css'
import { useRefreshCad } from './queries.ts'

/** All of a state, part by part, the oldest first; what is under way says how far it is, and can be stopped between two parts. */
export function TryAll({ state }: { readonly state: 'unreadable' | 'review' }) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefreshCad()
  const { busy, error, run } = useAct()
  const [so, setSo] = useState({ tried: 0, settled: 0 })
  const stopped = useRef(false)
  const all = async (): Promise<void> => {
    stopped.current = false
    let [tried, settled] = [0, 0]
    let cursor: string | null = null
    setSo({ tried, settled })
    try {
      do {
        const part: { tried: number; settled: number; cursor: string | null } = await call(retryMessages, {
          params: { tenantId: tenant },
          body: { state, cursor },
        })
        tried += part.tried
        settled += part.settled
        cursor = part.cursor
        setSo({ tried, settled })
      } while (cursor !== null && !stopped.current)
    } finally {
      refresh()
    }
    toasts.show({
      text:
        tried === 0
          ? t('triedNone')
          : t('triedAll', { count: tried, shown: format.count(tried), settled: format.count(settled) }),
    })
  }
  return (
    <>
      <span className={styles['acts']}>
        <span className="muted" aria-live="polite">
          {busy && t('trying', { tried: format.count(so.tried), settled: format.count(so.settled) })}
        </span>
        {busy && (
          <Button size="small" onPress={() => (stopped.current = true)}>
            {t('stopTrying')}
          </Button>
        )}
        <Button icon="retry" size="small" busy={busy} onPress={() => run(all)}>
          {t('tryAll')}
        </Button>
      </span>
      {error !== null && (
        <div className={styles['whole']}>
          <Problem error={error} title={t('tryFailed')} />
        </div>
      )}
    </>
  )
}
