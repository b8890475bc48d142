import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { onReach, unreachable } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import type { StationState } from '../../client/station.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Note } from '../../ui/note/note.tsx'
import styles from './bands.module.css'

/** One band under the header says what is wrong with the whole station, since when, and what still works (docs/develop/screens.md, Patterns). */
export function Bands({ station }: { readonly station: StationState | null }) {
  const { t } = useTranslation('frame')
  const common = useTranslation('common')
  const format = useFormat()
  const [since, setSince] = useState(unreachable)
  useEffect(() => onReach(setSince), [])
  const missing = station?.MissingTools ?? []
  return (
    <div className={styles['bands']} aria-live="polite">
      {since !== null && (
        <Note state="attention" title={common.t('offlineTitle')}>
          {common.t('offlineBody', { since: format.timeOfDay(since) })}
        </Note>
      )}
      {since === null && station !== null && station.Mode !== 'ready' && (
        <Note state="danger" title={t(station.Mode === 'failed' ? 'failedTitle' : 'readOnlyTitle')}>
          {t(station.Mode === 'failed' ? 'failedBody' : 'readOnlyBody', { reason: station.Reason ?? '' })}
        </Note>
      )}
      {since === null && station !== null && station.Alarms.Open > 0 && <AlarmBand count={station.Alarms.Open} />}
      {since === null && missing.length > 0 && (
        <Note state="attention" title={t('toolsTitle')}>
          {missing
            .map((tool) => t('toolMissing', { name: tool.Name, effect: tool.Effect, install: tool.Install }))
            .join(' ')}
        </Note>
      )}
    </div>
  )
}

/** Stands until somebody has acknowledged every alarm; on the page itself the alarms say it. */
function AlarmBand({ count }: { readonly count: number }) {
  const { t } = useTranslation('frame')
  const { session } = useSession()
  const here = useRouterState({ select: ({ location }) => location.pathname === '/fixity' })
  if (here) return null
  return (
    <Note
      state="danger"
      title={t('bandTitle', { count })}
      action={session.User?.Administrator === true && <Link to="/fixity">{t('bandLook')}</Link>}
    >
      {t('bandBody')}
    </Note>
  )
}
