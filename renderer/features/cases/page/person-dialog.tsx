import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/contract.ts'
import { call, Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, useTakeCase } from '../queries.ts'
import { useCaseFields } from '../labels.ts'
import { Problem } from '../problem.tsx'
import { type Change, listsWith, type Member } from './access.ts'
import styles from './dialogs.module.css'
import { type Held, isHeld } from './level.tsx'
import { levelOptions } from './level-options.ts'

interface PersonDialogProps {
  readonly record: Case
  readonly member: Member
  readonly onClose: () => void
}

const ASSIGNED = 'Assigned'

/** What one of them may, until when, and whether they are assigned. Needs Manage (decisions 3). */
export function PersonDialog({ record, member, onClose }: PersonDialogProps) {
  const { t } = useTranslation('cases')
  const { label } = useCaseFields()
  const { zone } = useFormat()
  const change = useAccessChange(record, member)
  const [level, setLevel] = useState<Held | null>(isHeld(member.level) ? member.level : null)
  const [until, setUntil] = useState(member.until)
  const [assigned, setAssigned] = useState(member.role !== null)
  const { busy, error, run } = useAct()
  const save = (next: Change, said: string): void => run(() => change(next, said), onClose)
  const role = assigned ? (member.role ?? ASSIGNED) : null
  return (
    <Dialog
      title={member.name}
      lead={t('personLead', { ordinal: record.Ordinal })}
      onClose={onClose}
      keep
      actions={
        <>
          <Button
            kind="danger"
            busy={busy}
            onPress={() => save({ level: null, until: null, role: null }, t('personGone', { name: member.name }))}
          >
            {t('personRemove')}
          </Button>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            kind="main"
            busy={busy}
            onPress={() =>
              save({ level, until: level === 'Manage' ? null : until, role }, t('personSaved', { name: member.name }))
            }
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={styles['body']}>
        <RadioGroup label={t('level')} value={level} onChange={setLevel} options={levelOptions(t)} />
        {level !== null && level !== 'Manage' && (
          <DateTimeField
            label={t('accessUntil')}
            description={t('accessUntilHow')}
            zone={zone}
            value={until}
            onChange={setUntil}
          />
        )}
        {member.kind !== 'group' && (
          <Checkbox checked={assigned} onChange={setAssigned} description={t('assignedHow')}>
            {label('Personnel')}
          </Checkbox>
        )}
        {error !== null && <Problem error={error} title={t('notChangedAccess')} />}
      </div>
    </Dialog>
  )
}

/** Sends both lists whole; where somebody saved meanwhile, over what stands now. With a way back. */
function useAccessChange(record: Case, member: Member) {
  const { t } = useTranslation('cases')
  const { tenant } = useSession()
  const take = useTakeCase()
  const params = { tenantId: tenant, caseId: record.CaseId }
  const send = async (onto: Case, change: Change): Promise<Case> =>
    call(contract.patchCase, {
      params,
      body: { ...listsWith(onto, member, change), ConcurrencyId: onto.ConcurrencyId },
    })
  const run = async (change: Change): Promise<void> => {
    try {
      take(await send(record, change))
    } catch (failure) {
      if (!(failure instanceof Fault && failure.code === 'CaseNotUpToDate')) throw failure
      take(await send(await call(contract.getCase, { params, query: {} }), change))
    }
  }
  return async (change: Change, said: string): Promise<void> => {
    await run(change)
    const { level, until, role } = member
    const back = async (): Promise<void> => {
      const now = await call(contract.getCase, { params, query: {} })
      take(await send(now, { level, until, role }))
    }
    toasts.show({ text: said, undo: () => back().then(() => toasts.show({ text: t('undone') })) })
  }
}
