import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { shownClock } from '../../../../shared/evidence/clock-lines.ts'
import { TwoClocks } from '../../../ui/clocks/clocks.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { StateMark } from '../../../ui/state/state.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import type { Detail } from './queries.ts'
import styles from './sessions.module.css'
import { Whose } from './whose.tsx'
import type { Words } from './labels.ts'

export type Recording = Detail['Recordings'][number]

/** The recordings on it, when by both clocks, and whose. */
export function Recordings({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <div className={styles['body']}>
      <Whose session={session} />
      <DataTable<Recording>
        label={t('recordings')}
        columns={columns}
        total={session.Recordings.length}
        rowAt={(index) => session.Recordings[index]}
        keyOf={({ Name, EvidenceId, StartTimeUtc }) => `${EvidenceId ?? ''} ${StartTimeUtc ?? ''} ${Name}`}
        media
        empty={<EmptyState title={t('noRecordingsTitle')}>{t('noRecordingsBody')}</EmptyState>}
      />
    </div>
  )
}

const columnsOf = (t: Words): readonly Column<Recording>[] => [
  {
    id: 'name',
    label: t('recording'),
    least: 8,
    cell: ({ Name }) => <bdi>{visible(Name)}</bdi>,
    text: ({ Name }) => visible(Name),
  },
  {
    id: 'time',
    label: t('time'),
    least: 20,
    cell: ({ Clock }) => <TwoClocks {...shownClock(Clock)} />,
    text: ({ Clock }) => Clock.CorrectedTimeUtc ?? '',
  },
  {
    id: 'officer',
    label: t('officer'),
    width: 12,
    cell: (one) => <Officer one={one} t={t} />,
    text: ({ OfficersNow }) => OfficersNow.map(({ Username }) => visible(Username)).join(', '),
  },
  {
    id: 'evidence',
    label: t('evidence'),
    width: 6,
    align: 'end',
    cell: ({ EvidenceId }) =>
      EvidenceId === null ? (
        '–'
      ) : (
        <Link
          to="/evidence/$evidenceId"
          params={{ evidenceId: EvidenceId }}
          tabIndex={-1}
          className={styles['link']}
          aria-label={t('evidenceOpen', { id: EvidenceId })}
        >
          {EvidenceId}
        </Link>
      ),
    text: ({ EvidenceId }) => EvidenceId ?? '',
  },
]

/** Whose it is today; what was said when it was taken in stands below where it was something else. */
function Officer({ one: { Officer: then, OfficersNow: now }, t }: { readonly one: Recording; readonly t: Words }) {
  const [first, second] = now
  const names = now.map(({ Username }) => visible(Username)).join(', ')
  const words =
    first === undefined ? (
      <StateMark state="attention">{t('officerNone')}</StateMark>
    ) : second === undefined ? (
      <bdi>{names}</bdi>
    ) : (
      <StateMark state="attention">{t('officerSeveral', { names })}</StateMark>
    )
  const differs = then !== null && (second !== undefined || then.PrincipalId !== first?.PrincipalId)
  return <TwoLines first={words} {...(differs ? { second: t('officerThen', { name: visible(then.Username) }) } : {})} />
}
