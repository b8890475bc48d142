import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { type Format, useFormat } from '../../../../ui/format/use-format.tsx'
import { Hash } from '../../../../ui/hash/hash.tsx'
import { Icon } from '../../../../ui/icon/icon.tsx'
import { Thread, type ThreadEntry } from '../../../../ui/thread/thread.tsx'
import type { Entry } from '../queries.ts'
import type { Words } from '../stage/work.ts'
import { visible } from '../text/visible.ts'
import { accountOf, actDetail, actIcon, actorOf, actWords, type People } from './acts.ts'
import styles from './custody.module.css'
import type { Line, Visit } from '../../../../../shared/evidence/visits.ts'

interface EntriesProps {
  readonly lines: readonly Line<Entry>[]
  readonly people: People
  readonly bad: ReadonlySet<number>
}

/** Newest first, by day; an act opens to all that the ledger holds of it, a visit to its entries. */
export function Entries({ lines, people, bad }: EntriesProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const [open, toggle] = useOpened()
  const thread = useMemo(() => {
    let day = ''
    return lines.map((line): ThreadEntry => {
      const at = line.kind === 'visit' ? line.to : line.entry.TimeUtc
      const own = at === '' ? '' : format.day(at)
      const head = own === day || own === '' ? {} : { day: `${own}, ${format.zoneLetters(at)}` }
      if (own !== '') day = own
      return { ...(line.kind === 'visit' ? visitEntry(line) : actEntry(line.entry)), ...head }
    })

    function actEntry(entry: Entry): ThreadEntry {
      const wrong = bad.has(entry.Seq)
      const detail = actDetail(entry, t, format)
      return {
        id: String(entry.Seq),
        icon: wrong ? 'danger' : actIcon(entry),
        ...timesOf(entry, format),
        act: (
          <Opener open={open.has(entry.Seq)} bad={wrong} onToggle={() => toggle([entry.Seq])}>
            {actWords(entry, t, format)}
          </Opener>
        ),
        detail: (
          <>
            <Actor entry={entry} people={people} />
            {detail !== '' && ` · ${detail}`}
            {open.has(entry.Seq) && <Facts entry={entry} />}
          </>
        ),
      }
    }

    function visitEntry(visit: Visit<Entry>): ThreadEntry {
      const seqs = visit.entries.map(({ Seq }) => Seq)
      const [first] = visit.entries
      // It stays open while newer reads join it.
      const isOpen = seqs.some((seq) => open.has(-seq))
      const wrong = seqs.some((seq) => bad.has(seq))
      return {
        id: `visit ${seqs.at(-1) ?? 0}`,
        icon: wrong ? 'danger' : 'eye',
        ...spanOf(visit, t, format),
        act: (
          <Opener open={isOpen} bad={wrong} onToggle={() => toggle(seqs.map((seq) => -seq))}>
            {first !== undefined && <Actor entry={first} people={people} say={visitWords(first)} />}
          </Opener>
        ),
        detail: (
          <>
            {visitDetail(visit, t, format)}
            {isOpen && <Reads visit={visit} bad={bad} open={open} toggle={toggle} />}
          </>
        ),
      }
    }
  }, [lines, people, open, toggle, bad, t, format])
  return <Thread label={t('custody')} entries={thread} />
}

/** Entries by their numbers, and visits by the negative numbers of theirs. */
function useOpened(): readonly [ReadonlySet<number>, (ids: readonly number[]) => void] {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const toggle = useCallback((ids: readonly number[]): void => {
    setOpen((now) =>
      ids.some((id) => now.has(id)) ? new Set([...now].filter((id) => !ids.includes(id))) : new Set([...now, ...ids]),
    )
  }, [])
  return [open, toggle]
}

interface ActorProps {
  readonly entry: Entry
  readonly people: People
  readonly say?: 'visited' | 'readBy' | undefined
}

/** By name, with the account on hover. */
function Actor({ entry, people, say }: ActorProps) {
  const { t } = useTranslation('evidencePage')
  const who = actorOf(entry, people, t)
  return (
    <span data-actor={entry.Actor.Kind} title={accountOf(entry, t)}>
      {say === undefined ? who : t(say, { who })}
    </span>
  )
}

const visitWords = ({ Actor }: Entry): 'visited' | 'readBy' => (Actor.Kind === 'user' ? 'visited' : 'readBy')

/** When somebody was here: one time where both are the same minute. */
function spanOf(
  { from, to, whole }: Visit<Entry>,
  t: Words,
  format: Format,
): Pick<ThreadEntry, 'time' | 'at' | 'exact'> {
  const [begin, end] = [format.timeOfDay(from), format.timeOfDay(to)]
  const exact = (at: string): string => format.instant(at, { precision: 'millisecond', zone: true })
  return {
    time: !whole ? t('visitUntil', { to: end }) : begin === end ? end : t('visitSpan', { from: begin, to: end }),
    at: to,
    exact: t('visitSpan', { from: exact(from), to: exact(to) }),
  }
}

/** What the player asked for and how many entries this is. The ledger does not say which part of a recording was seen. */
function visitDetail({ playbacks, entries, whole }: Visit<Entry>, t: Words, format: Format): string {
  const played = new Map<string, number>()
  for (const { name, seconds } of playbacks) played.set(name, (played.get(name) ?? 0) + (seconds ?? 0))
  return [
    ...[...played].map(([name, seconds]) =>
      seconds >= 1
        ? t('visitPlayed', { name: visible(name), length: format.duration(seconds) })
        : t('visitOpened', { name: visible(name) }),
    ),
    t('visitEntries', { count: entries.length, shown: format.count(entries.length) }),
    ...(whole ? [] : [t('visitCut')]),
  ].join(' · ')
}

interface ReadsProps {
  readonly visit: Visit<Entry>
  readonly bad: ReadonlySet<number>
  readonly open: ReadonlySet<number>
  readonly toggle: (ids: readonly number[]) => void
}

/** The entries of a visit, each with its number in the ledger. */
function Reads({ visit, bad, open, toggle }: ReadsProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  return (
    <ol className={styles['reads']} aria-label={t('visitReads')}>
      {visit.entries.map((entry) => (
        <li key={entry.Seq} className={styles['read']}>
          <span className={styles['number']}>{format.count(entry.Seq)}</span>
          <Opener open={open.has(entry.Seq)} bad={bad.has(entry.Seq)} onToggle={() => toggle([entry.Seq])}>
            {actWords(entry, t, format)}
          </Opener>
          <time dateTime={entry.TimeUtc}>{format.timeOfDay(entry.TimeUtc, 'second')}</time>
          {open.has(entry.Seq) && <Facts entry={entry} />}
        </li>
      ))}
    </ol>
  )
}

const timesOf = ({ TimeUtc }: Entry, format: Format): Pick<ThreadEntry, 'time' | 'at' | 'exact'> =>
  TimeUtc === ''
    ? { time: '', at: '' }
    : {
        time: format.timeOfDay(TimeUtc),
        at: TimeUtc,
        exact: format.instant(TimeUtc, { precision: 'millisecond', zone: true }),
      }

interface OpenerProps {
  readonly open: boolean
  readonly bad: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

function Opener({ open, bad, onToggle, children }: OpenerProps) {
  const { t } = useTranslation('evidencePage')
  return (
    <button
      type="button"
      className={styles['act']}
      aria-expanded={open}
      {...(bad ? { 'data-bad': '' } : {})}
      onClick={onToggle}
    >
      <span className={styles['words']}>
        {children}
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
