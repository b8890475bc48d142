import { Link, useNavigate } from '@tanstack/react-router'
import { iconOfEvidence } from '../../client/evidence-icons.ts'
import { STATUS_STATES, statusWord } from '../../client/evidence-status.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { useShortcuts } from '../../ui/command/use-shortcuts.ts'
import { ClockCell } from '../../ui/clocks/clocks.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Icon } from '../../ui/icon/icon.tsx'
import { Kbd } from '../../ui/kbd/kbd.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { shiftWords, sumsOf, TO_ADD, toAdd } from './labels.ts'
import type { Recording, Today } from './queries.ts'
import { Nothing, Section } from './section.tsx'
import styles from './today.module.css'

type Recordings = Today['Recordings']

/** What the person recorded or added in the last shift in which they did. */
export function ShiftSection({ shift, Items, Total }: Recordings & { readonly shift: Today['Shift'] }) {
  const { t } = useTranslation('today')
  const format = useFormat()
  if (shift === null)
    return (
      <Section title={t('shiftNone')}>
        <Nothing title={t('shiftEmpty')} action={<Link to="/dock/take">{t('shiftEmptyAct')}</Link>}>
          {t('shiftEmptyBody')}
        </Nothing>
      </Section>
    )
  const sums = sumsOf(Items, t)
  const said = [
    ...(sums.length === 0 ? [t('shiftWhole')] : sums),
    ...(Total.Count > Items.length ? [t('shiftNewest', { count: Items.length })] : []),
  ]
  return (
    <Section
      title={t('shift')}
      second={shiftWords(shift, t, format)}
      act={
        <>
          {shift.Recorded && <OwnAsList shift={shift} />}
          <Link to="/evidence" search={{ from: shift.FromUtc, to: shift.ToUtc, sort: 'recorded' }}>
            {t('shiftAll')}
          </Link>
        </>
      }
    >
      <p className={styles['sum']}>
        <strong>
          {t('shiftCount', { count: Total.Count })}
          {Total.More && '+'}
        </strong>
        {said.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </p>
      <RecordingList items={Items} />
    </Section>
  )
}

/** Leads to the list, where many are filed at once: what the person's cameras recorded in the shift, and nothing of others. */
function OwnAsList({ shift: { FromUtc: from, ToUtc: to } }: { readonly shift: NonNullable<Today['Shift']> }) {
  const { t } = useTranslation('today')
  const { session } = useSession()
  const navigate = useNavigate()
  const search = { officer: session.User?.PrincipalId ?? '', from, to, sort: 'recorded' }
  useShortcuts({ a: () => void navigate({ to: '/evidence', search }) })
  return (
    <span className={styles['withKey']}>
      <Link to="/evidence" search={search}>
        {t('shiftFile')}
      </Link>
      <Kbd>A</Kbd>
    </span>
  )
}

/** To a guest: evidence that was shared with them by itself. */
export function GivenSection({ Items, Total }: Recordings) {
  const { t } = useTranslation('today')
  return (
    <Section title={t('given')} {...(Total.Count === 0 ? {} : { second: t('items', { count: Total.Count }) })}>
      {Items.length === 0 ? (
        <Nothing title={t('givenEmpty')}>{t('givenEmptyBody')}</Nothing>
      ) : (
        <RecordingList items={Items} given />
      )}
    </Section>
  )
}

interface ListProps {
  readonly items: readonly Recording[]
  /** Of others: what is missing is not for this person to add. */
  readonly given?: boolean
}

function RecordingList({ items, given = false }: ListProps) {
  return (
    <ul className={styles['lines']}>
      {items.map((item) => (
        <li key={item.EvidenceId}>
          <RecordingLine item={item} given={given} />
        </li>
      ))}
    </ul>
  )
}

function RecordingLine({ item, given }: { readonly item: Recording; readonly given: boolean }) {
  const { t } = useTranslation('today')
  const adds = given ? [] : toAdd(item)
  const isDone = item.Missing.length === 0
  const status = item.Missing.includes('Failed') || item.Missing.includes('Processing')
  return (
    <Link
      to="/evidence/$evidenceId"
      params={{ evidenceId: item.EvidenceId }}
      className={styles['line']}
      data-line={item.EvidenceId}
    >
      <Icon name={iconOfEvidence(item.Type)} className={styles['icon']} />
      <span className={styles['main']}>
        <span className={styles['name']}>
          <bdi>{visible(item.DisplayName)}</bdi>
        </span>
        <span className={styles['when']}>
          {item.Clock.CorrectedTimeUtc === null ? t('timeUnknown') : <ClockCell clock={item.Clock} />}
        </span>
      </span>
      <span className={styles['facts']}>
        {status && (
          <StateMark small state={STATUS_STATES[item.Status]}>
            {statusWord(item.Status)}
          </StateMark>
        )}
        {adds.map((one) => (
          <Badge key={one}>{t(TO_ADD[one])}</Badge>
        ))}
        {isDone && !given && (
          <StateMark small state="ok">
            {t('missingNothing')}
          </StateMark>
        )}
      </span>
    </Link>
  )
}
