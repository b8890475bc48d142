import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '../../../client/api.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { visible } from '../page/text/visible.ts'
import { type Named, PartDone } from './acts.ts'
import styles from './acts.module.css'

interface ActDialogProps {
  readonly title: string
  readonly lead?: string | undefined
  /** Verb and object. */
  readonly act: string
  /** What did not happen. */
  readonly failed: string
  readonly danger?: boolean | undefined
  /** Why it cannot be done yet. */
  readonly why?: string | undefined
  readonly targets: readonly Named[]
  /** What was selected and stays as it is, in words. */
  readonly leftOut?: string | undefined
  /** @throws PartDone, Fault */
  readonly onAct: (targets: readonly Named[]) => Promise<void>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A decision about evidence: its form stays with everything in it until the station has answered. What was refused may be tried again, what was done is not. */
export function ActDialog(props: ActDialogProps) {
  const { title, lead, act, failed, danger = false, why, targets, leftOut, onAct, onClose, children } = props
  const { t } = useTranslation('evidenceActs')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const [done, setDone] = useState<readonly Named[]>([])
  const left = targets.filter((target) => !done.includes(target))
  const run = (): void => {
    setBusy(true)
    setRefusal(null)
    onAct(left)
      .then(onClose, (failure: unknown) => {
        if (failure instanceof PartDone) setDone([...done, ...failure.done])
        setRefusal(failure instanceof PartDone ? failure.refusal : failure)
      })
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={onClose}
      keep
      actions={
        <>
          <Button onPress={onClose} {...(danger ? { autoFocus: true } : {})}>
            {t('cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'main'} busy={busy} why={why} onPress={run}>
            {act}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        {targets.length > 1 && <Names targets={targets} />}
        {leftOut !== undefined && <p className="muted">{leftOut}</p>}
        {children}
        {refusal !== null && <Refused refusal={refusal} title={failed} done={done.length} count={targets.length} />}
      </div>
    </Dialog>
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

/** What did not work, in its place: what is safe, what to do, an id to quote (guide, Errors). */
export function Refused({ refusal, title, done = 0, count = 0 }: RefusedProps) {
  const { t } = useTranslation('evidenceActs')
  const common = useTranslation('common')
  const id = refusal instanceof Fault ? refusal.headers['X-Correlation-Id'] : undefined
  const message =
    refusal instanceof TypeError ? common.t('offlineTitle') : refusal instanceof Error ? refusal.message : ''
  const details =
    refusal instanceof Fault ? refusal.details.map(({ Message }) => Message.replace(/\.?$/, '.')).join(' ') : ''
  return (
    <Note state="attention" title={title}>
      {[message, details, ...(done > 0 ? [t('partDone', { done, count })] : [])].filter(Boolean).join(' ')}{' '}
      {id !== undefined && common.t('errorId', { id })}
    </Note>
  )
}
