/** Two nodes of one headquarters, as a load balancer would use them: what must hold whichever of them answers (decisions 25 and 28). */
import { randomBytes, randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SignJWT } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { type RunningStation, startServer } from '../../server/index.ts'
import { openWrappedKeys } from '../../server/kernel/database/postgres/wrapped-keys.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { openKeyFiles } from '../../server/platform/secrets/key-files.ts'
import { openKeysIn, type StationKeys } from '../../server/platform/secrets/keys.ts'
import { newWrappingKey, openWrappingKeys } from '../../server/platform/secrets/wrapping.ts'
import { type Answer, rawRequest, type Sent } from '../api/sessions/page.ts'
import { brought, created, type Passkey } from '../support/authenticator.ts'
import { ADMINISTRATOR, type Json, OS_USER } from '../support/given.ts'
import { assertionFor, type ConnectionFile } from '../support/integrator.ts'
import { WRAPPING_KEY } from '../support/postgres-given.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import {
  missingForS3,
  S3_REGION,
  type S3Server,
  STARTING,
  startS3Server,
  useS3Credentials,
} from '../support/s3-server.ts'
import { temporaryFolder } from '../support/station.ts'

const missing = missingForS3() ?? (await postgresMissing())
/** Where people and programs reach headquarters; nothing listens there, the requests name it. */
const PUBLIC = 'http://localhost:7999'
const DOCUMENTS = '/documentstore/api/v1/tenant/station'
const PASSWORD = ADMINISTRATOR.password
const RIGHT = { NoticeId: 'default', Password: PASSWORD }

interface Node {
  readonly station: RunningStation
  readonly data: string
  readonly ask: (method: string, address: string, sent?: Sent) => Promise<Answer>
  readonly command: (name: string, args: Record<string, unknown>) => Promise<Json>
}

let server: PostgresServer
let objects: S3Server
let databaseUrl: string
let blobUrl: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let a: Node
let b: Node
let connection: ConnectionFile

async function startNode(name: string, given: Record<string, unknown> = {}): Promise<Node> {
  const data = path.join(folder.dir, name)
  const station = await startServer(
    loadSettings(
      {},
      {
        data,
        port: 0,
        reserveBytes: 65_536,
        minFreeBytes: 0,
        logLevel: process.env['DBG'] ?? 'silent',
        strictResponses: true,
        rateService: 10_000_000,
        ratePerson: 10_000_000,
        dock: false,
        publicUrl: PUBLIC,
        wrappingKey: WRAPPING_KEY,
        databaseUrl,
        blobUrl,
        ...given,
      },
    ),
  )
  const port = Number(new URL(station.url).port)
  return {
    station,
    data,
    ask: (method, address, { headers, ...sent } = {}) =>
      rawRequest(port, method, address, { ...sent, headers: { host: new URL(PUBLIC).host, ...headers } }),
    command: async (command, args) =>
      (await callControl(data, { command, args, user: OS_USER }, () => {}, new AbortController().signal))?.result,
  }
}

beforeAll(async () => {
  if (missing !== null) return
  useS3Credentials()
  folder = await temporaryFolder('nodes')
  ;[server, objects] = await Promise.all([startPostgres(), startS3Server()])
  databaseUrl = await server.create('headquarters')
  blobUrl = `s3://${await objects.bucket()}/hq?endpoint=${objects.endpoint}&region=${S3_REGION}&pathStyle=true`
  ;[a, b] = await Promise.all([startNode('a'), startNode('b')])
  await a.command('setup', ADMINISTRATOR)
  connection = (await b.command('integration.create', { name: 'uploader', policies: [], group: null, baseUrl: PUBLIC }))
    .connection as ConnectionFile
}, STARTING)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterAll(async () => {
  await Promise.all([a?.station.close(), b?.station.close()])
  await Promise.all([server?.stop(), objects?.close()])
  await folder?.dispose()
}, STARTING)

async function officer(): Promise<string> {
  const username = `officer-${randomUUID().slice(0, 8)}`
  await a.command('user.create', { username, password: PASSWORD, group: null, policies: [], guest: false })
  return username
}
const page = (cookie: string | null = null) => ({ origin: PUBLIC, ...(cookie === null ? {} : { cookie }) })
const cookieOf = ({ headers }: Answer): string => (headers.get('set-cookie') ?? '').split(';')[0] as string
const tries = (at: Node, Username: string, Password: string): Promise<Answer> =>
  at.ask('POST', '/connect/session', { headers: page(), body: { ...RIGHT, Username, Password } })
async function signedIn(at: Node, username: string): Promise<string> {
  const answer = await tries(at, username, PASSWORD)
  expect(answer.status, answer.text).toBe(200)
  return cookieOf(answer)
}
const stateAt = async (at: Node, cookie: string): Promise<string> =>
  (await at.ask('GET', '/connect/session', { headers: page(cookie) })).json.State
