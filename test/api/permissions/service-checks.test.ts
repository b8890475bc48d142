/**
 * S4, S16: with the route's check taken out, every service of an evidence still refuses, before it looks at a resource or at the state of the
 * evidence. And a right that goes while a service works is asked for again where its result is written.
 */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import type { Json, Reply } from '../../support/given.ts'
import { statementsOf } from '../../support/statements.ts'
import { CASES, type Person } from '../cases/world.ts'
import { contractRoutes } from '../http/contract-routes.ts'
import { attach, captionFile } from '../annotations/acts.ts'
import { annotationWorld, type AnnotationWorld } from '../annotations/world.ts'

const hooks = vi.hoisted(() => ({
  routeJudges: false,
  /** Runs once, after a service judged its caller and before it goes on. */
  afterJudging: null as null | (() => Promise<void>),
  /** Runs once, after a document gathered what it says of its first evidence. */
  afterFacts: null as null | (() => Promise<void>),
}))

// The product with one part less: nothing else can tell the route's refusal from the service's.
vi.mock('../../../server/app/authorize.ts', async (original) => {
  const real = await original<typeof import('../../../server/app/authorize.ts')>()
  const createAuthorize: typeof real.createAuthorize = (deps) => {
    const authorize = real.createAuthorize(deps)
    return async (route, request) => {
      const judged = await authorize(route, request)
      if (hooks.routeJudges || route.permission.kind !== 'level') return judged
      const { refusal: _gone, ...rest } = judged
      return rest
    }
  }
  return { ...real, createAuthorize }
})

vi.mock('../../../server/kernel/evidence/reach.ts', async (original) => {
  const real = await original<typeof import('../../../server/kernel/evidence/reach.ts')>()
  const createReach: typeof real.createReach = (deps) => {
    const reached = real.createReach(deps)
    return {
      ...reached,
      reachRows: async (...asked) => {
        const found = await reached.reachRows(...asked)
        const act = hooks.afterJudging
        hooks.afterJudging = null
        await act?.()
        return found
      },
    }
  }
  return { ...real, createReach }
})

vi.mock('../../../server/features/reports/documents/facts.ts', async (original) => {
  const real = await original<typeof import('../../../server/features/reports/documents/facts.ts')>()
  const factsOf: typeof real.factsOf = async (...asked) => {
    const found = await real.factsOf(...asked)
    const act = hooks.afterFacts
    hooks.afterFacts = null
    await act?.()
    return found
  }
  return { ...real, factsOf }
})

let world: AnnotationWorld
let routes: readonly RouteDefinition[]
let stranger: Person
let viewer: Person
let editor: Person
let ids: Readonly<Record<string, string>>
/** Of a route: its resource where it is not the film. An open one is judged when its bytes are in (promise U7), so completion is asked of the film. */
let resources: Readonly<Record<string, string>>

beforeAll(async () => {
  world = await annotationWorld()
  const { given, clip, place } = world
  stranger = await world.person('stranger')
  viewer = await world.person('viewer')
  editor = await world.person('editor')
  const captions = await given.expecting(201, attach(world, clip, await captionFile(world, clip)))
  const open = await given.resource(clip.EvidenceId)
  const picture = path.join(given.dir, 'photo.jpg')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=64x64:d=1', '-frames:v', '1', picture])
  const photo = await given.completed(readFileSync(picture), { name: 'photo.jpg', evidenceId: clip.EvidenceId })
  await given.settled(clip.EvidenceId)
  // Of the viewer's own, so that the level alone can refuse.
  await world.allow(viewer, 'Edit')
  const marked = { ResourceId: clip.ResourceId, StartSeconds: 0, Title: 'A car' }
  const bookmark = await given.expecting(201, world.as(viewer, 'POST', `${place}/bookmark`, marked))
  const note = await given.expecting(201, world.as(viewer, 'POST', `${place}/note`, { Text: 'seen' }))
  await world.allow(viewer, 'View')
  ids = {
    tenantName: 'station',
    tenantId: 'station',
    evidenceId: clip.EvidenceId,
    resourceId: clip.ResourceId,
    bookmarkId: bookmark.BookmarkId,
    noteId: note.NoteId,
  }
  resources = {
    getCaptions: captions.ResourceId,
    detachCaptions: captions.ResourceId,
    restoreCaptions: captions.ResourceId,
    renewUploadUri: open.ResourceId,
    cropPicture: photo.resourceId,
  }
  routes = (await contractRoutes()).filter(
    ({ permission }) => permission.kind === 'level' && permission.on === 'evidence',
  )
}, 120_000)
afterAll(() => world?.given.close())

