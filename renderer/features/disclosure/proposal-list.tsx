/** What waits for a second person, or was approved and is not given yet (docs/decisions/0040). */
import { useState } from 'react'
import * as contract from '../../../shared/disclosure/contract.ts'
import { call } from '../../client/api.ts'
import { type Disclosures, type Proposal, useDisclosuresChanged } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button, TextButton } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { StateMark } from '../../ui/state/state.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './disclosure.module.css'
import { proposalState, recipientWords } from './labels.ts'
import { ProposeAgain } from './propose-again.tsx'

const ProposalDialog = lazyOpened(async () => (await import('./proposal-dialog.tsx')).ProposalDialog)
const GiveDialog = lazyOpened(async () => (await import('./give-dialog.tsx')).GiveDialog)

/** Ended ones stay in the list while somebody has to do with them: a refusal, until the next one to the recipient. */
export const proposalsShown = ({ Proposals }: Disclosures): Proposal[] =>
  Proposals.filter(
    (one) =>
      one.State === 'waiting' ||
      one.State === 'approved' ||
      (one.State === 'refused' &&
        !Proposals.some((later) => later.No > one.No && isSameRecipient(later.Recipient, one.Recipient))),
  )

const isSameRecipient = (a: Proposal['Recipient'], b: Proposal['Recipient']): boolean =>
  a.Name === b.Name && a.Role === b.Role && a.Organisation === b.Organisation

interface ListProps {
  readonly proposals: readonly Proposal[]
  readonly known: Disclosures
}

export function ProposalList({ proposals, known }: ListProps) {
  return (
    <ul className={styles['list']}>
      {proposals.map((one) => (
        <ProposalRow key={one.No} one={one} known={known} />
      ))}
    </ul>
  )
}

function ProposalRow({ one, known }: { readonly one: Proposal; readonly known: Disclosures }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const [open, setOpen] = useState<'look' | 'give' | null>(null)
  const { state, words } = proposalState(one, t)
  const title = `proposal-${one.No}`
  const amounts = [
    t('filesProposed', { count: one.ItemCount, shown: format.count(one.ItemCount) }),
    one.WithheldCount === 0
      ? t('nothingWithheld')
      : t('withheldCount', { count: one.WithheldCount, shown: format.count(one.WithheldCount) }),
  ]
  return (
    <li className={styles['row']} aria-labelledby={title}>
      <div className={styles['about']}>
        <h3 id={title} className={styles['name']}>
          <TextButton
            onPress={() => setOpen('look')}
            label={`${t('proposalOpen', { no: one.No })}: ${recipientWords(one.Recipient, t)}`}
          >
            <bdi>{visible(one.Recipient.Name)}</bdi>
          </TextButton>
        </h3>
        <p>{[visible(one.Recipient.Organisation), t(one.Recipient.Role)].filter((part) => part !== '').join(', ')}</p>
        <p>{amounts.join(', ')}</p>
        <p className={styles['second']}>
          {t('proposedBy', {
            time: format.instant(one.ProposedTimeUtc, { precision: 'minute' }),
            name: visible(one.ProposedBy.Username),
          })}
        </p>
        {one.Supersedes !== null && (
          <p className={styles['second']}>{t('replaces', { no: one.Supersedes, reason: visible(one.Reason) })}</p>
        )}
        {one.Decision !== null && one.Decision.Reason !== '' && (
          <p>{t('proposalReason', { reason: visible(one.Decision.Reason) })}</p>
        )}
      </div>
      <div className={styles['doing']}>
        <StateMark state={state} wraps>
          {words}
        </StateMark>
        <div className={styles['acts']}>
          {one.State === 'waiting' && one.WhyNot === null && (
            <Button size="small" kind="main" icon="check" onPress={() => setOpen('look')}>
              {t('proposalReviewDots')}
            </Button>
          )}
          {one.State === 'approved' && (
            <Button size="small" kind="main" icon="share" onPress={() => setOpen('give')}>
              {t('giveDots')}
            </Button>
          )}
          {(one.State === 'waiting' || one.State === 'approved') && <Withdraw one={one} />}
          {one.State === 'refused' && <ProposeAgain one={one} known={known} />}
        </div>
      </div>
      {open === 'look' && <ProposalDialog one={one} known={known} onClose={() => setOpen(null)} />}
      {open === 'give' && <GiveDialog one={one} onClose={() => setOpen(null)} />}
    </li>
  )
}

/** Nothing is lost by it: it can be proposed again. */
function Withdraw({ one }: { readonly one: Proposal }) {
  const { t } = useTranslation('disclosure')
  const { tenant, session } = useSession()
  const changed = useDisclosuresChanged()
  const { busy, error, run } = useAct()
  // Whoever manages the case may too: who may not decide for want of Manage, may not end what somebody else proposed.
  const isOwn = one.ProposedBy.PrincipalId === session.User?.PrincipalId
  if (!isOwn && one.WhyNot === 'NotManage') return null
  const withdraw = async (): Promise<void> => {
    await call(contract.withdrawProposal, { params: { tenantId: tenant, caseId: one.CaseId, no: String(one.No) } })
    toasts.show({ text: t('withdrawn') })
  }
  return (
    <>
      <Button size="small" icon="undo" busy={busy} onPress={() => run(() => withdraw().finally(changed))}>
        {t('withdraw')}
      </Button>
      {error !== null && <Refusal error={error} title={t('notWithdrawn')} />}
    </>
  )
}
