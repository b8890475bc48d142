import { useState } from 'react'
import * as contract from '../../../../shared/cases/case-tasks.contract.ts'
import { call, newKey } from '../../../client/api.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { personName } from '../../../client/principals.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Problem } from '../problem.tsx'
import { useNames } from '../people-names.tsx'
import type { Case } from '../queries.ts'
import { holds } from '../rights.ts'
import { dayIn, noonOf } from '../../../../shared/kernel/days.ts'
import { type Task, useRefreshWork, useWork } from './queries.ts'
import panel from '../page/history.module.css'
import styles from './work.module.css'

const TaskDialog = lazyOpened(async () => (await import('./task-dialog.tsx')).TaskDialog)

/** What is left to do on a case. Whoever may edit adds and changes tasks; everybody marks their own as done. */
export function TasksPanel({ record }: { readonly record: Case }) {
  const { t } = useTranslation('caseWork')
  const { data, error, refetch } = useWork(record.CaseId)
  const tasks = data?.Items
  const [editing, setEditing] = useState<Task | 'new' | null>(null)
  const [all, setAll] = useState(false)
  const open = record.State !== 'Closed'
  const may = open && holds(record, 'Edit')
  const left = tasks?.filter(({ Done }) => Done === null) ?? []
  const done = tasks?.filter(({ Done }) => Done !== null) ?? []
  const shown = all ? [...left, ...done] : left
  return (
    <section className={panel['panel']} aria-labelledby="case-tasks">
      <header className={styles['head']}>
        <h2 id="case-tasks" className={styles['title']}>
          {t('tasks')} {left.length > 0 && <span className={panel['count']}>{left.length}</span>}
        </h2>
        {may && <IconButton icon="plus" size="small" label={t('taskAdd')} onPress={() => setEditing('new')} />}
      </header>
      {tasks === undefined &&
        (error === null ? (
          <Skeleton lines={2} />
        ) : (
          <Problem error={error} title={t('taskNotRead')} onRetry={() => void refetch()} />
        ))}
      {tasks?.length === 0 && (
        <p className={panel['none']}>{t(may ? 'tasksNone' : open ? 'tasksNoneView' : 'tasksNoneClosed')}</p>
      )}
      {shown.length > 0 && (
        <ul className={styles['tasks']}>
          {shown.map((task) => (
            <TaskLine key={task.TaskId} record={record} task={task} onEdit={may ? () => setEditing(task) : null} />
          ))}
        </ul>
      )}
      {done.length > 0 && (
        <Button size="small" kind="quiet" onPress={() => setAll(!all)}>
          {all ? t('tasksHideDone') : t('tasksShowDone', { count: done.length })}
        </Button>
      )}
      {editing !== null && (
        <TaskDialog record={record} task={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </section>
  )
}

interface LineProps {
  readonly record: Case
  readonly task: Task
  /** Null where the person may not change it. */
  readonly onEdit: (() => void) | null
}

function TaskLine({ record, task, onEdit }: LineProps) {
  const { t } = useTranslation('caseWork')
  const { session, tenant } = useSession()
  const refresh = useRefreshWork(record.CaseId)
  const [busy, setBusy] = useState(false)
  const own = task.Assignee !== null && task.Assignee.PrincipalId === session.User?.PrincipalId
  const mayMark = record.State !== 'Closed' && (onEdit !== null || own)
  const title = visible(task.Title)
  const params = { tenantId: tenant, caseId: record.CaseId, taskId: task.TaskId }
  const mark = async (done: boolean, { ConcurrencyId }: Pick<Task, 'ConcurrencyId'>): Promise<Task> => {
    const { Title, DueDate, Assignee } = task
    const body = { Title, DueDate, AssigneeId: Assignee?.PrincipalId ?? null, Done: done, ConcurrencyId }
    const saved = await call(contract.updateCaseTask, { params, body })
    await refresh()
    return saved
  }
  const toggle = (done: boolean): void => {
    if (busy) return
    setBusy(true)
    mark(done, task)
      .then((saved) => {
        const undo = () => mark(!done, saved)
        if (done) toasts.show({ text: t('taskDoneToast', { title }), undo })
      }, toasts.problem)
      .finally(() => setBusy(false))
  }
  /** A task of its own with the same words: the deleted one stays deleted. */
  const addAgain = () => {
    const body = { Title: task.Title, DueDate: task.DueDate, AssigneeId: task.Assignee?.PrincipalId ?? null }
    return call(contract.createCaseTask, { params, body, idempotencyKey: newKey() }).then(refresh)
  }
  const remove = (): void =>
    void call(contract.deleteCaseTask, { params, query: { concurrencyId: task.ConcurrencyId } })
      .then(refresh)
      .then(() => toasts.show({ text: t('taskDeletedToast'), undo: addAgain }), toasts.problem)
  return (
    <li className={styles['task']} data-done={task.Done !== null || undefined}>
      {mayMark ? (
        <Checkbox label={t('taskCheck', { title })} checked={task.Done !== null} onChange={toggle} />
      ) : (
        <span aria-hidden="true" className={styles['dot']} />
      )}
      <span className={styles['what']}>
        {onEdit === null ? (
          <span className={styles['name']} dir="auto">
            {title}
          </span>
        ) : (
          <button
            type="button"
            className={styles['name']}
            aria-label={t('taskOpenOf', { title })}
            aria-haspopup="dialog"
            dir="auto"
            onClick={onEdit}
          >
            {title}
          </button>
        )}
        <TaskSecond task={task} own={own} />
      </span>
      {onEdit !== null && <IconButton icon="trash" size="small" label={t('taskDelete')} onPress={remove} />}
    </li>
  )
}

/** Whose it is and by when, or who has done it. */
function TaskSecond({ task, own }: { readonly task: Task; readonly own: boolean }) {
  const { t } = useTranslation('caseWork')
  const format = useFormat()
  const { people } = useNames()
  const doneBy = (username: string): string => {
    const known = [...people.values()].find((one) => one.Username === username)
    return visible(known === undefined ? username : personName(known))
  }
  if (task.Done !== null)
    return (
      <span className={styles['second']}>
        {t('taskDone', { name: doneBy(task.Done.By), time: format.instant(task.Done.AtUtc, { precision: 'minute' }) })}
      </span>
    )
  const who =
    task.Assignee === null
      ? t('taskForNobody')
      : own
        ? t('taskForMe')
        : t('taskFor', { name: visible(personName(task.Assignee)) })
  const today = dayIn(format.zone, Date.now())
  const due = task.DueDate
  const day = due === null ? '' : format.day(noonOf(due, format.zone), due.slice(0, 4) !== today.slice(0, 4))
  return (
    <span className={styles['second']}>
      <bdi>{who}</bdi>
      {due !== null && (
        <>
          {', '}
          <span className={due <= today ? styles['due'] : undefined}>
            {due === today ? t('taskDueToday') : t(due < today ? 'taskOverdue' : 'taskDueOn', { day })}
          </span>
        </>
      )}
    </span>
  )
}