const bodies = (): Readonly<Record<string, Json>> => ({
  createBookmark: { ResourceId: ids['resourceId'], StartSeconds: 0, Title: 'x' },
  updateBookmark: { StartSeconds: 0, Title: 'x', ConcurrencyId: 'x' },
  attachCaptions: { FileResourceId: ids['resourceId'], Language: 'en' },
  createResource: { Name: 'x' },
  setRestriction: { Kind: 'privileged', Reason: 'x' },
  liftRestriction: { Kind: 'privileged', Reason: 'x' },
  patchEvidence: { Description: 'x' },
  moveEvidence: { FromCaseId: '1', ToCaseId: '2' },
  takeStill: { Seconds: 0 },
  makeClips: { Kind: 'exact', Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] },
  getClipBounds: { Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] },
  cropPicture: { Left: 0, Top: 0, Width: 1, Height: 1 },
  createEvidenceNote: { Text: 'x' },
  updateEvidenceNote: { Text: 'x', ConcurrencyId: 'x' },
})

function asks(
  route: RouteDefinition,
  who: Person,
  instead: Readonly<Record<string, string>> = {},
  key?: string,
): Promise<Reply> {
  const own = { ...ids, resourceId: resources[route.id] ?? (ids['resourceId'] as string), ...instead }
  const place = route.path.replaceAll(/:([^/]+)/g, (_all, name: string) => own[name as keyof typeof own] as string)
  const body = route.body === undefined ? undefined : (bodies()[route.id] ?? {})
  return world.as(who, route.method, place, body, key === undefined ? {} : { key })
}
const told = ({ status, json }: Reply): string => `${status} ${json?.ErrorCode ?? ''}`.trim()
const levelOf = ({ permission }: RouteDefinition): string => (permission.kind === 'level' ? permission.level : '')

describe('S4 a service of an evidence, without the check of the route', () => {
  it('is asked by every route that needs a level, and there are many', () => {
    expect(routes.length).toBeGreaterThan(30)
    expect(new Set(routes.map(levelOf))).toEqual(new Set(['View', 'Download', 'Edit', 'Manage']))
  })

  it('tells a stranger that there is no such evidence', async () => {
    const found: Record<string, string> = {}
    for (const route of routes) found[route.id] = told(await asks(route, stranger))
    expect(found).toEqual(Object.fromEntries(routes.map(({ id }) => [id, '404 EvidenceNotFound'])))
  })

  it('answers who may view what needs no more, and refuses them the rest', async () => {
    const found: Record<string, string> = {}
    for (const route of routes) found[route.id] = told(await asks(route, viewer))
    const refused = routes.filter((route) => levelOf(route) !== 'View')
    for (const { id } of refused) expect([id, found[id]]).toEqual([id, '403 Forbidden'])
    for (const { id } of routes.filter((route) => levelOf(route) === 'View'))
      expect([id, found[id]]).toEqual([id, expect.stringMatching(/^20\d$/)])
  })
})

