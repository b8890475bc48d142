import { useState } from 'react'
import type { Disclosures, Due, Summary } from '../../client/disclosure/disclosure.ts'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import { useTranslation } from '../../client/translate.ts'
import { dayIn } from '../../../shared/kernel/days.ts'
import { Button, TextButton } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { StateMark } from '../../ui/state/state.tsx'
import { RecordActs, SupplementDialog } from './acts.tsx'
import styles from './disclosure.module.css'
import { changeWords, dayWords, type Names, recipientWords, stateOf } from './labels.ts'

const RecordDialog = lazyOpened(async () => (await import('./record-dialog.tsx')).RecordDialog)

interface ListProps {
  readonly known: Disclosures
  /** Of them, the newest first. */
  readonly records: readonly Summary[]
  /** In a narrow column on the page of its case. */
  readonly inCase: boolean
}

export function RecordList({ known, records, inCase }: ListProps) {
  return (
    <ul className={styles['list']}>
      {records.map((one) => (
        <RecordRow key={one.No} one={one} known={known} inCase={inCase} />
      ))}
    </ul>
  )
}

interface RowProps extends Omit<ListProps, 'records'> {
  readonly one: Summary
}

function RecordRow({ one, known, inCase }: RowProps) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const title = `disclosure-${one.No}${inCase ? '-in-case' : ''}`
  const { state, words } = stateOf(one, t)
  const amounts = [
    t('files', { count: one.ItemCount, shown: format.count(one.ItemCount) }),
    one.WithheldCount === 0
      ? t('nothingWithheld')
      : t('withheldCount', { count: one.WithheldCount, shown: format.count(one.WithheldCount) }),
  ]
  return (
    <li className={styles['row']} data-case={inCase || undefined} aria-labelledby={title}>
      <div className={styles['about']}>
        <h3 id={title} className={styles['name']}>
          <TextButton
            onPress={() => setIsOpen(true)}
            label={`${t('open', { no: one.No })}: ${recipientWords(one.Recipient, t)}`}
          >
            {one.No} · <bdi>{visible(one.Recipient.Name)}</bdi>
          </TextButton>
        </h3>
        <p>{[visible(one.Recipient.Organisation), t(one.Recipient.Role)].filter((part) => part !== '').join(', ')}</p>
        <p>{amounts.join(', ')}</p>
        <p className={styles['second']}>
          {t('given', {
            time: format.instant(one.GivenTimeUtc, { precision: 'minute', zone: !inCase }),
            name: visible(one.GivenBy.Username),
          })}
          {' · '}
          {[t(one.Medium), visible(one.MediumSerial)].filter((part) => part !== '').join(', ')}
        </p>
        {one.Supersedes !== null && (
          <p className={styles['second']}>{t('replaces', { no: one.Supersedes, reason: visible(one.Reason) })}</p>
        )}
      </div>
      <div className={styles['doing']}>
        <StateMark state={state} wraps>
          {words}
        </StateMark>
        {!inCase && <RecordActs one={one} known={known} />}
      </div>
      {isOpen && <RecordDialog one={one} known={known} onClose={() => setIsOpen(false)} />}
    </li>
  )
}

interface DueProps {
  readonly known: Disclosures
  readonly names: Names
  /** How many changes are said; the others are counted. */
  readonly most: number
}

/** To whom a supplement is due, and what changed since they were told. */
export function DueList({ known, names, most }: DueProps) {
  return (
    <ul className={styles['dues']}>
      {known.Due.map((due) => (
        <DueRow key={due.Chain} due={due} known={known} names={names} most={most} />
      ))}
    </ul>
  )
}

function DueRow({ due, known, names, most }: DueProps & { readonly due: Due }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  const last = known.Items.find(({ No }) => No === due.LastNo)
  const more = due.Changes.length - most
  const day = dayWords(due.RequestDue, dayIn(format.zone, Date.now()), t, format)
  return (
    <li className={styles['due']}>
      <StateMark state="attention" wraps>
        {t('dueTo', { name: recipientWords(due.Recipient, t) })}
      </StateMark>
      <p className={styles['second']}>{t('dueSince', { no: due.LastNo })}</p>
      <ul className={styles['changes']}>
        {due.Changes.slice(0, most).map((change) => (
          <li key={`${change.Reason} ${change.EvidenceId} ${change.ResourceId}`}>{changeWords(change, names, t)}</li>
        ))}
        {more > 0 && <li>{t('dueMore', { count: more, shown: format.count(more) })}</li>}
      </ul>
      {due.RequestDue !== null && (
        <StateMark state={day.state} small>
          {day.words}
        </StateMark>
      )}
      {last !== undefined && (
        <div>
          <Button size="small" icon="plus" onPress={() => setIsOpen(true)}>
            {t('supplementDots')}
          </Button>
        </div>
      )}
      {isOpen && last !== undefined && (
        <SupplementDialog one={last} due={due} known={known} onClose={() => setIsOpen(false)} />
      )}
    </li>
  )
}
