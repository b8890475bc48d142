import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAction } from '../../../server/kernel/ledger/actions.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { casesNamedIn } from '../../../server/features/packages/custody-lines.ts'
import { contractRoutes } from '../../../server/openapi.ts'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import type { Given, Json, Reply } from '../../support/given.ts'
import { isOnPostgres } from '../../support/postgres-given.ts'
import { sampled } from '../../support/scale.ts'
import { ACTS, blockBlob, eventually, makeWorld, openWithBytes, resourcePath, type World } from './acts.ts'

/**
 * I1: every act is in the ledger. Each route of the contract is called once as it should be and once as a stranger, and the entries with
 * the reply's correlation id are exactly the expected ones. The list in acts.ts must name every route there is.
 */
const ROUTES = contractRoutes()
const FIRST_CASE = 770_000_000
let world: World
let given: Given
beforeAll(async () => {
  world = await makeWorld()
  given = world.given
  // Cases get numbers that nothing else has, so that an entry that names one is found by it.
  if (!isOnPostgres)
    await given.meddle((db) => {
      const { changes } = db.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'cases'").run(FIRST_CASE)
      if (changes === 0) db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('cases', ?)").run(FIRST_CASE)
    })
})
afterAll(() => given?.close())
const withId = (correlationId: string): StoredEntry[] => world.withId(correlationId)

describe('I1 the contract', () => {
  it('every route declares its audit in words that the ledger knows', () => {
    for (const { id, audit } of ROUTES) {
      const actions = audit.by === 'read' ? [audit.action] : audit.by === 'own' ? audit.actions : []
      expect([id, actions.filter((action) => !isAction(action))]).toEqual([id, []])
      if (audit.by === 'own') expect([id, actions.length > 0]).toEqual([id, true])
      if (audit.by === 'none') expect([id, audit.reason]).toEqual([id, expect.stringMatching(/\w+ \w+|^As /)])
    }
  })

  it('the bound routes are the routes with a declared audit, and those that this suite calls', async () => {
    const document = (await given.call('GET', '/openapi.json', { token: null })).json
    const bound = Object.values<Json>(document.paths).flatMap((place) => Object.values<Json>(place))
    const audits = new Map(bound.map((operation) => [operation.operationId, operation['x-audit']]))
    for (const { id, audit } of ROUTES) expect([id, audits.get(id)]).toEqual([id, audit])
    expect([...audits.keys()].filter((id: string) => !/_\d+$/.test(id)).sort()).toEqual(Object.keys(ACTS).sort())
  })

  it('what writes nothing is this list and no more', () => {
    expect(
      ROUTES.filter(({ audit }) => audit.by === 'none')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      'authorize',
      'authorizeByPost',
      'beginPasskeySignIn',
      'canManageDevices',
      'canManageDevicesByPost',
      'cancelMapImport',
      'discovery',
      'dockWallEvents',
      'docs',
      'docsFile',
      'findMapPlaces',
      'getAccount',
      'getAuthorization',
      'getBlobProperties',
      'getBlockList',
      'getCaDer',
      'getCaPem',
      'getDispositionFigures',
      'getDockWall',
      'getGuestLink',
      'getGuestPoster',
      'getMapTile',
      'getNoticeChoices',
      'getPairing',
      'getSampleData',
      'getSession',
      'getStation',
      'getValidation',
      'health',
      'jobEvents',
      'jsonWebKeys',
      'listAllowedPrograms',
      'listJobs',
      'listMaps',
      'listNodes',
      'listOwnSessions',
      'listPackagePlaces',
      'listPasskeys',
      'listValidations',
      'metrics',
      'openApi',
      'putMapPart',
      'readiness',
      'sessionActivity',
      'stationEvents',
      'userInfo',
      'userInfoByPost',
    ])
  })
})

/** Snapshots are of a file of SQLite. */
const OF_SNAPSHOTS: readonly string[] = ['addBackupTarget', 'drillBackup', 'makeBackup', 'removeBackupTarget']

