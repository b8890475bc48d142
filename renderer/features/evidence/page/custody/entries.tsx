import { useMemo, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { type Format, useFormat } from '../../../../ui/format/use-format.tsx'
import { Hash } from '../../../../ui/hash/hash.tsx'
import { Icon } from '../../../../ui/icon/icon.tsx'
import { Thread, type ThreadEntry } from '../../../../ui/thread/thread.tsx'
import type { Entry } from '../queries.ts'
import type { Words } from '../stage/work.ts'
import { visible } from '../text/visible.ts'
import { actDetail, actIcon, actorOf, actWords } from './acts.ts'
import styles from './custody.module.css'

/** Newest first, by day; each opens to all that the ledger holds of it. */
export function Entries({ entries, bad }: { readonly entries: readonly Entry[]; readonly bad: ReadonlySet<number> }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const thread = useMemo(() => {
    const toggle = (...ids: readonly string[]): void =>
      setOpen((now) => {
        const added = ids.filter((id) => !now.has(id))
        return added.length === ids.length
          ? new Set([...now, ...ids])
          : new Set([...now].filter((id) => !ids.includes(id)))
      })
    const lines: ThreadEntry[] = []
    let day = ''
    const put = (entry: Entry, line: Omit<ThreadEntry, 'time' | 'at' | 'exact' | 'day'>): void => {
      const own = entry.TimeUtc === '' ? '' : format.day(entry.TimeUtc)
      lines.push({
        ...line,
        ...timesOf(entry, format),
        ...(own === day ? {} : { day: `${own}, ${format.zoneLetters(entry.TimeUtc)}` }),
      })
      day = own
    }
    for (const { entries: fold } of folded(entries, (one, other) => format.day(one) === format.day(other))) {
      const [first] = fold
      if (first === undefined) continue
      // It stays open while newer looks join it, and older ones come or go at the end of what was fetched.
      const looks = fold.map(({ Seq }) => `looks ${Seq}`)
      const isOpen = looks.some((look) => open.has(look))
      const wrong = fold.some(({ Seq }) => bad.has(Seq))
      if (fold.length > 1)
        put(first, {
          id: looks.at(-1) ?? '',
          icon: wrong ? 'danger' : 'eye',
          act: (
            <Act
              words={t('looks', { count: fold.length, shown: format.count(fold.length) })}
              open={isOpen}
              bad={wrong}
              onToggle={() => toggle(...looks)}
            />
          ),
          detail: actorOf(first, t),
        })
      if (fold.length > 1 && !isOpen) continue
      for (const entry of fold) {
        const id = String(entry.Seq)
        put(entry, {
          id,
          icon: bad.has(entry.Seq) ? 'danger' : actIcon(entry),
          act: (
            <Act
              words={actWords(entry, t, format)}
              open={open.has(id)}
              bad={bad.has(entry.Seq)}
              onToggle={() => toggle(id)}
            />
          ),
          detail: (
            <>
              {actDetail(entry, t, format)}
              {open.has(id) && <Facts entry={entry} />}
            </>
          ),
        })
      }
    }
    return lines
  }, [entries, open, bad, t, format])
  return <Thread label={t('custody')} entries={thread} />
}

const timesOf = ({ TimeUtc }: Entry, format: Format): Pick<ThreadEntry, 'time' | 'at' | 'exact'> =>
  TimeUtc === ''
    ? { time: '', at: '' }
    : {
        time: format.timeOfDay(TimeUtc),
        at: TimeUtc,
        exact: format.instant(TimeUtc, { precision: 'millisecond', zone: true }),
      }

interface ActProps {
  readonly words: string
  readonly open: boolean
  readonly bad: boolean
  readonly onToggle: () => void
}

function Act({ words, open, bad, onToggle }: ActProps) {
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
        {words}
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

/** Looks of one person one after the other are one line until somebody wants them all. Pure. */
interface Fold {
  readonly entries: readonly Entry[]
}

const LOOKS: ReadonlySet<string> = new Set([
  'evidence.read',
  'evidence.duplicates',
  'evidence.relations',
  'resource.read',
  'resource.listed',
  'resource.previewed',
  'resource.thumbnail',
  'ledger.read',
  'list.read',
  'job.read',
])
/** Fewer are shown as they are. */
const LEAST = 3

const isLook = ({ Action, Outcome }: Entry): boolean => Outcome === 'ok' && LOOKS.has(Action)

/** In order; a fold of one entry is that entry. @param sameDay whether two instants stand on one day of the station's zone */
function folded(entries: readonly Entry[], sameDay: (one: string, other: string) => boolean): readonly Fold[] {
  const folds: Entry[][] = []
  for (const entry of entries) {
    const last = folds.at(-1)
    const [first] = last ?? []
    const joins =
      last !== undefined &&
      first !== undefined &&
      isLook(entry) &&
      isLook(first) &&
      entry.Actor.Id === first.Actor.Id &&
      entry.Actor.Kind === first.Actor.Kind &&
      sameDay(entry.TimeUtc, first.TimeUtc)
    if (joins) last.push(entry)
    else folds.push([entry])
  }
  return folds.flatMap((fold) =>
    fold.length < LEAST ? fold.map((entry) => ({ entries: [entry] })) : [{ entries: fold }],
  )
}
