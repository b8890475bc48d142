import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, LANGUAGES } from '../../../shared/messages/index.ts'
import { useJobs } from '../../client/jobs.ts'
import { useSession } from '../../client/session.tsx'
import { useUploads } from '../../client/uploads/use-uploads.ts'
import { type SectionId, sectionAt } from '../../features/administration/sections.ts'
import { Button } from '../../ui/button/button.tsx'
import { useSingleKeys } from '../../ui/command/use-shortcuts.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { Kbd } from '../../ui/kbd/kbd.tsx'
import { Menu } from '../../ui/popover/menu.tsx'
import { Spinner } from '../../ui/progress/progress.tsx'
import { type Density, setDensity, setTheme, type Theme, useDensity, useTheme } from '../../client/appearance.ts'
import { setLanguage, withWords } from '../../client/i18n.ts'
import styles from './header.module.css'
import { Notices } from './notices.tsx'
import { OverNetwork } from './over-network.tsx'
import { openPanel, usePanel } from './panel.ts'
import { lazyPart } from '../../client/load-chunk.ts'

const SectionName = lazyPart(() => withWords(import('./section-name.tsx')))

interface Props {
  readonly onSearch: () => void
  readonly onKeys: () => void
}

export function Header({ onSearch, onKeys }: Props) {
  const { t } = useTranslation('frame')
  const { lock } = useSession()
  return (
    <header className={styles['header']} data-region>
      <Crumbs />
      <button type="button" className={styles['find']} onClick={onSearch}>
        <Icon name="search" />
        <span className={styles['findWords']}>{t('search')}</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      <div className={styles['end']}>
        <OverNetwork />
        <Work />
        <Notices />
        <Who onKeys={onKeys} />
        <Button kind="quiet" icon="lock" onPress={() => void lock()}>
          {t('lock')}
        </Button>
      </div>
    </header>
  )
}

/** Called by what their address begins with. */
const AREAS = ['disposition', 'review', 'calls', 'cases', 'evidence'] as const

function Crumbs() {
  const { t } = useTranslation('frame')
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (path === '/account' || path === '/authorize') return <AccountCrumb here={path === '/account'} />
  if (path === '/fixity') return <IntegrityCrumb />
  if (path.startsWith('/dock'))
    return (
      <nav aria-label={t('path')} className={styles['crumbs']}>
        {path === '/dock' ? (
          <b>{t('dock')}</b>
        ) : (
          <>
            <Link to="/dock">{t('dock')}</Link>
            <Icon name="chevron-right" size="small" />
            <b>{path.split('/')[3] ?? ''}</b>
          </>
        )}
      </nav>
    )
  if (path.startsWith('/devices')) return <DeviceCrumbs below={path.split('/')[2]} />
  if (path.startsWith('/administration')) return <AdministrationCrumbs section={sectionAt(path)?.id} />
  const [, area, id, below] = /^\/(evidence|cases)\/([^/]+)(\/)?/.exec(path) ?? []
  const inCases = path.startsWith('/cases')
  if (path === '/search')
    return (
      <nav aria-label={t('path')} className={styles['crumbs']}>
        <b>{t('searchGo')}</b>
      </nav>
    )
  const here = AREAS.find((area) => path.startsWith(`/${area}`)) ?? 'evidence'
  if (area === undefined || id === undefined)
    return (
      <nav aria-label={t('path')} className={styles['crumbs']}>
        <b>{t(here)}</b>
      </nav>
    )
  return (
    <nav aria-label={t('path')} className={styles['crumbs']}>
      <Link to={inCases ? '/cases' : '/evidence'}>{t(inCases ? 'cases' : 'evidence')}</Link>
      <Icon name="chevron-right" size="small" />
      {inCases ? <CaseCrumb caseId={id} below={below !== undefined} /> : <b className="id">{id}</b>}
    </nav>
  )
}

function IntegrityCrumb() {
  const { t } = useTranslation('frame')
  return (
    <nav aria-label={t('path')} className={styles['crumbs']}>
      <b>{t('fixity')}</b>
    </nav>
  )
}

/** By its name, which is known as soon as the device is here. */
function DeviceCrumbs({ below }: { readonly below: string | undefined }) {
  const { t } = useTranslation('frame')
  const { data } = useQuery<{
    readonly DeviceIdentification: { readonly SerialNumber: string; readonly CommonName: string | null }
  }>({
    queryKey: ['devices', 'one', decodeURIComponent(below ?? '')],
    enabled: false,
  })
  const named = data?.DeviceIdentification
  return (
    <nav aria-label={t('path')} className={styles['crumbs']}>
      {below === undefined ? (
        <b>{t('devices')}</b>
      ) : (
        <>
          <Link to="/devices">{t('devices')}</Link>
          <Icon name="chevron-right" size="small" />
          <b>{below === 'types' ? t('deviceTypes') : visible(named?.CommonName || named?.SerialNumber || '')}</b>
        </>
      )}
    </nav>
  )
}

function AdministrationCrumbs({ section }: { readonly section: SectionId | undefined }) {
  const { t } = useTranslation('frame')
  return (
    <nav aria-label={t('path')} className={styles['crumbs']}>
      {section === undefined ? (
        <b>{t('administration')}</b>
      ) : (
        <>
          <Link to="/administration">{t('administration')}</Link>
          <Icon name="chevron-right" size="small" />
          <Suspense>
            <SectionName section={section} />
          </Suspense>
        </>
      )}
    </nav>
  )
}