describe('I1 a good call', () => {
  it.for(ROUTES)('$id leaves exactly its entries', async (route, { skip }) => {
    const { id } = route
    skip(isOnPostgres && OF_SNAPSHOTS.includes(id), 'on PostgreSQL: the tools of the server make backups')
    const act = await ACTS[id]?.(world)
    if (act === undefined) throw new Error(`nothing calls ${id}`)
    const reply = await act.call()
    expect([reply.status, reply.correlationId]).toEqual([act.status, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    const expected = act.entries(reply)
    const declared: readonly string[] =
      route.audit.by === 'own' ? route.audit.actions : route.audit.by === 'read' ? [route.audit.action] : []
    for (const [action] of expected) expect(declared).toContain(action)
    const kind =
      typeof act.actor === 'object'
        ? act.actor
        : act.actor === 'anonymous'
          ? { kind: 'anonymous', id: '', name: 'anonymous' }
          : act.actor === 'sergeant'
            ? { kind: 'user', id: expect.stringMatching(/^\d+$/), name: 'sergeant' }
            : act.actor === 'chief'
              ? { kind: 'service', id: expect.stringMatching(/^\d+$/), name: 'chief' }
              : { kind: 'service', id: given.principalId, name: 'uploader' }
    expect(act.written?.() ?? withId(reply.correlationId)).toEqual(
      expected.map(([action, type, objectId, more]) =>
        expect.objectContaining({
          format: 1,
          action,
          object: expect.objectContaining({ type, id: objectId }),
          outcome: 'ok',
          reason: null,
          source: '127.0.0.1',
          actor: { ...kind, role: null },
          timeUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ...more,
        }),
      ),
    )
  })

  it('HEAD, a version, a repeat and a 304 are looks at the record, not downloads', async () => {
    const done = await openWithBytes(given)
    await given.call('POST', `${resourcePath(given, done)}/complete`)
    const finished = await given.evidence()
    await given.call('POST', `${given.documents}/evidence/${finished.EvidenceId}/complete`)
    const content = `${resourcePath(given, world.original)}/content`
    const looks: [string, Promise<Reply>][] = [
      ['evidence.read', given.call('HEAD', `${given.documents}/evidence/${world.photo.evidenceId}`)],
      [
        'evidence.read',
        given.call(
          'GET',
          `${given.documents}/evidence/${world.photo.evidenceId}?concurrencyId=${world.evidence.ConcurrencyId}`,
        ),
      ],
      ['evidence.read', given.call('POST', `${given.documents}/evidence/${finished.EvidenceId}/complete`)],
      ['resource.read', given.call('POST', `${resourcePath(given, done)}/complete`)],
      ['resource.read', given.call('HEAD', content)],
      ['resource.read', given.call('HEAD', `${resourcePath(given, world.exif)}/content?purpose=play`)],
      ['resource.read', given.call('GET', content, { headers: { 'if-none-match': `"${world.photo.sha256}"` } })],
    ]
    for (const [action, call] of looks) {
      const { correlationId, status } = await call
      expect([status, withId(correlationId).map((entry) => [entry.action, entry.bytes])]).toEqual([
        expect.toBeOneOf([200, 304]),
        [[action, null]],
      ])
    }
  })

  it('the whole file is a download of all its bytes; what was refused is none', async () => {
    const whole = await given.call('GET', `${resourcePath(given, world.original)}/content`)
    expect(withId(whole.correlationId).map(({ action, bytes }) => [action, bytes])).toEqual([
      ['resource.downloaded', whole.bytes.length],
    ])
    const beyond = await given.call('GET', `${resourcePath(given, world.original)}/content`, {
      headers: { range: 'bytes=99999999-' },
    })
    expect([beyond.status, withId(beyond.correlationId)]).toEqual([416, []])
  })

  it('what is refused changes nothing and leaves no entry of an act', async () => {
    for (const [method, address, body] of [
      ['POST', `${given.documents}/evidence`, { Name: '' }],
      ['POST', '/api/v1/tenant/station/job/999999/retry', undefined],
      ['GET', `${given.documents}/evidence?count=0`, undefined],
    ] as const) {
      const { status, correlationId } = await given.call(method, address, body === undefined ? {} : { body })
      expect([status >= 400, withId(correlationId)]).toEqual([true, []])
    }
    // Evidence that is not there and evidence that may not be seen are told apart by nothing (decisions 13): both are denials.
    for (const [method, place, reason] of [
      ['GET', '', 'PrincipalCannotReadEvidence'],
      ['POST', '/complete', 'PrincipalCannotEditEvidence'],
    ] as const) {
      const { status, correlationId } = await given.call(method, `${given.documents}/evidence/999999${place}`)
      const entries = withId(correlationId).map(({ action, outcome, object, reason: why, detail }) => {
        return [action, outcome, detail?.['evidenceId'] ?? object.id, why]
      })
      expect([status, entries]).toEqual([404, [['access.denied', 'denied', '999999', reason]]])
    }
  })

  it('a wrong hash is resource.refused, a broken file derivation.failed', async () => {
    const open = await openWithBytes(given)
    const wrong = await given.call('POST', `${resourcePath(given, open)}/complete`, {
      body: { Sha256: 'f'.repeat(64) },
    })
    expect(withId(wrong.correlationId).map(({ action, outcome, object }) => [action, outcome, object.id])).toEqual([
      ['resource.refused', 'failed', open.ResourceId],
    ])
    // An AVI header without what it announces: it can be told what it is, not played.
    const clip = path.join(given.dir, 'clip.avi')
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=160x120:d=1', '-c:v', 'mpeg4', clip])
    const bytes = readFileSync(clip)
    bytes.fill(0, bytes.indexOf('movi') + 4)
    const broken = await given.completed(bytes, { name: 'broken.avi' })
    await given.settled(broken.evidenceId)
    const failed = given
      .ledger()
      .filter(({ action, object }) => action === 'derivation.failed' && object.id === broken.resourceId)
    expect(failed.length).toBeGreaterThan(0)
    for (const entry of failed)
      expect(entry).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(/\w/),
        actor: { kind: 'internal', id: '0' },
        source: 'station',
      })
  })

  it('what the platform made of a picture: looked at, added three times, filled', () => {
    const about = given
      .ledger()
      .filter(
        ({ actor, detail, object }) =>
          actor.kind === 'internal' &&
          (detail?.['evidenceId'] === world.photo.evidenceId ||
            (object.type === 'evidence' && object.id === world.photo.evidenceId)),
      )
    expect(about.map(({ action, detail }) => [action, detail?.['role'] ?? detail?.['filled'] ?? null]).sort()).toEqual([
      ['derivation.added', 'metadata'],
      ['derivation.added', 'preview'],
      ['derivation.added', 'thumbnail'],
      ['evidence.filled', ['LocationWKT']],
      ['resource.inspected', null],
    ])
  })
})