describe('S4 a right that goes while a service works', () => {
  const worked: [string, () => Promise<Reply>][] = [
    ['a still', () => asks(named('takeStill'), editor)],
    [
      'captions that are attached',
      async () => {
        const file = await captionFile(world, world.clip)
        const body = { FileResourceId: file, Language: 'fr' }
        return world.as(editor, 'POST', `${world.place}/resource/${world.clip.ResourceId}/captions`, body)
      },
    ],
    ['captions that are taken away', () => asks(named('detachCaptions'), editor)],
    ['clips that are asked for', () => asks(named('makeClips'), editor)],
    ['a part of a picture', () => asks(named('cropPicture'), editor)],
  ]
  const named = (id: string): RouteDefinition => routes.find((route) => route.id === id) as RouteDefinition
  it.each(worked)('%s: nothing is written', async (_name, act) => {
    await world.allow(editor, 'Edit')
    const names = async (): Promise<string[]> => {
      const { json } = await world.given.call('GET', `${world.place}/resource`)
      return json.filter(({ Derivation }: Json) => Derivation !== null).map(({ Name }: Json) => Name)
    }
    const before = await names()
    hooks.afterJudging = () => world.allow(editor, 'View')
    expect(told(await act())).toBe('403 Forbidden')
    expect(hooks.afterJudging).toBeNull()
    expect(await names()).toEqual(before)
    const captions = `${world.place}/resource/${resources['getCaptions']}/captions`
    expect((await world.given.call('GET', captions)).status).toBe(200)
    const { Captions } = (await world.given.call('GET', `${world.place}/resource/${ids['resourceId']}/media`)).json
    expect(Captions.map(({ ResourceId }: Json) => ResourceId)).toEqual([resources['getCaptions']])
  })
})

const withoutTimes = (json: Json): Json =>
  typeof json.UploadUri === 'string' ? { ...json, UploadUri: new URL(json.UploadUri).pathname } : json

describe('S4 an answer that is remembered', () => {
  it('is given again only to who may ask for it still', async () => {
    const kept = ['takeStill', 'cropPicture', 'makeClips', 'createResource', 'createBookmark', 'createEvidenceNote']
    for (const id of kept) {
      const route = routes.find((one) => one.id === id) as RouteDefinition
      expect([id, route.idempotent]).toEqual([id, true])
      const ask = (): Promise<Reply> => asks(route, editor, {}, `${id}-once`)
      await world.allow(editor, 'Edit')
      const first = await ask()
      expect([id, first.status]).toEqual([id, expect.toBeOneOf([201, 202])])
      // The upload address of a resource is made anew, with the time of the answer.
      expect([id, withoutTimes((await ask()).json)]).toEqual([id, withoutTimes(first.json)])
      await world.allow(editor, 'View')
      expect([id, told(await ask())]).toEqual([id, '403 Forbidden'])
    }
    await world.given.settled(ids['evidenceId'] as string)
  })
})

describe('S4 a clip whose person may not change the evidence any more when it is made', () => {
  it('is not kept, and its failure is an entry of the station that says why (I1)', async () => {
    const { given, clip } = world
    const clips = async (): Promise<Json[]> =>
      (await given.settled(clip.EvidenceId)).filter(({ Taken }: Json) => Taken?.Kind === 'exact')
    const before = await clips()
    const seq = given.ledger().at(-1)?.seq
    // As it was asked for while they had Edit: the job alone is there.
    const by = JSON.stringify({ kind: 'service', id: viewer.id, name: 'viewer', kId: viewer.kId })
    const payload = { resourceId: clip.ResourceId, kind: 'exact', from: '0', to: '0.5', name: '', by }
    const subject = `resource:${clip.ResourceId}`
    await given.meddle((db) =>
      db
        .prepare(
          "INSERT INTO jobs (kind, payload, subject, state, created_utc) VALUES ('media.clip', ?, ?, 'queued', ?)",
        )
        .run(JSON.stringify(payload), subject, new Date().toISOString()),
    )
    // The queue looks for jobs when something asks for one.
    await given.completed(Buffer.from('any file'))
    const about = () => given.ledger(seq).filter(({ action }) => action.startsWith('clip.'))
    await expect.poll(about, { timeout: 60_000 }).not.toEqual([])
    expect(about()).toEqual([
      expect.objectContaining({
        action: 'clip.failed',
        actor: { kind: 'internal', id: '0', name: 'internal', role: null },
        source: 'station',
        object: { type: 'resource', id: clip.ResourceId, name: clip.Name },
        outcome: 'failed',
        reason: 'Whoever asked for this clip may not change this evidence any more, so it was not kept.',
        detail: { evidenceId: clip.EvidenceId, kind: 'exact', from: 0, to: 0.5 },
      }),
    ])
    expect(await clips()).toEqual(before)
  })
})

