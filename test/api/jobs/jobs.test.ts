import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

/** Jobs as their interface shows them: extensions, decisions 6 "Derivation". */
let given: Given
let video: Buffer
const JOBS = '/api/v1/tenant/station/job'
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-jobs-'))

beforeAll(async () => {
  const file = path.join(folder, 'clip.avi')
  // MPEG-4 in AVI: no browser plays it, so it is transcoded, with progress.
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x240:r=25:d=4',
    '-c:v',
    'mpeg4',
    '-q:v',
    '4',
    file,
  ])
  video = readFileSync(file)
  given = await givenStation()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await given?.close()
})

const list = (query = ''): Promise<Json[]> => given.expecting(200, given.call('GET', `${JOBS}${query}`))
const jobNow = async (id: string): Promise<Json> => (await list('?count=1000')).find((job) => job.JobId === id)
const until = async (id: string, states: readonly string[]): Promise<Json> => {
  for (let tries = 0; tries < 600; tries++) {
    const job = await jobNow(id)
    if (states.includes(job?.State)) return job
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`job ${id} did not become ${states.join(' or ')}`)
}
const act = (id: string, what: 'cancel' | 'retry') => given.call('POST', `${JOBS}/${id}/${what}`)
const entriesOf = (id: string) =>
  given
    .ledger()
    .filter(({ object }) => object.type === 'job' && object.id === id)
    .map(({ action, correlationId, detail }) => ({ action, correlationId, detail }))

