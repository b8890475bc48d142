import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/notifications/contract.ts'
import { type NoticeKind, NOTICES, type NoticeWay } from '../../../../shared/notifications/rules.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { takeAnswer } from '../../../client/take-answer.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { Part } from './part.tsx'

type Choices = z.output<(typeof contract.getNoticeChoices)['responses'][200]>

const PLACE = 'notices'
const CHOICES = ['account', 'notices'] as const
const WAYS = [
  ['none', 'wayNone'],
  ['app', 'wayApp'],
  ['system', 'waySystem'],
] as const satisfies readonly (readonly [NoticeWay, string])[]

/** Of what one is told, and how; each choice holds at once. */
export function NoticesPart() {
  const { t } = useTranslation('notices')
  const { tenant } = useSession()
  const queries = useQueryClient()
  const params = { tenantId: tenant }
  const { data, error } = useQuery({
    queryKey: CHOICES,
    queryFn: ({ signal }) => call(contract.getNoticeChoices, { params, signal }),
  })
  const here = data !== undefined
  useEffect(() => {
    // The bell leads right here; the browser looked for the place before it was there.
    if (here && location.hash === `#${PLACE}`) document.getElementById(PLACE)?.scrollIntoView()
  }, [here])
  const choose = async (Kind: NoticeKind, Way: NoticeWay): Promise<void> => {
    const after = await call(contract.chooseNotices, { params, body: { Items: [{ Kind, Way }] } })
    await takeAnswer<Choices>(queries, CHOICES, () => after)
  }
  return (
    <Part title={t('title')} id={PLACE}>
      <p className={styles['words']}>{t('what')}</p>
      {error !== null && (
        <Note state="attention" title={t('choiceFailed')}>
          {error.message}
        </Note>
      )}
      <ul className={styles['lines']} aria-label={t('title')}>
        {(data?.Items ?? []).map(({ Kind, Way }) => {
          const { words } = NOTICES[Kind]
          const name = t(`kind${words}`)
          return (
            <li key={Kind} className={styles['line']}>
              <span className={styles['two']}>
                <span className="strong">{name}</span>
                <span className={styles['second']}>{t(`kind${words}What`)}</span>
              </span>
              <Segments
                label={name}
                value={Way}
                segments={WAYS.map(([id, label]) => ({ id, label: t(label) }))}
                onChange={(way) => void choose(Kind, way).catch(toasts.problem)}
              />
            </li>
          )
        })}
      </ul>
      <Here />
    </Part>
  )
}

/** Whether this very place can show anything beside the clock. A browser is asked when a person wants it, and never before. */
function Here() {
  const { t } = useTranslation('notices')
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : null))
  if (window.sallyport !== undefined) return <p className={styles['second']}>{t('desktop')}</p>
  if (permission === null) return <p className={styles['second']}>{t('browserNone')}</p>
  if (permission !== 'default')
    return (
      <p className={styles['second']} role="status">
        {t(permission === 'granted' ? 'browserGranted' : 'browserDenied')}
      </p>
    )
  return (
    <>
      <p className={styles['second']}>{t('browserAsk')}</p>
      <Button icon="bell" onPress={() => void Notification.requestPermission().then(setPermission)}>
        {t('browserAllow')}
      </Button>
    </>
  )
}
