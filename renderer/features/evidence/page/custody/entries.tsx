import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Format, useFormat } from '../../../../ui/format/use-format.tsx'
import { Hash } from '../../../../ui/hash/hash.tsx'
import { Icon } from '../../../../ui/icon/icon.tsx'
import { Thread, type ThreadEntry } from '../../../../ui/thread/thread.tsx'
import type { Entry } from '../data.ts'
import type { Words } from '../stage/work.ts'
import { visible } from '../text/visible.ts'
import { actDetail, actIcon, actWords } from './acts.ts'
import styles from './custody.module.css'

/** Newest first, by day; each opens to all that the ledger holds of it. */
export function Entries({ entries, bad }: { readonly entries: readonly Entry[]; readonly bad: ReadonlySet<number> }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const thread = useMemo(() => {
    const toggle = (seq: number): void =>
      setOpen((now) => {
        const next = new Set(now)
        if (!next.delete(seq)) next.add(seq)
        return next
      })
    let day = ''
    return entries.map((entry): ThreadEntry => {
      const own = entry.TimeUtc === '' ? '' : format.day(entry.TimeUtc)
      const fresh = own !== day
      day = own
      const shown = open.has(entry.Seq)
      return {
        id: String(entry.Seq),
        icon: bad.has(entry.Seq) ? 'danger' : actIcon(entry),
        act: <Act entry={entry} open={shown} bad={bad.has(entry.Seq)} onToggle={() => toggle(entry.Seq)} />,
        detail: (
          <>
            {actDetail(entry, t, format)}
            {shown && <Facts entry={entry} />}
          </>
        ),
        time: entry.TimeUtc === '' ? '' : format.timeOfDay(entry.TimeUtc),
        at: entry.TimeUtc,
        exact: entry.TimeUtc === '' ? '' : format.instant(entry.TimeUtc, { precision: 'millisecond', zone: true }),
        ...(fresh ? { day: `${own}, ${format.zoneLetters(entry.TimeUtc)}` } : {}),
      }
    })
  }, [entries, open, bad, t, format])
  return <Thread label={t('custody')} entries={thread} />
}

interface ActProps {
  readonly entry: Entry
  readonly open: boolean
  readonly bad: boolean
  readonly onToggle: () => void
}

function Act({ entry, open, bad, onToggle }: ActProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  return (
    <button
      type="button"
      className={styles['act']}
      aria-expanded={open}
      data-seq={entry.Seq}
      {...(bad ? { 'data-bad': '' } : {})}
      onClick={onToggle}
    >
      <span className={styles['words']}>
        {actWords(entry, t, format)}
        {bad && ` · ${t('entryBad')}`}
      </span>
      <Icon name={open ? 'chevron-up' : 'chevron-down'} size="small" className={styles['chevron']} />
    </button>
  )
}

function Facts({ entry }: { readonly entry: Entry }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  return (
    <dl className={styles['facts']}>
      {factsOf(entry, t, format).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('entryHash')}</dt>
        <dd>
          <Hash value={entry.Hash} of={t('entryHashOf', { seq: format.count(entry.Seq) })} />
        </dd>
      </div>
      <div>
        <dt>{t('entryBefore')}</dt>
        <dd>
          <Hash value={entry.PreviousHash} of={t('entryBeforeOf', { seq: format.count(entry.Seq) })} />
        </dd>
      </div>
    </dl>
  )
}

function factsOf(entry: Entry, t: Words, format: Format): readonly (readonly [string, string])[] {
  const { Actor, Object: object } = entry
  const said = (name: string, value: string | null): readonly (readonly [string, string])[] =>
    value === null || value === '' ? [] : [[name, visible(value)]]
  return [
    ...said(t('entryNumber'), format.count(entry.Seq)),
    ...said(
      t('entryTime'),
      entry.TimeUtc === '' ? '' : format.instant(entry.TimeUtc, { precision: 'millisecond', zone: true }),
    ),
    ...said(t('entryAction'), entry.Action),
    ...said(t('entryActor'), [Actor.Name, Actor.Role, Actor.Kind, Actor.Id].filter(Boolean).join(' · ')),
    ...said(t('entrySource'), entry.Source),
    ...said(t('entryObject'), [object.Name, object.Type, object.Id].filter(Boolean).join(' · ')),
    ...said(t('entryOutcome'), t(OUTCOMES[entry.Outcome])),
    ...said(t('entryReason'), entry.Reason),
    ...said(t('entryBytes'), entry.Bytes === null ? null : format.exactBytes(entry.Bytes)),
    ...said(t('entrySha'), entry.Sha256),
    ...said(t('entryCorrelation'), entry.CorrelationId),
    ...said(t('entryDetail'), entry.Detail === null ? null : JSON.stringify(entry.Detail)),
  ]
}

const OUTCOMES = { ok: 'outcomeOk', denied: 'outcomeDenied', failed: 'outcomeFailed' } as const
