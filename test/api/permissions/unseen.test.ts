/**
 * S4, S16: whatever is asked, by whatever ids in path, query, body and upload address, nothing comes back of what the caller may not see,
 * and nothing of it changes. All that is hidden carries one mark in its texts and bytes; no answer may hold the mark.
 */
// @module-tag counted
import { createHash } from 'node:crypto'
import { Agent } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallOptions, type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { scale } from '../../support/scale.ts'
import { clipOf } from '../documents/clip.ts'
import { type Call, callsOf } from '../fuzz/calls.ts'
import { described, type Description, type Operation } from '../fuzz/description.ts'
import type { Answer } from '../fuzz/judge.ts'
import { type Pool, valuesFor } from '../fuzz/values.ts'
import { sent } from '../fuzz/world.ts'
import { newPage } from '../sessions/page.ts'
import { SPELLINGS } from './spelling.ts'

const CALLS = scale(1_000, 20_000, 300)
const SEED = Number(process.env['SALLYPORT_TEST_SEED'] ?? Date.now() % 2 ** 31)
const PASSWORD = 'seven lamps by the harbour'
/** In every hidden text. A search for the word beside it must find nothing. */
const MARK = 'kestrel7731quoin'
const WORD = 'harbourmaster'
const HIDDEN_TEXT = `${WORD} ${MARK}`
const BYTES = Buffer.from(`the bytes of ${MARK}, the only copy`)
const SUM = createHash('sha256').update(BYTES).digest('hex')
/** How hidden text and bytes could be written in an answer. */
const TRACES = [
  MARK,
  SUM,
  createHash('md5').update(BYTES).digest('base64'),
  createHash('sha256').update(BYTES).digest('base64'),
  BYTES.toString('base64').slice(20, 44),
]

const CALLERS = ['an officer', 'an officer with another case', 'an integration', 'a guest'] as const
type Caller = (typeof CALLERS)[number]

/** Streams do not end; what ends the caller's own sign-in would end the attack. */
const NOT_CALLED = new Set([
  'dockWallEvents',
  'jobEvents',
  'stationEvents',
  'signOut',
  'endSession',
  'endOtherSessions',
])

let given: Given
let owner: CallOptions
let description: Description
let pool: Pool
let hidden: Readonly<Record<string, string>>
let agent: Agent
const credentials = new Map<Caller, () => Promise<Readonly<Record<string, string>>>>()

const person = async (username: string, policies: readonly string[], guest = false) => {
  await given.command('user.create', { username, password: PASSWORD, group: null, policies, guest })
  return signedInAs(username)
}
async function signedInAs(username: string): Promise<Record<string, string>> {
  const page = newPage(given.url)
  expect((await page.signIn(username, PASSWORD)).status).toBe(200)
  return { cookie: page.cookie as string, origin: given.url }
}

