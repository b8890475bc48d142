/**
 * S4, S16: with the route's check taken out, every service of an evidence still refuses, before it looks at a resource or at the state of the
 * evidence. And a right that goes while a service works is asked for again where its result is written.
 */
// @module-tag merge
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import type { Json, Reply } from '../../support/given.ts'
import type { Person } from '../cases/world.ts'
import { contractRoutes } from '../http/contract-routes.ts'
import { attach, captionFile } from '../annotations/acts.ts'
import { annotationWorld, type AnnotationWorld } from '../annotations/world.ts'

const hooks = vi.hoisted(() => ({
  routeJudges: false,
  /** Runs once, after a service judged its caller and before it goes on. */
  afterJudging: null as null | (() => Promise<void>),
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
  patchEvidence: { Description: 'x' },
  moveEvidence: { FromCaseId: '1', ToCaseId: '2' },
  takeStill: { Seconds: 0 },
  makeClips: { Kind: 'exact', Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] },
  getClipBounds: { Ranges: [{ FromSeconds: 0, ToSeconds: 0 }] },
  cropPicture: { Left: 0, Top: 0, Width: 1, Height: 1 },
  createEvidenceNote: { Text: 'x' },
  updateEvidenceNote: { Text: 'x', ConcurrencyId: 'x' },
})

function asks(route: RouteDefinition, who: Person, instead: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const own = { ...ids, resourceId: resources[route.id] ?? (ids['resourceId'] as string), ...instead }
  const place = route.path.replaceAll(/:([^/]+)/g, (_all, name: string) => own[name as keyof typeof own] as string)
  return world.as(who, route.method, place, route.body === undefined ? undefined : (bodies()[route.id] ?? {}))
}
const told = ({ status, json }: Reply): string => `${status} ${json?.ErrorCode ?? ''}`.trim()
const levelOf = ({ permission }: RouteDefinition): string => (permission.kind === 'level' ? permission.level : '')

describe('S4 a service of an evidence, without the check of the route', () => {
  it('is asked by every route that needs a level, and there are many', () => {
    expect(routes.length).toBeGreaterThan(30)
    expect(new Set(routes.map(levelOf))).toEqual(new Set(['View', 'Download', 'Edit']))
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

/** The statements of an answer: the fewest of a few, for the station's own work goes on beside it. */
async function statementsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  let fewest: string[] | null = null
  for (let round = 0; round < 4; round++) {
    const found: string[] = []
    const hear = (sql: unknown) => void found.push(sql as string)
    subscribe('sallyport:statement', hear)
    await act()
    unsubscribe('sallyport:statement', hear)
    if (fewest === null || found.length < fewest.length) fewest = found
  }
  return fewest ?? []
}

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
