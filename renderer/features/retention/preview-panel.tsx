import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import * as contract from '../../../shared/retention/disposition.contract.ts'
import { call, Fault } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { Button, TextButton } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { asError } from '../../ui/problem/as-error.ts'
import { StateShape } from '../../ui/state/state.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { type Item, type Preview, type Stay, usePreview, useRefresh } from './queries.ts'
import { SidePane } from '../../ui/layout/two-pane.tsx'
import styles from './disposition.module.css'
import { KeepDialog, LookedDialog } from './keep-dialog.tsx'
import { Problem } from './problem.tsx'
import { approversOf, Provenance } from './provenance.tsx'
import { holdWords, WHY_NOT, type Words, worstHold } from './labels.ts'

interface PanelProps {
  /** In the order of the list. */
  readonly items: readonly Item[]
  readonly onDone: () => void
}

/** What goes, what stays and why, before anything is approved; the reason; the act. */
export function PreviewPanel({ items, onDone }: PanelProps) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const ids = items.map(({ ItemId }) => ItemId)
  const { data, error, refetch } = usePreview(items)
  if (items.length === 0)
    return (
      <SidePane label={t('nothingSelectedTitle')}>
        <div className={styles['teach']}>
          <EmptyState title={t('nothingSelectedTitle')}>{t('nothingSelectedBody')}</EmptyState>
        </div>
      </SidePane>
    )
  const waits = items.every(({ Stage }) => Stage === 'Waiting')
  const title = t(waits ? 'ifApproved' : 'ifGoes', { count: items.length })
  return (
    <SidePane label={title}>
      <header className={styles['panelHead']}>
        <h2 className={styles['panelTitle']}>{title}</h2>
        <span className={styles['time']} aria-live="polite">
          {data === undefined ? t('previewing') : t('previewOf', { time: format.timeOfDay(data.TimeUtc) })}
        </span>
      </header>
      {error !== null && (
        <div className={styles['section']}>
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && (
        <Decision key={ids.join()} {...{ items, waits, onDone }} preview={data} onOutdated={() => void refetch()} />
      )}
    </SidePane>
  )
}

interface DecisionProps extends PanelProps {
  readonly preview: Preview
  readonly waits: boolean
  readonly onOutdated: () => void
}

function Decision({ items, preview, waits, onDone, onOutdated }: DecisionProps) {
  const { t } = useTranslation('disposition')
  const [reason, setReason, forgetReason] = useTextDraft(`dispose-${items.map(({ ItemId }) => ItemId).join(',')}`)
  const [keeping, setKeeping] = useState(false)
  const [looking, setLooking] = useState<Stay | null>(null)
  const approving = useApproving({
    items,
    preview,
    reason,
    onDone: () => {
      forgetReason()
      onDone()
    },
    onOutdated,
  })
  const may = waits && preview.WhyNot === null && preview.Goes.Evidence > 0
  const second = items.every(({ Approvals }) => Approvals.length === 1)
  return (
    <>
      <div className={styles['scroll']} tabIndex={-1}>
        <Figures preview={preview} />
        {preview.Stays.Evidence > 0 && <Stays preview={preview} onLooked={setLooking} />}
        <section className={styles['section']}>
          <h3 className={styles['sectionTitle']}>{t('keptForEver')}</h3>
          <p className={styles['second']}>{t('keptForEverBody')}</p>
        </section>
        {waits && <Provenance approvers={approversOf(items)} />}
        <div className={styles['decide']}>
          {waits && <May preview={preview} second={second} />}
          {approving.outdated && (
            <Note state="attention" title={t('outdatedTitle')}>
              {t('outdatedBody')}
            </Note>
          )}
          {may && (
            <TextArea
              label={t('reason')}
              rows={3}
              maxLength={contract.LONGEST_REASON}
              required
              value={reason}
              onChange={setReason}
              error={approving.tried ? approving.wrong : undefined}
            />
          )}
          {approving.error !== null && <Problem error={approving.error} title={t('notApproved')} />}
        </div>
      </div>
      <footer className={styles['foot']}>
        <Button onPress={() => setKeeping(true)}>{t('keep')}</Button>
        {may && (
          <Button kind="danger" busy={approving.busy} onPress={approving.run}>
            {t(second ? 'approveSecond' : 'approveFirst')}
          </Button>
        )}
      </footer>
      {keeping && <KeepDialog items={items} onKept={onDone} onClose={() => setKeeping(false)} />}
      {looking !== null && <LookedDialog stay={looking} onSettled={onOutdated} onClose={() => setLooking(null)} />}
    </>
  )
}

