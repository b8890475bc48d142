import { useState } from 'react'
import * as contract from '../../../../shared/cases/case-tasks.contract.ts'
import { LONGEST_TASK } from '../../../../shared/cases/tasks.ts'
import { call, newKey } from '../../../client/api.ts'
import { PrincipalChoice } from '../../../client/principal-choice.tsx'
import { personName, type Principal } from '../../../client/principals.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useTextDraft } from '../../../client/use-text-draft.ts'
import { Button } from '../../../ui/button/button.tsx'
import { DateTimeField } from '../../../ui/date-time/date-time.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from '../page/act-dialog.tsx'
import type { Case } from '../queries.ts'
import { dayIn, noonOf } from '../../../../shared/kernel/days.ts'
import { type Person, type Task, useRefreshWork } from './queries.ts'
import styles from './work.module.css'

interface Props {
  readonly record: Case
  /** Null: a new one. */
  readonly task: Task | null
  readonly onClose: () => void
}

const asPrincipal = (person: Person): Principal => ({
  PrincipalId: person.PrincipalId,
  KId: null,
  Name: personName(person),
  Username: person.Username,
  FirstName: person.FirstName,
  LastName: person.LastName,
  PrincipalType: 'user',
  Badge: '',
  Guest: false,
})

/** What is to be done, by which day, and by whom. */
export function TaskDialog({ record, task, onClose }: Props) {
  const { t } = useTranslation('caseWork')
  const { tenant, session } = useSession()
  const { zone } = useFormat()
  const refresh = useRefreshWork(record.CaseId)
  const [typed, setTyped, forget] = useTextDraft(`case-${record.CaseId}-task-${task?.TaskId ?? 'new'}`)
  const [title, setTitle] = useState(typed === '' ? (task?.Title ?? '') : typed)
  const [due, setDue] = useState(
    task?.DueDate === undefined || task.DueDate === null ? null : noonOf(task.DueDate, zone),
  )
  const [who, setWho] = useState<Principal | null>(task?.Assignee ? asPrincipal(task.Assignee) : null)
  const barred = ({ PrincipalType }: Principal): string | undefined =>
    PrincipalType === 'user' ? undefined : t('taskNotAPerson')
  const place = { tenantId: tenant, caseId: record.CaseId }
  const save = async (): Promise<void> => {
    const body = {
      Title: title.trim(),
      DueDate: due === null ? null : dayIn(zone, due),
      AssigneeId: who?.PrincipalId ?? null,
    }
    if (task === null) await call(contract.createCaseTask, { params: place, body, idempotencyKey: newKey() })
    else
      await call(contract.updateCaseTask, {
        params: { ...place, taskId: task.TaskId },
        body: { ...body, Done: task.Done !== null, ConcurrencyId: task.ConcurrencyId },
      })
    forget()
    await refresh()
    toasts.show({ text: t(task === null ? 'taskAddedToast' : 'taskSavedToast') })
  }
  const me = session.User
  return (
    <ActDialog
      title={t(task === null ? 'taskAdd' : 'taskChange')}
      act={t(task === null ? 'taskAdd' : 'save')}
      failed={t('taskNotSaved')}
      why={title.trim() === '' ? t('taskTitleMissing') : undefined}
      onAct={save}
      onClose={onClose}
    >
      <TextArea
        label={t('taskTitle')}
        value={title}
        onChange={(next) => {
          setTitle(next)
          setTyped(next)
        }}
        rows={2}
        maxLength={LONGEST_TASK}
        required
        autoFocus
      />
      <DateTimeField
        label={t('taskDue')}
        description={t('taskDueHow')}
        zone={zone}
        precision="day"
        value={due}
        onChange={setDue}
      />
      <div className={styles['who']}>
        <PrincipalChoice
          key={who?.PrincipalId ?? ''}
          label={t('taskAssignee')}
          description={t('taskAssigneeHow')}
          optional
          value={who}
          onChange={setWho}
          barred={barred}
        />
        {me !== null && who?.PrincipalId !== me.PrincipalId && (
          <Button size="small" kind="quiet" onPress={() => setWho(asPrincipal(me))}>
            {t('taskToMe')}
          </Button>
        )}
      </div>
    </ActDialog>
  )
}
