// @module-tag counted
// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import { type CallOptions, type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { scale } from '../../support/scale.ts'
import { contractRoutes } from '../http/contract-routes.ts'
import { newPage } from '../sessions/page.ts'
import { namedBy, namedByText, SPELLINGS } from './spelling.ts'

/**
 * S16: every route that names an evidence, a resource, a case, a device or a job, its ids in other spellings, by five kinds of caller. A
 * spelling is that very id, another one, or malformed, and is answered to each caller as the plain spelling of such an id is.
 */
const CALLS = scale(2_000, 20_000, 1_000)
const PASSWORD = 'seven lamps by the harbour'
const UNKNOWN = '99999999'
const MALFORMED = 'x'
/** What is asked for belongs to the first of these alone. */
const CALLERS = [
  'the officer with rights',
  'an officer without',
  'an integration in no policy',
  'a guest',
  'nobody',
] as const
type Caller = (typeof CALLERS)[number]
const KINDS = ['same', 'other', 'malformed'] as const

let given: Given
let ids: Readonly<Record<string, string>>
let caseNote: string
let uploadUri: string
const as = new Map<Caller, CallOptions>()
let routes: readonly RouteDefinition[]

beforeAll(async () => {
  given = await givenStation()
  const person = async (username: string, guest: boolean, policies: readonly string[]): Promise<CallOptions> => {
    await given.command('user.create', { username, password: PASSWORD, group: null, policies, guest })
    const page = newPage(given.url)
    const { status, headers } = await page.signIn(username, PASSWORD)
    expect(status).toBe(200)
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] as string
    return { token: null, headers: { cookie, origin: given.url } }
  }
  const owner = await person('owner', false, ['CreateCases', 'ManageDevices'])
  as.set('the officer with rights', owner)
  as.set('an officer without', await person('other', false, ['CreateCases']))
  as.set('an integration in no policy', { token: await signIn(await given.integration('idle'), given.url) })
  as.set('a guest', await person('visitor', true, []))
  as.set('nobody', { token: null })
  const made = (method: string, place: string, body: Json, status = 201): Promise<Json> =>
    given.expecting(status, given.call(method, place, { ...owner, body }))
  // So that no id is one that somebody else's thing of another kind has.
  for (let at = 0; at < 11; at++) await given.evidence()
  const evidence = await made('POST', `${given.documents}/evidence`, { Name: 'of the owner alone' })
  const place = `${given.documents}/evidence/${evidence.EvidenceId}`
  const resource = await made('POST', `${place}/resource`, { Name: 'clip.bin' })
  await given.put(resource.UploadUri, Buffer.from('the only copy'))
  await made('POST', `${place}/resource/${resource.ResourceId}/complete`, {}, 200)
  uploadUri = (await made('POST', `${place}/resource`, { Name: 'still open' })).UploadUri
  const note = await made('POST', `${place}/note`, { Text: 'seen by the owner' })
  const theCase = await made('POST', '/api/v1/case/station', { Title: 'of the owner alone' })
  caseNote = (await made('POST', `/api/v1/case/station/${theCase.CaseId}/note`, { Text: 'likewise' })).NoteId
  const task = await made('POST', `/api/v1/case/station/${theCase.CaseId}/task`, { Title: 'of the owner alone' })
  const device = await made('POST', '/api/v1/tenant/station/device', {
    DeviceIdentification: { SerialNumber: 'S-1', Manufacturer: 'Acme' },
  })
  await given.expecting(200, given.call('POST', `/api/v1/tenant/station/device/${device.Id}/activate`, owner))
  const [job] = await given.expecting(200, given.call('GET', '/api/v1/tenant/station/job?count=1', owner))
  ids = {
    evidenceId: evidence.EvidenceId,
    resourceId: resource.ResourceId,
    noteId: note.NoteId,
    caseId: theCase.CaseId,
    deviceId: device.Id,
    jobId: job.JobId,
    taskId: task.TaskId,
    no: '1',
    bookmarkId: '1',
    associationId: '1',
    principalId: '1',
  }
  routes = (await contractRoutes()).filter(({ path }) => /:(evidenceId|caseId|deviceId|jobId)\b/.test(path))
}, 120_000)
afterAll(() => given?.close())

const parametersOf = (route: RouteDefinition): string[] =>
  [...route.path.matchAll(/:([^/]+)/g)].map(([, name]) => name as string).filter((name) => !name.startsWith('tenant'))

