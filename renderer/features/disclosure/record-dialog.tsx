import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { noonOf } from '../../../shared/kernel/days.ts'
import { type Disclosure, type Disclosures, type Summary, useDisclosure } from '../../client/disclosure/disclosure.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Hash } from '../../ui/hash/hash.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { RecordActs } from './acts.tsx'
import { EndGroundDialog } from './end-ground-dialog.tsx'
import { ItemLine } from './item-line.tsx'
import styles from './disclosure.module.css'
import { groundWords, recipientWords, stateOf } from './labels.ts'

interface RecordProps {
  /** As the list has it. */
  readonly one: Summary
  readonly known: Disclosures
  readonly onClose: () => void
}

/** All of one record: what was given with its hashes, what was withheld and why. */
export function RecordDialog({ one, known, onClose }: RecordProps) {
  const { t } = useTranslation('disclosure')
  const { data, error, refetch } = useDisclosure(one.CaseId, one.No)
  const { state, words } = stateOf(one, t)
  return (
    <Dialog
      title={t('no', { no: one.No })}
      lead={recipientWords(one.Recipient, t)}
      size="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('done')}</Button>}
    >
      <div className={styles['record']}>
        <StateMark state={state}>{words}</StateMark>
        <RecordActs one={one} known={known} />
        {data === undefined ? (
          error === null ? (
            <Skeleton lines={6} />
          ) : (
            <Problem error={error} title={t('notRead')} onRetry={() => void refetch()} />
          )
        ) : (
          <>
            <Facts record={data} />
            <Items record={data} />
            <Withheld record={data} />
          </>
        )}
      </div>
    </Dialog>
  )
}

function Facts({ record }: { readonly record: Disclosure }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const minute = (at: string): string => format.instant(at, { precision: 'minute', zone: true })
  const dayOf = (day: string | null): string => (day === null ? t('notStated') : format.day(noonOf(day, format.zone)))
  const { Request, Package, Supersedes, Reason, Approved } = record
  const isAsked = Request.Number !== '' || Request.Date !== null || Request.Due !== null
  return (
    <FactList>
      <dt>{t('recipientFact')}</dt>
      <dd>{recipientWords(record.Recipient, t)}</dd>
      <dt>{t('authorityFact')}</dt>
      <dd>
        <bdi>{visible(record.Authority)}</bdi>
      </dd>
      {isAsked && (
        <>
          <dt>{t('requestFact')}</dt>
          <dd>
            {t('requestLine', {
              number: visible(Request.Number) || t('notStated'),
              date: dayOf(Request.Date),
              due: dayOf(Request.Due),
            })}
          </dd>
        </>
      )}
      <dt>{t('medium')}</dt>
      <dd>{[t(record.Medium), visible(record.MediumSerial)].filter((part) => part !== '').join(', ')}</dd>
      <dt>{t('givenFact')}</dt>
      <dd>{t('givenLine', { time: minute(record.GivenTimeUtc), name: visible(record.GivenBy.Username) })}</dd>
      {Approved !== null && (
        <>
          <dt>{t('approvedFact')}</dt>
          <dd>{t('givenLine', { time: minute(Approved.TimeUtc), name: visible(Approved.By.Username) })}</dd>
        </>
      )}
      {Package !== null && (
        <>
          <dt>{t('packageFact')}</dt>
          <dd>
            {format.bytes(Package.Bytes)} · <Hash value={Package.Sha256} of={t('packageHash')} />
          </dd>
        </>
      )}
      {record.Acknowledged !== null && (
        <>
          <dt>{t('acknowledgedFact')}</dt>
          <dd>
            <Acknowledged said={record.Acknowledged} />
          </dd>
        </>
      )}
      {Supersedes !== null && (
        <>
          <dt>{t('replacesFact')}</dt>
          <dd>{t('replacesLine', { no: Supersedes, reason: visible(Reason) })}</dd>
        </>
      )}
    </FactList>
  )
}

function Acknowledged({ said }: { readonly said: NonNullable<Disclosure['Acknowledged']> }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const { How, Witnesses, EvidenceId } = said
  const [first = '', second = ''] = Witnesses.map(visible)
  return (
    <>
      {t('acknowledgedBy', {
        name: visible(said.By),
        time: format.instant(said.TimeUtc, { precision: 'minute', zone: true }),
      })}
      , {How === 'in-person' ? t('howPerson', { first, second }) : t(How === 'signature-scan' ? 'howScan' : 'howFile')},{' '}
      {t('recordedBy', { name: visible(said.RecordedBy.Username) })}.{' '}
      {EvidenceId !== null && (
        <Link to="/evidence/$evidenceId" params={{ evidenceId: EvidenceId }} className={styles['link']}>
          {t('openScan')}
        </Link>
      )}
    </>
  )
}

function Items({ record: { Items: items } }: { readonly record: Disclosure }) {
  const { t } = useTranslation('disclosure')
  return (
    <Lines title={t('items')} none={t('itemsNone')} isEmpty={items.length === 0}>
      {items.map((item) => (
        <ItemLine key={`${item.Number} ${item.ResourceId}`} number={item.Number} item={item} />
      ))}
    </Lines>
  )
}

function Withheld({ record }: { readonly record: Disclosure }) {
  const { t } = useTranslation('disclosure')
  const { Withheld: withheld } = record
  return (
    <Lines title={t('withheld')} none={t('withheldNone')} isEmpty={withheld.length === 0}>
      {withheld.map((line) => (
        <li key={`${line.Basis} ${line.Number} ${line.ResourceId}`} className={styles['item']}>
          <span className={styles['number']}>{t('withheldLine', { basis: line.Basis, number: line.Number })}</span>
          <div className={styles['words']}>
            <Link to="/evidence/$evidenceId" params={{ evidenceId: line.EvidenceId }} className={styles['link']}>
              <bdi>{visible(line.Description)}</bdi>
            </Link>
            <span>{t('groundLine', { text: groundWords(line, t) })}</span>
            {line.Reasons !== '' && <span>{t('reasonsLine', { text: visible(line.Reasons) })}</span>}
            <span className={styles['second']}>
              {t('decidedBy', { name: visible(line.DecidedBy.Username) })}
              {line.Restricted && ` · ${t('byRestriction')}`}
            </span>
            <GroundOf line={line} record={record} />
          </div>
        </li>
      ))}
    </Lines>
  )
}

/** Whether its ground still applies, and the act that says it does not. A restriction is lifted on the page of the evidence. */
function GroundOf({ line, record }: { readonly line: Disclosure['Withheld'][number]; readonly record: Disclosure }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const [isOpen, setIsOpen] = useState(false)
  if (line.Ended !== null)
    return (
      <span>
        {t('groundEndedLine', {
          time: format.instant(line.Ended.TimeUtc, { precision: 'minute' }),
          name: visible(line.Ended.By.Username),
          reason: visible(line.Ended.Reason),
        })}
      </span>
    )
  if (line.Restricted || record.SupersededBy !== null) return null
  return (
    <>
      <Button size="small" icon="undo" onPress={() => setIsOpen(true)}>
        {t('endGroundDots')}
      </Button>
      {isOpen && <EndGroundDialog line={line} record={record} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface LinesProps {
  readonly title: string
  readonly none: string
  readonly isEmpty: boolean
  readonly children: ReactNode
}

/** A headed list, or what is said where it is empty. */
export const Lines = ({ title, none, isEmpty, children }: LinesProps) => (
  <section className={styles['lines']}>
    <h3 className={styles['legend']}>{title}</h3>
    {isEmpty ? <p className={styles['second']}>{none}</p> : <ul>{children}</ul>}
  </section>
)
