import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useActs } from '../acts/acts.ts'
import styles from '../acts/acts.module.css'
import { Hash } from '../../../ui/hash/hash.tsx'
import type { Evidence, Resource } from './queries.ts'
import { visible } from './text/visible.ts'

/** What must be known before anything else: protected, or left unfinished. */
export function EvidenceStanding({
  evidence,
  resources,
}: {
  readonly evidence: Evidence
  readonly resources: readonly Resource[]
}) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const acts = useActs()
  const [busy, setBusy] = useState(false)
  const sealed = evidence.LifecycleState === 'Protected'
  const differing = resources.filter(({ CameraSha256 }) => CameraSha256 !== null)
  if (!sealed && !evidence.Unfinished && differing.length === 0) return null
  const complete = (): void => {
    setBusy(true)
    acts
      .complete(evidence)
      .then(() => toasts.show({ text: t('completedToast') }), toasts.problem)
      .finally(() => setBusy(false))
  }
  return (
    <div className={styles['notes']}>
      {differing.map((one) => (
        <Note key={one.ResourceId} state="attention" title={t('differsTitle', { name: visible(one.Name) })}>
          {t('differsBody')}
          <dl className={styles['hashes']}>
            <dt>{t('differsCamera')}</dt>
            <dd>
              <Hash value={one.CameraSha256 ?? ''} of={t('differsCamera')} />
            </dd>
            <dt>{t('differsStation')}</dt>
            <dd>
              <Hash value={one.Sha256 ?? ''} of={t('differsStation')} />
            </dd>
          </dl>
        </Note>
      ))}
      {sealed && (
        <Note
          state="sealed"
          title={
            evidence.ProtectedUntil === null
              ? t('sealedTitle')
              : t('sealedTitleUntil', { day: format.instant(evidence.ProtectedUntil, { precision: 'minute' }) })
          }
        >
          {t('sealedBody')}
        </Note>
      )}
      {evidence.Unfinished && (
        <Note
          state="attention"
          title={t('unfinishedTitle')}
          action={
            evidence.AccessorPermissions.includes('Edit') && (
              <Button size="small" icon="check" busy={busy} onPress={complete}>
                {t('complete')}
              </Button>
            )
          }
        >
          {t('unfinishedBody')}
        </Note>
      )}
    </div>
  )
}
