import { Link, useRouterState } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { withWords } from '../../client/i18n.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { useSession } from '../../client/session.tsx'
import type { StationState } from '../../client/station.ts'
import { useTranslation } from '../../client/translate.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { allPages } from '../pages.ts'
import styles from './phone-bar.module.css'

const MoreSheet = lazyPart(() => withWords(import('./more-sheet.tsx'), 'phone'))
const ScanLabel = lazyPart(() => withWords(import('./scan-label.tsx'), 'phone'))

/** What is wanted most on the way stands in the bar; whatever else a person may do is behind *More*. */
const IN_BAR: readonly string[] = ['/today', '/evidence', '/cases', '/search']

/** Where there is no room for the rail: four areas at the foot of the screen, in reach of a thumb, and the rest behind one more. */
export function PhoneBar({ station }: { readonly station: StationState | null }) {
  const { t, language } = useTranslation('frame')
  const { session } = useSession()
  const [open, setOpen] = useState<'more' | 'scan' | null>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const offered = allPages.filter(({ rail, isOffered }) => rail !== undefined && isOffered?.(session) !== false)
  const inBar = offered.filter((page) => IN_BAR.includes(page.path))
  const others = offered.filter((page) => !IN_BAR.includes(page.path))
  const elsewhere = others.some((page) => path === page.path || path.startsWith(`${page.path}/`))
  return (
    <>
      <nav aria-label={t('areas')} className={styles['bar']} data-region>
        {inBar.map((page) => (
          <Link key={page.path} to={page.path} className={styles['area']} activeProps={{ 'aria-current': 'page' }}>
            {page.rail !== undefined && <Icon name={page.rail.icon} size="large" />}
            <span className={styles['word']}>{page.name?.[language]}</span>
          </Link>
        ))}
        <button
          type="button"
          className={styles['area']}
          aria-haspopup="dialog"
          aria-expanded={open === 'more'}
          {...(elsewhere ? { 'aria-current': true } : {})}
          data-more
          onClick={() => setOpen('more')}
        >
          <Icon name="more" size="large" />
          <span className={styles['word']}>{t('moreAreas')}</span>
        </button>
      </nav>
      <Suspense fallback={null}>
        {open === 'more' && (
          <MoreSheet areas={others} station={station} onScan={() => setOpen('scan')} onClose={() => setOpen(null)} />
        )}
        {open === 'scan' && <ScanLabel onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}
