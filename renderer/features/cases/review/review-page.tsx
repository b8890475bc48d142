import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { windowOf } from '../../../client/pages.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import { Problem } from '../problem.tsx'
import { type Question, useQuestions } from './data.ts'
import { QuestionPanel } from './question-panel.tsx'
import styles from './review.module.css'

type Words = ReturnType<typeof useTranslation<'caseReview'>>['t']

export const BECAUSE = {
  CaseClosed: 'caseClosed',
  CaseProtected: 'caseProtected',
  Confirmed: 'confirmed',
  AssociationWaits: 'associationWaits',
} as const

/** What the station would change in cases and may not by itself. */
export function ReviewPage() {
  const { t } = useTranslation('caseReview')
  const format = useFormat()
  const navigate = useNavigate({ from: '/cases/review' })
  const { open } = useSearch({ from: '/cases/review' })
  const pages = useQuestions()
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const title = t('title')
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
  const show = (next: string | undefined): void => void navigate({ search: { open: next } })
  const one = pages.rows?.find(({ ReviewId }) => ReviewId === open)
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <p className={styles['back']}>
          <Link to="/cases">{t('cases')}</Link>
        </p>
        <h1 className={styles['title']}>{title}</h1>
        <p className={styles['lead']}>{t('lead')}</p>
      </header>
      {pages.error !== null && (
        <div className={styles['note']}>
          <Problem error={pages.error} onRetry={pages.retry} />
        </div>
      )}
      <div className={styles['columns']}>
        <section className={styles['list']} aria-label={title} data-region>
          <DataTable<Question>
            label={title}
            columns={columns}
            {...windowOf(pages)}
            keyOf={({ ReviewId }) => ReviewId}
            onOpen={({ ReviewId }) => show(ReviewId)}
            media
            empty={<EmptyState title={t('emptyTitle')}>{t('emptyBody')}</EmptyState>}
          />
        </section>
        {one !== undefined && <QuestionPanel key={one.ReviewId} one={one} onClose={() => show(undefined)} />}
      </div>
    </div>
  )
}

export const recordingOf = ({ EvidenceName, EvidenceId }: Question): string => visible(EvidenceName || EvidenceId)
export const caseOf = ({ CaseTitle, CaseId }: Question): string => visible(CaseTitle || CaseId)

const columnsOf = (t: Words, format: Format): readonly Column<Question>[] => [
  {
    id: 'what',
    label: t('what'),
    least: 16,
    cell: (one) => (
      <TwoLines
        strong
        first={t(one.Act === 'Link' ? 'wouldLink' : 'wouldWithdraw', { name: recordingOf(one) })}
        second={caseOf(one)}
      />
    ),
    text: (one) =>
      `${t(one.Act === 'Link' ? 'wouldLink' : 'wouldWithdraw', { name: recordingOf(one) })}, ${caseOf(one)}`,
  },
  {
    id: 'because',
    label: t('because'),
    least: 12,
    priority: 2,
    cell: ({ Because }) => t(`${BECAUSE[Because]}Short`),
    text: ({ Because }) => t(`${BECAUSE[Because]}Short`),
  },
  {
    id: 'since',
    label: t('since'),
    width: 8.5,
    priority: 3,
    cell: ({ CreatedUtc }) => format.day(CreatedUtc),
    text: ({ CreatedUtc }) => format.instant(CreatedUtc),
  },
]
