import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Refused } from '../acts/act-dialog.tsx'
import { useActs } from '../acts/acts.ts'
import { useMayAct } from '../acts/targets.ts'
import styles from '../acts/acts.module.css'

/** In the recycle bin nothing of an evidence is shown; who may, brings it back whole. */
export function DeletedEvidence({ evidenceId }: { readonly evidenceId: string }) {
  const { t } = useTranslation('evidenceActs')
  const list = useTranslation('evidenceList')
  const acts = useActs()
  const { restore: may } = useMayAct()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  const restore = (): void => {
    setBusy(true)
    setRefusal(null)
    acts
      .restore([{ EvidenceId: evidenceId, Name: evidenceId, DisplayName: evidenceId }])
      .then(
        () => toasts.show({ text: list.t('restoredToast', { count: 1, shown: '1', name: evidenceId }) }),
        setRefusal,
      )
      .finally(() => setBusy(false))
  }
  return (
    <>
      <h1 className="unseen">
        {list.t('title')} {evidenceId}
      </h1>
      <EmptyState
        title={t('deletedTitle')}
        action={
          <>
            {may && (
              <Button kind="main" icon="undo" busy={busy} onPress={restore}>
                {t('restoreEvidence')}
              </Button>
            )}
            <Link to="/evidence" search={{ bin: true }} className={styles['beside']}>
              {t('toBin')}
            </Link>
          </>
        }
      >
        {t(may ? 'deletedBody' : 'deletedBodyAsk')}
      </EmptyState>
      {refusal !== null && (
        <div className={styles['problem']}>
          <Refused refusal={refusal} title={t('notRestored')} />
        </div>
      )}
    </>
  )
}
