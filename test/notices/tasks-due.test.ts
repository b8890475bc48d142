import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCaseTasks } from '../../server/features/cases/work/tasks.service.ts'
import { insertTask } from '../../server/features/cases/work/tasks.store.ts'
import { newAuthored } from '../../server/kernel/annotations/authored.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import { type NoticesWorld, noticesWorld } from './world.ts'

/** Tasks that are due are told of once, on the day or after it (decisions 32). */
const folder = mkdtempSync(join(tmpdir(), 'sallyport-tasks-due-'))
let world: NoticesWorld
beforeAll(async () => {
  world = await noticesWorld(join(folder, 'sallyport.db'))
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const add = (caseId: number, assignee: number | null, day: string | null, more: object = {}): Promise<number> =>
  world.inTransaction((tx) =>
    insertTask(tx, {
      case_id: caseId,
      title: `due ${day}`,
      due_date: day,
      assignee_id: assignee,
      done_utc: null,
      done_by: null,
      reminded_date: null,
      ...newAuthored({ ...INTERNAL, id: String(assignee ?? 1) }, '2026-11-20T08:00:00.000Z'),
      ...more,
    }),
  )
const remind = (day: string): Promise<void> =>
  createCaseTasks({
    ...world,
    core: null as never,
    access: null as never,
    versions: null as never,
    isInPolicy: null as never,
  }).remind(day)
const told = async (who: number): Promise<unknown[]> =>
  (await world.list(who)).filter(({ Kind }) => Kind === 'task.due').map(({ Message }) => Message)

it('reminds of open tasks of people in open cases, once for each day that is set', async () => {
  const who = await world.principal('user')
  const [open, closed] = [await world.aCase(), await world.aCase()]
  for (const one of [open, closed]) await world.policies(one, [{ principalId: who, level: 'View' }])
  await world.inTransaction((tx) =>
    tx.updateTable('cases').set({ state: 'Closed' }).where('case_id', '=', closed).execute(),
  )
  const today = await add(open, who, '2026-11-27')
  await add(open, who, '2026-11-20')
  await add(open, who, '2026-11-28')
  await add(open, who, null)
  await add(open, null, '2026-11-27')
  await add(closed, who, '2026-11-27')
  await add(open, who, '2026-11-01', { done_utc: '2026-11-02T08:00:00.000Z', done_by: '{}' })
  await add(open, who, '2026-11-02', { deleted_utc: '2026-11-02T08:00:00.000Z' })
  await remind('2026-11-27')
  expect(await told(who)).toEqual(['due 2026-11-20', 'due 2026-11-27'])
  await remind('2026-11-27')
  expect(await told(who)).toHaveLength(2)
  await remind('2026-11-28')
  expect(await told(who)).toContain('due 2026-11-28')
  // Another day was set: its person is told once more when that comes.
  await world.inTransaction((tx) =>
    tx.updateTable('case_tasks').set({ due_date: '2026-11-29' }).where('task_id', '=', today).execute(),
  )
  await remind('2026-11-29')
  expect(await told(who)).toHaveLength(4)
})

it('reminds of more than are told in one transaction', async () => {
  const who = await world.principal('user')
  const caseId = await world.aCase()
  await world.policies(caseId, [{ principalId: who, level: 'View' }])
  for (let at = 0; at < 101; at++) await add(caseId, who, '2026-11-27')
  await remind('2026-11-27')
  expect(await told(who)).toHaveLength(101)
})