function AccountCrumb({ here }: { readonly here: boolean }) {
  const { t } = useTranslation('frame')
  return (
    <nav aria-label={t('path')} className={styles['crumbs']}>
      {here && <b>{t('myAccount')}</b>}
    </nav>
  )
}

/** By its number, which is known as soon as the case is here. */
function CaseCrumb({ caseId, below }: { readonly caseId: string; readonly below: boolean }) {
  const { t } = useTranslation('frame')
  const { data } = useQuery<{ readonly Ordinal: string }>({ queryKey: ['case', caseId, 'record'], enabled: false })
  if (caseId === 'new') return <b>{t('caseNew')}</b>
  const ordinal = data?.Ordinal ?? caseId
  if (!below) return <b className="id">{ordinal}</b>
  return (
    <>
      <Link to="/cases/$caseId" params={{ caseId }} className="id">
        {ordinal}
      </Link>
      <Icon name="chevron-right" size="small" />
      <b>{t('caseEdit')}</b>
    </>
  )
}

/** Uploads of this page and jobs of the station, one number each; a triangle where one needs somebody. */
function Work() {
  const { t } = useTranslation('frame')
  const panel = usePanel()
  const jobs = useJobs()
  const uploads = useUploads()
  const running = jobs.filter(({ State }) => State === 'running' || State === 'queued' || State === 'waiting').length
  const failed = jobs.filter(({ State }) => State === 'failed').length
  const sending = uploads.filter(({ state }) =>
    ['queued', 'preparing', 'sending', 'readingBack', 'waiting'].includes(state),
  ).length
  const stuck = uploads.filter(({ state }) => ['stopped', 'needsFile', 'refused'].includes(state)).length
  return (
    <>
      {uploads.length > 0 && (
        <button
          type="button"
          className={styles['quiet']}
          aria-expanded={panel === 'uploads'}
          onClick={() => openPanel('uploads')}
        >
          {stuck > 0 ? (
            <Icon name="attention" className={styles['attention']} />
          ) : sending > 0 ? (
            <Spinner />
          ) : (
            <Icon name="upload" />
          )}
          <span className={styles['word']}>{t('uploadsCount', { count: sending > 0 ? sending : uploads.length })}</span>
        </button>
      )}
      <button
        type="button"
        className={styles['quiet']}
        aria-expanded={panel === 'jobs'}
        onClick={() => openPanel('jobs')}
      >
        {failed > 0 ? (
          <Icon name="attention" className={styles['attention']} />
        ) : running > 0 ? (
          <Spinner />
        ) : (
          <Icon name="jobs" />
        )}
        <span className={styles['word']}>
          {failed > 0
            ? t('jobsFailedCount', { count: failed })
            : running > 0
              ? t('jobs', { count: running })
              : t('jobsNone')}
        </span>
      </button>
    </>
  )
}

function Who({ onKeys }: { readonly onKeys: () => void }) {
  const { t, i18n } = useTranslation('frame')
  const { session, signOut } = useSession()
  const navigate = useNavigate()
  const onAccount = useCallback(() => void navigate({ to: '/account' }), [navigate])
  const format = useFormat()
  const theme = useTheme()
  const density = useDensity()
  const [singleKeys, setSingleKeys] = useSingleKeys()
  const name = session.User === null ? '' : format.person(session.User)
  const sections = useMemo(
    () => [
      {
        label: t('theme'),
        selected: theme,
        onSelect: (key: string) => setTheme(key as Theme),
        items: [
          { id: 'system', label: t('themeSystem') },
          { id: 'light', label: t('themeLight') },
          { id: 'dark', label: t('themeDark') },
          { id: 'contrast', label: t('themeContrast') },
        ],
      },
      {
        label: t('density'),
        selected: density,
        onSelect: (key: string) => setDensity(key as Density),
        items: [
          { id: 'compact', label: t('densityCompact') },
          { id: 'roomy', label: t('densityRoomy') },
        ],
      },
      {
        label: t('language'),
        selected: i18n.language,
        onSelect: (key: string) => void setLanguage(key as Language),
        items: LANGUAGES.map(({ code, name: label }) => ({ id: code, label })),
      },
      {
        label: t('keys'),
        items: [
          { id: 'sheet', label: t('shortcuts'), icon: 'keyboard' as const, keys: '?', onAction: (): void => onKeys() },
          {
            id: 'single',
            label: singleKeys ? t('singleKeysOff') : t('singleKeysOn'),
            onAction: (): void => setSingleKeys(!singleKeys),
          },
        ],
      },
      {
        label: t('who', { name }),
        items: [
          { id: 'account', label: t('myAccount'), icon: 'user' as const, onAction: (): void => onAccount() },
          { id: 'sign-out', label: t('signOut'), icon: 'sign-out' as const, onAction: (): void => void signOut() },
        ],
      },
    ],
    [t, theme, density, i18n.language, onKeys, singleKeys, setSingleKeys, name, signOut, onAccount],
  )
  return (
    <Menu label={t('who', { name })} sections={sections}>
      <span className={styles['initials']} aria-hidden="true">
        {format.initials(session.User)}
      </span>
      <span className={styles['word']} aria-hidden="true">
        {name}
      </span>
      <span className="unseen">{t('who', { name })}</span>
    </Menu>
  )
}