const exchange = (at: Node, assertion: string): Promise<{ status: number; json: Json }> =>
  fetch(`${at.station.url}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      client_id: `${connection.ServicePrincipalId}@${connection.TenantId}`,
      assertion,
    }),
  }).then(async (answer) => ({ status: answer.status, json: await answer.json() }))
const assertion = (claims: Record<string, unknown> = {}): string =>
  assertionFor(connection, `${PUBLIC}/connect/token`, claims)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function asked(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('a session', () => {
  it('that was opened at one node is open at the other, and ends, locks and unlocks at both', async () => {
    const name = await officer()
    const cookie = await signedIn(a, name)
    expect(await stateAt(b, cookie)).toBe('open')
    expect((await b.ask('POST', '/connect/session/lock', { headers: page(cookie) })).status).toBe(200)
    expect(await stateAt(a, cookie)).toBe('locked')
    const unlocked = await a.ask('POST', '/connect/session/unlock', {
      headers: page(cookie),
      body: { Password: PASSWORD },
    })
    const fresh = cookieOf(unlocked)
    // The cookie from before the lock counts nowhere.
    expect([await stateAt(b, fresh), await stateAt(b, cookie)]).toEqual(['open', 'none'])
    expect((await b.ask('DELETE', '/connect/session', { headers: page(fresh) })).status).toBe(204)
    expect([await stateAt(a, fresh), await stateAt(b, fresh)]).toEqual(['none', 'none'])
  })

  it('S1: ends at a node within five seconds for an open event stream, wherever it was ended', async () => {
    const cookie = await signedIn(a, await officer())
    const stream = open(a, '/api/v1/tenant/station/station/events', page(cookie))
    await stream.began
    expect((await b.ask('DELETE', '/connect/session', { headers: page(cookie) })).status).toBe(204)
    const ended = performance.now()
    await stream.over
    expect(performance.now() - ended).toBeLessThan(5000)
  })
})

/** A request whose answer goes on. */
function open(at: Node, address: string, headers: Record<string, string>) {
  const began = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const outgoing = httpRequest(
    `${at.station.url}${address}`,
    { headers: { host: new URL(PUBLIC).host, ...headers } },
    (response) => {
      if (response.statusCode !== 200) began.reject(new Error(`${response.statusCode}`))
      response.on('data', () => began.resolve())
      response.on('error', () => {})
      response.on('close', () => over.resolve())
    },
  )
  outgoing.on('error', began.reject)
  outgoing.end()
  return { began: began.promise, over: over.promise }
}

describe('sign-in', () => {
  it('S18: failures are counted together: the third in a row has to wait, whichever nodes saw the others', async () => {
    const name = await officer()
    expect((await tries(a, name, 'wrong')).status).toBe(401)
    expect((await tries(b, name, 'wrong')).status).toBe(401)
    const third = await tries(a, name, PASSWORD)
    expect([third.status, third.json.ErrorCode]).toEqual([429, 'TooManyAttempts'])
    expect((await tries(b, name, PASSWORD)).status).toBe(429)
  })

  it('S18: guesses that come to both nodes at once are counted one by one, and a right one among them gets no more than its turn', async () => {
    const name = await officer()
    const guesses = [a, b, a, b].map((at) => tries(at, name, 'wrong'))
    const seen = (await Promise.all(guesses)).map(({ status }) => status)
    // The subject of the newest failure is this account at this address.
    const [row] = await asked(
      "SELECT failures FROM sign_in_failures WHERE subject LIKE 'account %' ORDER BY last_at DESC LIMIT 1",
    )
    expect(row?.['failures']).toBe(String(seen.filter((status) => status === 401).length))
    expect((await tries(a, name, PASSWORD)).status).toBe(429)
    expect((await tries(b, name, PASSWORD)).status).toBe(429)
  })

  it('a passkey that was begun at one node is made at the other, and so is a sign-in with it', async () => {
    const name = await officer()
    const cookie = await signedIn(a, name)
    const begun = await a.ask('POST', '/connect/account/passkeys/begin', {
      headers: page(cookie),
      body: { Password: PASSWORD },
    })
    const { passkey, response } = created(begun.json.Options, PUBLIC)
    const keep = (at: Node): Promise<Answer> =>
      at.ask('POST', '/connect/account/passkeys', { headers: page(cookie), body: { Name: 'Key', Response: response } })
    expect((await keep(b)).status).toBe(201)
    expect((await keep(a)).status).toBe(401)
    const options = (await b.ask('POST', '/connect/session/passkey/begin', { headers: page() })).json.Options
    const use = (at: Node, with_: Passkey): Promise<Answer> =>
      at.ask('POST', '/connect/session/passkey', {
        headers: page(),
        body: { NoticeId: 'default', Response: brought(with_, options, PUBLIC) },
      })
    const first = await use(a, passkey)
    expect([first.status, await stateAt(b, cookieOf(first))]).toEqual([200, 'open'])
    // The same challenge again, signed anew, at either node.
    expect((await use(b, passkey)).json.ErrorCode).toBe('PasskeyRefused')
  })
})

describe('a program', () => {
  it('S2: an assertion that was used at one node is refused by the other, at once too', async () => {
    const used = assertion()
    expect((await exchange(a, used)).status).toBe(200)
    expect((await exchange(b, used)).json).toMatchObject({ error: 'invalid_grant' })
    for (let round = 0; round < 5; round++) {
      const once = assertion()
      const both = await Promise.all([exchange(a, once), exchange(b, once)])
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    }
  })

  it('a token of one node is valid at the other, and of a key that a node made a moment ago at once', async () => {
    const { access_token: token } = (await exchange(a, assertion())).json as { access_token: string }
    const asks = (at: Node, with_: string): Promise<Answer> =>
      at.ask('GET', `${DOCUMENTS}/evidence`, { headers: bearer(with_) })
    expect((await asks(b, token)).status).toBe(200)
    const third = await node()
    try {
      await third.tokens.rotate()
      const since = performance.now()
      const next = third.tokens.current().kid
      for (const at of [a, b])
        while (kidOf((await exchange(at, assertion())).json.access_token) !== next) {
          if (performance.now() - since > 5000) throw new Error('the new key was not taken up within five seconds')
          await pause(200)
        }
      await third.tokens.rotate()
      const { kid, privateKey } = third.tokens.current()
      const claims = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as Json
      const fresh = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid }).sign(privateKey)
      expect((await Promise.all([asks(a, fresh), asks(b, fresh)])).map(({ status }) => status)).toEqual([200, 200])
      // The token of the replaced key stays valid, and the new public key is given out.
      expect((await asks(a, token)).status).toBe(200)
      expect((await b.ask('GET', '/connect/.well-known/jwks')).json.keys[0].kid).toBe(kid)
    } finally {
      await third.close()
    }
  })

  it('uploads through both nodes with addresses of either, and repeats with its key get the first answer', async () => {
    const { access_token: token } = (await exchange(a, assertion())).json as { access_token: string }
    const key = randomUUID()
    const create = (at: Node): Promise<Answer> =>
      at.ask('POST', `${DOCUMENTS}/evidence`, {
        headers: { ...bearer(token), 'idempotency-key': key },
        body: { Name: 'Front desk' },
      })
    const [one, again] = [await create(a), await create(b)]
    expect([one.status, again.status]).toEqual([201, 201])
    const { EvidenceId: evidenceId } = one.json
    expect(again.json.EvidenceId).toBe(evidenceId)
    const resource = await a.ask('POST', `${DOCUMENTS}/evidence/${evidenceId}/resource`, {
      headers: bearer(token),
      body: { Name: 'clip.bin' },
    })
    const bytes = randomBytes(200_000)
    const address = new URL(resource.json.UploadUri)
    const put = await fetch(`${b.station.url}${address.pathname}${address.search}`, {
      method: 'PUT',
      headers: { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04' },
      body: bytes,
    })
    expect(put.status, await put.text()).toBe(201)
    const whole = `${DOCUMENTS}/evidence/${evidenceId}/resource/${resource.json.ResourceId}`
    expect((await b.ask('POST', `${whole}/complete`, { headers: bearer(token), body: {} })).status).toBe(200)
  })
})

const kidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()) as { kid: string }).kid

/** The keys as a third node opens them. */
async function node(): Promise<StationKeys> {
  const wrapping = await openWrappingKeys({ file: undefined, text: WRAPPING_KEY })
  const store = await openWrappedKeys(databaseUrl, wrapping)
  const own = await openKeyFiles(path.join(folder.dir, randomUUID()))
  return openKeysIn(store, own, { clock: systemClock, established: true })
}

describe('a node', () => {
  it('has the same keys as the other, and none in its folder', async () => {
    const third = await node()
    await third.close()
    expect(third.created).toEqual([])
    for (const { data } of [a, b]) {
      const own = await openKeyFiles(path.join(data, 'keys'))
      expect(await own.read('signing.json')).toBeNull()
      expect(await own.read('secrets.json')).toBeNull()
    }
  })

  it('without the wrapping key, or with another one, does not start, and writes nothing', async () => {
    const third = await node()
    await third.close()
    await expect(startNode('c', { wrappingKey: newWrappingKey() })).rejects.toThrow(/wrapped by the wrapping key/)
    await expect(startNode('c', { wrappingKey: undefined })).rejects.toThrow(/no wrapping key is given/)
    expect(await asked('SELECT name FROM nodes')).toHaveLength(2)
  })

  it('does not start where a key is gone, and makes no new one', async () => {
    const rename = (from: string, to: string): Promise<unknown> =>
      asked(`UPDATE wrapped_keys SET name = '${to}' WHERE name = '${from}'`)
    await rename('signing', 'kept')
    try {
      await expect(startNode('c')).rejects.toThrow(/lacks signing, although its ledger has entries/)
      expect(await asked("SELECT name FROM wrapped_keys WHERE name = 'signing'")).toEqual([])
    } finally {
      await rename('kept', 'signing')
    }
  })
})