const BODIES: Readonly<Record<string, Json>> = {
  createResource: { Name: 'x' },
  createEvidenceNote: { Text: 'x' },
  createCaseNote: { Text: 'x' },
  createCaseTask: { Title: 'x' },
  liftRestriction: { Kind: 'privileged', Reason: 'x' },
  patchEvidence: { Description: 'x' },
  takeStill: { Seconds: 0 },
  makeClips: { Kind: 'exact', Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] },
  getClipBounds: { Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] },
  cropPicture: { Left: 0, Top: 0, Width: 1, Height: 1 },
}

/** @param spelled by parameter, what stands there instead of the plain id */
function asked(route: RouteDefinition, who: Caller, spelled: Readonly<Record<string, string>>): Promise<Reply> {
  const place = route.path.replaceAll(/:([^/]+)/g, (_all, name: string) => {
    if (name.startsWith('tenant')) return 'station'
    return spelled[name] ?? (name === 'noteId' && route.interface === 'case' ? caseNote : (ids[name] as string))
  })
  const body = route.body === undefined ? {} : { body: BODIES[route.id] ?? {} }
  return given.call(route.method, place, { ...as.get(who), ...body })
}
const told = ({ status, json }: Reply): string => `${status} ${json?.ErrorCode ?? ''}`

/** The same draws for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

describe('S16 an id in another spelling', () => {
  it(`is answered as the plain one, in ${CALLS} calls`, { timeout: 1_200_000 }, async () => {
    const seed = Date.now() % 1_000_000
    const draw = drawing(seed)
    const places = routes.flatMap((route) => parametersOf(route).map((name) => ({ route, name })))
    const spellings = Object.entries(SPELLINGS)
    const before = given.ledger().at(-1)?.seq ?? 0
    const plain = new Map<string, string>()
    const met = new Map<string, number>()
    // Each kind of id of each caller is met more than five times: the rare ones are drawn on for.
    const isMet = (): boolean => CALLERS.every((who) => KINDS.every((kind) => (met.get(`${who} ${kind}`) ?? 0) > 5))
    for (let count = 0; count < CALLS || (!isMet() && count < 5 * CALLS); count++) {
      // Every place is met, the rest is drawn.
      const { route, name } = places[count < places.length ? count : draw(places.length)] as (typeof places)[number]
      const who = CALLERS[draw(CALLERS.length)] as Caller
      const [how, spell] = spellings[draw(spellings.length)] as (typeof spellings)[number]
      const id = name === 'noteId' && route.interface === 'case' ? caseNote : (ids[name] as string)
      const numeric = name !== 'deviceId'
      const segment = numeric ? spell(id) : percentOf(id, draw)
      const { kind } = numeric ? namedBy(segment, id) : namedByText(segment, id)
      const instead = kind === 'same' ? id : kind === 'other' ? UNKNOWN : MALFORMED
      const about = `seed ${seed}: ${route.id}, ${name} ${how} (${segment}), ${who}`
      // The very thing may be another one by now: the owner changes it, and anybody may take a device.
      const mayChange = who === 'the officer with rights' || (who !== 'nobody' && kind === 'same')
      const answers = new Set<string>()
      if (who === 'nobody') answers.add('401 ').add('401 Unauthorized')
      else if (mayChange) answers.add(told(await asked(route, who, { [name]: instead })))
      else {
        const key = `${route.id} ${name} ${who} ${instead}`
        const known = plain.get(key) ?? told(await asked(route, who, { [name]: instead }))
        plain.set(key, known)
        answers.add(known)
      }
      const found = told(await asked(route, who, { [name]: segment }))
      // What one call changed, the next one meets.
      if (mayChange) answers.add(told(await asked(route, who, { [name]: instead })))
      expect([...answers], `${about}: ${found}`).toContain(found)
      met.set(`${who} ${kind}`, (met.get(`${who} ${kind}`) ?? 0) + 1)
    }
    expect(isMet(), JSON.stringify([...met])).toBe(true)
    // Whatever the answers said: nothing was done or shown on what is the owner's alone.
    const theirs = new Set([ids['evidenceId'], ids['resourceId'], ids['caseId']])
    const wrong = given.ledger(before).filter(({ actor, outcome, object }) => {
      const isOwner = actor.name === 'owner' || actor.kind === 'internal'
      return (
        !isOwner && outcome === 'ok' && ['evidence', 'resource', 'case'].includes(object.type) && theirs.has(object.id)
      )
    })
    expect(wrong.map(({ actor, action, object }) => `${actor.name}: ${action} ${object.type} ${object.id}`)).toEqual([])
  })
})

/** Some of its characters percent-encoded, or changed. */
function percentOf(id: string, draw: (below: number) => number): string {
  if (draw(4) === 0) return `0${id}`
  return [...id].map((one) => (draw(3) === 0 ? `%${one.charCodeAt(0).toString(16)}` : one)).join('')
}

