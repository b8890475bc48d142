import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as acts from '../../../../shared/cases/case-acts.contract.ts'
import { PrincipalChoice, principalLabel } from '../../../client/principal-choice.tsx'
import type { Principal } from '../../../client/principals.ts'
import { useSession } from '../../../client/session.tsx'
import { useTextDraft } from '../../../client/use-text-draft.ts'
import { bySchema, useTextProblem } from '../../../client/use-text-problem.ts'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, useCaseAct } from '../queries.ts'
import { holds } from '../rights.ts'
import { ActDialog } from './act-dialog.tsx'
import type { Held } from './level.tsx'
import { levelOptions } from './level-options.ts'

const LEVELS: readonly (string | null)[] = [null, 'View', 'Download', 'Edit', 'Manage']

/** Adds somebody or raises what they have; it never takes anything away (decisions 4). */
export function ShareDialog({ record, onClose }: { readonly record: Case; readonly onClose: () => void }) {
  const { t } = useTranslation('cases')
  const { t: ofUi } = useTranslation('uiLater')
  const { session } = useSession()
  const { zone } = useFormat()
  const act = useCaseAct(record.CaseId)
  const [who, setWho] = useState<Principal | null>(null)
  const [level, setLevel] = useState<Held>('View')
  const [until, setUntil] = useState<string | null>(null)
  const [message, setMessage, forgetMessage] = useTextDraft(`case-${record.CaseId}-share`)
  const wrong = useTextProblem(bySchema(acts.ShareCaseModel.shape.Message), message.trim(), undefined)
  const manage = holds(record, 'Manage')
  const most: Held = manage ? 'Manage' : holds(record, 'Download') ? 'Download' : 'View'
  const heldBy = (principal: Principal): string | null =>
    record.AccessPolicies.find(({ PrincipalId }) => PrincipalId === principal.PrincipalId)?.Permissions ?? null
  const barred = (principal: Principal): string | undefined => {
    if (principal.PrincipalId === session.User?.PrincipalId && !manage) return t('notToSelf')
    return heldBy(principal) === 'Manage' ? t('hasAlready') : undefined
  }
  const enough = who !== null && LEVELS.indexOf(heldBy(who)) >= LEVELS.indexOf(level) && until === null
  const share = async (): Promise<void> => {
    if (who === null) return
    await act(acts.shareCase, {
      body: {
        AccessPolicies: [
          {
            Permissions: level,
            PrincipalId: who.PrincipalId ?? '',
            KId: who.KId ?? '',
            PrincipalType: who.PrincipalType ?? 'user',
            Username: who.Username,
          },
        ],
        ...(until === null || level === 'Manage' ? {} : { ExpirationDateUtc: until }),
        ...(message.trim() === '' ? {} : { Message: message.trim() }),
      },
    })
    forgetMessage()
    toasts.show({ text: t('sharedToast', { name: principalLabel(who, ofUi) }) })
  }
  return (
    <ActDialog
      title={t('shareTitle', { ordinal: record.Ordinal })}
      lead={t(manage ? 'shareLead' : 'shareLeadMost')}
      act={t('share')}
      failed={t('notShared')}
      why={who === null ? t('principalMissing') : enough ? t('hasAlready') : wrong}
      onAct={share}
      onClose={onClose}
    >
      <PrincipalChoice label={t('principal')} value={who} onChange={setWho} barred={barred} />
      <RadioGroup label={t('level')} value={level} onChange={setLevel} options={levelOptions(t, most)} />
      {level !== 'Manage' && (
        <DateTimeField
          label={t('accessUntil')}
          description={t('accessUntilHow')}
          zone={zone}
          value={until}
          onChange={setUntil}
        />
      )}
      <TextArea
        label={t('message')}
        description={t('messageHow')}
        rows={2}
        value={message}
        onChange={setMessage}
        maxLength={acts.LONGEST_MESSAGE}
        error={wrong}
      />
    </ActDialog>
  )
}
