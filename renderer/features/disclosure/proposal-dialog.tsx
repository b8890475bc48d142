import { useState } from 'react'
import * as contract from '../../../shared/disclosure/contract.ts'
import { LONGEST_REASON } from '../../../shared/disclosure/kinds.ts'
import { call } from '../../client/api.ts'
import {
  type Disclosures,
  type Proposal,
  type ProposalInFull,
  useDisclosuresChanged,
  useProposal,
} from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './disclosure.module.css'
import { ItemLine } from './item-line.tsx'
import { groundWords, proposalState, recipientWords } from './labels.ts'
import { ProposeAgain } from './propose-again.tsx'
import { Lines } from './record-dialog.tsx'

interface Props {
  readonly one: Proposal
  readonly known: Disclosures
  readonly onClose: () => void
}

/** All of what was proposed, as it is now; who may, approves or refuses it here. */
export function ProposalDialog({ one, known, onClose }: Props) {
  const { t } = useTranslation('disclosure')
  const [reason, setReason] = useState('')
  const { data, error, refetch } = useProposal(one)
  const { state, words } = proposalState(one, t)
  const mayDecide = one.State === 'waiting' && one.WhyNot === null
  return (
    <Dialog
      title={t('proposal', { no: one.No })}
      lead={recipientWords(one.Recipient, t)}
      size="wide"
      onClose={onClose}
      keep={reason !== ''}
      actions={
        mayDecide ? (
          <Decide one={one} known={known} full={data} reason={reason} onClose={onClose} />
        ) : (
          <Button onPress={onClose}>{t('done')}</Button>
        )
      }
    >
      <div className={styles['record']}>
        <StateMark state={state} wraps>
          {words}
        </StateMark>
        {data === undefined ? (
          error === null ? (
            <Skeleton lines={6} />
          ) : (
            <Problem error={error} title={t('proposalNotRead')} onRetry={() => void refetch()} />
          )
        ) : (
          <Content full={data} known={known} />
        )}
        {mayDecide && (
          <TextArea
            label={t('decisionReason')}
            description={t('decisionReasonHow')}
            value={reason}
            onChange={setReason}
            rows={2}
            maxLength={LONGEST_REASON}
          />
        )}
      </div>
    </Dialog>
  )
}

interface DecideProps extends Props {
  readonly full: ProposalInFull | undefined
  readonly reason: string
}

function Decide({ one, full, reason, onClose }: DecideProps) {
  const { t } = useTranslation('disclosure')
  const { tenant } = useSession()
  const changed = useDisclosuresChanged()
  const { busy, error, run } = useAct()
  const decide = async (Decision: 'Approve' | 'Refuse'): Promise<void> => {
    await call(contract.decideProposal, {
      params: { tenantId: tenant, caseId: one.CaseId, no: String(one.No) },
      body: { Decision, Reason: reason.trim() },
    })
    toasts.show({ text: t(Decision === 'Approve' ? 'approvedToast' : 'refusedToast') })
  }
  const act = (decision: 'Approve' | 'Refuse') => () => run(() => decide(decision).finally(changed), onClose)
  const whyNotApprove =
    full === undefined ? t('notReadYet') : full.Outdated === null ? undefined : t('proposalOutdatedShort')
  return (
    <>
      {error !== null && <Refusal error={error} title={t('notDecided')} />}
      <Button onPress={onClose}>{t('done')}</Button>
      <Button busy={busy} why={reason.trim() === '' ? t('refuseNeedsReason') : undefined} onPress={act('Refuse')}>
        {t('refuse')}
      </Button>
      <Button kind="main" icon="check" busy={busy} why={whyNotApprove} onPress={act('Approve')}>
        {t('approve')}
      </Button>
    </>
  )
}

function Content({ full, known }: { readonly full: ProposalInFull; readonly known: Disclosures }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  return (
    <>
      {full.Outdated !== null && (
        <Note state="attention" title={t('proposalOutdated')}>
          {visible(full.Outdated)} <ProposeAgain one={full} known={known} />
        </Note>
      )}
      <FactList>
        <dt>{t('recipientFact')}</dt>
        <dd>{recipientWords(full.Recipient, t)}</dd>
        <dt>{t('authorityFact')}</dt>
        <dd>
          <bdi>{visible(full.Authority)}</bdi>
        </dd>
        <dt>{t('medium')}</dt>
        <dd>{t(full.Medium)}</dd>
        <dt>{t('proposedFact')}</dt>
        <dd>
          {t('givenLine', {
            time: format.instant(full.ProposedTimeUtc, { precision: 'minute', zone: true }),
            name: visible(full.ProposedBy.Username),
          })}
        </dd>
        {full.Supersedes !== null && (
          <>
            <dt>{t('replacesFact')}</dt>
            <dd>{t('replacesLine', { no: full.Supersedes, reason: visible(full.Reason) })}</dd>
          </>
        )}
      </FactList>
      <Lines title={t('what')} none={t('itemsNone')} isEmpty={full.Items.length === 0}>
        {full.Items.map((item, at) => (
          <ItemLine key={item.ResourceId} number={at + 1} item={item} />
        ))}
      </Lines>
      <Lines title={t('withheld')} none={t('withheldNone')} isEmpty={full.Withheld.length === 0}>
        {full.Withheld.map((line) => (
          <li key={`${line.EvidenceId} ${line.ResourceId}`} className={styles['item']}>
            <span className={styles['number']}>{line.Basis}</span>
            <div className={styles['words']}>
              <bdi>{visible(line.Description)}</bdi>
              <span>{t('groundLine', { text: groundWords(line, t) })}</span>
              {line.Reasons !== '' && <span>{t('reasonsLine', { text: visible(line.Reasons) })}</span>}
            </div>
          </li>
        ))}
      </Lines>
    </>
  )
}