describe('I1 a stranger', () => {
  let next = 1
  /** From an address of its own: the first refusal of a source is written as it is, later ones of the minute are counted. */
  const stranger = (
    method: string,
    address: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; correlationId: string; source: string }> =>
    new Promise((resolve, reject) => {
      const source = `127.0.${1 + Math.floor(next / 250)}.${1 + (next++ % 250)}`
      const outgoing = request(
        address.startsWith('http') ? address : `${given.url}${address}`,
        { method, headers, localAddress: source },
        (response) => {
          response.resume()
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              correlationId: String(response.headers['x-correlation-id']),
              source,
            }),
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end()
    })
  const PLACES: Readonly<Record<string, string>> = {
    tenantName: 'station',
    tenantId: 'station',
    evidenceId: '7',
    resourceId: '8',
    jobId: '9',
    caseId: '10',
    categoryId: '11',
    departmentId: '12',
    prefilledFieldId: '13',
    userId: '14',
    groupId: '15',
    serviceId: '16',
    policy: 'CreateCases',
    principalId: '17',
    sessionId: '18',
    certificateId: '23',
    part: 'key.pem',
    sourcePolicyId: '24',
    alarmId: '21',
    targetId: '22',
    passkeyId: '19',
    authorizationId: '20',
    bookmarkId: '25',
    noteId: '26',
    savedSearchId: '27',
    deviceId: '28',
    associationId: '29',
    deviceType: 'BodyWornCamera',
    dockSessionId: '30',
    eventId: '31',
    messageId: '32',
    reviewId: '33',
    apiKeyId: '34',
    report: 'coverage',
    linkId: '35',
    item: '1',
  }
  const addressOf = (route: RouteDefinition): string =>
    route.path.replaceAll(/:(\w+)/g, (_, name: string) => PLACES[name] as string)
  const closed = ROUTES.filter(
    ({ permission }) =>
      permission.kind !== 'anyone' &&
      permission.kind !== 'signed-address' &&
      permission.kind !== 'loopback-or-administrator',
  )

  const asked = closed.flatMap((route) => [
    [route.id, 'without a token', route] as const,
    [route.id, 'with a wrong token', route] as const,
  ])
  // An odd step, so that both ways are among the few.
  for (const { some, tags } of sampled(asked, 27))
    it.each(some)('%s %s is an entry', { tags }, async (_id, how, route) => {
      const headers: Record<string, string> =
        how === 'without a token' ? {} : { authorization: `Bearer ${given.token.slice(0, -6)}AAAAAA` }
      const { status, correlationId, source } = await stranger(route.method, addressOf(route), headers)
      expect(status).toBe(401)
      const { audit } = route
      const object =
        audit.by === 'read'
          ? {
              type: audit.objectType,
              id: audit.objectParam === undefined ? '' : (PLACES[audit.objectParam] ?? ''),
              name: '',
            }
          : { type: 'operation', id: route.id, name: '' }
      expect(await eventually(world, correlationId)).toEqual([
        expect.objectContaining({
          action: 'access.denied',
          outcome: 'denied',
          // What a link opened for has a cookie of its own: nobody looks at a token there.
          reason: how === 'without a token' || route.permission.kind === 'share-link' ? 'Unauthorized' : 'signature',
          object,
          source,
          actor: { kind: 'anonymous', id: '', name: 'anonymous', role: null },
          bytes: null,
          detail: expect.objectContaining({ operation: route.id, count: 1 }),
        }),
      ])
    })

  it.each(['PUT', 'GET', 'HEAD'])('%s with a forged upload address is an entry', async (method) => {
    const open = await given.resource((await given.evidence()).EvidenceId)
    const forged = open.UploadUri.replace(/sig=[^&]{4}/, 'sig=AAAA')
    const { status, correlationId, source } = await stranger(
      method,
      method === 'GET' ? `${forged}&comp=blocklist` : forged,
      blockBlob,
    )
    expect(status).toBe(403)
    expect(await eventually(world, correlationId)).toEqual([
      expect.objectContaining({
        action: 'upload.refused',
        outcome: 'denied',
        reason: 'the upload address is forged',
        source,
        object: { type: 'resource', id: expect.any(String), name: '' },
      }),
    ])
  })

  it('a token asked for and not given is an entry', async () => {
    const { status, correlationId, source } = await stranger('POST', '/connect/token', {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '0',
    })
    expect(status).toBe(400)
    expect(await eventually(world, correlationId)).toEqual([
      expect.objectContaining({ action: 'token.refused', outcome: 'denied', source }),
    ])
  })

  it('somebody who is signed in and may not is an entry in their name', async () => {
    const { status, correlationId } = await given.call('GET', '/metrics')
    expect(status).toBe(403)
    expect(withId(correlationId)).toEqual([
      expect.objectContaining({
        action: 'access.denied',
        outcome: 'denied',
        reason: 'Forbidden',
        object: { type: 'operation', id: 'metrics', name: '' },
        actor: { kind: 'service', id: given.principalId, name: 'uploader', role: null },
      }),
    ])
  })
})

