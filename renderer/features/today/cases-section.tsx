import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { changeWords, reasonWords } from './labels.ts'
import type { OwnCase, Today } from './queries.ts'
import { useMay } from '../../client/rights.ts'
import { Nothing, Section } from './section.tsx'
import styles from './today.module.css'

/** Open cases of the person, the last changed one first; to a guest those that were shared with them. */
export function CasesSection({ Items, Total, guest }: Today['Cases'] & { readonly guest: boolean }) {
  const { t } = useTranslation('today')
  const format = useFormat()
  const mayCreate = useMay('CreateCases')
  const newest = t('casesNewest', {
    shown: format.count(Items.length),
    total: `${format.count(Total.Count)}${Total.More ? '+' : ''}`,
  })
  return (
    <Section
      title={t(guest ? 'casesGiven' : 'cases')}
      {...(Total.Count > Items.length ? { second: newest } : {})}
      act={<Link to="/cases">{t('casesAll')}</Link>}
    >
      {Items.length > 0 ? (
        <ul className={styles['lines']}>
          {Items.map((item) => (
            <li key={item.CaseId}>
              <CaseLine item={item} />
            </li>
          ))}
        </ul>
      ) : guest ? (
        <Nothing title={t('casesGivenEmpty')}>{t('casesGivenEmptyBody')}</Nothing>
      ) : (
        <Nothing
          title={t('casesEmpty')}
          {...(mayCreate ? { action: <Link to="/cases/new">{t('casesEmptyAct')}</Link> } : {})}
        >
          {t('casesEmptyBody')}
        </Nothing>
      )}
    </Section>
  )
}

function CaseLine({ item }: { readonly item: OwnCase }) {
  const { t } = useTranslation('today')
  const format = useFormat()
  const changes = changeWords(item, t)
  const under = [
    item.Ordinal,
    reasonWords(item, t),
    t('changed', { when: format.timeOrDay(item.LastModifiedUtcTime) }),
    item.State === 'Closed' ? t('closed') : null,
  ]
  return (
    <Link to="/cases/$caseId" params={{ caseId: item.CaseId }} className={styles['line']} data-line={item.CaseId}>
      <Icon name="cases" className={styles['icon']} />
      <span className={styles['main']}>
        <span className={styles['name']}>
          <bdi>{visible(item.Title)}</bdi>
        </span>
        <span className={styles['under']}>{under.filter((one) => one !== null).join(' · ')}</span>
      </span>
      <span className={styles['facts']}>
        {changes !== null && <strong className={styles['fresh']}>{changes}</strong>}
        <span className={styles['under']}>{t('items', { count: item.EvidenceCount })}</span>
      </span>
    </Link>
  )
}
