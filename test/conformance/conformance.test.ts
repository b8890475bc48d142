/** The outside client against a sound station, against one that lies, and by an account that may do little. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { importsOf } from '../../build/scripts/layers.ts'
import { ALL_POLICIES } from '../../server/features/identity/users/policies.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { NODE } from '../support/station.ts'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))
const POLICIES = ALL_POLICIES.map(({ policy, level }) => (level === null ? policy : `${policy}:${level}`))
/** Milliseconds for one run, on a machine that has other things to do. */
const LONG = 240_000

let given: Given
let proxy: Server | undefined
afterEach(async () => {
  await new Promise((resolve) => (proxy === undefined ? resolve(null) : proxy.close(resolve)))
  proxy = undefined
  await given?.close()
})

/** The connection file of a new integration, as an administrator hands it over. */
async function connectionFile(name: string, policies: readonly string[], baseUrl = given.url): Promise<string> {
  const { connection } = await given.command('integration.create', { name, policies, group: null, baseUrl })
  const file = path.join(given.dir, `${name}.json`)
  writeFileSync(file, JSON.stringify({ ...connection, FurtherMember: 'must not break an integration' }))
  return file
}

const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const words = [path.join(FOLDER, 'main.ts'), ...args]
    execFile(NODE, words, { maxBuffer: 2 ** 26, timeout: LONG }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr }),
    )
  })

const WELL = { FAILED: 0, 'not allowed': 0, 'not tried': 0 }
const lineOf = (table: string, operation: string, request: string): string | undefined =>
  table.split('\n').find((line) => line.startsWith(`${operation} `) && line.includes(` ${request} `))

describe('npm run conformance', () => {
  it('drives every operation of the specification, finds nothing, and leaves the station tidy', {
    timeout: LONG,
  }, async () => {
    given = await givenStation()
    const config = await connectionFile('all', POLICIES)
    const other = await connectionFile('none', [])
    const { code, stdout, stderr } = await run('--config', config, '--other', other, '--wait', '150', '--json')
    const { rows, counts } = JSON.parse(stdout || '{"rows":[]}') as Json
    expect([code, stderr, rows.filter(({ outcome }: Json) => outcome !== 'ok')]).toEqual([0, '', []])
    expect(counts).toMatchObject(WELL)
    const served = (await given.call('GET', '/openapi.json', { token: null })).json
    expect(undriven(served, rows)).toEqual([])
    const sections = new Set<string>(rows.map(({ section }: Json) => section))
    expect(SECTIONS.filter((section) => !sections.has(section))).toEqual([])
    expect([...sections].filter((section) => !/^(interfaces|decisions) \d/.test(section))).toEqual([])
    await expectTidy(JSON.parse(readFileSync(config, 'utf8')))
  })

  it('finds each lie of a station, and exits with 1', { tags: ['merge'], timeout: LONG }, async () => {
    const origin = await lyingProxy()
    given = await givenStation({ settings: { publicUrl: origin } })
    target = given.url
    const config = await connectionFile('all', POLICIES, origin)
    const { code, stdout } = await run('--config', config, '--wait', '150')
    const failed = stdout.split('\n').filter((line) => line.includes('FAILED'))
    expect([
      code,
      LIES.map(({ operation, request }) => [operation, request, lineOf(stdout, operation, request)]),
    ]).toEqual([1, LIES.map(({ operation, request, said }) => [operation, request, expect.stringMatching(said)])])
    expect(failed.length).toBe(LIES.length)
    expect(stdout).toMatch(new RegExp(`calls: \\d+ ok, ${LIES.length} failed, 0 not allowed, 0 not tried\n$`))
  })

  it('tells what the account may not do, and what it therefore did not try, as no failure', {
    tags: ['merge'],
    timeout: LONG,
  }, async () => {
    given = await givenStation()
    const { code, stdout } = await run('--config', await connectionFile('none', []), '--wait', '150')
    expect(lineOf(stdout, 'CreateCase', 'all describing members')).toMatch(/ 403 +not allowed: needs CreateCases$/)
    expect(stdout).toMatch(/^UpdateCategory .* not tried: needs CreateCategory: all members$/m)
    expect(lineOf(stdout, 'CompleteEvidence', 'all is there')).toMatch(/ 200 +ok$/)
    expect([code, stdout.split('\n').filter((line) => line.includes('FAILED'))]).toEqual([0, []])
  })

  it('says how it is called, and what a file lacks', { timeout: LONG }, async () => {
    given = await givenStation()
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--config') })
    const file = path.join(given.dir, 'half.json')
    writeFileSync(file, '{"TenantId":"station"}')
    expect(await run('--config', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ServicePrincipalKey'),
    })
    const config = await connectionFile('gone', [])
    await given.stop()
    expect(await run('--config', config)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^fetch failed: connect ECONNREFUSED/),
    })
  })

  it('imports nothing of the product', () => {
    const files = readdirSync(FOLDER).filter((name) => !name.endsWith('.test.ts'))
    const imports = files.flatMap((name) => importsOf(name, readFileSync(path.join(FOLDER, name), 'utf8')))
    expect(imports.length).toBeGreaterThan(20)
    expect(imports.filter(({ to }) => !to.startsWith('node:') && !files.includes(to))).toEqual([])
  })
})

