import { useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { ActDialog as Plain, type ActDialogProps as PlainProps } from '../../../ui/act/act-dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { Problem } from '../../../ui/problem/problem.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import { visible } from '../page/text/visible.ts'
import { type Course, type Failed, PartDone, Stopped } from './course.ts'
import type { Named } from './targets.ts'
import styles from './acts.module.css'

interface ActDialogProps extends Omit<PlainProps, 'onAct' | 'problem'> {
  readonly targets: readonly Named[]
  /** What was selected and stays as it is, in words. */
  readonly leftOut?: string | undefined
  /** @param course how far it is, and whether it goes on  @throws PartDone, Fault */
  readonly onAct: (targets: readonly Named[], course: Course) => Promise<void>
}

/** From so many on the dialog says how far it is, and may be stopped. */
const MANY = 10

/** A decision about evidence. What was refused may be tried again, what was done is not. */
export function ActDialog({ targets, leftOut, onAct, onClose, children, ...props }: ActDialogProps) {
  const { t } = useTranslation('evidenceActs')
  const [done, setDone] = useState<readonly Named[]>([])
  const [failed, setFailed] = useState<readonly Failed[]>([])
  /** Of the act that runs; null while none does. */
  const [count, setCount] = useState<number | null>(null)
  const stopped = useRef(false)
  const act = async (): Promise<void> => {
    stopped.current = false
    setCount(0)
    setFailed([])
    try {
      const course = { onDone: setCount, isStopped: () => stopped.current }
      await onAct(
        targets.filter((target) => !done.includes(target)),
        course,
      )
    } catch (failure) {
      if (!(failure instanceof PartDone)) throw failure
      setDone([...done, ...failure.done])
      setFailed(failure.failed)
      throw failure.refusal
    } finally {
      setCount(null)
    }
  }
  const stop = (): void => {
    stopped.current = true
  }
  return (
    <Plain
      {...props}
      act={failed.length > 0 ? t('actAgain') : props.act}
      onAct={act}
      onClose={() => {
        // Nothing goes on behind a dialog that was closed.
        stop()
        onClose()
      }}
      problem={(error) => (
        <Refused refusal={error} title={props.failed} failed={failed} done={done.length} count={targets.length} />
      )}
    >
      {targets.length > 1 && <Names targets={targets} />}
      {leftOut !== undefined && <p className="muted">{leftOut}</p>}
      {children}
      {count !== null && targets.length >= MANY && (
        <HowFar done={done.length + count} of={targets.length} onStop={stop} />
      )}
    </Plain>
  )
}

interface HowFarProps {
  readonly done: number
  readonly of: number
  readonly onStop: () => void
}

/** Progress of an act on many, with the way to stop it. */
export function HowFar({ done, of, onStop }: HowFarProps) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const words = t('howFar', { done: format.count(done), count: of, shown: format.count(of) })
  return (
    <div className={styles['howFar']}>
      <ProgressBar label={words} value={(100 * done) / of} />
      <span className="muted">{words}</span>
      <Button size="small" onPress={onStop}>
        {t('stop')}
      </Button>
    </div>
  )
}

const NAMED = 4

function Names({ targets }: { readonly targets: readonly Named[] }) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const more = targets.length - NAMED
  return (
    <ul className={styles['names']}>
      {targets.slice(0, NAMED).map(({ EvidenceId, DisplayName }) => (
        <li key={EvidenceId}>
          <bdi>{visible(DisplayName)}</bdi> <span className="muted id">{EvidenceId}</span>
        </li>
      ))}
      {more > 0 && <li className="muted">{t('andMore', { count: more, shown: format.count(more) })}</li>}
    </ul>
  )
}

/** Of very many that failed so many by name: they fail for the same reason. */
const MOST_FAILED = 20

/** Each that failed by its name, with why. */
function FailedOnes({ failed }: { readonly failed: readonly Failed[] }) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const more = failed.length - MOST_FAILED
  return (
    <ul className={styles['failed']} aria-label={t('failedOnes')} tabIndex={0}>
      {failed.slice(0, MOST_FAILED).map(({ target: { EvidenceId, DisplayName }, refusal }) => (
        <li key={EvidenceId}>
          <bdi>{visible(DisplayName)}</bdi> <span className="muted id">{EvidenceId}</span>{' '}
          <span className={styles['reason']}>{asError(refusal).message}</span>
        </li>
      ))}
      {more > 0 && <li className="muted">{t('andMore', { count: more, shown: format.count(more) })}</li>}
    </ul>
  )
}

interface RefusedProps {
  readonly refusal: unknown
  readonly title: string
  readonly failed?: readonly Failed[]
  readonly done?: number
  readonly count?: number
}

/** What did not work, and how many of them were done before it. */
export function Refused({ refusal, title, failed = [], done = 0, count = 0 }: RefusedProps) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  if (refusal instanceof Stopped)
    return (
      <Note title={t('stoppedTitle')}>
        {t('stoppedBody', { done: format.count(done), count, shown: format.count(count) })}
      </Note>
    )
  if (failed.length > 0 && count > 1 && !(refusal instanceof TypeError))
    return (
      <Note
        state="attention"
        title={t('failedTitle', { count: failed.length, shown: format.count(failed.length), of: format.count(count) })}
      >
        {done === 0 ? t('failedNone') : t('failedBody', { count: done, done: format.count(done) })}
        <FailedOnes failed={failed} />
      </Note>
    )
  return (
    <Problem error={asError(refusal)} title={title}>
      {done > 0 ? t('partDone', { done, count }) : undefined}
    </Problem>
  )
}
