import { Suspense } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import list from '../list.module.css'
import { usePageTitle } from '../list-page.tsx'
import { usePlace } from '../search-state.ts'
import styles from './cad.module.css'
import { Connection } from './connection.tsx'
import { useOverview } from './queries.ts'
import { lazyPart } from '../../../client/load-chunk.ts'

const Messages = lazyPart(() => import('./messages.tsx'))
const Reading = lazyPart(() => import('../cad/mapping/mapping-page.tsx'))
const Linking = lazyPart(() => import('./linking.tsx'))

const VIEWS = ['overview', 'messages', 'mapping', 'linking'] as const

/** Everything about dispatch: who is connected, what came and could not be read, how messages are read, what links recordings. */
export function CadPage() {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const { search, change } = usePlace()
  const { data } = useOverview()
  const waiting = data === undefined ? 0 : data.waiting.unreadable + data.waiting.review
  const view = VIEWS.find((one) => one === search.view) ?? 'overview'
  usePageTitle(t('title'))
  const wait = (
    <div className={styles['scroll']}>
      <Skeleton lines={6} />
    </div>
  )
  return (
    <div className={styles['page']}>
      <header className={list['head']}>
        <h1 className={list['title']}>{t('title')}</h1>
        <p className={list['lead']}>{t('lead')}</p>
      </header>
      <Tabs
        label={t('views')}
        fill
        value={view}
        onChange={(next) => change({ view: next, open: undefined, kind: undefined })}
        tabs={[
          { id: 'overview', label: t('overview'), content: <Connection /> },
          {
            id: 'messages',
            label: t('messages'),
            ...(waiting === 0 ? {} : { count: format.count(waiting) }),
            content: (
              <Suspense fallback={wait}>
                <Messages />
              </Suspense>
            ),
          },
          {
            id: 'mapping',
            label: t('mapping'),
            content: (
              <Suspense fallback={wait}>
                <Reading />
              </Suspense>
            ),
          },
          {
            id: 'linking',
            label: t('linking'),
            content: (
              <Suspense fallback={wait}>
                <Linking />
              </Suspense>
            ),
          },
        ]}
      />
    </div>
  )
}