/** Of the document service and the search: each stands for rules of its own. */
const SECTIONS = [
  'interfaces 2.4',
  'interfaces 4.3',
  'decisions 3, create evidence',
  'decisions 3, levels',
  'decisions 6',
  'decisions 6, create evidence',
  'decisions 6, create resource',
  'decisions 6, UploadUri',
  'decisions 6, encrypted uploads',
  'decisions 6, complete resource',
  'decisions 6, content',
  'decisions 6, PATCH evidence',
  'decisions 6, lists, history, delete',
  'decisions 6, derivation',
  'decisions 7, search',
  'interfaces 4.5',
  'interfaces 5',
  'decisions 8',
]

const OF_DECISIONS = /^\/(cadservice|documentstore|searchservice|keystore|blob)\//

/** Operations that the specification names, by their places, which no call of the run was answered well at; of documents and search those of the decisions too. */
function undriven(served: Json, rows: readonly Json[]): string[] {
  const answered = (method: string, place: string): boolean => {
    const form = new RegExp(`^${place.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`)
    return rows.some((row) => row.method === method && row.status < 400 && form.test(row.path))
  }
  const found = Object.entries<Json>(served.paths).flatMap(([place, item]) =>
    Object.entries<Json>(item)
      .filter(
        ([, about]) =>
          about['x-origin'] === 'specification' || (about['x-origin'] === 'decision' && OF_DECISIONS.test(place)),
      )
      .map(([method]): [string, string] => [method.toUpperCase(), place]),
  )
  expect(found.length).toBeGreaterThanOrEqual(23 + 2 * 3 + 2 + 2 * 10 + 12)
  return found.filter(([method, place]) => !answered(method, place)).map((one) => one.join(' '))
}

async function expectTidy(config: Json): Promise<void> {
  const token = await signIn(config, given.url)
  const read = (place: string): Promise<Json> => given.expecting(200, given.call('GET', place, { token }))
  expect((await read('/api/v1/case/station')).Items).toEqual([])
  expect(await read('/api/v1/prefilledfields/station')).toEqual([])
  const kept = [...(await read('/api/v1/category/station')), ...(await read('/api/v1/department/station'))]
  expect(kept.map(({ Enabled, IsDefault = false }) => [Enabled, IsDefault])).toEqual([
    [false, false],
    [false, false],
  ])
  const [template] = await read('/customfieldservice/api/v1/template/station')
  expect([template.renamedFields, template.customFields]).toEqual([[], []])
}

interface Answer {
  status: number
  readonly headers: Headers
  text: string
}

interface Lie {
  readonly operation: string
  readonly request: string
  readonly said: RegExp
  readonly method: string
  readonly place: RegExp
  readonly when?: (answer: Answer, sent: string, request: IncomingMessage) => boolean
  readonly tell: (answer: Answer) => void
}

const altered = (change: (json: Json) => void) => (answer: Answer) => {
  const json = JSON.parse(answer.text)
  change(json)
  answer.text = JSON.stringify(json)
}