describe('S4 a document of a case', () => {
  it('leaves out evidence that its reader may not view any more when its turn comes', async () => {
    const { given } = world
    const grant = [world.policy(world.maker, 'Manage'), world.policy(viewer, 'View')]
    const { CaseId } = await world.made({ Title: 'A long one', AccessPolicies: grant })
    const Evidences: Json[] = []
    for (let count = 0; count < 31; count++) {
      const made = await world.as(world.maker, 'POST', `${given.documents}/evidence`, { Name: `Exhibit ${count}` })
      Evidences.push({ EvidenceId: (await given.expecting(201, Promise.resolve(made))).EvidenceId })
    }
    await given.expecting(204, world.send('POST', `${CASES}/${CaseId}/link-evidences`, { Evidences }))
    const place = `/api/v1/tenant/station/reports/case/${CaseId}/summary`
    const printed = async (): Promise<unknown> => {
      const { correlationId } = await world.as(viewer, 'GET', place)
      const entries = given.ledger().filter((entry) => entry.correlationId === correlationId)
      return entries.find(({ action }) => action === 'document.made')?.detail?.['evidence']
    }
    expect(await printed()).toBe(31)
    hooks.afterFacts = async () => {
      const { ConcurrencyId } = await given.expecting(200, world.send('GET', `${CASES}/${CaseId}`))
      const body = { ConcurrencyId, AccessPolicies: grant.slice(0, 1) }
      await given.expecting(200, world.send('PATCH', `${CASES}/${CaseId}`, body))
    }
    expect(await printed()).toBe(30)
    expect(hooks.afterFacts).toBeNull()
  })
})

describe('S16 evidence that one may not see, and evidence that is not there', () => {
  const MISSING = '99999999'
  beforeAll(() => {
    hooks.routeJudges = true
  })
  afterAll(() => {
    hooks.routeJudges = false
  })

  const entriesOf = ({ correlationId }: Reply, id: string): unknown[] =>
    world.given
      .ledger()
      .filter((entry) => entry.correlationId === correlationId)
      .map(({ action, outcome, reason, object, detail }) => ({
        action,
        outcome,
        reason,
        object: object.type === 'evidence' ? { ...object, id: object.id === id } : object,
        detail: { ...detail, evidenceId: detail?.['evidenceId'] === id },
      }))

  it('are answered alike and leave the same entry, whatever is asked', async () => {
    for (const route of routes) {
      const told = async (evidenceId: string) => {
        const reply = await asks(route, stranger, { evidenceId })
        const { CorrelationId: _own, Message, ...body } = reply.json
        return {
          route: route.id,
          status: reply.status,
          body,
          message: Message.replace(evidenceId, ''),
          entries: entriesOf(reply, evidenceId),
        }
      }
      const unseen = await told(ids['evidenceId'] as string)
      expect(unseen.entries).toHaveLength(1)
      expect(await told(MISSING)).toEqual(unseen)
    }
  })

  it('cost the same statements', async () => {
    for (const route of routes) {
      const unseen = await statementsOf(() => asks(route, stranger))
      expect(unseen.length).toBeGreaterThan(2)
      const missing = await statementsOf(() => asks(route, stranger, { evidenceId: MISSING }))
      expect([route.id, missing]).toEqual([route.id, unseen])
    }
  })
})
