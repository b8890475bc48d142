import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { RECIPIENT_ROLES, type RecipientRole } from '../../../shared/disclosure/kinds.ts'
import { dayIn } from '../../../shared/kernel/days.ts'
import type { DueOfStation } from '../../client/disclosure/disclosure.ts'
import { useIsMember } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Overview, OverviewHead, Section } from '../../ui/layout/overview.tsx'
import { usePhone } from '../../ui/layout/use-media.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { Select } from '../../ui/select/select.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import styles from './disclosure.module.css'
import { type DisclosureSearch, SHOWN } from './search.ts'
import { useDueOfStation } from './queries.ts'
import { countWords, dayWords, isOver, proposalState, recipientWords } from './labels.ts'

/** Of the whole station: to whom a supplement is due, by the day, and what nobody acknowledged yet. */
export function StationDisclosurePage() {
  const { t } = useTranslation('disclosure')
  const member = useIsMember()
  return (
    <Overview title={t('disclosure')}>
      {member ? (
        <Station />
      ) : (
        <>
          <OverviewHead title={t('disclosure')} lead={t('stationLead')} />
          <EmptyState title={t('notForGuests')}>{t('notForGuestsBody')}</EmptyState>
        </>
      )}
    </Overview>
  )
}

function Station() {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const { data, error, refetch } = useDueOfStation()
  const { show = 'all', to } = useSearch({ from: '/disclosure' })
  const isOf = ({ Recipient: { Role } }: { readonly Recipient: { readonly Role: RecipientRole } }): boolean =>
    to === undefined || Role === to
  const today = dayIn(format.zone, Date.now())
  const shows = (which: (typeof SHOWN)[number]): boolean => show === 'all' || show === which
  const proposed = shows('proposed') ? (data?.Proposals ?? []).filter(isOf) : []
  const asked = shows('asked') ? (data?.Requests ?? []).filter(isOf) : []
  const due = shows('due') ? (data?.Items ?? []).filter(isOf) : []
  const waiting = shows('waiting') ? (data?.Unacknowledged ?? []).filter(isOf) : []
  const overdue =
    due.filter(({ RequestDue }) => isOver(RequestDue, today)).length +
    asked.filter(({ Due }) => isOver(Due, today)).length
  const isBare =
    data !== undefined &&
    data.Items.length + data.Unacknowledged.length + data.Proposals.length + data.Requests.length === 0
  return (
    <>
      <OverviewHead
        title={t('disclosure')}
        lead={t('stationLead')}
        standing={
          overdue > 0 && (
            <StateMark state="attention">{t('overdue', { count: overdue, shown: format.count(overdue) })}</StateMark>
          )
        }
      >
        {data !== undefined && !isBare && <Filters show={show} to={to} />}
      </OverviewHead>
      {data === undefined &&
        (error === null ? (
          <Skeleton lines={8} />
        ) : (
          <Problem error={error} title={t('notListed')} onRetry={() => void refetch()} />
        ))}
      {data !== undefined && proposed.length + asked.length + due.length + waiting.length === 0 && (
        <Nothing isBare={isBare} />
      )}
      {proposed.length > 0 && (
        <Section title={t('proposals')}>
          <ul className={styles['list']}>
            {proposed.map((one) => (
              <ProposedRow key={`${one.CaseId} ${one.No}`} one={one} />
            ))}
          </ul>
        </Section>
      )}
      {asked.length > 0 && (
        <Section title={t('requests')}>
          <ul className={styles['list']}>
            {asked.map((one) => (
              <AskedRow key={`${one.CaseId} ${one.No}`} one={one} today={today} />
            ))}
          </ul>
        </Section>
      )}
      {due.length > 0 && (
        <Section title={t('due')}>
          <ul className={styles['list']}>
            {due.map((one) => (
              <DueRow key={`${one.CaseId} ${one.Chain}`} one={one} today={today} />
            ))}
          </ul>
        </Section>
      )}
      {waiting.length > 0 && (
        <Section title={t('filterWaiting')}>
          <ul className={styles['list']}>
            {waiting.map((one) => (
              <WaitingRow key={`${one.CaseId} ${one.No}`} one={one} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function Nothing({ isBare }: { readonly isBare: boolean }) {
  const { t } = useTranslation('disclosure')
  const change = useChange()
  if (isBare)
    return (
      <EmptyState title={t('stationNone')} action={<Link to="/cases">{t('toCases')}</Link>}>
        {t('stationNoneBody')}
      </EmptyState>
    )
  return (
    <EmptyState
      title={t('stationNoneShown')}
      action={<Button onPress={() => change({ show: undefined, to: undefined })}>{t('showAll')}</Button>}
    />
  )
}

function useChange() {
  const navigate = useNavigate()
  return (what: DisclosureSearch): void =>
    void navigate({
      to: '/disclosure',
      search: (said: DisclosureSearch) => ({ ...said, ...what }),
      replace: true,
    } as never)
}

const EVERY = 'every'

function Filters({ show, to }: { readonly show: (typeof SHOWN)[number]; readonly to: RecipientRole | undefined }) {
  const { t } = useTranslation('disclosure')
  const change = useChange()
  const WORDS = {
    all: 'all',
    proposed: 'filterProposed',
    asked: 'filterAsked',
    due: 'filterDue',
    waiting: 'filterWaiting',
  } as const
  const phone = usePhone()
  const options = SHOWN.map((id) => ({ id, label: t(WORDS[id]) }))
  const choose = (next: (typeof SHOWN)[number]): void => change({ show: next === 'all' ? undefined : next })
  return (
    <div className={styles['filters']}>
      {phone ? (
        <Select label={t('filter')} hideLabel value={show} onChange={choose} options={options} />
      ) : (
        <Segments label={t('filter')} value={show} onChange={choose} segments={options} />
      )}
      <Select
        label={t('filterRole')}
        hideLabel
        value={to ?? EVERY}
        onChange={(next) => change({ to: next === EVERY ? undefined : next })}
        options={[
          { id: EVERY as typeof EVERY | RecipientRole, label: t('everyRole') },
          ...RECIPIENT_ROLES.map((id) => ({ id, label: t(id) })),
        ]}
      />
    </div>
  )
}

function DueRow({ one, today }: { readonly one: DueOfStation['Items'][number]; readonly today: string }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const day = dayWords(one.RequestDue, today, t, format)
  const count = one.Changes.length
  return (
    <Row one={one}>
      <p>
        {t('changesOf', {
          changes: t('changes', { count, shown: format.count(count), no: one.LastNo }),
          counts: countWords(one.Changes, t, format),
        })}
      </p>
      <StateMark state={day.state}>{day.words}</StateMark>
    </Row>
  )
}

function ProposedRow({ one }: { readonly one: DueOfStation['Proposals'][number] }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const { state, words } = proposalState(one, t)
  const time = format.instant(one.ProposedTimeUtc, { precision: 'minute' })
  return (
    <Row one={one}>
      <p>{t('proposedBy', { time, name: visible(one.ProposedBy.Username) })}</p>
      <StateMark state={state} wraps>
        {words}
      </StateMark>
    </Row>
  )
}

function AskedRow({ one, today }: { readonly one: DueOfStation['Requests'][number]; readonly today: string }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const day = dayWords(one.Due, today, t, format)
  return (
    <Row one={one}>
      <p>
        <bdi>{visible(one.What)}</bdi>
      </p>
      <StateMark state={day.state}>{day.words}</StateMark>
    </Row>
  )
}

function WaitingRow({ one }: { readonly one: DueOfStation['Unacknowledged'][number] }) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const time = format.instant(one.GivenTimeUtc, { precision: 'minute' })
  return (
    <Row one={one}>
      <p>{t('no', { no: one.No })}</p>
      <StateMark state="waiting">{t('waitingSince', { time })}</StateMark>
    </Row>
  )
}

interface RowProps {
  readonly one: Pick<DueOfStation['Unacknowledged'][number], 'CaseId' | 'Ordinal' | 'Title' | 'Recipient'>
  /** What it is about, then how it stands. */
  readonly children: readonly [React.ReactNode, React.ReactNode]
}

function Row({ one, children: [what, standing] }: RowProps) {
  const { t } = useTranslation('disclosure')
  return (
    <li className={styles['row']}>
      <div className={styles['about']}>
        <h3 className={styles['name']}>{recipientWords(one.Recipient, t)}</h3>
        {what}
        <p className={styles['second']}>
          <bdi>{visible(one.Title)}</bdi> <span className="id">{one.Ordinal}</span>
        </p>
      </div>
      <div className={styles['doing']}>
        {standing}
        <Link
          to="/cases/$caseId/disclosure"
          params={{ caseId: one.CaseId }}
          className={styles['link']}
          aria-label={`${t('openCase')}: ${visible(one.Title)}`}
        >
          {t('openCase')}
        </Link>
      </div>
    </li>
  )
}