/** Each breaks one answer of an otherwise true station. */
const LIES: readonly Lie[] = [
  {
    operation: 'DeletePrefilledField',
    request: 'answers the deleted one',
    said: /FAILED: expected 200, was 202/,
    method: 'DELETE',
    place: /\/prefilledfields\//,
    when: ({ status }) => status === 200,
    tell: (answer) => {
      answer.status = 202
    },
  },
  {
    operation: 'GetEvidenceRelationsByEvidenceId',
    request: 'of linked evidence',
    said: /FAILED: body\.Relations\[0\]\.LinkedOn is missing/,
    method: 'GET',
    place: /\/evidence\/station\/\d+$/,
    when: ({ text }) => text.includes('LinkedOn'),
    tell: altered(({ Relations }) => delete Relations[0].LinkedOn),
  },
  {
    operation: 'ListDepartments',
    request: 'without a token',
    said: /FAILED: expected no body, was {"ErrorCode":"Unauthorized"}/,
    method: 'GET',
    place: /\/department\/station$/,
    when: ({ status }, _sent, { headers }) => status === 401 && headers.authorization === undefined,
    tell: (answer) => {
      answer.text = '{"ErrorCode":"Unauthorized"}'
    },
  },
  {
    operation: 'GetCaseHistory',
    request: 'Accept: application/json-patch+json',
    said: /FAILED: expected application\/json-patch\+json, was application\/json/,
    method: 'GET',
    place: /\/case\/.*\/history$/,
    when: (_answer, _sent, { headers }) => headers.accept === 'application/json-patch+json',
    tell: ({ headers }) => headers.set('content-type', 'application/json'),
  },
  {
    operation: 'UpdateEvidence',
    request: 'over an old version',
    said: /FAILED: expected 409 EvidenceNotUpToDate, was 409 InvalidModel/,
    method: 'PATCH',
    place: /\/evidence\/\d+\/$/,
    when: ({ status }, sent) => status === 409 && sent.includes('"Description":"x"'),
    tell: altered((json) => {
      json.ErrorCode = 'InvalidModel'
    }),
  },
  {
    operation: 'CompleteResource',
    request: 'encrypted; hash and length are of what is in it',
    said: /FAILED: DecryptedLengthInBytes is null, not \d+/,
    method: 'POST',
    place: /\/complete$/,
    when: ({ text }) => /"UploadCertificateThumbprint":"/.test(text),
    tell: altered((json) => {
      json.DecryptedLengthInBytes = null
    }),
  },
  {
    operation: 'Search',
    request: 'a phrase the other way round',
    said: /FAILED: found \d+, not nothing/,
    method: 'POST',
    place: /\/search\/station$/,
    when: (_answer, sent) => sent.includes('latch broken'),
    tell: altered((json) => {
      json.Hits = [{ Type: 'Evidence', Id: '1', Title: '', Snippet: null }]
    }),
  },
  {
    operation: 'UserInfo',
    request: 'with a token',
    said: /FAILED: there is no X-Correlation-Id/,
    method: 'GET',
    place: /\/connect\/userinfo$/,
    when: ({ status }) => status === 200,
    tell: ({ headers }) => headers.delete('x-correlation-id'),
  },
  {
    operation: 'PatchCase',
    request: 'a time with 7 digits',
    said: /FAILED: OccurredOn is "2026-11-20T02:47:31\.123Z", not "2026-11-20T02:47:31\.1234567Z"/,
    method: 'PATCH',
    place: /\/case\/station\/\d+$/,
    when: (_answer, sent) => sent.includes('31.1234567+'),
    tell: altered((json) => {
      json.OccurredOn = '2026-11-20T02:47:31.123Z'
    }),
  },
  {
    operation: 'NegotiateConfiguration',
    request: 'what is committed',
    said: /FAILED: expected 304, was 204/,
    method: 'POST',
    place: /\/api\/v1\/tenant\/station\/configuration\/negociate$/,
    when: ({ status }, sent) => status === 304 && !sent.includes('DeviceCredential'),
    tell: (answer) => {
      answer.status = 204
    },
  },
  {
    operation: 'ListTemplates',
    request: 'a tenant that is none',
    said: /FAILED: body\.correlationId is missing/,
    method: 'GET',
    place: /\/template\/nowhere$/,
    tell: altered((json) => delete json.correlationId),
  },
]

let target = ''

/** Stands between: passes everything on and tells the lies. */
async function lyingProxy(): Promise<string> {
  const server = createServer((request, response) => {
    passOn(request, response).catch(() => response.destroy())
  })
  proxy = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const sent = Buffer.concat(chunks)
  const dropped = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect']
  const headers = Object.entries(request.headers).filter(([name]) => !dropped.includes(name)) as [string, string][]
  const reply = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    redirect: 'manual',
    headers,
    ...(sent.length === 0 ? {} : { body: sent }),
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  const answer: Answer = { status: reply.status, headers: new Headers(reply.headers), text: bytes.toString('utf8') }
  const before = answer.text
  for (const lie of LIES) {
    const meant = lie.method === request.method && lie.place.test((request.url ?? '').split('?')[0] ?? '')
    if (meant && (lie.when?.(answer, sent.toString('utf8'), request) ?? true)) lie.tell(answer)
  }
  // To HEAD the length is all there is to be told.
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'])
    if (request.method !== 'HEAD' || name !== 'content-length') answer.headers.delete(name)
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(answer.text === before ? bytes : answer.text)
}
