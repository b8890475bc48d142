import { useState } from 'react'
import * as contract from '../../../shared/disclosure/contract.ts'
import { LONGEST_REASON, RESTRICTIONS, type RestrictionKind } from '../../../shared/disclosure/kinds.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { RadioGroup } from '../../ui/field/radio-group.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { call, newKey } from '../api.ts'
import { useSession } from '../session.tsx'
import { useTranslation } from '../translate.ts'
import { useTextDraft } from '../use-text-draft.ts'
import { type Restriction, useDisclosuresChanged, useRestrictions } from './disclosure.ts'
import { Refusal } from './refusal.tsx'
import styles from './restrictions.module.css'

interface OfEvidence {
  readonly evidenceId: string
  /** Sealed is set and lifted with Manage. */
  readonly manages: boolean
}

/** What keeps an evidence from leaving the station, for those who can edit it; nothing where nothing does. */
export function RestrictionNotes({ evidenceId, manages }: OfEvidence) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const { data, error, refetch } = useRestrictions(evidenceId)
  const [lifting, setLifting] = useState<RestrictionKind | null>(null)
  if (data === undefined)
    return error === null ? null : (
      <Problem error={error} title={t('restrictionsNotRead')} onRetry={() => void refetch()} />
    )
  const standing = data.Items.filter(({ Lifted }) => Lifted === null)
  if (standing.length === 0) return null
  return (
    <div className={styles['notes']}>
      {standing.map((one) => (
        <Note
          key={one.Kind}
          state="sealed"
          title={t('restrictionTitle', { kind: t(one.Kind) })}
          action={
            (one.Kind !== 'sealed' || manages) && (
              <Button size="small" onPress={() => setLifting(one.Kind)}>
                {t('liftDots')}
              </Button>
            )
          }
        >
          {t('restrictionBy', {
            reason: visible(one.Reason),
            name: visible(one.SetBy.Username),
            time: format.instant(one.SetTimeUtc, { precision: 'minute', zone: true }),
          })}
        </Note>
      ))}
      {lifting !== null && <LiftDialog evidenceId={evidenceId} kind={lifting} onClose={() => setLifting(null)} />}
    </div>
  )
}

/** Sets one of the restrictions that it does not have yet. */
export function RestrictDialog({ evidenceId, manages, onClose }: OfEvidence & { readonly onClose: () => void }) {
  const { t } = useTranslation('disclosure')
  const { tenant } = useSession()
  const changed = useDisclosuresChanged()
  const { data } = useRestrictions(evidenceId)
  const [reason, setReason, forget] = useTextDraft(`restrict-${evidenceId}`)
  const [chosen, setChosen] = useState<RestrictionKind | null>(null)
  const has = new Set(data?.Items.filter(({ Lifted }) => Lifted === null).map(({ Kind }) => Kind))
  const whyNot = (kind: RestrictionKind): string | undefined => {
    if (has.has(kind)) return t('hasKind')
    return kind === 'sealed' && !manages ? t('needsManage') : undefined
  }
  const kind = chosen ?? RESTRICTIONS.find((one) => whyNot(one) === undefined) ?? null
  const restrict = async (): Promise<void> => {
    if (kind === null) return
    await call(contract.setRestriction, {
      params: { tenantId: tenant, evidenceId },
      body: { Kind: kind, Reason: reason.trim() },
      idempotencyKey: newKey(),
    })
    forget()
    toasts.show({ text: t('restrictedToast') })
  }
  return (
    <ActDialog
      title={t('restrictTitle')}
      lead={t('restrictLead')}
      act={t('restrict')}
      failed={t('notRestricted')}
      why={reason.trim() === '' ? t('reasonMissing') : undefined}
      problem={(error) => <Refusal error={error} title={t('notRestricted')} />}
      onAct={() => restrict().finally(changed)}
      onClose={onClose}
    >
      <RadioGroup
        label={t('whichKind')}
        value={kind}
        onChange={setChosen}
        options={RESTRICTIONS.map((id) => {
          const why = whyNot(id)
          return { id, label: t(id), description: why ?? t(`${id}-how`), why }
        })}
      />
      <ReasonField value={reason} onChange={setReason} />
    </ActDialog>
  )
}

interface LiftProps {
  readonly evidenceId: string
  readonly kind: Restriction['Kind']
  readonly onClose: () => void
}

function LiftDialog({ evidenceId, kind, onClose }: LiftProps) {
  const { t } = useTranslation('disclosure')
  const { tenant } = useSession()
  const changed = useDisclosuresChanged()
  const [reason, setReason, forget] = useTextDraft(`lift-${evidenceId}-${kind}`)
  const lift = async (): Promise<void> => {
    await call(contract.liftRestriction, {
      params: { tenantId: tenant, evidenceId },
      body: { Kind: kind, Reason: reason.trim() },
    })
    forget()
    toasts.show({ text: t('liftedToast') })
  }
  return (
    <ActDialog
      title={t('liftTitle', { kind: t(kind) })}
      lead={t('liftLead')}
      act={t('lift')}
      failed={t('notLifted')}
      why={reason.trim() === '' ? t('reasonMissing') : undefined}
      problem={(error) => <Refusal error={error} title={t('notLifted')} />}
      onAct={() => lift().finally(changed)}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} />
    </ActDialog>
  )
}

function ReasonField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { t } = useTranslation('disclosure')
  return (
    <TextArea
      label={t('reason')}
      description={t('reasonHow')}
      value={value}
      onChange={onChange}
      maxLength={LONGEST_REASON}
      required
      autoFocus
    />
  )
}
