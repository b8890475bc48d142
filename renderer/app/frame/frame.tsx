import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { withWords } from '../../client/i18n.ts'
import { watchJobs } from '../../client/jobs.ts'
import { watchReach } from '../../client/reach.ts'
import { useIsMember, useSession } from '../../client/session.tsx'
import { useLiveEvents, useStation } from '../../client/station.ts'
import { onFilesAdded } from '../../client/uploads/use-add-evidence.ts'
import { nextRegion, useShortcuts } from '../../ui/command/use-shortcuts.ts'
import { usePhone } from '../../ui/layout/use-media.ts'
import { allPages } from '../pages.ts'
import { prefetchPages } from '../prefetch.ts'
import { Bands } from './bands.tsx'
import { DropAnywhere, EvidenceDropStrip } from './drop-anywhere.tsx'
import styles from './frame.module.css'
import { Header, SmallHeader } from './header.tsx'
import { PhoneBar } from './phone-bar.tsx'
import { openKeys, openPanel, type Panel, showPanel, useKeysOpen, usePanel } from './panel.ts'
import { Rail } from './rail.tsx'
import { lazyPart } from '../../client/load-chunk.ts'

const Palette = lazyPart(() => withWords(import('./palette.tsx'), 'help'))
const Keys = lazyPart(() => import('./keys.tsx'))
const JobsPanel = lazyPart(() => withWords(import('./jobs-panel.tsx'), 'jobReasons'))
const UndoPanel = lazyPart(() => import('./undo-panel.tsx'))
const UploadsPanel = lazyPart(() => import('./uploads-panel.tsx'))

const showKeys = (): void => openKeys(true)

/** Rail or bar, header, the sheet one works on, and the drawer for work that goes on (docs/develop/screens.md, Frame). */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('frame')
  const { tenant, lock } = useSession()
  const station = useStation()
  const panel = usePanel()
  const navigate = useNavigate()
  const [palette, setPalette] = useState(false)
  const keys = useKeysOpen()
  useLiveEvents()
  const queries = useQueryClient()
  useEffect(() => watchReach(queries), [queries])
  const router = useRouter()
  useEffect(() => prefetchPages(router), [router])
  const member = useIsMember()
  useEffect(() => (member ? watchJobs(tenant) : undefined), [tenant, member])
  useEffect(() => onFilesAdded(() => showPanel('uploads')), [])
  useShortcuts(
    useMemo(
      () => ({
        'Control+k': () => setPalette(true),
        '?': () => openKeys(true),
        'Control+Shift+l': () => void lock(),
        'Control+j': () => openPanel('jobs'),
        ...Object.fromEntries(
          allPages.flatMap(({ key, path }) =>
            key === undefined ? [] : [[`g ${key.letter}`, () => void navigate({ to: path })]],
          ),
        ),
        F6: () => nextRegion(false),
        'Shift+F6': () => nextRegion(true),
      }),
      [lock, navigate],
    ),
  )
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useFocusOnNewPage(path)
  const phone = usePhone()
  const openPalette = useCallback(() => setPalette(true), [])
  return (
    <>
      <a className={styles['skip']} href="#work">
        {t('skip')}
      </a>
      <div className={styles['frame']}>
        {phone ? (
          <SmallHeader onSearch={openPalette} />
        ) : (
          <>
            <Rail station={station} />
            <Header onSearch={openPalette} onKeys={showKeys} />
          </>
        )}
        <main id="work" className={styles['work']} tabIndex={-1} data-region>
          <Bands station={station} />
          <div className={styles['sheet']}>
            <div className={styles['page']}>{children}</div>
            <Suspense fallback={null}>
              <Side panel={panel} />
            </Suspense>
            <EvidenceDropStrip />
          </div>
        </main>
        {phone && <PhoneBar station={station} />}
      </div>
      <DropAnywhere />
      <Suspense fallback={null}>
        {palette && <Palette onClose={() => setPalette(false)} onKeys={showKeys} />}
        {keys && <Keys onClose={() => openKeys(false)} />}
      </Suspense>
    </>
  )
}

function Side({ panel }: { readonly panel: Panel | null }) {
  if (panel === 'jobs') return <JobsPanel onClose={() => openPanel(null)} />
  if (panel === 'undo') return <UndoPanel onClose={() => openPanel(null)} />
  if (panel === 'uploads') return <UploadsPanel onClose={() => openPanel(null)} />
  return null
}

/** A new page is a new place for whoever hears it: its title has the focus, unless something on it took it already. */
function useFocusOnNewPage(path: string): void {
  const [first, setFirst] = useState(path)
  useEffect(() => {
    if (path === first) return
    setFirst(path)
    const timer = setTimeout(() => {
      if (document.activeElement === null || document.activeElement === document.body)
        document.getElementById('work')?.focus({ preventScroll: true })
    }, 50)
    return () => clearTimeout(timer)
  }, [path, first])
}
