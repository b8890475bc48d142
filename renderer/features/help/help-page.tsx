import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SampleData } from '../../client/sample/parts.tsx'
import { useStation } from '../../client/station.ts'
import { useTranslation } from '../../client/translate.ts'
import { useAddEvidence } from '../../client/uploads/use-add-evidence.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { SearchField } from '../../ui/field/field.tsx'
import { CopyButton } from '../../ui/hash/copy-button.tsx'
import { Icon } from '../../ui/icon/icon.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { PageFrame } from '../../ui/layout/page-frame.tsx'
import { diagnosticsOf } from './diagnostics.ts'
import styles from './help.module.css'
import { GROUPS } from './subjects.ts'
import { type Subject, useSubjects } from './use-subjects.ts'

interface Props {
  /** The drawer of jobs, and the sheet of keys. */
  readonly onJobs: () => void
  readonly onKeys: () => void
}

/** What one wants to do, found in one's own words; at the side the program, the keys and what to tell whoever helps. */
export function HelpPage(props: Props) {
  const { t } = useTranslation('help')
  const { q = '' } = useSearch({ strict: false }) as { readonly q?: string }
  const navigate = useNavigate()
  const subjectsOf = useSubjects()
  const found = useMemo(() => subjectsOf(q), [subjectsOf, q])
  const look = (text: string): void =>
    void navigate({ to: '/help', search: text === '' ? {} : { q: text }, replace: true })
  return (
    <PageFrame title={t('title')} lead={<span className="muted">{t('lead')}</span>}>
      <div className={styles['page']}>
        <div className={styles['subjects']} tabIndex={0} role="group" aria-label={t('lead')} data-region>
          <SearchField label={t('search')} placeholder={t('searchHow')} value={q} onChange={look} autoFocus />
          <p role="status" className="unseen">
            {t('count', { count: found.length })}
          </p>
          {found.length === 0 ? (
            <EmptyState
              title={t('nothing', { text: q })}
              action={
                <Link to="/search" search={{ q }}>
                  {t('searchFor', { text: q })}
                </Link>
              }
            >
              {t('nothingBody')}
            </EmptyState>
          ) : q === '' ? (
            GROUPS.map((group) => <Group key={group} {...{ group, ...props }} subjects={found} />)
          ) : (
            <ul className={styles['lines']}>
              {found.map((subject, at) => (
                <Line key={subject.id} {...{ subject, ...props }} open={at === 0} />
              ))}
            </ul>
          )}
        </div>
        <About onKeys={props.onKeys} />
      </div>
    </PageFrame>
  )
}

function Group({ group, subjects, ...props }: Props & { group: Subject['group']; subjects: readonly Subject[] }) {
  const { t } = useTranslation('help')
  const own = subjects.filter((subject) => subject.group === group)
  if (own.length === 0) return null
  return (
    <section aria-labelledby={`help-${group}`}>
      <h2 id={`help-${group}`} className={styles['heading']}>
        {t(`group${group}`)}
      </h2>
      <ul className={styles['lines']}>
        {own.map((subject) => (
          <Line key={subject.id} {...{ subject, ...props }} />
        ))}
      </ul>
    </section>
  )
}

function Line({ subject, open = false, ...props }: Props & { readonly subject: Subject; readonly open?: boolean }) {
  const { t } = useTranslation('help')
  return (
    <li>
      <details name="help" open={open} className={styles['subject']}>
        <summary className={styles['line']}>
          <Icon name={subject.icon} className={styles['icon']} />
          <span className={styles['name']}>{t(subject.id)}</span>
          <Icon name="chevron-right" size="small" className={styles['turn']} />
        </summary>
        <div className={styles['steps']}>
          <ol>
            {t(`${subject.id}Steps`)
              .split('\n')
              .map((step) => (
                <li key={step}>{step}</li>
              ))}
          </ol>
          <Go to={subject.to} {...props} />
        </div>
      </details>
    </li>
  )
}

/** Leads to where it is done. */
function Go({ to, onJobs, onKeys }: Props & { readonly to: Subject['to'] }) {
  const { t } = useTranslation('help')
  const add = useAddEvidence()
  const navigate = useNavigate()
  if (to === null) return null
  if (to === 'add') return <Button onPress={add}>{t('goAdd')}</Button>
  if (to === 'jobs') return <Button onPress={onJobs}>{t('goJobs')}</Button>
  if (to === 'keys') return <Button onPress={onKeys}>{t('goKeys')}</Button>
  if (to === 'sample') return <SampleData />
  return <Button onPress={() => void navigate({ to })}>{t('go')}</Button>
}

function About({ onKeys }: Pick<Props, 'onKeys'>) {
  const { t } = useTranslation('help')
  const station = useStation()
  const lines = diagnosticsOf(station)
  return (
    <aside className={styles['about']} aria-labelledby="help-about" data-region>
      <h2 id="help-about" className={styles['heading']}>
        {t('about')}
      </h2>
      <FactList>
        {station !== null && (
          <>
            <dt>{t('station')}</dt>
            <dd>{station.Name}</dd>
            <dt>{t('version')}</dt>
            <dd>{station.Version}</dd>
          </>
        )}
        <dt>{t('licence')}</dt>
        <dd>{t('licenceText')}</dd>
        <dt>{t('notices')}</dt>
        <dd>
          <a href="/third-party-notices.txt" target="_blank" rel="noreferrer">
            third-party-notices.txt
          </a>
        </dd>
      </FactList>
      <div>
        <Button icon="keyboard" onPress={onKeys}>
          {t('goKeys')}
        </Button>
      </div>
      <div className={styles['diagnosticsHead']}>
        <h2 className={styles['heading']}>{t('diagnostics')}</h2>
        <CopyButton text={lines.join('\n')} label={t('copy')} />
      </div>
      <p className="muted">{t('diagnosticsBody')}</p>
      <pre className={styles['diagnostics']} dir="ltr" tabIndex={0} role="group" aria-label={t('diagnostics')}>
        {lines.join('\n')}
      </pre>
    </aside>
  )
}
