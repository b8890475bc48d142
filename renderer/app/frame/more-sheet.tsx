import { Link } from '@tanstack/react-router'
import { useSession } from '../../client/session.tsx'
import type { Page } from '../../client/page.ts'
import type { StationState } from '../../client/station.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon/icon.tsx'
import { Menu } from '../../ui/popover/menu.tsx'
import { StateShape } from '../../ui/state/state.tsx'
import { useJobsWord, useOwnChoices } from './header.tsx'
import styles from './more-sheet.module.css'
import { showPanel } from './panel.ts'
import { Mark, useStanding } from './rail.tsx'

interface Props {
  /** Those that are not in the bar. */
  readonly areas: readonly Page[]
  readonly station: StationState | null
  readonly onScan: () => void
  readonly onClose: () => void
}

/** The other areas, what is at hand on the way, the person, and how the station stands. */
export default function MoreSheet({ areas, station, onScan, onClose }: Props) {
  const { t, language } = useTranslation('frame')
  const { t: ofPhone } = useTranslation('phone')
  const jobs = useJobsWord()
  const openJobs = (): void => {
    onClose()
    showPanel('jobs')
  }
  return (
    <Dialog title={t('moreAreas')} onClose={onClose}>
      <div className={styles['sheet']}>
        <ul className={styles['lines']}>
          <li>
            <button type="button" className={styles['line']} data-scan onClick={onScan}>
              <Icon name="code" />
              <span>{ofPhone('scan')}</span>
            </button>
          </li>
          <li>
            <button type="button" className={styles['line']} onClick={openJobs}>
              <Icon name={jobs.failed > 0 ? 'attention' : 'jobs'} />
              <span>{jobs.word}</span>
            </button>
          </li>
        </ul>
        {areas.length > 0 && (
          <nav aria-label={ofPhone('otherAreas')}>
            <ul className={styles['lines']}>
              {areas.map(({ path, name, rail }) => (
                <li key={path}>
                  <Link to={path} className={styles['line']} activeProps={{ 'aria-current': 'page' }} onClick={onClose}>
                    {rail !== undefined && <Icon name={rail.icon} />}
                    <span>{name?.[language]}</span>
                    {rail?.useMark !== undefined && <Mark useMark={rail.useMark} />}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <Person onClose={onClose} />
        {station !== null && <Standing station={station} />}
      </div>
    </Dialog>
  )
}

/** Who is signed in, what they chose, and the way out. */
function Person({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('frame')
  const { lock } = useSession()
  const { name, sections } = useOwnChoices(null)
  // What leads to another page, and signing out, closes the sheet that it was chosen in.
  const closing = sections.map((section) => ({
    ...section,
    items: section.items.map((item) => ({
      ...item,
      ...(item.onAction === undefined
        ? {}
        : {
            onAction: (): void => {
              onClose()
              item.onAction?.()
            },
          }),
    })),
  }))
  return (
    <div className={styles['person']}>
      <Menu
        label={t('who', { name })}
        sections={closing}
        placement="top start"
        trigger={
          <Button kind="plain" icon="user" className={styles['who']}>
            <span className="unseen">{t('who', { name })}</span>
            <span className="truncated" aria-hidden="true">
              {name}
            </span>
          </Button>
        }
      />
      <Button kind="plain" icon="lock" onPress={() => void lock()}>
        {t('lock')}
      </Button>
    </div>
  )
}

/** One line: shape, name, and the word; where something needs a look, what. */
function Standing({ station }: { readonly station: StationState }) {
  const { t } = useTranslation('frame')
  const { facts, worst, word } = useStanding(station)
  const first = worst === 'ok' ? undefined : facts.find(({ state }) => state === worst)
  return (
    <section aria-label={t('station')} className={styles['station']}>
      <StateShape state={worst} label={word} />
      <span className="truncated">{station.Name}</span>
      <span className={styles['word']}>{first === undefined ? word : `${first.label} · ${first.text}`}</span>
    </section>
  )
}