describe('S16 an id in a body or a query', () => {
  const spellings = ['', '0', '00000', '0000000000000000000', '+', '-', ' ', '\t']
  const places: readonly (readonly [string, (id: string) => readonly [string, string, Json?]])[] = [
    ['EvidenceIds of a new case', (id) => ['POST', '/api/v1/case/station', { Title: 'x', EvidenceIds: [id] }]],
    ['CaseIds of new evidence', (id) => ['POST', `${given.documents}/evidence`, { Name: 'x', CaseIds: [id] }]],
    [
      'the CaseId of a search',
      (id) => ['POST', '/searchservice/api/v1/search/station', { Types: ['Evidence'], CaseId: id }],
    ],
    ['the case of a list', (id) => ['GET', `${given.documents}/evidence?case=${encodeURIComponent(id)}`]],
    [
      'the case of an export',
      (id) => ['GET', `${given.documents}/evidence/export?format=csv&case=${encodeURIComponent(id)}`],
    ],
  ]
  it.each(places)('%s: no caller without rights is told more than by the plain one', async (_name, place) => {
    const before = given.ledger().at(-1)?.seq ?? 0
    for (const who of ['an officer without', 'an integration in no policy', 'a guest'] as const)
      for (const before of spellings) {
        for (const id of [ids['evidenceId'], ids['caseId']] as string[]) {
          const ask = async (text: string): Promise<Reply> => {
            const [method, address, body] = place(text)
            return given.call(method, address, { ...as.get(who), ...(body === undefined ? {} : { body }) })
          }
          const [spelled, plain, malformed] = [await ask(`${before}${id}`), await ask(id), await ask('x')]
          expect([told(plain), told(malformed)], `${who}: "${before}${id}"`).toContain(told(spelled))
          expect(spelled.text).not.toContain('of the owner alone')
        }
      }
    const linked = given
      .ledger(before)
      .filter(({ action, actor }) => actor.name !== 'owner' && action.includes('linked'))
    expect(linked).toEqual([])
  })

  it('an upload address signed for one resource opens no other spelling of it', async () => {
    const url = new URL(uploadUri)
    const blob = url.pathname.split('/').at(-1) as string
    const put = (segment: string, query = url.search): Promise<Reply> =>
      given.call('PUT', `${url.origin}/blob/station/${segment}${query}`, {
        token: null,
        raw: 'x',
        headers: { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2021-12-02' },
      })
    expect((await put(blob)).status).toBe(201)
    expect((await put(`%3${blob[0]}${blob.slice(1)}`)).status).toBe(201)
    for (const segment of [`0${blob}`, `+${blob}`, `${blob}%20`, blob.padStart(20, '0'), `${blob}%00`, `%253${blob}`])
      expect((await put(segment)).status, segment).toBe(403)
  })

  it('an upload signature has one spelling', async () => {
    const url = new URL(uploadUri)
    const signature = url.searchParams.get('sig') as string
    const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = LETTERS.indexOf(signature.at(-1) as string)
    // 256 bits leave two of the last letter unused.
    const others = [0, 1, 2, 3].map((bits) => `${signature.slice(0, -1)}${LETTERS[(last & 0b111100) | bits]}`)
    const given43 = others.filter((one) => one !== signature)
    expect([signature.length, given43.length]).toEqual([43, 3])
    const look = async (sig: string): Promise<number> => {
      const query = new URLSearchParams(url.search)
      query.set('sig', sig)
      return (await given.call('HEAD', `${url.origin}${url.pathname}?${query}`, { token: null })).status
    }
    expect(await look(signature)).toBe(200)
    for (const sig of [...given43, `${signature}=`, `${signature}.`, ` ${signature}`, `${signature}A`])
      expect(await look(sig), sig).toBe(403)
  })
})