beforeAll(async () => {
  given = await givenStation()
  agent = new Agent({ keepAlive: true, maxSockets: 8 })
  owner = { token: null, headers: await person('owner', ['CreateCases']) }
  const make = (place: string, body: Json, status = 201, options = owner): Promise<Json> =>
    given.expecting(status, given.call('POST', place, { ...options, body }))
  const fields = { Description: HIDDEN_TEXT, Tags: [MARK], CustomFields: { Weather: HIDDEN_TEXT } }
  const theCase = await make('/api/v1/case/station', { Title: HIDDEN_TEXT, ...fields })
  const caseNote = await make(`/api/v1/case/station/${theCase.CaseId}/note`, { Text: HIDDEN_TEXT })
  const evidence = await make(`${given.documents}/evidence`, { Name: HIDDEN_TEXT, ...fields })
  const place = `${given.documents}/evidence/${evidence.EvidenceId}`
  const resource = await make(`${place}/resource`, { Name: `${MARK}.txt` })
  await given.put(resource.UploadUri, BYTES)
  await make(`${place}/resource/${resource.ResourceId}/complete`, {}, 200)
  // What its jobs find would change it during the attack.
  await given.settled(evidence.EvidenceId, owner)
  const open = await make(`${place}/resource`, { Name: `${MARK}.open` })
  const note = await make(`${place}/note`, { Text: HIDDEN_TEXT })
  await make(
    `/api/v1/case/station/${theCase.CaseId}/link-evidences`,
    { Evidences: [{ EvidenceId: evidence.EvidenceId }] },
    204,
  )
  const jobs = await given.expecting(200, given.call('GET', '/api/v1/tenant/station/job?count=50', owner))
  const saved = await make('/searchservice/api/v1/saved/station', { Name: MARK, Question: { Query: HIDDEN_TEXT } })
  // What the callers may see: a clip, and a case of their own.
  const clip = await clipOf({ given })
  await person('other', ['CreateCases'])
  await person('elsewhere', ['CreateCases'])
  const elsewhere = { token: null, headers: await signedInAs('elsewhere') }
  const own = await make('/api/v1/case/station', { Title: 'Own' }, 201, elsewhere)
  await person('visitor', [], true)
  const connection = await given.integration('idle')
  credentials.set('an officer', () => signedInAs('other'))
  credentials.set('an officer with another case', () => signedInAs('elsewhere'))
  credentials.set('a guest', () => signedInAs('visitor'))
  credentials.set('an integration', async () => ({ authorization: `Bearer ${await signIn(connection, given.url)}` }))
  hidden = {
    case: `/api/v1/case/station/${theCase.CaseId}`,
    evidence: place,
    resource: `${place}/resource/${resource.ResourceId}`,
  }
  description = await described(given)
  const upload = new URL(open.UploadUri)
  const spelt = (id: string): string[] => [
    id,
    id,
    id,
    ...Object.values(SPELLINGS).map((spell) => {
      try {
        return decodeURIComponent(spell(id))
      } catch {
        return spell(id)
      }
    }),
  ]
  const [evidenceIds, caseIds, resourceIds] = [evidence.EvidenceId, theCase.CaseId, resource.ResourceId].map(spelt) as [
    string[],
    string[],
    string[],
  ]
  const names = { caseId: theCase.CaseId, evidenceId: evidence.EvidenceId, resourceId: resource.ResourceId }
  pool = new Map<string, readonly Json[]>([
    ...['tenantId', 'tenantName'].map((name): [string, Json[]] => [name, ['station', 'station', 'STATION']]),
    ['caseId', caseIds],
    ['CaseId', caseIds],
    ['CaseIds', caseIds.map((id) => [id])],
    ['FromCaseId', caseIds],
    ['ToCaseId', [own.CaseId, ...caseIds]],
    ['evidenceId', evidenceIds],
    ['EvidenceId', [...evidenceIds, Number(evidence.EvidenceId)]],
    ['EvidenceIds', evidenceIds.map((id) => [id, clip.EvidenceId])],
    ['resourceId', resourceIds],
    ['ResourceId', resourceIds],
    ['ResourceIds', resourceIds.map((id) => [id])],
    ['noteId', [note.NoteId, caseNote.NoteId]],
    ['jobId', jobs.map(({ JobId }: Json) => JobId)],
    ['savedSearchId', [saved.SavedSearchId]],
    [
      'place',
      [
        { ...names, noteId: note.NoteId },
        { ...names, noteId: caseNote.NoteId },
        // A resource of one evidence asked for under another.
        { ...names, evidenceId: clip.EvidenceId, noteId: note.NoteId },
        { ...names, resourceId: clip.ResourceId, noteId: note.NoteId },
        { ...names, caseId: own.CaseId, noteId: caseNote.NoteId },
      ],
    ],
    ['Query', [WORD, `Weather:${WORD}`, evidence.EvidenceId, 'harbour*']],
    ['text', [WORD]],
    ['query', [WORD]],
    // Another signature, another place below it, no place at all.
    [
      'upload',
      [
        upload.pathname,
        `${upload.pathname}${upload.search.replace(/sig=[^&]*/, 'sig=AAAA')}`,
        `${upload.pathname.replace(/[^/]+$/, resource.ResourceId)}${upload.search}`,
        `${upload.pathname}/../${resource.ResourceId}${upload.search}`,
      ],
    ],
  ])
}, 120_000)
afterAll(async () => {
  agent?.destroy()
  await given?.close()
})

/** Everything of the hidden things that their owner sees. */
async function stateOfHidden(): Promise<Json[]> {
  return Promise.all(Object.values(hidden).map(async (place) => (await given.call('GET', place, owner)).json))
}

