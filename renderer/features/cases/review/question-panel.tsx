import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Problem } from '../problem.tsx'
import { type Question, useDecide, useExplanation } from './data.ts'
import { BECAUSE, caseOf, recordingOf } from './review-page.tsx'
import styles from './review.module.css'

/** One question: what the station would do, why it may not, what stands behind it, and what a person can do. */
export function QuestionPanel({ one, onClose }: { readonly one: Question; readonly onClose: () => void }) {
  const { t } = useTranslation('caseReview')
  const format = useFormat()
  const title = t(one.Act === 'Link' ? 'wouldLink' : 'wouldWithdraw', { name: recordingOf(one) })
  return (
    <aside className={styles['panel']} aria-label={title} data-region>
      <header className={styles['panelHead']}>
        <h2 className={styles['panelTitle']}>{title}</h2>
        <IconButton label={t('close')} icon="x" size="small" tooltip={false} onPress={onClose} />
      </header>
      <div className={styles['scroll']} tabIndex={-1}>
        <Note title={t(`${BECAUSE[one.Because]}Short`)}>{t(BECAUSE[one.Because])}</Note>
        <dl className={styles['facts']}>
          <dt>{t('case')}</dt>
          <dd>
            <Link to="/cases/$caseId" params={{ caseId: one.CaseId }}>
              <bdi>{caseOf(one)}</bdi>
            </Link>
          </dd>
          <dt>{t('recording')}</dt>
          <dd>
            <Link to="/evidence/$evidenceId" params={{ evidenceId: one.EvidenceId }}>
              <bdi>{recordingOf(one)}</bdi>
            </Link>
          </dd>
          <dt>{t('since')}</dt>
          <dd>{format.instant(one.CreatedUtc, { precision: 'minute' })}</dd>
        </dl>
        <Reasons one={one} />
      </div>
      <Decide one={one} onDone={onClose} />
    </aside>
  )
}

/** What the engine looked at, judged anew: so people decide on how things are now. */
function Reasons({ one }: { readonly one: Question }) {
  const { t } = useTranslation('caseReview')
  const { data, error, refetch } = useExplanation(one)
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  return (
    <section className={styles['reasons']} aria-busy={data === undefined}>
      <h3 className={styles['sectionTitle']}>{t('reasons')}</h3>
      <ul>
        {data?.Checks.map(({ Code, Holds, Text }) => (
          <li key={Code}>
            <StateMark state={Holds ? 'ok' : 'attention'}>{t(Holds ? 'holds' : 'holdsNot')}</StateMark>
            <span lang="en">{Text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Decide({ one, onDone }: { readonly one: Question; readonly onDone: () => void }) {
  const { t } = useTranslation('caseReview')
  const decide = useDecide()
  const [does, setDoes] = useState(false)
  const { busy, error, run } = useAct()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const act = (doing: boolean): void => {
    setTried(true)
    setDoes(doing)
    if (busy || reason.trim() === '') return
    run(
      () => decide(one, reason.trim(), doing),
      () => {
        toasts.show({ text: t(doing ? 'done' : 'settled') })
        onDone()
      },
    )
  }
  return (
    <div className={styles['decide']} role="group" aria-label={t('decide')}>
      <TextArea
        label={t('reason')}
        rows={3}
        maxLength={1000}
        required
        value={reason}
        onChange={setReason}
        error={tried && reason.trim() === '' ? t('reasonMissing') : undefined}
      />
      {error !== null && <Problem error={error} title={t(does ? 'failedDo' : 'failed')} />}
      <div className={styles['acts']}>
        <Button busy={busy && !does} onPress={() => act(false)}>
          {t(one.Act === 'Link' ? 'leaveOut' : 'leaveIn')}
        </Button>
        <Button
          kind="main"
          busy={busy && does}
          why={one.Because === 'CaseClosed' ? t('reopenFirst') : undefined}
          onPress={() => act(true)}
        >
          {t(one.Act === 'Link' ? 'addIt' : 'takeOut')}
        </Button>
      </div>
    </div>
  )
}
