/** Drawn worlds of evidence, written row by row and changed again, and what a plain list would say of them. */
import fc from 'fast-check'
import type { Database, Tx } from '../../../server/kernel/database/database.ts'
import { LISTED_TYPES, type ListFilter, type ListOrder } from '../../../server/kernel/evidence/list.store.ts'
import { tagKey } from '../../../server/kernel/evidence/records.ts'

const WORDS = ['Řeznická', 'école', 'BW0417', 'a_b', '100%', 'Night', 'nightly', 'x', 'Zebra', 'ÉTÉ', 'naïve']
const TYPES = [
  'video/mp4',
  'audio/wav',
  'image/jpeg',
  'application/pdf',
  'text/plain',
  'application/zip',
  null,
] as const
/** Ticks of seconds: large enough to be beyond what a JavaScript number holds. */
const at = (seconds: number): bigint => BigInt(1_700_000_000 + seconds) * 10_000_000n + 1n
const utc = (seconds: number): string =>
  `${new Date((1_700_000_000 + seconds) * 1000).toISOString().slice(0, 19)}.0000001Z`

const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((found) => found.join(' '))
/** Few, so that the camera's time and the one of the evidence are often the same. */
const start = fc.option(fc.constantFrom(0, 10, 40), { freq: 3 })
const original = fc.record({
  name: words,
  type: fc.constantFrom(...TYPES),
  length: fc.integer({ min: 0, max: 4 }),
  state: fc.constantFrom('UserCompleted', 'UserCompleted', 'UserCompleted', 'None', 'Failed'),
  start,
  offset: fc.option(fc.constantFrom(['PT5S', 5], ['-PT1M2.5S', -62.5], ['+P1DT1H', 90_000], ['PT0S', 0]), { freq: 3 }),
  jobs: fc.array(
    fc.record({
      kind: fc.constantFrom('derive.inspect', 'derive.playable', 'fixity.check'),
      state: fc.constantFrom('done', 'done', 'queued', 'again', 'running', 'waiting', 'failed', 'cancelled'),
    }),
    { maxLength: 3 },
  ),
  checks: fc.array(fc.constantFrom('matches', 'matches', 'changed', 'missing'), { maxLength: 2 }),
})
const evidence = fc.record({
  name: words,
  tags: fc.uniqueArray(fc.constantFrom('Night', 'Žižkov', 'a_b'), { maxLength: 2 }),
  created: fc.integer({ min: 0, max: 20 }),
  start,
  lasts: fc.option(fc.integer({ min: 0, max: 30 })),
  state: fc.constantFrom('None', 'UserCompleted'),
  sealed: fc.boolean(),
  /** Whether the record was complete before its files came. */
  early: fc.boolean(),
  originals: fc.array(original, { maxLength: 3 }),
})
export type DrawnEvidence = typeof evidence extends fc.Arbitrary<infer T> ? T : never
export const world = fc.array(evidence, { minLength: 3, maxLength: 16 })

/** Most questions ask for one or two things. */
const seldom = <T>(asked: fc.Arbitrary<T>, { freq = 4 }: { freq?: number } = {}): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: freq, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: asked })
export const question = fc.record({
  text: seldom(
    fc.constantFrom('rez', 'NIGHT', 'bw', 'a_', 'b', '100%', '%', '_', 'x z', 'ete ecole', "'", 'ZEB night'),
  ),
  tags: seldom(fc.uniqueArray(fc.constantFrom('night', 'ŽIŽKOV', 'a_b'), { minLength: 1, maxLength: 2 }), {
    freq: 2,
  }),
  state: seldom(fc.constantFrom('None', 'UserCompleted')),
  types: seldom(fc.uniqueArray(fc.constantFrom(...LISTED_TYPES.slice(0, 6)), { minLength: 1, maxLength: 3 }), {
    freq: 2,
  }),
  statuses: seldom(
    fc.uniqueArray(fc.constantFrom('open', 'working', 'waiting', 'verified', 'attention', 'danger', 'sealed'), {
      minLength: 1,
      maxLength: 4,
    }),
  ),
  from: seldom(fc.integer({ min: -10, max: 60 })),
  to: seldom(fc.integer({ min: -10, max: 60 })),
  sort: fc.constantFrom('recorded', 'created', 'name', 'length', 'type'),
  direction: fc.constantFrom('asc', 'desc'),
  count: fc.integer({ min: 1, max: 6 }),
  offset: fc.integer({ min: 0, max: 16 }),
})
export type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

