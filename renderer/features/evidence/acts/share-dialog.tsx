import { useState } from 'react'
import { PrincipalChoice, principalLabel } from '../../../client/principal-choice.tsx'
import type { Principal } from '../../../client/principals.ts'
import { useTranslation } from '../../../client/translate.ts'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { ActDialog } from './act-dialog.tsx'
import { type Share, shareChange } from './changes.ts'
import type { Course } from './course.ts'
import type { ActDialogOf } from './protect-dialog.tsx'
import { type Named, toastOf } from './targets.ts'
import { useChangeMany } from './use-change-many.ts'

/** Gives somebody the evidence itself (interfaces.md 2.4, its own access policies); what its cases give stays as it is. */
export function ShareDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const { t: ui } = useTranslation('uiLater')
  const format = useFormat()
  const changeMany = useChangeMany()
  const [who, setWho] = useState<Principal | null>(null)
  const [level, setLevel] = useState<Share['level']>('View')
  const [until, setUntil] = useState<string | null>(null)
  const by = shareChange({ principalId: who?.PrincipalId ?? '', level, until: level === 'Manage' ? null : until })
  const differs = targets.some((target) => by.patchOf(target) !== null)
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    if (who === null) return
    const rest = targets.filter((target) => left.includes(target))
    const said = (changed: readonly Named[]): string =>
      t('sharedToast', { ...toastOf(changed, format.count), principal: principalLabel(who, ui) })
    await changeMany(rest, by, said, course)
    onDone?.()
  }
  return (
    <ActDialog
      title={t('shareTitle', toastOf(targets, format.count))}
      lead={t('shareLead')}
      act={t('shareAct')}
      failed={t('notShared')}
      why={who === null ? t('sharePrincipalMissing') : differs ? undefined : t('shareSame')}
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      <PrincipalChoice label={t('sharePrincipal')} value={who} onChange={setWho} autoFocus />
      <RadioGroup
        label={t('shareLevel')}
        value={level}
        onChange={setLevel}
        options={[
          { id: 'View', label: t('shareView'), description: t('shareViewHow') },
          { id: 'Download', label: t('shareDownload'), description: t('shareDownloadHow') },
          { id: 'Edit', label: t('shareEdit'), description: t('shareEditHow') },
          { id: 'Manage', label: t('shareManage'), description: t('shareManageHow') },
        ]}
      />
      {level !== 'Manage' && (
        <DateTimeField
          label={t('shareUntil')}
          description={t('shareUntilHow')}
          zone={format.zone}
          value={until}
          onChange={setUntil}
        />
      )}
      <p className="muted">{t('shareCase')}</p>
    </ActDialog>
  )
}
