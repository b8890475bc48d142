import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/correlation/contract.ts'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './correlation.module.css'
import { useCaseRecord, useDecisions, useManages, usePair } from './queries.ts'
import { Explanation } from './explanation.tsx'

interface WhyProps {
  readonly caseId: string
  readonly evidenceId: string
  /** What it is called from where one looks: the recording in a case, the case of a recording. */
  readonly name: string
  readonly onClose: () => void
}

/** Why one recording is in one case, or why not; who may decide about the link decides here. */
export function WhyDialog({ caseId, evidenceId, name, onClose }: WhyProps) {
  const { t } = useTranslation('correlation')
  const { data: pair } = usePair(caseId, evidenceId)
  const { data: record } = useCaseRecord(caseId)
  const manages = useManages(evidenceId)
  const { confirm, refuse } = useDecisions(caseId, evidenceId)
  const { busy, error, run } = useAct()
  const [refusing, setRefusing] = useState(false)
  const [reason, setReason, forgetReason] = useTextDraft(`refuse-${caseId}-${evidenceId}`)
  const wrong = useTextProblem(contract.isReason, reason.trim(), t('reasonMissing'))
  const linked = pair?.State === 'Linked' || pair?.State === 'Confirmed'
  const may = manages && linked && record?.State === 'Open'
  const said = (text: string) => (): void => {
    toasts.show({ text })
    onClose()
  }
  return (
    <Dialog
      title={t('whyTitle', { name: visible(name) })}
      onClose={onClose}
      keep={reason.trim() !== ''}
      actions={
        refusing ? (
          <>
            <Button onPress={() => setRefusing(false)}>{t('back')}</Button>
            <Button
              kind="danger"
              busy={busy}
              why={wrong}
              onPress={() =>
                run(
                  () => refuse(reason.trim()),
                  () => {
                    forgetReason()
                    said(t('refused'))()
                  },
                )
              }
            >
              {t('refuseAct')}
            </Button>
          </>
        ) : (
          <>
            {may && <Button onPress={() => setRefusing(true)}>{t('refuse')}</Button>}
            {may && pair.State === 'Linked' ? (
              <Button kind="main" icon="check" busy={busy} onPress={() => run(confirm, said(t('confirmed')))}>
                {t('confirm')}
              </Button>
            ) : (
              <Button onPress={onClose}>{t('close')}</Button>
            )}
          </>
        )
      }
    >
      <div className={styles['explanation']}>
        <Explanation caseId={caseId} evidenceId={evidenceId} />
        {refusing && (
          <TextArea
            label={t('reason')}
            description={t('refuseHow')}
            rows={3}
            maxLength={contract.LONGEST_REASON}
            error={reason.trim() === '' ? undefined : wrong}
            required
            autoFocus
            value={reason}
            onChange={setReason}
          />
        )}
        {error !== null && <Problem error={error} title={t('notDone')} />}
      </div>
    </Dialog>
  )
}