/** Server-sent events as they come, until told to stop. */
async function listen(
  token: string = given.token,
): Promise<{ status: number; type: string; events: Json[]; stop(): void }> {
  const abort = new AbortController()
  const response = await fetch(`${given.url}${JOBS}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  })
  const events: Json[] = []
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8')
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const match = /^event: job\ndata: (.*)$/s.exec(text.slice(0, end))
        if (match !== null) events.push(JSON.parse(match[1] as string))
        text = text.slice(end + 2)
      }
    }
  }
  read().catch(() => {})
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    events,
    stop: () => abort.abort(),
  }
}

describe('jobs', () => {
  let evidenceId: string
  let resourceId: string

  it('tell of themselves while a video derives', async () => {
    const stream = await listen()
    const stranger = await signIn(await given.integration('stranger'), given.url)
    const other = await listen(stranger)
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
    ;({ evidenceId, resourceId } = await given.completed(video, { name: 'clip.avi' }))
    await given.settled(evidenceId)
    for (
      let tries = 0;
      tries < 100 && !stream.events.some((job) => job.Kind === 'derive.poster' && job.State === 'done');
      tries++
    )
      await new Promise((resolve) => setTimeout(resolve, 50))
    stream.stop()
    other.stop()
    const of = (kind: string): Json[] =>
      stream.events.filter((job) => job.Kind === kind && job.Subject === `resource:${resourceId}`)
    for (const kind of ['derive.inspect', 'derive.playable', 'derive.poster']) {
      expect([kind, of(kind)[0]?.State, of(kind).at(-1)?.State]).toEqual([kind, 'running', 'done'])
      expect(of(kind).at(-1)).toMatchObject({ Progress: 1, Attempts: 1, FinishedTimeUtc: expect.stringMatching(/Z$/) })
    }
    const steps = of('derive.playable')
      .filter((job) => job.State === 'running')
      .map((job) => job.Progress as number | null)
      .filter((step) => step !== null)
    expect(steps.length).toBeGreaterThan(0)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    for (const step of steps) expect(step >= 0 && step <= 1).toBe(true)
    // Who may view the evidence is told which it is; nobody else learns a name from its jobs.
    const about = { EvidenceId: evidenceId, Name: 'Front desk', FileName: 'clip.avi', MayChange: true }
    expect(new Set(of('derive.inspect').map(({ Evidence }) => JSON.stringify(Evidence))).size).toBe(1)
    expect(of('derive.inspect')[0]?.Evidence).toEqual(about)
    expect((await list()).find(({ Kind }) => Kind === 'derive.inspect')?.Evidence).toEqual(about)
    const listed = await given.call('GET', JOBS, { token: stranger })
    for (const text of [JSON.stringify(other.events), listed.text]) {
      expect(text).not.toContain('clip')
      expect(text).not.toContain('Front desk')
    }
  })

  it('are listed newest first, by state, and page by id', async () => {
    const all = await list()
    expect(all.map((job) => job.Kind).sort()).toEqual([
      'derive.inspect',
      'derive.playable',
      'derive.poster',
      'derive.strip',
    ])
    expect(all.map((job) => Number(job.JobId))).toEqual(all.map((job) => Number(job.JobId)).toSorted((a, b) => b - a))
    expect(all[0]).toEqual({
      JobId: expect.stringMatching(/^\d+$/),
      Kind: expect.any(String),
      Subject: `resource:${resourceId}`,
      State: 'done',
      Attempts: 1,
      Progress: 1,
      Message: expect.any(String),
      CreatedTimeUtc: expect.stringMatching(/Z$/),
      StartedTimeUtc: expect.stringMatching(/Z$/),
      FinishedTimeUtc: expect.stringMatching(/Z$/),
      Evidence: { EvidenceId: evidenceId, Name: 'Front desk', FileName: 'clip.avi', MayChange: true },
    })
    expect(await list('?state=done')).toEqual(all)
    expect(await list('?state=failed')).toEqual([])
    expect(await list(`?before=${all[0].JobId}`)).toEqual(all.slice(1))
    expect(await list('?count=1')).toEqual(all.slice(0, 1))
    expect(await list('?before=9223372036854775807')).toEqual(all)
    expect(await given.expecting(200, given.call('GET', '/api/v1/tenant/STATION/job/'))).toEqual(all)
  })

  it.each([
    ['GET', `${JOBS}?state=odd`, 400, 'InvalidModel'],
    ['GET', `${JOBS}?before=0`, 400, 'InvalidModel'],
    ['GET', `${JOBS}?count=1001`, 400, 'InvalidModel'],
    ['GET', '/api/v1/tenant/other/job', 404, 'TenantNotFound'],
    ['GET', '/api/v1/tenant/other/job/events', 404, 'TenantNotFound'],
    ['POST', '/api/v1/tenant/other/job/1/cancel', 404, 'TenantNotFound'],
    ['POST', '/api/v1/tenant/other/job/1/retry', 404, 'TenantNotFound'],
    ['POST', `${JOBS}/0/cancel`, 400, 'InvalidModel'],
    ['POST', `${JOBS}/x/retry`, 400, 'InvalidModel'],
    ['POST', `${JOBS}/999999/cancel`, 404, 'JobNotFound'],
    ['POST', `${JOBS}/9223372036854775807/retry`, 404, 'JobNotFound'],
    ['GET', `${JOBS}/1/cancel`, 405, 'MethodNotAllowed'],
  ])('%s %s is %d %s', async (method, address, status, code) => {
    const reply = await given.call(method, address)
    expect([reply.status, reply.json.ErrorCode]).toEqual([status, code])
  })

  it('that are done can neither be cancelled nor retried, and nothing is written', async () => {
    const [job] = await list()
    const before = entriesOf(job.JobId)
    for (const what of ['cancel', 'retry'] as const) {
      const reply = await act(job.JobId, what)
      expect([reply.status, reply.json.ErrorCode]).toEqual([409, 'JobNotInState'])
    }
    expect(entriesOf(job.JobId)).toEqual(before)
  })

  it('running ones are cancelled, leave the original untouched, and run again on retry', async () => {
    const busy = await given.completed(Buffer.concat([video, Buffer.alloc(64)]), { name: 'again.avi' })
    const find = async (): Promise<Json> =>
      (await list('?count=1000')).find(
        (job) => job.Kind === 'derive.playable' && job.Subject === `resource:${busy.resourceId}`,
      )
    let job = await find()
    for (let tries = 0; tries < 400 && job?.State !== 'running'; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      job = await find()
    }
    const cancelled = await act(job.JobId, 'cancel')
    expect(cancelled.status).toBe(200)
    const after = await until(job.JobId, ['cancelled', 'done'])
    expect(after).toMatchObject({ State: 'cancelled', FinishedTimeUtc: expect.stringMatching(/Z$/) })
    const shown = await given.settled(busy.evidenceId)
    expect(shown.flatMap((one) => one.Processing.map((part: Json) => `${part.Kind} ${part.State}`))).toContain(
      'derive.playable cancelled',
    )
    expect(shown.filter((one) => one.Parent !== null)).toEqual([])
    const bytes = await given.call(
      'GET',
      `${given.documents}/evidence/${busy.evidenceId}/resource/${busy.resourceId}/content`,
    )
    expect(bytes.bytes.length).toBe(video.length + 64)

    const retried = await act(job.JobId, 'retry')
    expect([retried.status, ['queued', 'running']]).toEqual([200, expect.arrayContaining([retried.json.State])])
    await until(job.JobId, ['done'])
    const done = await given.settled(busy.evidenceId)
    expect(done.filter((one) => one.Parent === busy.resourceId).map((one) => one.MimeType)).toEqual(['video/mp4'])
    expect(entriesOf(job.JobId)).toEqual([
      {
        action: 'job.cancelled',
        correlationId: cancelled.correlationId,
        detail: { subject: `resource:${busy.resourceId}` },
      },
      {
        action: 'job.retried',
        correlationId: retried.correlationId,
        detail: { subject: `resource:${busy.resourceId}` },
      },
    ])
  })

  it('failed ones say why under Processing and may be retried, of many at once by one', async () => {
    const broken = await given.completed(Buffer.concat([video.subarray(0, 3000), Buffer.alloc(200)]), {
      name: 'broken.avi',
    })
    await given.settled(broken.evidenceId)
    const failed = (await list('?state=failed')).filter((job) => job.Subject === `resource:${broken.resourceId}`)
    expect(failed.length).toBeGreaterThan(0)
    const [job] = failed
    expect(job.Message).toMatch(/\w+ \w+/)
    const replies = await Promise.all(Array.from({ length: 6 }, () => act(job.JobId, 'retry')))
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(entriesOf(job.JobId).filter(({ action }) => action === 'job.retried')).toHaveLength(
      replies.filter(({ status }) => status === 200).length,
    )
    await until(job.JobId, ['failed'])
  })

  it('queued ones end at once when cancelled', async () => {
    const db = await openTestDatabase({ file: given.file })
    await db.transaction((tx) =>
      tx
        .insertInto('jobs')
        .values({
          kind: 'derive.inspect',
          payload: JSON.stringify({ resourceId: '1' }),
          subject: 'resource:1',
          dedup_key: null,
          state: 'queued',
          run_after: Date.now() + 3_600_000,
          created_utc: new Date().toISOString(),
          started_utc: null,
          finished_utc: null,
          progress: null,
        })
        .execute(),
    )
    await db.close()
    const [job] = await list('?state=queued')
    expect((await act(job.JobId, 'cancel')).json).toMatchObject({ State: 'cancelled', Message: 'Cancelled.' })
    expect((await act(job.JobId, 'cancel')).status).toBe(409)
  })

  it('an event stream does not keep the station from stopping', async () => {
    const other = await givenStation({ fresh: true })
    const response = await fetch(`${other.url}${JOBS}/events`, { headers: { authorization: `Bearer ${other.token}` } })
    expect(response.status).toBe(200)
    const started = performance.now()
    await other.close()
    expect(performance.now() - started).toBeLessThan(10_000)
    await response.body?.cancel().catch(() => {})
  })
})

describe('S4 whose work it is', () => {
  it('a job about evidence is not there for whoever cannot view it, and needs Edit to be stopped', async () => {
    const { evidenceId } = await given.completed(Buffer.from('plain text'), { name: 'a.txt' })
    await given.settled(evidenceId)
    const [job] = (await list('?count=1')) as [Json]
    const stranger = await signIn(await given.integration('no rights'), given.url)
    const reader = await given.integration('reads only')
    const seen = await given.call('POST', `${JOBS}/${job.JobId}/retry`, { token: stranger })
    expect([seen.status, seen.json.ErrorCode]).toEqual([404, 'JobNotFound'])
    const db = await openTestDatabase({ file: given.file })
    await db.transaction((tx) =>
      tx
        .insertInto('evidence_policies')
        .values({
          evidence_id: Number(evidenceId),
          principal_id: Number(reader.ServicePrincipalId),
          level: 'View',
          expires_utc: null,
          expires_ticks: null,
        })
        .execute(),
    )
    await db.close()
    const refused = await given.call('POST', `${JOBS}/${job.JobId}/retry`, { token: await signIn(reader, given.url) })
    expect([refused.status, refused.json.ErrorCode]).toEqual([403, 'Forbidden'])
  })
})
