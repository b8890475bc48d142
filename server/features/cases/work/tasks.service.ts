import type { z } from 'zod'
import type {
  CreateTaskModel,
  listOwnTasks,
  TaskModel,
  UpdateTaskModel,
} from '../../../../shared/cases/case-tasks.contract.ts'
import { MOST_OWN_TASKS, MOST_TASKS } from '../../../../shared/cases/tasks.ts'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { PersonNameOut } from '../../../../shared/kernel/people.contract.ts'
import { includes, type SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import { INTERNAL, type Principal } from '../../../../shared/kernel/principal.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Access } from '../../../kernel/access/access.ts'
import { namesOfUsers } from '../../../kernel/access/people.store.ts'
import { levelBesideSharing } from '../../../kernel/access/guests.ts'
import { authoredModel, changedBy, newAuthored } from '../../../kernel/annotations/authored.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Notices } from '../../../kernel/events/notices.ts'
import { principalThen } from '../../../kernel/evidence/objects.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Versions } from '../../../kernel/versions/versions.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { requireLevel } from '../cases.access.ts'
import { type CaseCore, caseObject } from '../case-aggregate.ts'
import type { CaseRow } from '../cases.store.ts'
import { ordinalOf } from '../cases.models.ts'
import type { Author } from '../history.ts'
import { activeUser, peopleById, personModel } from './people.store.ts'
import * as rows from './tasks.store.ts'
import type { TaskRow } from './tasks.store.ts'

type TaskOut = z.input<typeof TaskModel>
type OwnTasksOut = z.input<(typeof listOwnTasks)['responses'][200]>
type Created = z.output<typeof CreateTaskModel>
type Updated = z.output<typeof UpdateTaskModel>

/** Tasks on cases (decisions 32). Every change is judged in its transaction, and makes a version and a ledger entry. */
export interface CaseTasks {
  list(call: HttpCall, caseId: string): Promise<{ row: CaseRow; tasks: TaskOut[]; people: PersonNameOut[] }>
  /** @throws Fault Forbidden, CannotUpdateClosedCase, UnableToLoadUser, TooManyTasks */
  add(call: HttpCall, caseId: string, given: Created): Promise<TaskOut>
  /** @throws Fault Forbidden, CannotUpdateClosedCase, UnableToLoadUser, TaskNotFound, ConcurrentWritingError */
  change(call: HttpCall, caseId: string, taskId: string, given: Updated): Promise<TaskOut>
  /** @returns the task as it was. @throws Fault as `change` */
  remove(call: HttpCall, caseId: string, taskId: string, concurrencyId: string | null): Promise<TaskOut>
  /** Of the caller. */
  own(call: HttpCall): Promise<OwnTasksOut>
  /** How many open tasks the caller has. */
  countOwn(call: HttpCall, tenant: string): Promise<{ readonly count: number; readonly more: boolean }>
  /** Gives the open tasks that somebody has in a case to another person. @returns how many */
  reassign(tx: Tx, call: Call, row: CaseRow, from: number, to: number): Promise<number>
  /** Tells people of tasks that are due on this day of the station, or were before. */
  remind(day: string): Promise<void>
  /** For a route that judges before its body is read. @throws Fault Forbidden, CannotUpdateClosedCase */
  judgeAdding(call: HttpCall, caseId: string): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly core: CaseCore
  readonly access: Access
  readonly ledger: Ledger
  readonly versions: Versions
  readonly notices: Notices
  readonly clock: Clock
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

/** Reminders in one transaction. */
const AT_ONCE = 100

export function createCaseTasks(deps: Deps): CaseTasks {
  const { db, core, access, clock } = deps
  const found = async (from: Tx, row: CaseRow, id: string): Promise<TaskRow> => {
    const task = await rows.taskOfCase(from, row.case_id, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (task === undefined || task.deleted_utc !== null || String(task.task_id) !== id)
      throw fault('TaskNotFound', `There is no task ${id} on this case.`)
    return task
  }
  const models = async (from: Tx, tenant: string, tasks: readonly TaskRow[]): Promise<TaskOut[]> => {
    const people = await peopleById(
      from,
      tenant,
      tasks.map((task) => task.assignee_id),
    )
    return tasks.map((task) => taskModel(task, people))
  }
  const one = async (from: Tx, tenant: string, task: TaskRow): Promise<TaskOut> =>
    (await models(from, tenant, [task]))[0] as TaskOut
  const writable = async (from: Tx, call: HttpCall, caseId: string): Promise<CaseRow> => {
    const row = await core.live(from, call, call.tenant, caseId)
    await core.require(from, call, row, 'Edit')
    refuseClosed(row)
    return row
  }

  return {
    list: async (call, caseId) => {
      const row = await core.live(db.read, call, call.tenant, caseId)
      const level = await core.levelOf(db.read, call, row)
      requireLevel(level, 'View')
      const tasks = await models(db.read, call.tenant, await rows.tasksOfCase(db.read, row.case_id))
      // Whom the history alone names is told to those who may read it (CaseService.history).
      const history =
        includes(level, 'Manage') && (await deps.isInPolicy(call.principal?.id ?? '0', 'AccessAuditTrail'))
      const people = await namesOfUsers(db.read, [
        ...(await rows.namedOnCase(db.read, row.case_id, { history })),
        ...[row.created_by, row.modified_by].map((author) => (JSON.parse(author) as Author).PrincipalId),
        ...tasks.flatMap(({ Author, ModifiedBy }) => [Author.PrincipalId, ModifiedBy.PrincipalId]),
      ])
      return { row, tasks, people }
    },

    judgeAdding: async (call, caseId) => void (await writable(db.read, call, caseId)),

    add: (call, caseId, given) =>
      db.transaction(async (tx) => {
        const row = await writable(tx, call, caseId)
        if ((await rows.countTasks(tx, row.case_id)) >= MOST_TASKS)
          throw fault('TooManyTasks', `A case has at most ${MOST_TASKS} tasks. Delete some that are done.`)
        const assignee = await assigneeOf(deps, tx, call, row, given.AssigneeId ?? null)
        const id = await rows.insertTask(tx, {
          case_id: row.case_id,
          title: given.Title,
          due_date: given.DueDate ?? null,
          assignee_id: assignee,
          done_utc: null,
          done_by: null,
          reminded_date: null,
          ...newAuthored(call.actor, isoMillis(clock.now())),
        })
        const task = await versioned(deps, tx, call, row, await found(tx, row, String(id)), 'task.added')
        await tellAssignee(deps, tx, call, row, task)
        return call.rememberAnswer(tx, await one(tx, call.tenant, task))
      }),

    change: (call, caseId, taskId, given) =>
      db.transaction(async (tx) => {
        const row = await core.live(tx, call, call.tenant, caseId)
        const level = await levelBesideSharing(tx, call.principal, await core.levelOf(tx, call, row))
        requireLevel(level, 'View')
        const task = await found(tx, row, taskId)
        if (!includes(level, 'Edit')) refuseMoreThanDone(task, call.actor, given)
        refuseClosed(row)
        refuseStale(task, given.ConcurrencyId)
        const assigned = given.AssigneeId ?? null
        const same = assigned === (task.assignee_id === null ? null : String(task.assignee_id))
        const assignee = same ? task.assignee_id : await assigneeOf(deps, tx, call, row, assigned)
        const now = isoMillis(clock.now())
        await rows.updateTask(tx, task.task_id, {
          title: given.Title,
          due_date: given.DueDate ?? null,
          assignee_id: assignee,
          ...doneNow(task, given.Done, call.actor, now),
          ...changedBy(task, call.actor, now),
        })
        const saved = await versioned(deps, tx, call, row, await found(tx, row, taskId), 'task.changed')
        if (assignee !== task.assignee_id) await tellAssignee(deps, tx, call, row, saved)
        if (task.done_utc === null && given.Done) await tellDone(deps, tx, call, row, saved)
        return one(tx, call.tenant, saved)
      }),

    remove: (call, caseId, taskId, concurrencyId) =>
      db.transaction(async (tx) => {
        const row = await writable(tx, call, caseId)
        const task = await found(tx, row, taskId)
        if (concurrencyId !== null) refuseStale(task, concurrencyId)
        const now = isoMillis(clock.now())
        await rows.updateTask(tx, task.task_id, { deleted_utc: now, modified_utc: now })
        await versioned(deps, tx, call, row, { ...task, deleted_utc: now, modified_utc: now }, 'task.deleted')
        return one(tx, call.tenant, task)
      }),

    own: async (call) => {
      const viewer = await access.asker(db.read, call.principal)
      const own = await rows.openTasksOf(db.read, call.tenant, viewer)
      const shown = own.slice(0, MOST_OWN_TASKS)
      const out = await models(db.read, call.tenant, shown)
      return {
        Items: shown.map((task, at) => ({
          ...(out[at] as TaskOut),
          Case: { Ordinal: ordinalOf(task), Title: task.case_title },
        })),
        More: own.length > MOST_OWN_TASKS,
      }
    },

    countOwn: async (call, tenant) => {
      const own = await rows.openTasksOf(db.read, tenant, await access.asker(db.read, call.principal))
      return { count: Math.min(own.length, MOST_OWN_TASKS), more: own.length > MOST_OWN_TASKS }
    },

    reassign: async (tx, call, row, from, to) => {
      const tasks = await rows.openTasksIn(tx, row.case_id, from)
      for (const task of tasks) {
        const set = { assignee_id: to, ...changedBy(task, call.actor, isoMillis(clock.now())) }
        await rows.updateTask(tx, task.task_id, set)
        await versioned(deps, tx, call, row, { ...task, ...set }, 'task.changed')
      }
      return tasks.length
    },

    remind: (day) => remind(deps, day),
  }
}

async function remind({ db, notices }: Deps, day: string): Promise<void> {
  for (;;) {
    const told = await db.transaction(async (tx) => {
      const due = await rows.dueTasks(tx, day, AT_ONCE)
      for (const { task_id: id, assignee_id: assignee, ...task } of due) {
        await rows.updateTask(tx, id, { reminded_date: task.due_date })
        await notices.tell(
          tx,
          { actor: INTERNAL, source: 'station', correlationId: `task-${id}` },
          [Number(assignee)],
          {
            tenant: task.tenant_id,
            kind: 'task.due',
            message: task.title,
            object: { type: 'case', id: String(task.case_id) },
          },
        )
      }
      return due.length
    })
    if (told < AT_ONCE) return
  }
}

/** The row as it stands becomes a version and an entry. What it says stands in the version alone. */
async function versioned(
  { versions, ledger }: Deps,
  tx: Tx,
  call: Call,
  row: CaseRow,
  task: TaskRow,
  action: 'task.added' | 'task.changed' | 'task.deleted',
): Promise<TaskRow> {
  const concurrencyId = await versions.add(tx, {
    entity: 'task',
    entityId: task.task_id,
    state: {
      CaseId: String(task.case_id),
      Title: task.title,
      DueDate: task.due_date,
      AssigneeId: task.assignee_id === null ? null : String(task.assignee_id),
      DoneUtc: task.done_utc,
      Deleted: task.deleted_utc !== null,
    },
    action,
    author: call.actor,
    dateUtc: task.modified_utc,
  })
  await rows.updateTask(tx, task.task_id, { concurrency_id: concurrencyId })
  const detail = { taskId: String(task.task_id), concurrencyId }
  await ledger.append(tx, call, { action, object: caseObject(row), detail })
  return { ...task, concurrency_id: concurrencyId }
}

/** @throws Fault UnableToLoadUser for nobody who can sign in, and for who cannot view the case */
async function assigneeOf(
  { access }: Deps,
  tx: Tx,
  call: HttpCall,
  row: CaseRow,
  id: string | null,
): Promise<number | null> {
  if (id === null) return null
  const refused = (message: string, why: string): never => {
    throw fault('UnableToLoadUser', message, [{ Path: 'AssigneeId', Message: why }])
  }
  const person = await activeUser(tx, call.tenant, id)
  if (person === null) return refused('A task goes to a user who can sign in.', 'names no user who can sign in')
  const principal: Principal = { kind: 'user', id, name: person.name, kId: '' }
  if (!includes(await access.onCase(tx, principal, row.case_id), 'View'))
    refused('This person cannot view the case. Share it with them first.', 'names a user who cannot view the case')
  return person.principal_id
}

async function tellAssignee({ notices }: Deps, tx: Tx, call: HttpCall, row: CaseRow, task: TaskRow): Promise<void> {
  if (task.assignee_id === null) return
  await notices.tell(tx, call, [task.assignee_id], {
    tenant: call.tenant,
    kind: 'task.assigned',
    message: task.title,
    object: { type: 'case', id: String(row.case_id) },
  })
}

async function tellDone({ access, notices }: Deps, tx: Tx, call: HttpCall, row: CaseRow, task: TaskRow): Promise<void> {
  const author = { kind: 'user', id: String(task.author_id), name: '', kId: '' } as const
  if (!includes(await access.onCase(tx, author, row.case_id), 'View')) return
  await notices.tell(tx, call, [task.author_id], {
    tenant: call.tenant,
    kind: 'task.done',
    message: task.title,
    object: { type: 'case', id: String(row.case_id) },
  })
}

function doneNow(task: TaskRow, done: boolean, who: Principal, nowUtc: string): Partial<TaskRow> {
  if (done === (task.done_utc !== null)) return {}
  return done ? { done_utc: nowUtc, done_by: JSON.stringify(principalThen(who)) } : { done_utc: null, done_by: null }
}

/** Who may not edit marks their own task as done, and does nothing else. @throws Fault Forbidden */
function refuseMoreThanDone(task: TaskRow, who: Principal, given: Updated): void {
  const own = task.assignee_id !== null && String(task.assignee_id) === who.id
  const same =
    given.Title === task.title &&
    (given.DueDate ?? null) === task.due_date &&
    (given.AssigneeId ?? null) === String(task.assignee_id)
  if (!own || !same)
    throw new Fault('Forbidden', 'This needs Edit on the case. Without it you can only mark your own tasks as done.', {
      reason: 'PrincipalCannotEditCase',
    })
}

function refuseClosed(row: CaseRow): void {
  if (row.state === 'Closed')
    throw fault('CannotUpdateClosedCase', 'The case is closed. Reopen it to change its tasks.')
}

function refuseStale(task: TaskRow, concurrencyId: string): void {
  if (concurrencyId !== task.concurrency_id)
    throw fault('ConcurrentWritingError', 'Somebody changed this task since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

const taskModel = (task: TaskRow, people: ReadonlyMap<number, Parameters<typeof personModel>[0]>): TaskOut => ({
  TaskId: String(task.task_id),
  CaseId: String(task.case_id),
  Title: task.title,
  DueDate: task.due_date,
  Assignee: task.assignee_id === null ? null : personModel(people.get(task.assignee_id), task.assignee_id),
  Done:
    task.done_utc === null || task.done_by === null
      ? null
      : { AtUtc: task.done_utc, By: (JSON.parse(task.done_by) as { Name?: string; Username: string }).Username },
  ...authoredModel(task),
})