/** The station makes the preview again before it acts; where that is another one nothing is approved, and it is shown anew. */
function useApproving({
  items,
  preview,
  reason,
  onDone,
  onOutdated,
}: Pick<DecisionProps, 'items' | 'preview' | 'onDone' | 'onOutdated'> & { readonly reason: string }) {
  const { t } = useTranslation('disposition')
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefresh()
  const wrong = useTextProblem(contract.isReason, reason.trim(), t('reasonMissing'))
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [outdated, setOutdated] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const approve = async (): Promise<void> => {
    const approved = await call(contract.approveDisposition, {
      params: { tenantName: tenant },
      body: { Items: items.map(({ ItemId }) => ItemId), Reason: reason.trim(), PreviewId: preview.PreviewId },
    })
    const until = approved[0]?.UntilUtc ?? null
    toasts.show({ text: until === null ? t('approvedFirst') : t('approvedSecond', { day: format.day(until) }) })
    refresh()
    onDone()
  }
  const run = (): void => {
    setTried(true)
    if (busy || wrong !== undefined) return
    setBusy(true)
    setError(null)
    setOutdated(false)
    approve()
      .catch((failure: unknown) => {
        if (failure instanceof Fault && failure.code === 'PreviewOutdated') {
          setOutdated(true)
          onOutdated()
        } else setError(asError(failure))
      })
      .finally(() => setBusy(false))
  }
  return { run, busy, tried, wrong, outdated, error }
}

function Figures({ preview: { Goes, Stays: stays } }: { readonly preview: Preview }) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  return (
    <div className={styles['figures']}>
      <div>
        <b>{format.count(Goes.Files)}</b>
        <strong>{t('filesDestroyed', { count: Goes.Files })}</strong>
        <small>{t('goesOn', { size: format.bytes(Goes.Bytes), day: format.day(Goes.EarliestUtc) })}</small>
      </div>
      <div>
        <b>{format.count(stays.Files)}</b>
        <strong>{t('filesStay', { count: stays.Files })}</strong>
        <small>{stays.Evidence === 0 ? t('staysNone') : t('staysBelow', { size: format.bytes(stays.Bytes) })}</small>
      </div>
    </div>
  )
}

function Stays({ preview, onLooked }: { readonly preview: Preview; readonly onLooked: (stay: Stay) => void }) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const { Items: shown, Evidence: all } = preview.Stays
  return (
    <section className={styles['section']}>
      <h3 className={styles['sectionTitle']}>{t('whatStays')}</h3>
      <ul className={styles['stays']}>
        {shown.map((stay) => (
          <li key={stay.EvidenceId}>
            <StateShape state={worstHold(stay)} />
            <span className={styles['why']}>
              <bdi>{visible(stay.Name)}</bdi>
              <small>{reasonsOf(stay, t, format)}</small>
              {stay.Holds.some(({ Code }) => Code === 'LinkWithdrawn') && (
                <TextButton label={`${t('looked')}: ${visible(stay.Name)}`} onPress={() => onLooked(stay)}>
                  {t('looked')}
                </TextButton>
              )}
            </span>
            <span className={styles['size']}>{format.bytes(stay.Bytes)}</span>
          </li>
        ))}
      </ul>
      {all > shown.length && (
        <p className="muted">{t('moreStay', { count: all - shown.length, shown: format.count(all - shown.length) })}</p>
      )}
    </section>
  )
}

const reasonsOf = ({ Holds }: Stay, t: Words, format: Format): string =>
  Holds.map((hold) => holdWords(hold, t, format)).join('; ')

/** Whether the person may, and if not why. */
function May({ preview: { WhyNot, Goes }, second }: { readonly preview: Preview; readonly second: boolean }) {
  const { t } = useTranslation('disposition')
  if (Goes.Evidence === 0) return <Note title={t('whyNothing')} />
  if (WhyNot === null)
    return (
      <Note state="ok" title={t('mayTitle')}>
        {t(second ? 'maySecond' : 'mayFirst')}
      </Note>
    )
  return WhyNot === 'NotWaiting' ? null : (
    <Note state="waiting" title={t('mayNotTitle')}>
      {t(WHY_NOT[WhyNot])}
    </Note>
  )
}
