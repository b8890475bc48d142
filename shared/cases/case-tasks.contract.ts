import { z } from 'zod'
import { authored, DeletionQuery } from '../evidence/bookmarks.contract.ts'
import { IdParam, PrincipalIdMember, TenantParams as Tenant, text } from '../kernel/fields.ts'
import { PersonName } from '../kernel/people.contract.ts'
import { route } from '../kernel/route.ts'
import { isCalendarDate, LONGEST_TASK, MOST_OWN_TASKS } from './tasks.ts'

/** Tasks on a case: extensions of the case service (decisions 32). */

const CasePath = Tenant.extend({ caseId: IdParam })
const TaskPath = CasePath.extend({ taskId: IdParam })

export const TaskPerson = z
  .object({ PrincipalId: z.string(), Username: z.string(), FirstName: z.string(), LastName: z.string() })
  .meta({ id: 'TaskPerson' })

export const TaskModel = z
  .object({
    TaskId: z.string(),
    CaseId: z.string(),
    Title: z.string(),
    DueDate: z.string().nullable().meta({ description: 'A day of the station, as 2026-11-30. null: no day was set.' }),
    Assignee: TaskPerson.nullable().meta({ description: 'Who does it; null: nobody yet.' }),
    Done: z.object({ AtUtc: z.string(), By: z.string() }).nullable().meta({ description: 'null: it is open.' }),
    ...authored,
  })
  .meta({ id: 'CaseTask' })

const Title = text(LONGEST_TASK).refine((title) => title.trim() !== '', 'must not be empty')
const DueDate = z
  .string()
  .refine(isCalendarDate, 'must be a day, as 2026-11-30')
  .meta({ override: { type: 'string', format: 'date' } })
  .nullish()
const AssigneeId = PrincipalIdMember.nullish().meta({
  description: 'A user who can view the case. null: nobody yet.',
})

export const CreateTaskModel = z.object({ Title, DueDate, AssigneeId }).meta({ id: 'CreateCaseTaskModel' })
export const UpdateTaskModel = z
  .object({ Title, DueDate, AssigneeId, Done: z.boolean(), ConcurrencyId: z.string().min(1).max(256) })
  .meta({ id: 'UpdateCaseTaskModel' })

const CASE = ['CaseNotFound', 'CaseDeleted', 'TenantNotFound'] as const
const common = { interface: 'case', origin: 'extension' } as const
const CHANGED = ['InvalidModel', ...CASE, 'CannotUpdateClosedCase', 'UnableToLoadUser', 'ReadOnly'] as const

export const listCaseTasks = route({
  ...common,
  id: 'listCaseTasks',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId/task',
  summary: 'List the tasks on a case: open ones by the day they are due, then those that are done, newest first',
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'read', action: 'task.read', objectType: 'case', objectParam: 'caseId' },
  params: CasePath,
  responses: {
    200: z
      .object({
        Items: z.array(TaskModel),
        People: z.array(PersonName).meta({
          description:
            'What the people are called today whom the case names: those with access of their own, those assigned, who created it and who changed it last, and who wrote its tasks. For those who may read its history, its authors too.',
        }),
      })
      .meta({ id: 'CaseTasks' }),
  },
  errors: [...CASE],
})

export const createCaseTask = route({
  ...common,
  id: 'createCaseTask',
  method: 'POST',
  path: '/api/v1/case/:tenantId/:caseId/task',
  summary: 'Add a task to an open case; whoever is to do it gets a notice',
  permission: { kind: 'level', level: 'Edit', on: 'case' },
  audit: { by: 'own', actions: ['task.added'] },
  params: CasePath,
  body: CreateTaskModel,
  responses: { 201: TaskModel },
  idempotent: true,
  errors: [...CHANGED, 'TooManyTasks'],
})

export const updateCaseTask = route({
  ...common,
  id: 'updateCaseTask',
  method: 'PUT',
  path: '/api/v1/case/:tenantId/:caseId/task/:taskId',
  summary: 'Change a task, or mark it as done',
  description:
    'Needs Edit. Whoever the task is assigned to may mark it as done, and as open again, with View: then the other members must be as they are.',
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'own', actions: ['task.changed'] },
  params: TaskPath,
  body: UpdateTaskModel,
  responses: { 200: TaskModel },
  errors: [...CHANGED, 'TaskNotFound', 'ConcurrentWritingError', 'Forbidden'],
})

export const deleteCaseTask = route({
  ...common,
  id: 'deleteCaseTask',
  method: 'DELETE',
  path: '/api/v1/case/:tenantId/:caseId/task/:taskId',
  summary: 'Delete a task; its versions stay. Answers the task as it was',
  permission: { kind: 'level', level: 'Edit', on: 'case' },
  audit: { by: 'own', actions: ['task.deleted'] },
  params: TaskPath,
  query: DeletionQuery,
  responses: { 200: TaskModel },
  errors: [...CHANGED, 'TaskNotFound', 'ConcurrentWritingError'],
})

export const listOwnTasks = route({
  ...common,
  id: 'listOwnTasks',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/task',
  summary: 'List the open tasks of the caller, by the day they are due',
  description: `In open cases that the caller can view; at most ${MOST_OWN_TASKS}.`,
  permission: { kind: 'member', guests: true },
  audit: { by: 'read', action: 'list.read', objectType: 'task' },
  params: Tenant,
  responses: {
    200: z
      .object({
        Items: z.array(TaskModel.extend({ Case: z.object({ Ordinal: z.string(), Title: z.string() }) })),
        More: z.boolean().meta({ description: 'There are more than were listed.' }),
      })
      .meta({ id: 'OwnTasks' }),
  },
  errors: ['TenantNotFound'],
})
