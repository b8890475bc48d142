import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Fragment, useCallback, useMemo } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { type Language, LANGUAGES } from '../../../shared/messages/index.ts'
import { useJobs } from '../../client/jobs.ts'
import { useSession } from '../../client/session.tsx'
import { useUploads } from '../../client/uploads/use-uploads.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { useSingleKeys } from '../../ui/command/use-shortcuts.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Icon } from '../../ui/icon/icon.tsx'
import { Kbd } from '../../ui/kbd/kbd.tsx'
import { Menu, type MenuSection } from '../../ui/popover/menu.tsx'
import { Spinner } from '../../ui/progress/progress.tsx'
import { type Density, setDensity, setTheme, type Theme, useDensity, useTheme } from '../../client/appearance.ts'
import { setLanguage } from '../../client/i18n.ts'
import type { Page } from '../../client/page.ts'
import { trailOf } from '../pages.ts'
import styles from './header.module.css'
import { Notices } from './notices.tsx'
import { OverNetwork } from './over-network.tsx'
import { openPanel, showPanel, usePanel } from './panel.ts'

/** Where there is no room: the way to the page, what is being sent, search and notices. All else is behind *More* of the bar. */
export function SmallHeader({ onSearch }: Pick<Props, 'onSearch'>) {
  const { t } = useTranslation('frame')
  return (
    <header className={styles['small']} data-region>
      <Crumbs />
      <OverNetwork />
      <Uploads />
      <IconButton icon="search" label={t('search')} tooltip={false} onPress={onSearch} />
      <Notices />
    </header>
  )
}

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

function Crumbs() {
  const { t } = useTranslation('frame')
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const trail = trailOf(address)
  return (
    <nav aria-label={t('path')} className={styles['crumbs']}>
      {trail.map(({ page, to, id }, at) => (
        <Fragment key={page.path}>
          {at > 0 && <Icon name="chevron-right" size="small" />}
          {at === trail.length - 1 ? <Here page={page} id={id} /> : <Above page={page} id={id} to={to} />}
        </Fragment>
      ))}
    </nav>
  )
}

function Here({ page, id }: { readonly page: Page; readonly id: string }) {
  const name = useNameOf(page, id)
  return <b className={page.isId === true ? 'id' : undefined}>{name}</b>
}

function Above({ page, id, to }: { readonly page: Page; readonly id: string; readonly to: string }) {
  const name = useNameOf(page, id)
  return (
    <Link to={to} className={page.isId === true ? 'id' : undefined}>
      {name}
    </Link>
  )
}

const usePlainId = (id: string): string => id

function useNameOf({ name, useName = usePlainId }: Page, id: string): string {
  const { language } = useTranslation('frame')
  const own = useName(id)
  return name === undefined ? own : name[language]
}

/** Uploads of this page, by their number; a triangle where one needs somebody. */
function Uploads() {
  const { t } = useTranslation('frame')
  const panel = usePanel()
  const uploads = useUploads()
  const sending = uploads.filter(({ state }) =>
    ['queued', 'preparing', 'sending', 'readingBack', 'waiting'].includes(state),
  ).length
  const stuck = uploads.filter(({ state }) => ['stopped', 'needsFile', 'refused'].includes(state)).length
  if (uploads.length === 0) return null
  return (
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
  )
}

/** How many jobs are running or failed, in a word. */
export function useJobsWord() {
  const { t } = useTranslation('frame')
  const jobs = useJobs()
  const running = jobs.filter(({ State }) => State === 'running' || State === 'queued' || State === 'waiting').length
  const failed = jobs.filter(({ State }) => State === 'failed').length
  const word =
    failed > 0 ? t('jobsFailedCount', { count: failed }) : running > 0 ? t('jobs', { count: running }) : t('jobsNone')
  return { running, failed, word }
}

/** Uploads of this page and jobs of the station, one number each. */
function Work() {
  const panel = usePanel()
  const { running, failed, word } = useJobsWord()
  return (
    <>
      <Uploads />
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
        <span className={styles['word']}>{word}</span>
      </button>
    </>
  )
}

/** What a person chooses for themselves. @param onKeys null where there is no keyboard: keys are left out */
export function useOwnChoices(onKeys: (() => void) | null): {
  readonly name: string
  readonly sections: MenuSection[]
} {
  const { t, language } = useTranslation('frame')
  const { session, signOut } = useSession()
  const navigate = useNavigate()
  const onAccount = useCallback(() => void navigate({ to: '/account' }), [navigate])
  const onHelp = useCallback(() => void navigate({ to: '/help' }), [navigate])
  const format = useFormat()
  const theme = useTheme()
  const density = useDensity()
  const [singleKeys, setSingleKeys] = useSingleKeys()
  const name = session.User === null ? '' : format.person(session.User)
  const sections = useMemo<MenuSection[]>(
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
        selected: language,
        onSelect: (key: string) => void setLanguage(key as Language),
        items: LANGUAGES.map(({ code, name: label }) => ({ id: code, label })),
      },
      {
        label: t('help'),
        items: [
          { id: 'help', label: t('helpHow'), icon: 'help' as const, keys: 'G H', onAction: (): void => onHelp() },
          ...(onKeys === null
            ? []
            : [
                { id: 'sheet', label: t('shortcuts'), icon: 'keyboard' as const, keys: '?', onAction: onKeys },
                {
                  id: 'single',
                  label: singleKeys ? t('singleKeysOff') : t('singleKeysOn'),
                  onAction: (): void => setSingleKeys(!singleKeys),
                },
              ]),
        ],
      },
      {
        label: t('who', { name }),
        items: [
          { id: 'undo', label: t('undoTitle'), icon: 'undo' as const, onAction: (): void => showPanel('undo') },
          { id: 'account', label: t('myAccount'), icon: 'user' as const, onAction: (): void => onAccount() },
          { id: 'sign-out', label: t('signOut'), icon: 'sign-out' as const, onAction: (): void => void signOut() },
        ],
      },
    ],
    [t, theme, density, language, onKeys, singleKeys, setSingleKeys, name, signOut, onAccount, onHelp],
  )
  return { name, sections }
}

function Who({ onKeys }: { readonly onKeys: () => void }) {
  const { t } = useTranslation('frame')
  const { session } = useSession()
  const format = useFormat()
  const { name, sections } = useOwnChoices(onKeys)
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