const callable = ({ id, service }: Operation): boolean => service !== 'user' && !NOT_CALLED.has(id.replace(/_\d+$/, ''))

async function asked(who: Caller, call: Call): Promise<Answer> {
  const once = async (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    sent(agent, given.url, null, { ...call, headers: { ...call.headers, ...headers } })
  const answer = await once(await signedIn(who))
  if (answer.status !== 401) return answer
  current.delete(who)
  return once(await signedIn(who))
}

const current = new Map<Caller, Promise<Readonly<Record<string, string>>>>()
function signedIn(who: Caller): Promise<Readonly<Record<string, string>>> {
  const known = current.get(who) ?? (credentials.get(who) as () => Promise<Record<string, string>>)()
  current.set(who, known)
  return known
}

const traceIn = ({ text, headers }: Answer): string | undefined =>
  TRACES.find((trace) => text.includes(trace) || JSON.stringify(headers).includes(trace))

describe('S4, S16: what a caller may not see', () => {
  it(`comes back in none of ${CALLS} calls, and nobody changes it`, { timeout: 1_200_000 }, async () => {
    const before = await stateOfHidden()
    expect(before.every((one) => JSON.stringify(one).includes(MARK))).toBe(true)
    const operations = description.operations.filter(callable)
    const byStatus = new Map<number, number>()
    const values = valuesFor(description, pool)
    for (const operation of operations) {
      const numRuns = Math.ceil(CALLS / operations.length)
      const drawn = fc.sample(fc.tuple(fc.constantFrom(...CALLERS), callsOf(operation, values, pool)), {
        numRuns,
        seed: SEED,
      })
      for (const [who, call] of drawn) {
        const answer = await asked(who, call)
        byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
        // What was sent may come back: the mark itself is never sent.
        const about = `seed ${SEED}, ${who}: ${call.method} ${call.target} ${String(call.body).slice(0, 300)} → ${answer.status}`
        expect(traceIn(answer), about).toBeUndefined()
        expect(answer.status, about).not.toBe(500)
      }
    }
    expect(await stateOfHidden()).toEqual(before)
    // Most calls named what is hidden and were refused, and still many were let through to where they might have found it:
    // 12 % ± 0.8 % over 33 seeds of 2,000 calls. Five deviations of so many calls below, so that chance alone refuses no run. With 20,000 it
    // is about 10 %: more of them meet what earlier ones changed.
    const all = [...byStatus.values()].reduce((sum, count) => sum + count, 0)
    const good = [...byStatus].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0)
    expect(all).toBeGreaterThanOrEqual(CALLS)
    expect(good / all, `seed ${SEED}`).toBeGreaterThan(Math.min(0.08, 0.12 - 5 * 0.008 * Math.sqrt(2_000 / all)))
    console.log(
      [...byStatus]
        .toSorted()
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    )
  })

  it.each(CALLERS)('is found by no question of %s: an answer is that to a word which nothing holds', async (who) => {
    const questions = (word: string): Call[] =>
      [
        ['GET', `${given.documents}/evidence?text=${word}&total=exact`, null],
        ['GET', `/api/v1/case/station?text=${word}`, null],
        ['POST', '/searchservice/api/v1/search/station', { Query: word, Facets: true }],
        ['POST', '/searchservice/api/v1/search/station', { Query: `Weather:${word}` }],
      ].map(([method, target, body]) => ({
        caller: 'none' as const,
        method: method as string,
        target: target as string,
        parameters: {},
        headers: body === null ? {} : { 'content-type': 'application/json' },
        body: body === null ? null : JSON.stringify(body),
      }))
    const nothing = 'zzyzxnowhere'
    const hiddenQuestions = questions(WORD)
    for (const [at, question] of questions(nothing).entries()) {
      const [plain, found] = [await asked(who, question), await asked(who, hiddenQuestions[at] as Call)]
      if (who !== 'a guest') expect(plain.status, question.target).toBe(200)
      expect([found.status, sameWord(found.text)]).toEqual([plain.status, sameWord(plain.text)])
    }
    function sameWord(text: string): string {
      return text
        .replaceAll(WORD, nothing)
        .replaceAll(/"(TookMillis|CorrelationId|Cursor|QueryId)":("[^"]*"|[\d.]+)/g, '')
    }
  })
})
