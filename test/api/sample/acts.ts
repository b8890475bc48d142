/** One good call of each route of sample data (promise I1). The station of these calls has evidence of its own, so what they find is put there. */
import { samplePlan } from '../../../server/features/sample/plan.ts'
import { ADD_JOB, SUBJECT } from '../../../server/features/sample/sample-job.ts'
import type { Act, World } from '../documents/acts.ts'
import { SAMPLE } from './world.ts'

export const SAMPLE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getSampleData: (world) => ({ call: () => asked(world, 'GET', ''), status: 200, actor: 'chief', entries: () => [] }),
  addSampleData: async (world) => {
    const ids = world.given.database((db) => db.prepare('SELECT evidence_id FROM evidence').pluck().all()) as number[]
    // All is done, so the job that is ordered ends without doing anything.
    await isThere(world, { done: samplePlan('en', 0).map(({ key }) => key), ids })
    return {
      call: () => withoutHeadquarters(world, () => asked(world, 'POST', '', { Language: 'fr' })),
      status: 200,
      actor: 'chief',
      entries: () => [['sample.requested', 'station', '1', { detail: { language: 'en' } }]],
    }
  },
  stopSampleData: async (world) => {
    await world.given.meddle((db) =>
      db
        .prepare(
          `INSERT INTO jobs (kind, payload, subject, state, run_after, created_utc) VALUES (?, '{}', ?, 'waiting', ?, ?)`,
        )
        .run(ADD_JOB.name, SUBJECT, Date.now() + 3_600_000, new Date().toISOString()),
    )
    return {
      call: () => asked(world, 'POST', '/stop'),
      status: 200,
      actor: 'chief',
      entries: () => [['sample.stopped', 'station', '1']],
    }
  },
  removeSampleData: async (world) => {
    await nothingAdded(world)
    await isThere(world, { done: [], ids: [] })
    return {
      call: () => asked(world, 'POST', '/remove'),
      status: 200,
      actor: 'chief',
      entries: () => [['sample.removalRequested', 'station', '1', { detail: { evidence: 0, cases: 0, kept: [] } }]],
    }
  },
}

/** Another act ordered a job, which ends by itself; while it runs nothing is removed. */
async function nothingAdded({ given }: World): Promise<void> {
  const open = "SELECT count(*) FROM jobs WHERE kind = ? AND state IN ('queued', 'running')"
  for (let tries = 0; tries < 200; tries++) {
    if (given.database((db) => db.prepare(open).pluck().get(ADD_JOB.name)) === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the job that adds sample data did not end')
}

const asked = ({ given, admin }: World, method: string, place: string, body?: unknown) =>
  given.call(method, `${SAMPLE}${place}`, { token: admin, ...(body === undefined ? {} : { body }) })

/** Another act set one, and those after this one need it. */
async function withoutHeadquarters(
  { given }: World,
  call: () => ReturnType<World['given']['call']>,
): ReturnType<World['given']['call']> {
  const rows = await given.meddle((db) => {
    const found = db.prepare('SELECT * FROM headquarters').all() as Record<string, unknown>[]
    db.prepare('DELETE FROM headquarters').run()
    return found
  })
  try {
    return await call()
  } finally {
    await given.meddle((db) => {
      for (const row of rows)
        db.prepare(
          `INSERT INTO headquarters (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
            .map(() => '?')
            .join(', ')})`,
        ).run(...Object.values(row))
    })
  }
}

const isThere = (
  { given }: World,
  { done, ids }: { readonly done: readonly string[]; readonly ids: readonly number[] },
): Promise<unknown> =>
  given.meddle((db) => {
    const items = ids.map((id) => ({ kind: 'evidence', id, step: 'put there' }))
    const value = JSON.stringify({ startedAt: 0, language: 'en', done, items, removal: null })
    db.prepare("DELETE FROM station WHERE name = 'sample-data'").run()
    return db.prepare("INSERT INTO station (name, value) VALUES ('sample-data', ?)").run(value)
  })
