import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/correlation/contract.ts'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { windowOf } from '../../client/pages.ts'
import { useIsMember } from '../../client/session.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { TwoLines } from '../../ui/table/cells.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './correlation.module.css'
import { useCaseRecord, useDecisions } from './queries.ts'
import { Explanation } from './explanation.tsx'
import { type Review, useReviews } from './reviews.ts'
import { becauseWords, type Words } from './labels.ts'

const nameOf = ({ EvidenceName, EvidenceId }: Review): string => visible(EvidenceName ?? EvidenceId)
const WOULD = { Link: 'wouldLink', Withdraw: 'wouldWithdraw' } as const

/** What the station would do and may not: each with its reason, and what a person can do about it. */
export function ReviewPage() {
  const { t } = useTranslation('correlation')
  const format = useFormat()
  const asked = useIsMember()
  const pages = useReviews(asked)
  const [open, setOpen] = useState<string | null>(null)
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  useEffect(() => {
    document.title = `${t('reviewTitle')} · Sallyport`
  }, [t])
  const one = pages.rows?.find(({ ReviewId }) => ReviewId === open)
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['title']}>{t('reviewTitle')}</h1>
        <p className={styles['muted']}>{t('reviewLead')}</p>
      </header>
      {pages.error !== null && (
        <div className={styles['note']}>
          <Problem error={pages.error} onRetry={pages.retry} />
        </div>
      )}
      <div className={styles['columns']}>
        <section className={styles['table']} aria-label={t('reviewTitle')} data-region>
          <DataTable<Review>
            label={t('reviewTitle')}
            columns={columns}
            {...windowOf(asked ? pages : { ...pages, rows: [] })}
            keyOf={({ ReviewId }) => ReviewId}
            onOpen={({ ReviewId }) => setOpen(ReviewId)}
            media
            empty={<EmptyState title={t('reviewNone')}>{t(asked ? 'reviewNoneBody' : 'reviewGuest')}</EmptyState>}
          />
        </section>
        {one !== undefined && <Panel key={one.ReviewId} one={one} onDone={() => setOpen(null)} />}
      </div>
    </div>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<Review>[] => [
  {
    id: 'what',
    label: t('columnWhat'),
    least: 14,
    cell: (one) => <TwoLines strong first={<bdi>{nameOf(one)}</bdi>} second={<bdi>{visible(one.CaseTitle)}</bdi>} />,
    text: (one) => `${nameOf(one)}, ${visible(one.CaseTitle)}`,
  },
  {
    id: 'would',
    label: t('columnWould'),
    width: 11,
    cell: ({ Act }) => t(WOULD[Act]),
    text: ({ Act }) => t(WOULD[Act]),
  },
  {
    id: 'because',
    label: t('columnBecause'),
    width: 15,
    priority: 2,
    cell: ({ Because }) => t(SHORT[Because]),
    text: ({ Because }) => becauseWords(Because, t),
  },
  {
    id: 'since',
    label: t('columnSince'),
    width: 7.5,
    priority: 3,
    cell: ({ CreatedUtc }) => format.day(CreatedUtc),
    text: ({ CreatedUtc }) => format.instant(CreatedUtc),
  },
]

const SHORT = {
  CaseClosed: 'shortClosed',
  CaseProtected: 'shortProtected',
  Confirmed: 'shortConfirmed',
  AssociationWaits: 'shortAssociation',
} as const

const CAN = {
  CaseClosed: 'canClosed',
  CaseProtected: 'canProtected',
  Confirmed: 'canConfirmed',
  AssociationWaits: 'canAssociation',
} as const

function Panel({ one, onDone }: { readonly one: Review; readonly onDone: () => void }) {
  const { t } = useTranslation('correlation')
  return (
    <aside className={styles['panel']} aria-label={nameOf(one)} data-region>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label={t('why')}>
        <h2 className={styles['panelTitle']}>
          {t(one.Act === 'Link' ? 'sayLink' : 'sayWithdraw', { name: nameOf(one), title: visible(one.CaseTitle) })}
        </h2>
        <p>
          {becauseWords(one.Because, t)} {t(CAN[one.Because])}
        </p>
        <p>
          <Link to="/cases/$caseId" params={{ caseId: one.CaseId }}>
            {t('openCase')}
          </Link>
          {' · '}
          <Link to="/evidence/$evidenceId" params={{ evidenceId: one.EvidenceId }}>
            {t('openRecording')}
          </Link>
        </p>
        <Explanation caseId={one.CaseId} evidenceId={one.EvidenceId} bare />
      </div>
      <Decide one={one} onDone={onDone} />
    </aside>
  )
}

/** Doing it needs an open case and Edit on it; leaving it as it is only that somebody looked. */
function Decide({ one, onDone }: { readonly one: Review; readonly onDone: () => void }) {
  const { t } = useTranslation('correlation')
  const { data: record } = useCaseRecord(one.CaseId)
  const { decided } = useDecisions(one.CaseId, one.EvidenceId)
  const { busy, error, run } = useAct()
  const [reason, setReason, forgetReason] = useTextDraft(`review-${one.ReviewId}`)
  const wrong = useTextProblem(contract.isReason, reason.trim(), t('reasonMissing'))
  const [tried, setTried] = useState(false)
  const may = record?.State === 'Open' && record.AccessorPermissions.includes('Edit')
  const decide = (accept: boolean): void => {
    setTried(true)
    if (busy || wrong !== undefined) return
    run(
      () => decided(one.ReviewId, reason.trim(), accept),
      () => {
        forgetReason()
        toasts.show({ text: t(accept ? 'accepted' : 'left') })
        onDone()
      },
    )
  }
  return (
    <div className={styles['decide']}>
      <TextArea
        label={t('reasonLedger')}
        rows={2}
        maxLength={contract.LONGEST_REASON}
        required
        value={reason}
        onChange={setReason}
        error={tried ? wrong : undefined}
      />
      {error !== null && <Problem error={error} title={t('notDone')} />}
      <div className={styles['acts']}>
        <Button busy={busy} onPress={() => decide(false)}>
          {t('leave')}
        </Button>
        {may && (
          <Button kind={one.Act === 'Link' ? 'main' : 'danger'} busy={busy} onPress={() => decide(true)}>
            {t(one.Act === 'Link' ? 'acceptLink' : 'acceptWithdraw')}
          </Button>
        )}
      </div>
    </div>
  )
}