it.skipIf(isOnPostgres)(
  `S4 C5 a package is told of every case that an entry names${isOnPostgres ? ' (skipped: the entries are the same on every database)' : ''}`,
  () => {
    const missed = given
      .ledger()
      .map((entry) => ({
        action: entry.action,
        text: JSON.stringify(entry),
        named: new Set(casesNamedIn(entry)),
      }))
      .filter(({ text, named }) => text.match(/\b77\d{7}\b/g)?.some((id) => !named.has(id)))
    expect(missed.map(({ action, text }) => `${action} ${text.slice(0, 2000)}`)).toEqual([])
    const naming = given.ledger().filter((entry) => [...casesNamedIn(entry)].some((id) => Number(id) > FIRST_CASE))
    expect(new Set(naming.map(({ action }) => action)).size).toBeGreaterThan(30)
  },
)

/** Rows that the acts themselves put in or change beneath the station: each of them, and nothing else, has to be named. */
const BENEATH =
  /^(case \d+|row .+ of (alarms|cad_events|case_link_changes|case_personnel|certificates|device_accesses|device_associations|dock_sessions|fixity_runs|forwarding_questions|forwarding_receipts))$/

it('I3+: after every act each row is what the ledger says, but those that were written beneath the station', async () => {
  const report = await given.command('verify', { fast: true, checkpoints: null })
  const named = report.problems.filter(({ what }: { what: string }) => !BENEATH.test(what))
  expect(named).toEqual([])
  expect(report.problems.length).toBeGreaterThan(0)
  expect(report.rows).toBeGreaterThan(500)
  expect(report.rowsCoveredSince).toMatch(/^\d{4}-/)
})