export const filterOf = ({ text, tags, state, types, statuses, from, to }: Question): ListFilter => ({
  ...(text === null ? {} : { text }),
  ...(tags === null ? {} : { tagKeys: tags.map(tagKey) }),
  ...(state === null ? {} : { state }),
  ...(types === null ? {} : { types }),
  ...(statuses === null ? {} : { statuses }),
  ...(from === null ? {} : { fromTicks: at(from) }),
  ...(to === null ? {} : { toTicks: at(to) }),
})
export const orderOf = ({ sort, direction }: Question): ListOrder => ({ sort, direction }) as ListOrder

/** @returns the ids, in the order of the world */
export function writeWorld(db: Database, tenant: string, drawn: readonly DrawnEvidence[]): Promise<number[]> {
  return db.transaction(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ tenant_id: tenant, name_key: tenant, created_utc: utc(0) })
      .execute()
    const ids: number[] = []
    for (const one of drawn) ids.push(await writeEvidence(tx, tenant, one))
    return ids
  })
}

const BY = JSON.stringify({ KId: '', Username: 'x', PrincipalId: '1', PrincipalType: 'user' })

async function writeEvidence(tx: Tx, tenant: string, one: DrawnEvidence): Promise<number> {
  const end = one.start === null || one.lasts === null ? null : one.start + one.lasts
  const given = {
    name: one.name,
    start_utc: one.start === null ? null : utc(one.start),
    start_ticks: one.start === null ? null : at(one.start),
    end_utc: end === null ? null : utc(end),
    end_ticks: end === null ? null : at(end),
    state: one.state,
    lifecycle_state: one.sealed ? 'Protected' : 'None',
  }
  // Half of it comes later, as it does in life: what keeps the index must see changes as well as new rows.
  const { evidence_id: id } = await tx
    .insertInto('evidence')
    .values({
      tenant_id: tenant,
      name: 'to be named',
      custom_fields: '{}',
      created_utc: utc(one.created),
      created_ticks: at(one.created),
      created_by: BY,
      concurrency_id: '',
    } as never)
    .returning('evidence_id')
    .executeTakeFirstOrThrow()
  for (const [position, tag] of one.tags.entries())
    await tx
      .insertInto('evidence_tags')
      .values({ evidence_id: id, position, tag, tag_key: tagKey(tag) })
      .execute()
  const complete = () => tx.updateTable('evidence').set(given).where('evidence_id', '=', id).execute()
  if (one.early) await complete()
  for (const part of one.originals) await writeOriginal(tx, id, part)
  if (!one.early) await complete()
  return id
}

