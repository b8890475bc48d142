/** A station with one thing of each kind, the tokens of those who call, and a client that sends what no `fetch` would let through. */
import { Agent, request } from 'node:http'
import { ALL_POLICIES } from '../../../server/features/identity/users/policies.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { released } from '../dock/acts.ts'
import { clipOf } from '../documents/clip.ts'
import type { Call, Caller } from './calls.ts'
import type { Answer } from './judge.ts'
import { CURRENT, type Pool } from './values.ts'

export interface FuzzWorld {
  readonly given: Given
  readonly pool: Pool
  /** By caller; null: none. */
  readonly tokens: Readonly<Record<Caller, string | null>>
  /** The group of the account that calls as an administrator: who takes it out of there ends it. */
  readonly administrators: string
  send(call: Call): Promise<Answer>
  close(): Promise<void>
}

const POLICIES = ALL_POLICIES.map(({ policy, level }) => (level === null ? policy : `${policy}:${level}`))
/** By what name a thing's id fills a path. */
const OWN_ID: Readonly<Record<string, string>> = {
  caseId: 'CaseId',
  categoryId: 'CategoryId',
  departmentId: 'DepartmentId',
  evidenceId: 'EvidenceId',
  prefilledFieldId: 'PrefilledFieldId',
  groupId: 'PrincipalId',
  userId: 'PrincipalId',
  deviceId: 'Id',
  associationId: 'AssociationId',
}

export async function fuzzWorld(): Promise<FuzzWorld> {
  const given = await givenStation()
  const made = async (name: string, policies: readonly string[], group: string | null = null) => {
    const args = { name, policies, group, baseUrl: given.url }
    const { connection } = await given.command('integration.create', args)
    return { connection, token: await signIn(connection, given.url) }
  }
  const all = await made('all', POLICIES)
  const none = await made('none', [])
  const administrator = await made('chief', [], 'Account Administrators')
  const tokens: Readonly<Record<Caller, string | null>> = {
    all: all.token,
    none: none.token,
    administrator: administrator.token,
    nobody: null,
    forged: `${all.token.slice(0, -4)}AAAA`,
  }
  const connections = [all, none, administrator].map(({ connection }) => connection)
  // Disabled and given other keys by what is sent.
  const { connection: victim } = await made('victim', [])
  const pool = await things(given, all.token, administrator.token, [...connections, victim])
  const versions = new Map<string, string>()
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return {
    given,
    pool,
    tokens,
    administrators: await administratorsOf(given, administrator.token),
    send: async (call) => {
      const answer = await sent(agent, given.url, tokens[call.caller], withVersion(call, versions))
      for (const [name, member] of Object.entries(OWN_ID)) {
        const [id, version] = [answer.json?.[member], answer.json?.ConcurrencyId ?? answer.json?.ETag]
        if (typeof id === 'string' && typeof version === 'string') versions.set(`${name}:${id}`, version)
      }
      return answer
    },
    close: async () => {
      agent.destroy()
      await given.close()
    },
  }
}

async function administratorsOf(given: Given, token: string): Promise<string> {
  const groups = await given.expecting(200, given.call('GET', '/userservice/api/v1/tenant/station/groups', { token }))
  return groups.Items.find(({ BuiltIn }: Json) => BuiltIn).PrincipalId
}

