import { useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { ActDialog } from '../../../ui/act/act-dialog.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { visible } from '../page/text/visible.ts'
import { ClockOffsetFields, useBy } from '../suggest/clock-offset.tsx'
import { type ClockOffset, corrected, RIGHT, secondsOf } from '../suggest/offset.ts'
import { TimesList, type TimesRow, WithoutTimes } from '../suggest/times-list.tsx'
import {
  type Looked,
  type RefusedTime,
  type SetTime,
  type Setting,
  standingTime,
  useLooked,
  useTimes,
} from '../suggest/use-times.ts'
import { isOneOfTwo, useSuggestionWords } from '../suggest/suggestion-words.ts'
import { HowFar, Refused } from './act-dialog.tsx'
import type { ActDialogOf } from './protect-dialog.tsx'
import { toastOf } from './targets.ts'

/** Some were refused, each for a reason of its own. */
class SomeRefused extends Error {
  override readonly name = 'SomeRefused'
  readonly refused: readonly RefusedTime[]
  constructor(refused: readonly RefusedTime[]) {
    super('')
    this.refused = refused
  }
}

/** Times that names and dates of files say, looked at together and put right by one offset of the recorder's clock. */
export function TimesDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceSuggestions')
  const { set } = useTimes()
  const looked = useLooked(targets)
  const [offset, setOffset] = useState<ClockOffset>(RIGHT)
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [chosen, setChosen] = useState<ReadonlyMap<string, number>>(new Map())
  const [done, setDone] = useState<readonly SetTime[]>([])
  const [count, setCount] = useState<{ readonly done: number; readonly of: number } | null>(null)
  const stopped = useRef(false)
  /** Closed while it ran: what was set by then is said all the same. */
  const closed = useRef(false)
  const said = useRef(false)
  const say = useSayDone()
  const sayDone = (all: readonly SetTime[]): void => {
    if (all.length === 0 || said.current) return
    said.current = true
    say(all)
  }
  const reasonOf = useReason(offset)

  const isDone = (id: string): boolean => done.some(({ before }) => before.EvidenceId === id)
  const rows = targets.flatMap((target): TimesRow[] => {
    const { EvidenceId: id } = target
    const options = looked.found.get(id) ?? []
    const stands = standingTime(target)
    const option = options[chosen.get(id) ?? 0] ?? null
    if (isDone(id) || (option === null && stands === null)) return []
    // One of two is a choice that a person makes.
    const isTicked = ticked.get(id) ?? (option?.Because === 'empty' && !isOneOfTwo(option, options))
    return [{ target, options, option, stands, ticked: isTicked && (option !== null || secondsOf(offset) > 0) }]
  })
  const without = targets.filter(
    (target) => looked.found.get(target.EvidenceId)?.length === 0 && standingTime(target) === null,
  )
  const settings = rows
    .filter((row) => row.ticked)
    .map((row): Setting => {
      const base = row.option?.Value ?? (row.stands as string)
      return { target: row.target, start: corrected(base, offset), reason: reasonOf(row) }
    })

  const act = async (): Promise<void> => {
    stopped.current = false
    const now: SetTime[] = []
    setCount({ done: 0, of: settings.length })
    try {
      const course = {
        onDone: (so: number) => setCount({ done: so, of: settings.length }),
        isStopped: () => stopped.current,
      }
      const refused = await set(settings, course, (one) => now.push(one))
      if (refused.length > 0) throw new SomeRefused(refused)
      sayDone([...done, ...now])
      onDone?.()
    } finally {
      if (closed.current) sayDone([...done, ...now])
      setDone([...done, ...now])
      setCount(null)
    }
  }
  const close = (): void => {
    closed.current = true
    stopped.current = true
    if (count === null) sayDone(done)
    onClose()
  }
  const looking = useLooking(looked, targets.length)
  const asOffset = offset.was !== 'right' && secondsOf(offset) === 0 ? t('timesOffsetMissing') : undefined
  const why = settings.length === 0 ? t('timesNone') : asOffset
  return (
    <ActDialog
      title={t('timesTitle')}
      lead={t('timesLead')}
      act={t('timesAct')}
      failed={t('timesFailed')}
      why={looked.done ? why : looking}
      onAct={act}
      onClose={close}
      problem={(error) =>
        error instanceof SomeRefused ? (
          <RefusedTimes refused={error.refused} />
        ) : (
          <Refused refusal={error} title={t('timesFailed')} done={done.length} count={targets.length} />
        )
      }
    >
      {leftOut !== undefined && <p className="muted">{leftOut}</p>}
      {!looked.done && (
        <div>
          <ProgressBar label={looking} value={(100 * (looked.found.size + looked.failed.size)) / targets.length} />
          <span className="muted">{looking}</span>
        </div>
      )}
      {looked.done && rows.length === 0 && done.length === 0 && (
        <EmptyState title={t('timesNothingTitle')}>{t('timesNothingBody')}</EmptyState>
      )}
      {rows.length > 0 && (
        <TimesList
          rows={rows}
          offset={offset}
          onTick={(ids, on) => setTicked((all) => new Map([...all, ...ids.map((id) => [id, on] as const)]))}
          onChoose={(id, at) => setChosen((all) => new Map([...all, [id, at]]))}
        />
      )}
      {rows.length > 0 && <ClockOffsetFields offset={offset} onChange={setOffset} />}
      {looked.done && <WithoutTimes targets={without} failed={looked.failed.size} />}
      {count !== null && (
        <HowFar
          done={count.done}
          of={count.of}
          onStop={() => {
            stopped.current = true
          }}
        />
      )}
    </ActDialog>
  )
}

