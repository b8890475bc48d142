import { useId } from 'react'
import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { useTranslation } from '../../client/translate.ts'
import { EmptyState } from '../../ui/empty/empty.tsx'
import styles from './layout.module.css'
import { useRights, useSections } from './rights.ts'
import { type Right, SECTION_GROUPS, type Section, sectionAt } from './sections.ts'

/** The pages of the administration beside each other; one that a person has no right to is absent, by its address says whom to ask. */
export function AdministrationLayout() {
  const { t } = useTranslation('administration')
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const may = useRights()
  const sections = useSections()
  const right: Right | undefined = sectionAt(path)?.right
  const barred = right === undefined ? sections.length === 0 : !may(right)
  return (
    <div className={styles['layout']}>
      {sections.length > 0 && (
        <nav className={styles['sections']} aria-label={t('title')} data-region>
          {SECTION_GROUPS.map((group) => (
            <Group key={group} label={t(GROUP_WORDS[group])} sections={sections.filter((one) => one.group === group)} />
          ))}
        </nav>
      )}
      <div className={styles['work']}>{barred ? <AskWhom people={right === 'people'} /> : <Outlet />}</div>
    </div>
  )
}

const GROUP_WORDS = { people: 'groupPeople', records: 'groupRecords', station: 'groupStation' } as const

function Group({ label, sections }: { readonly label: string; readonly sections: readonly Section[] }) {
  const { t } = useTranslation('administration')
  const id = useId()
  if (sections.length === 0) return null
  return (
    <div className={styles['group']} role="group" aria-labelledby={id}>
      <span id={id} className={styles['groupName']}>
        {label}
      </span>
      {sections.map((section) => (
        <Link key={section.id} to={section.to} className={styles['section']} activeProps={{ 'aria-current': 'page' }}>
          {t(section.id)}
        </Link>
      ))}
    </div>
  )
}

/** By its plain address: the first page that is open to whoever asks. */
export function AdministrationHome() {
  const [first] = useSections()
  return first === undefined ? <AskWhom people={false} /> : <Navigate to={first.to} replace />
}

function AskWhom({ people }: { readonly people: boolean }) {
  const { t } = useTranslation('administration')
  return (
    <div className={styles['alone']}>
      <EmptyState title={t('barredTitle')}>{t(people ? 'barredPeople' : 'barredBody')}</EmptyState>
    </div>
  )
}
