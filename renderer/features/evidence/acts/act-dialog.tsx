import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { ActDialog as Plain, type ActDialogProps as PlainProps } from '../../../ui/act/act-dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { asError } from '../../../ui/problem/as-error.ts'
import { Problem } from '../../../ui/problem/problem.tsx'
import { visible } from '../page/text/visible.ts'
import { type Named, PartDone } from './acts.ts'
import styles from './acts.module.css'

interface ActDialogProps extends Omit<PlainProps, 'check' | 'onAct' | 'problem'> {
  readonly targets: readonly Named[]
  /** What was selected and stays as it is, in words. */
  readonly leftOut?: string | undefined
  /** @throws PartDone, Fault */
  readonly onAct: (targets: readonly Named[]) => Promise<void>
}

/** A decision about evidence. What was refused may be tried again, what was done is not. */
export function ActDialog({ targets, leftOut, onAct, children, ...props }: ActDialogProps) {
  const [done, setDone] = useState<readonly Named[]>([])
  const act = async (): Promise<void> => {
    try {
      await onAct(targets.filter((target) => !done.includes(target)))
    } catch (failure) {
      if (!(failure instanceof PartDone)) throw failure
      setDone([...done, ...failure.done])
      throw failure.refusal
    }
  }
  return (
    <Plain
      {...props}
      onAct={act}
      problem={(error) => <Refused refusal={error} title={props.failed} done={done.length} count={targets.length} />}
    >
      {targets.length > 1 && <Names targets={targets} />}
      {leftOut !== undefined && <p className="muted">{leftOut}</p>}
      {children}
    </Plain>
  )
}

const NAMED = 4

function Names({ targets }: { readonly targets: readonly Named[] }) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const more = targets.length - NAMED
  return (
    <ul className={styles['names']}>
      {targets.slice(0, NAMED).map(({ EvidenceId, Name }) => (
        <li key={EvidenceId}>
          <bdi>{visible(Name)}</bdi> <span className="muted id">{EvidenceId}</span>
        </li>
      ))}
      {more > 0 && <li className="muted">{t('andMore', { count: more, shown: format.count(more) })}</li>}
    </ul>
  )
}

interface RefusedProps {
  readonly refusal: unknown
  readonly title: string
  readonly done?: number
  readonly count?: number
}

/** What did not work, and how many of them were done before it. */
export function Refused({ refusal, title, done = 0, count = 0 }: RefusedProps) {
  const { t } = useTranslation('evidenceActs')
  return (
    <Problem error={asError(refusal)} title={title}>
      {done > 0 ? t('partDone', { done, count }) : undefined}
    </Problem>
  )
}