/** How far the station was asked, in words. */
function useLooking({ found, failed }: Looked, of: number): string {
  const { t } = useTranslation('evidenceSuggestions')
  const format = useFormat()
  return t('timesLooking', { count: of, done: format.count(found.size + failed.size), shown: format.count(of) })
}

/** By name, each with what the station said. */
function RefusedTimes({ refused }: { readonly refused: readonly RefusedTime[] }) {
  const { t } = useTranslation('evidenceSuggestions')
  const format = useFormat()
  return (
    <Note state="attention" title={t('timesRefused', { count: refused.length, shown: format.count(refused.length) })}>
      <ul>
        {refused.map(({ target, error }) => (
          <li key={target.EvidenceId}>
            {t('timesRefusedOf', {
              name: visible(target.DisplayName),
              why: error === null ? t('timesChanged') : error.message,
            })}
          </li>
        ))}
      </ul>
    </Note>
  )
}

/** The source of a time, and by how much the clock was wrong, for the ledger. */
function useReason(offset: ClockOffset): (row: TimesRow) => string {
  const { t } = useTranslation('evidenceSuggestions')
  const format = useFormat()
  const words = useSuggestionWords()
  const by = useBy()(offset)
  return ({ option, stands }) => {
    const reason =
      option === null ? t('reasonStands', { from: format.instant(stands ?? '', { zone: true }) }) : words.reason(option)
    if (secondsOf(offset) === 0) return reason
    return t(offset.was === 'fast' ? 'reasonFast' : 'reasonSlow', { reason, by })
  }
}

/** What is set, with its way back. */
function useSayDone(): (done: readonly SetTime[]) => void {
  const { t } = useTranslation('evidenceSuggestions')
  const format = useFormat()
  const { undo } = useTimes()
  return (done) => {
    const takeBack = async (): Promise<void> => {
      const undone = await undo(done, t('reasonUndone'))
      const less = done.length - undone
      const said = [
        ...(undone > 0 ? [t('timesUndone', { count: undone, shown: format.count(undone) })] : []),
        ...(less > 0 ? [t('timesUndoneLess', { count: less, shown: format.count(less) })] : []),
      ]
      toasts.show({ text: said.join(' ') })
    }
    toasts.show({
      text: t(
        'timesSet',
        toastOf(
          done.map(({ before }) => before),
          format.count,
        ),
      ),
      undo: takeBack,
    })
  }
}