/** What the generator could not know: the version that the thing in the path has by now. */
function withVersion(call: Call, versions: ReadonlyMap<string, string>): Call {
  const [version] = Object.entries(call.parameters).flatMap(
    ([name, id]) => versions.get(`${name}:${decoded(id)}`) ?? [],
  )
  const body = typeof call.body === 'string' ? call.body.replaceAll(CURRENT, version ?? 'none') : call.body
  return { ...call, body, target: call.target.replaceAll(encodeURIComponent(CURRENT), version ?? 'none') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Milliseconds; longer is a fault of its own. */
const PATIENCE = 30_000

/** What no `fetch` would let through. */
export function sent(agent: Agent, url: string, token: string | null, call: Call): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        agent,
        hostname,
        port,
        method: call.method,
        path: call.target,
        headers: {
          ...call.headers,
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(call.body === null ? {} : { 'content-length': String(Buffer.byteLength(call.body)) }),
        },
        timeout: PATIENCE,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
        })
      },
    )
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${PATIENCE} ms`)))
    asked.on('error', reject)
    asked.end(call.body ?? undefined)
  })
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One of everything that can be asked for. */
async function things(given: Given, all: string, administrator: string, connections: readonly Json[]): Promise<Pool> {
  const make = (place: string, body: Json, token = all): Promise<Json> =>
    given.expecting(201, given.call('POST', place, { token, body }))
  const manage = connections.map((one) => ({
    Permissions: 'Manage',
    PrincipalId: one.ServicePrincipalId,
    KId: one.ServicePrincipalKey.kid,
    PrincipalType: 'service',
  }))
  const category = await make('/api/v1/category/station', { Name: 'Burglary' })
  const department = await make('/api/v1/department/station', { Name: 'North', AccessPolicies: [manage[0]] })
  const cases = [
    await make('/api/v1/case/station', { Title: 'Burglary', CategoryId: category.CategoryId }),
    await make('/api/v1/case/station', { Title: 'Theft', DepartmentId: department.DepartmentId }),
    // Some are closed or deleted soon: there must be others left.
    ...(await Promise.all(
      ['Robbery', 'Fraud', 'Arson', 'Assault'].map((Title) => make('/api/v1/case/station', { Title })),
    )),
  ]
  // Evidence goes into the recycle bin as cases do: there must be others left.
  const records = []
  for (let left = 6; left > 0; left--) records.push(await recorded(given, make, all))
  const { evidence, open } = records[0] as (typeof records)[number]
  const evidenceIds = records.map((one) => one.evidence.EvidenceId)
  const places = await Promise.all(records.map((one) => writtenOn(given, make, one)))
  const clip = await clipOf({ given })
  const { NoteId: onClip } = await make(`${given.documents}/evidence/${clip.EvidenceId}/note`, { Text: 'Played.' })
  for (let at = 0; at < 3; at++) {
    const mark = { ResourceId: clip.ResourceId, StartSeconds: at / 4, Title: 'Here' }
    const { BookmarkId: bookmarkId } = await make(`${given.documents}/evidence/${clip.EvidenceId}/bookmark`, mark)
    places.push({ evidenceId: clip.EvidenceId, resourceId: clip.ResourceId, noteId: onClip, bookmarkId })
  }
  for (const { CaseId: caseId } of cases) {
    const { NoteId: noteId } = await make(`/api/v1/case/station/${caseId}/note`, { Text: 'Asked for.' })
    places.push({ caseId, noteId })
  }
  const saved = await Promise.all(
    ['Mine', 'Ours'].map((Name) => make('/searchservice/api/v1/saved/station', { Name, Question: { Text: 'desk' } })),
  )
  const sources = await Promise.all(
    ['Pool cars', 'Front desk'].map((Name) =>
      make('/api/v1/tenant/station/retention/source', { Name, DeviceType: Name, RetentionDays: 400 }),
    ),
  )
  const link = { Evidences: [{ EvidenceId: evidence.EvidenceId }] }
  await given.expecting(
    204,
    given.call('POST', `/api/v1/case/station/${cases[0].CaseId}/link-evidences`, { token: all, body: link }),
  )
  const field = '/api/v1/prefilledfields/station/kind'
  await given.expecting(200, given.call('PUT', field, { token: all, body: { Target: 'Title', Values: ['a'] } }))
  const { user, group } = await people(make, administrator)
  const upload = new URL(open.UploadUri)
  const devices = await devicesOf(given, make, all, user.PrincipalId)
  places.push(...devices)
  const caseIds = cases.map(({ CaseId }) => CaseId)
  return new Map<string, readonly Json[]>([
    ...['tenantId', 'tenantName'].map((name): [string, Json[]] => [name, ['station', 'station', 'STATION']]),
    ['caseId', caseIds],
    ['CaseId', caseIds],
    ['CaseIds', [caseIds, []]],
    ['categoryId', [category.CategoryId]],
    ['CategoryId', [category.CategoryId, null]],
    ['departmentId', [department.DepartmentId]],
    ['DepartmentId', [department.DepartmentId, null]],
    ['evidenceId', evidenceIds],
    ['EvidenceId', [...evidenceIds, Number(evidence.EvidenceId)]],
    ['EvidenceIds', [evidenceIds.slice(0, 2), []]],
    ['resourceId', records.flatMap((one) => [one.uploaded.ResourceId, one.open.ResourceId])],
    ['place', places],
    ['ResourceId', [clip.ResourceId]],
    ['noteId', places.map(({ noteId }) => noteId)],
    ['bookmarkId', places.flatMap(({ bookmarkId }) => bookmarkId ?? [])],
    ['savedSearchId', saved.map(({ SavedSearchId }) => SavedSearchId)],
    ['sourcePolicyId', sources.map(({ SourcePolicyId }) => SourcePolicyId)],
    ['prefilledFieldId', ['kind']],
    ['jobId', ['1']],
    ['userId', [user.PrincipalId]],
    ['groupId', [group.PrincipalId]],
    ['serviceId', [connections.at(-1).ServicePrincipalId]],
    ['policy', ['CreateCases', 'ShareCases', 'AccessUnassociatedFiles']],
    ['principal', manage.map(({ Permissions: _level, ...principal }) => principal)],
    ['principalId', [user.PrincipalId]],
    ['PrincipalIds', [[user.PrincipalId], []]],
    ['PrincipalId', [user.PrincipalId]],
    ['deviceId', devices.flatMap((one) => [one.deviceId, one.serial])],
    ['associationId', devices.map(({ associationId }) => associationId)],
    ['dockSessionId', [await released({ given }), await released({ given })]],
    ['deviceType', ['BodyWornCamera', 'Dashcam']],
    ['SerialNumber', devices.map(({ serial }) => serial)],
    ['Manufacturer', ['Acme']],
    ['TransactionId', devices.map(({ transactionId }) => transactionId)],
    ['file', ['swagger-ui.css']],
    [
      'upload',
      [`${upload.pathname}${upload.search}`, `${upload.pathname}${upload.search}&comp=block&blockid=YQ%3D%3D`],
    ],
  ])
}

/** Active ones, each with an officer and an open negotiation. */
async function devicesOf(
  given: Given,
  make: (place: string, body: Json) => Promise<Json>,
  token: string,
  PrincipalId: string,
): Promise<Json[]> {
  const found: Json[] = []
  for (const serial of ['S-1', 'S-2', 'S-3', 'S-4']) {
    const DeviceIdentification = { SerialNumber: serial, Manufacturer: 'Acme' }
    const { Id } = await make('/api/v1/tenant/station/device', { DeviceIdentification, DeviceType: 'BodyWornCamera' })
    const send = (place: string, body?: Json): Promise<Json> =>
      given.expecting(
        200,
        given.call('POST', `/api/v1/tenant/station${place}`, { token, ...(body === undefined ? {} : { body }) }),
      )
    await send(`/device/${Id}/activate`)
    const { AssociationId } = await make(`/api/v1/tenant/station/device/${Id}/association`, { PrincipalId })
    const { TransactionId } = await send('/configuration/negociate', { DeviceId: DeviceIdentification })
    found.push({ deviceId: Id, serial, associationId: AssociationId, transactionId: TransactionId })
  }
  return found
}

/** An evidence with a complete and an open resource. */
async function recorded(given: Given, make: (place: string, body: Json) => Promise<Json>, token: string) {
  const evidence = await make(`${given.documents}/evidence`, { Name: 'Front desk', CustomFields: { Weather: 'fog' } })
  const uploaded = await make(`${given.documents}/evidence/${evidence.EvidenceId}/resource`, { Name: 'clip.bin' })
  await given.put(uploaded.UploadUri, Buffer.from('some bytes of evidence'))
  const complete = `${given.documents}/evidence/${evidence.EvidenceId}/resource/${uploaded.ResourceId}/complete`
  await given.expecting(200, given.call('POST', complete, { token, body: {} }))
  const open = await make(`${given.documents}/evidence/${evidence.EvidenceId}/resource`, { Name: 'open.bin' })
  return { evidence, uploaded, open }
}

/** What was written on an evidence, by the names that fill one path together. */
async function writtenOn(
  given: Given,
  make: (place: string, body: Json) => Promise<Json>,
  { evidence, uploaded }: Awaited<ReturnType<typeof recorded>>,
): Promise<Json> {
  const own = `${given.documents}/evidence/${evidence.EvidenceId}`
  const note = await make(`${own}/note`, { Text: 'Seen on both cameras.' })
  return { evidenceId: evidence.EvidenceId, resourceId: uploaded.ResourceId, noteId: note.NoteId }
}

async function people(make: (place: string, body: Json, token: string) => Promise<Json>, administrator: string) {
  const users = '/userservice/api/v1/tenant/station'
  const password = 'a long enough pass phrase'
  return {
    user: await make(`${users}/users`, { Username: 'officer', Password: password }, administrator),
    group: await make(`${users}/groups`, { Name: 'Traffic' }, administrator),
  }
}
