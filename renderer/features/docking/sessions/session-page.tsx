import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useMay } from '../../../client/rights.ts'
import { LinkButton } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StatePill } from '../../../ui/state/state.tsx'
import { Tabs } from '../../../ui/tabs/tabs.tsx'
import { AssignAction } from '../assign/assign-action.tsx'
import { type Detail, useDockSession } from './queries.ts'
import { SessionFacts } from './facts.tsx'
import { Files } from './files.tsx'
import { Recordings } from './recordings.tsx'
import { PageAlone, PageNote } from '../../../ui/layout/page-frame.tsx'
import { SidePane, TwoPane, WorkPane } from '../../../ui/layout/two-pane.tsx'
import styles from './sessions.module.css'
import { cameraOf, serialOf, stateOf, whatHappened } from './labels.ts'

/** What became of one camera that was put in. */
export function DockSessionPage({ dockSessionId: id }: { readonly dockSessionId: string }) {
  const { t } = useTranslation('dockSessions')
  const may = useMay('ManageDevices')
  const { data: session, error, refetch } = useDockSession(id, may)
  useEffect(() => {
    document.title = `${t('pageTitle', { id })} · Sallyport`
  }, [t, id])
  if (!may)
    return (
      <PageAlone>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </PageAlone>
    )
  if (session === undefined)
    return (
      <PageAlone>
        {error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </PageAlone>
    )
  return (
    <div className={styles['page']}>
      <Head session={session} />
      <TwoPane className={styles['columns']}>
        <WorkPane>
          <Contents session={session} />
        </WorkPane>
        <SidePane label={t('facts')} scrolls>
          <SessionFacts session={session} />
        </SidePane>
      </TwoPane>
    </div>
  )
}

function Head({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const navigate = useNavigate()
  const { state, words } = stateOf(session, t)
  const happened = whatHappened(session, t)
  const serial = serialOf(session)
  const params = { dockSessionId: session.DockSessionId }
  return (
    <>
      <header className={styles['head']}>
        <p className={styles['back']}>
          <Link to="/dock/sessions">{t('back')}</Link> / {t('pageTitle', { id: session.DockSessionId })}
        </p>
        <h1 className={styles['title']}>
          <bdi>
            {cameraOf(session, t)}
            {serial !== null && ` · ${visible(serial)}`}
          </bdi>
        </h1>
        <StatePill state={state}>{words}</StatePill>
        <div className={styles['acts']}>
          {serial !== null && <AssignAction serial={serial} deviceId={session.DeviceId} />}
          {session.ReceiptSha256 !== null && (
            <LinkButton
              icon="document"
              href={`/dock/sessions/${session.DockSessionId}/receipt`}
              onPress={() => void navigate({ to: '/dock/sessions/$dockSessionId/receipt', params })}
            >
              {t('receipt')}
            </LinkButton>
          )}
        </div>
      </header>
      {happened !== null && (
        <PageNote>
          <Note {...(session.State === 'refused' ? {} : { state: 'attention' as const })} title={words}>
            {happened}
          </Note>
        </PageNote>
      )}
    </>
  )
}

function Contents({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const navigate = useNavigate({ from: '/dock/sessions/$dockSessionId' })
  const { tab = 'files' } = useSearch({ from: '/dock/sessions/$dockSessionId' })
  return (
    <Tabs
      label={t('tabs')}
      fill
      value={tab}
      onChange={(next) => void navigate({ search: next === 'files' ? {} : { tab: next }, replace: true })}
      tabs={[
        {
          id: 'files',
          label: t('files'),
          count: format.count(session.Files + session.Foreign),
          content: <Files session={session} />,
        },
        {
          id: 'recordings',
          label: t('recordings'),
          count: format.count(session.Recordings.length),
          content: <Recordings session={session} />,
        },
      ]}
    />
  )
}
