import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { MOST_OWN_TASKS } from '../../../../shared/cases/tasks.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { CaseTasksTable } from '../../../kernel/database/tables-cases.ts'
import { jsonMember } from '../../../kernel/database/expressions.ts'
import { byRow, caseViewable, type Viewer } from '../../../kernel/access/viewable.store.ts'

export type TaskRow = Selectable<CaseTasksTable>

/** Open ones by the day they are due, those without a day after them; then the ones that are done, newest first. */
export const tasksOfCase = (from: Tx, caseId: number): Promise<TaskRow[]> =>
  from
    .selectFrom('case_tasks')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('deleted_utc', 'is', null)
    .orderBy(sql`CASE WHEN done_utc IS NULL THEN 0 ELSE 1 END`)
    .orderBy('done_utc', 'desc')
    .orderBy(sql`coalesce(due_date, '9999')`)
    .orderBy('task_id')
    .execute()

/** Ids of whom a case names: those with access of their own and those assigned; with `history` the authors of its versions too. */
export async function namedOnCase(
  from: Tx,
  caseId: number,
  { history }: { readonly history: boolean },
): Promise<(number | string | null)[]> {
  const [policies, personnel, authors] = [
    await from.selectFrom('case_policies').select('principal_id').where('case_id', '=', caseId).execute(),
    await from.selectFrom('case_personnel').select('principal_id').where('case_id', '=', caseId).execute(),
    history
      ? await from
          .selectFrom('versions')
          .select(jsonMember('author', 'id').as('id'))
          .distinct()
          .where('entity', '=', 'case')
          .where('entity_id', '=', caseId)
          .execute()
      : [],
  ]
  return [...[...policies, ...personnel].map((row) => row.principal_id), ...authors.map(({ id }) => id)]
}

/** Deleted ones too. */
export const taskOfCase = (from: Tx, caseId: number, taskId: number): Promise<TaskRow | undefined> =>
  from
    .selectFrom('case_tasks')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('case_id', '=', caseId)
    .executeTakeFirst()

export async function countTasks(from: Tx, caseId: number): Promise<number> {
  const { n } = await from
    .selectFrom('case_tasks')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('case_id', '=', caseId)
    .where('deleted_utc', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function insertTask(tx: Tx, row: Insertable<CaseTasksTable>): Promise<number> {
  const { task_id: id } = await tx.insertInto('case_tasks').values(row).returning('task_id').executeTakeFirstOrThrow()
  return id
}

export async function updateTask(tx: Tx, id: number, set: Updateable<CaseTasksTable>): Promise<void> {
  await tx.updateTable('case_tasks').set(set).where('task_id', '=', id).execute()
}

export interface OwnTaskRow extends TaskRow {
  readonly case_title: string
  readonly ordinal_year: number
  readonly ordinal_number: number
}

/** Open tasks of the viewer in open cases that they can view, by the day they are due; one more than are listed. */
export async function openTasksOf(from: Tx, tenant: string, viewer: Viewer): Promise<OwnTaskRow[]> {
  const { rows } = await sql<OwnTaskRow>`
    SELECT t.*, c.title AS case_title, c.ordinal_year, c.ordinal_number
    FROM case_tasks t JOIN cases c ON c.case_id = t.case_id
    WHERE t.assignee_id = ${viewer.self} AND t.deleted_utc IS NULL AND t.done_utc IS NULL
      AND c.tenant_id = ${tenant} AND c.state = 'Open' AND c.lifecycle_state <> 'Deleted'
      AND ${caseViewable('c.case_id', byRow(viewer))}
    ORDER BY coalesce(t.due_date, '9999'), t.task_id LIMIT ${MOST_OWN_TASKS + 1}`.execute(from)
  return rows
}

/** Open tasks in cases, of one person: for handing them over. */
export const openTasksIn = (from: Tx, caseId: number, assignee: number): Promise<TaskRow[]> =>
  from
    .selectFrom('case_tasks')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('assignee_id', '=', assignee)
    .where('done_utc', 'is', null)
    .where('deleted_utc', 'is', null)
    .orderBy('task_id')
    .execute()

export interface DueRow extends TaskRow {
  readonly tenant_id: string
}

/** Open tasks in open cases that are due on this day or were before, and whose person was not reminded of that day. */
export const dueTasks = (from: Tx, day: string, most: number): Promise<DueRow[]> =>
  from
    .selectFrom('case_tasks as t')
    .innerJoin('cases as c', 'c.case_id', 't.case_id')
    .selectAll('t')
    .select('c.tenant_id')
    .where('t.due_date', '<=', day)
    .where('t.assignee_id', 'is not', null)
    .where('t.done_utc', 'is', null)
    .where('t.deleted_utc', 'is', null)
    .where('c.state', '=', 'Open')
    .where('c.lifecycle_state', '<>', 'Deleted')
    .where((e) => e.or([e('t.reminded_date', 'is', null), e('t.reminded_date', '<>', e.ref('t.due_date'))]))
    .orderBy('t.task_id')
    .limit(most)
    .execute()