async function writeOriginal(tx: Tx, evidenceId: number, part: DrawnEvidence['originals'][number]): Promise<void> {
  const { resource_id: id } = await tx
    .insertInto('resources')
    .values({
      evidence_id: evidenceId,
      name: 'to be named',
      mime_type: 'application/octet-stream',
      role: 'original',
      uploaded_by: BY,
      created_utc: utc(0),
      concurrency_id: '',
    } as never)
    .returning('resource_id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('resources')
    .set({
      name: part.name,
      sniffed_type: part.type,
      length: part.length,
      state: part.state,
      start_utc: part.start === null ? null : utc(part.start),
      start_ticks: part.start === null ? null : at(part.start),
      time_offset: part.offset?.[0] ?? null,
    } as never)
    .where('resource_id', '=', id)
    .execute()
  for (const [index, job] of part.jobs.entries()) {
    const { job_id: jobId } = await tx
      .insertInto('jobs')
      .values({
        kind: job.kind,
        payload: '{}',
        subject: `resource:${id}`,
        dedup_key: null,
        state: 'queued',
        created_utc: utc(0),
      } as never)
      .returning('job_id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('jobs')
      .set(job.state === 'again' ? { state: 'queued', run_after: 99 + index } : { state: job.state })
      .where('job_id', '=', jobId)
      .execute()
  }
  for (const result of part.checks)
    await tx
      .insertInto('fixity_checks')
      .values({ resource_id: id, expected_sha256: '', result, checked_utc: utc(0), checked_by: BY } as never)
      .execute()
}

const base = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string): string[] =>
  base(text)
    .split(/[^\p{L}\p{N}_%]+/u)
    .filter((word) => word !== '')

/** What the list should say of one, worked out from the drawing alone. */
export function expectedOf(one: DrawnEvidence) {
  const rank = (type: string | null): number => {
    if (type === null) return 6
    const family = type.split('/')[0]
    const known = ['video', 'audio', 'image'].indexOf(family as string)
    return known >= 0 ? known : type === 'application/pdf' ? 3 : family === 'text' ? 4 : 5
  }
  const [first] = one.originals
  // The start of an evidence is corrected already, unless it is just what the device recorded (decisions 13).
  const own = one.start !== null && one.start !== (first?.start ?? null)
  const shift = own ? 0 : ((first?.offset?.[1] as number | undefined) ?? 0)
  const known = one.start ?? first?.start ?? null
  const recorded = known === null ? null : known + shift
  const lasts = one.start !== null && one.lasts !== null ? one.lasts : 0
  const text = [one.name, ...one.tags, ...one.originals.map(({ name }) => name)].join(' ')
  return {
    recorded: recorded ?? one.created,
    ended: (recorded ?? one.created) + lasts,
    created: one.created,
    name: base(one.name),
    length: one.originals.reduce((sum, part) => sum + part.length, 0),
    type: Math.min(6, ...one.originals.map(({ type }) => rank(type))),
    status: statusOf(one),
    state: one.state,
    tags: one.tags.map(tagKey),
    words: [...wordsOf(text), ...wordsOf(text.replaceAll(/[_%]/g, ' '))],
  }
}

function statusOf({ originals, state, sealed }: DrawnEvidence): string {
  if (originals.some(({ checks }) => !['matches', undefined].includes(checks.at(-1)))) return 'danger'
  if (originals.some((part) => part.state === 'None') || (state === 'None' && originals.length === 0)) return 'open'
  const latest = originals.flatMap(({ jobs }) => [
    ...new Map(jobs.filter(({ kind }) => kind !== 'fixity.check').map((job) => [job.kind, job.state])).values(),
  ])
  if (latest.some((job) => job === 'running' || job === 'queued')) return 'working'
  if (latest.includes('failed') || originals.some((part) => part.state === 'Failed')) return 'attention'
  if (latest.some((job) => job === 'waiting' || job === 'again')) return 'waiting'
  return sealed ? 'sealed' : 'verified'
}

/** All that match, in order: ids. */
export function modelList(drawn: readonly DrawnEvidence[], ids: readonly number[], asked: Question): number[] {
  const { text, tags, state, types, statuses, from, to, sort, direction } = asked
  const sought = text === null ? [] : wordsOf(text)
  const sign = direction === 'asc' ? 1 : -1
  return drawn
    .map((one, index) => ({ ...expectedOf(one), id: ids[index] as number }))
    .filter(
      (row) =>
        (text === null ||
          (sought.length > 0 && sought.every((word) => row.words.some((has) => has.startsWith(word))))) &&
        (tags === null || tags.every((tag) => row.tags.includes(tagKey(tag)))) &&
        (state === null || row.state === state) &&
        (types === null || types.includes(LISTED_TYPES[row.type] as never)) &&
        (statuses === null || statuses.includes(row.status as never)) &&
        (from === null || row.ended >= from) &&
        (to === null || row.recorded <= to),
    )
    .sort((a, b) => {
      const [left, right] = [a[sort as 'name'], b[sort as 'name']]
      return sign * (left < right ? -1 : left > right ? 1 : a.id - b.id)
    })
    .map(({ id }) => id)
}
