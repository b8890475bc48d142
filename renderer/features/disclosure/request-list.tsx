/** What somebody asked to be given, before anything is given (docs/decisions/0040). */
import { useState } from 'react'
import * as contract from '../../../shared/disclosure/contract.ts'
import { dayIn } from '../../../shared/kernel/days.ts'
import { call } from '../../client/api.ts'
import { type Disclosures, type DisclosureRequest } from '../../client/disclosure/disclosure.ts'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { StateMark } from '../../ui/state/state.tsx'
import { DiscloseDialog } from './acts.tsx'
import styles from './disclosure.module.css'
import { dayWords, recipientWords } from './labels.ts'
import { ReasonDialog } from './reason-dialog.tsx'

export const RequestDialog = lazyOpened(async () => (await import('./request-dialog.tsx')).RequestDialog)

export const openRequests = ({ Requests }: Disclosures): DisclosureRequest[] =>
  Requests.filter(({ State }) => State === 'open')

interface ListProps {
  readonly requests: readonly DisclosureRequest[]
  readonly known: Disclosures
}

export function RequestList({ requests, known }: ListProps) {
  return (
    <ul className={styles['list']}>
      {requests.map((one) => (
        <RequestRow key={one.No} one={one} known={known} />
      ))}
    </ul>
  )
}

function RequestRow({ one, known }: { readonly one: DisclosureRequest; readonly known: Disclosures }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const [open, setOpen] = useState<'answer' | 'close' | null>(null)
  const day = dayWords(one.Due, dayIn(format.zone, Date.now()), t, format)
  const title = `request-${one.No}`
  const close = (): void => setOpen(null)
  return (
    <li className={styles['row']} aria-labelledby={title}>
      <div className={styles['about']}>
        <h3 id={title} className={styles['name']}>
          {recipientWords(one.Recipient, t)}
        </h3>
        <p>
          <bdi>{visible(one.What)}</bdi>
        </p>
        <p className={styles['second']}>
          {[visible(one.Number), visible(one.Authority)].filter((part) => part !== '').join(' · ')}
        </p>
        <p className={styles['second']}>
          {t('askedBy', {
            time: format.instant(one.RecordedTimeUtc, { precision: 'minute' }),
            name: visible(one.RecordedBy.Username),
          })}
        </p>
      </div>
      <div className={styles['doing']}>
        <StateMark state={day.state} wraps>
          {day.words}
        </StateMark>
        <div className={styles['acts']}>
          <Button size="small" kind="main" icon="share" onPress={() => setOpen('answer')}>
            {t('answerDots')}
          </Button>
          <Button size="small" icon="barred" onPress={() => setOpen('close')}>
            {t('closeRequestDots')}
          </Button>
        </div>
      </div>
      {open === 'answer' && (
        <DiscloseDialog caseId={one.CaseId} mode={{ kind: 'answer', request: one }} known={known} onClose={close} />
      )}
      {open === 'close' && <CloseDialog one={one} onClose={close} />}
    </li>
  )
}

function CloseDialog({ one, onClose }: { readonly one: DisclosureRequest; readonly onClose: () => void }) {
  const { t } = useTranslation('disclosure')
  const { tenant } = useSession()
  return (
    <ReasonDialog
      title={t('closeRequestTitle')}
      lead={t('closeRequestLead', { name: recipientWords(one.Recipient, t) })}
      act={t('closeRequest')}
      failed={t('requestNotClosed')}
      done={t('requestClosed')}
      onAct={(Reason) =>
        call(contract.closeRequest, {
          params: { tenantId: tenant, caseId: one.CaseId, no: String(one.No) },
          body: { Reason },
        })
      }
      onClose={onClose}
    />
  )
}
