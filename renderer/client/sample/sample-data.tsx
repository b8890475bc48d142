import { Link } from '@tanstack/react-router'
import { type FocusEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { useTranslation } from '../translate.ts'
import { type Sample, useSample, useSampleActs } from './queries.ts'
import { AddDialog, RemoveDialog } from './sample-dialogs.tsx'
import styles from './sample.module.css'

/** Adds sample data, shows how far it is, and removes it. Draws nothing for who does not administer the station. */
export default function SampleData() {
  const { t } = useTranslation('sample')
  const place = useRef<HTMLDivElement>(null)
  const [asks, setAsks] = useState<'add' | 'remove' | null>(null)
  const onEnd = useCallback(
    ({ State }: Sample): void => {
      if (State === 'Added') toasts.show({ text: t('addedToast') })
      if (State === 'None') toasts.show({ text: t('removedToast') })
    },
    [t],
  )
  const sample = useSample(onEnd)
  const keepsFocus = useKeptFocus(place, `${sample?.State} ${asks}`)
  if (sample === undefined) return null
  const close = (): void => setAsks(null)
  return (
    <div ref={place} className={styles['sample']} tabIndex={-1} role="group" aria-label={t('title')} {...keepsFocus}>
      <State sample={sample} onAdd={() => setAsks('add')} onRemove={() => setAsks('remove')} />
      {asks === 'add' && <AddDialog onClose={close} />}
      {asks === 'remove' && sample.Removal !== null && <RemoveDialog removal={sample.Removal} onClose={close} />}
    </div>
  )
}

/** A dialog gives the focus back a moment after it closed. */
const SETTLES_MS = 150

/** The button that was pressed goes with its state, and with it the focus: then the place itself has it. @param state changes with what is drawn */
function useKeptFocus(place: RefObject<HTMLElement | null>, state: string) {
  const isInside = useRef(false)
  useEffect(() => {
    const timer = setTimeout(() => {
      if (state !== '' && isInside.current && document.activeElement === document.body) place.current?.focus()
    }, SETTLES_MS)
    return () => clearTimeout(timer)
  }, [place, state])
  return {
    onFocus: () => {
      isInside.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // What is taken away loses the focus to nothing.
      if (relatedTarget !== null && place.current?.contains(relatedTarget) !== true) isInside.current = false
    },
  }
}

interface StateProps {
  readonly sample: Sample
  readonly onAdd: () => void
  readonly onRemove: () => void
}

function State({ sample, onAdd, onRemove }: StateProps) {
  const { t } = useTranslation('sample')
  const { State: state, WhyNot: whyNot, RemovalBegun: begun, Problem: problem } = sample
  if (state === 'Adding' || state === 'Removing') return <GoingOn sample={sample} />
  if (state === 'None')
    return (
      <Line
        words={whyNot === null ? t('offer') : t(WHY_NOT[whyNot])}
        acts={
          whyNot === null && (
            <Button size="small" icon="plus" onPress={onAdd}>
              {t('add')}
            </Button>
          )
        }
      />
    )
  const remove = (
    <Button size="small" kind="danger" icon="trash" onPress={onRemove}>
      {t(begun ? 'removeGoOn' : 'remove')}
    </Button>
  )
  const said = problem === null ? null : visible(problem)
  if (begun)
    return (
      <Note state="attention" title={t('removeStopped')} action={remove}>
        {said === null ? t('removeStoppedPlain') : t('removeStoppedBody', { problem: said })}
      </Note>
    )
  if (state === 'Partial')
    return (
      <Note
        state="attention"
        title={t('partial')}
        action={
          <>
            <GoOn why={whyNot === null ? undefined : t(WHY_NOT[whyNot])} />
            {remove}
          </>
        }
      >
        {said === null ? t('partialBody', { done: sample.Done, total: sample.Total }) : t('failed', { problem: said })}
      </Note>
    )
  return (
    <Line
      title={t('there')}
      words={t('thereBody')}
      acts={
        <>
          <Link to="/evidence" search={{ tag: 'sample' } as never} className={styles['link']}>
            {t('see')}
          </Link>
          {remove}
        </>
      }
    />
  )
}

const WHY_NOT = { OwnEvidence: 'notOwnEvidence', Headquarters: 'notHeadquarters' } as const

interface LineProps {
  readonly title?: string
  readonly words: string
  readonly acts: ReactNode
}

const Line = ({ title, words, acts }: LineProps) => (
  <div className={styles['line']}>
    <p>
      {title !== undefined && <strong className={styles['title']}>{title}</strong>} {words}
    </p>
    {acts !== false && <div className={styles['acts']}>{acts}</div>}
  </div>
)

function GoOn({ why }: { readonly why: string | undefined }) {
  const { t } = useTranslation('sample')
  const { add } = useSampleActs()
  const { busy, run } = useAct()
  return (
    <Button size="small" icon="play" busy={busy} why={why} onPress={() => run(() => add().catch(toasts.problem))}>
      {t('goOn')}
    </Button>
  )
}

/** How far it is. Adding can be stopped; a removal goes on by itself. */
function GoingOn({ sample: { State: state, Done: done, Total: total } }: { readonly sample: Sample }) {
  const { t } = useTranslation('sample')
  const { stop } = useSampleActs()
  const { busy, error, run } = useAct()
  const label = t(state === 'Adding' ? 'adding' : 'removing')
  return (
    <div className={styles['going']}>
      <p className={styles['count']}>
        <strong className={styles['title']} role="status">
          {label}
        </strong>
        <span className="muted">{t('addingCount', { done, total })}</span>
      </p>
      <ProgressBar label={label} value={total === 0 ? null : (done / total) * 100} />
      {state === 'Adding' && (
        <div className={styles['acts']}>
          <Button size="small" icon="x" busy={busy} onPress={() => run(stop)}>
            {t('stop')}
          </Button>
        </div>
      )}
      {error !== null && <Problem error={error} title={t('stopFailed')} />}
    </div>
  )
}
