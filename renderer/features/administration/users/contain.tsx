/** Containing an account: what will happen and what will not, the reason, and what was ended. */
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/identity/users.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { bySchema, useTextProblem } from '../../../client/use-text-problem.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { useRefresh } from '../queries.ts'
import styles from '../people.module.css'
import type { User } from '../people-queries.ts'
import type { Words } from '../labels.ts'
import { listName } from './user-labels.tsx'

export type Ended = z.output<typeof contract.ContainedUserModel>['Ended']

interface Props {
  readonly user: User
  readonly onContained: (ended: Ended) => void
  readonly onClose: () => void
}

export function ContainDialog({ user, onContained, onClose }: Props) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [reason, setReason] = useState('')
  const given = reason.trim()
  const wrong = useTextProblem(bySchema(contract.ContainUserModel.shape.Reason), given, t('containReasonNeeded'))
  const contain = async (): Promise<void> => {
    const { Ended } = await call(contract.containUser, {
      params: { tenantId: tenant, userId: user.PrincipalId },
      body: { Reason: given },
    })
    refresh('principals')
    refresh('session')
    onContained(Ended)
  }
  return (
    <ActDialog
      title={t('containTitle', { name: listName(user) })}
      lead={t('containLead')}
      act={t('contain')}
      failed={t('notDone')}
      danger
      why={wrong}
      onAct={contain}
      onClose={onClose}
    >
      <p>{t('containEnds')}</p>
      <ul className={styles['points']}>
        <li>{t('containSignIn')}</li>
        <li>{t('containOpen')}</li>
        <li>{t('containUploads')}</li>
        <li>{t('containCases')}</li>
      </ul>
      <p>{t('containStays')}</p>
      <TextField
        label={t('containReason')}
        required
        value={reason}
        onChange={setReason}
        description={t('containReasonHow')}
        maxLength={contract.LONGEST_CONTAIN_REASON}
        error={given === '' ? undefined : wrong}
      />
    </ActDialog>
  )
}

export function ContainedDialog({
  user,
  ended,
  onClose,
}: {
  readonly user: User
  readonly ended: Ended
  readonly onClose: () => void
}) {
  const { t } = useTranslation('administration')
  return (
    <Dialog
      title={t('containedTitle', { name: listName(user) })}
      lead={t('containedLead')}
      onClose={onClose}
      actions={
        <Button kind="main" autoFocus onPress={onClose}>
          {t('containedClose')}
        </Button>
      }
    >
      <ul className={styles['points']}>
        {endedLines(ended, t).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Dialog>
  )
}

/** What there was nothing of is said too: nobody has to wonder whether it was looked for. */
const endedLines = (ended: Ended, t: Words): string[] => [
  t(ended.Disabled ? 'containedDisabled' : 'containedWasDisabled'),
  t('containedSessions', { count: ended.Sessions }),
  t('containedPrograms', { count: ended.Programs }),
  t(ended.Password ? 'containedPassword' : 'containedNoPassword'),
  t('containedPasskeys', { count: ended.Passkeys }),
  t(ended.SecondStep ? 'containedStep' : 'containedNoStep'),
  t('containedUploads', { count: ended.Uploads }),
  t('containedCases', { count: ended.CasesHandedOver }),
]
