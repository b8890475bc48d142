import { createHash, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SECURITY_POLICIES } from '../../../shared/kernel/permissions.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { verifyPassword } from '../../../server/features/identity/users/passwords.ts'
import { registrableKey, validityOf } from '../../../server/features/identity/users/service-keys.ts'
import { seedStation } from '../../../server/features/identity/users/users.service.ts'
import { CALL, startWorld, type World } from '../tokens/world.ts'

const PASSWORD = 'kolo-lampa-vesmír'
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.entries.length = 0
})

const principals = () => world.database.read.selectFrom('principals').selectAll().orderBy('principal_id').execute()
const policiesOf = async (id: string): Promise<string[]> => {
  const rows = await world.database.read
    .selectFrom('policy_members')
    .selectAll()
    .where('principal_id', '=', Number(id))
    .execute()
  return rows.map(({ policy, level }) => (level === null ? policy : `${policy}:${level}`)).sort()
}
const groupsOf = async (id: string): Promise<number[]> => {
  const rows = await world.database.read
    .selectFrom('memberships')
    .selectAll()
    .where('member_id', '=', Number(id))
    .execute()
  return rows.map(({ group_id }) => group_id)
}

describe('a new station', () => {
  it('holds the tenant and Account Administrators in every policy, and nobody', async () => {
    const [group, ...more] = await principals()
    expect(more).toEqual([])
    expect(group).toMatchObject({
      principal_id: 1,
      kind: 'group',
      name: 'Account Administrators',
      built_in: 1,
      k_id: 'urn:group:station:Account Administrators:1',
      created_by: 'internal:0',
    })
    expect((await policiesOf('1')).map((text) => text.split(':')[0])).toEqual([...SECURITY_POLICIES].sort())
    expect(await world.users.hasAdministrator()).toBe(false)
  })

  it('is seeded once', async () => {
    const station = { actor: INTERNAL, source: 'station', correlationId: CALL.correlationId }
    const ledger = { append: () => Promise.reject(new Error('nothing is written')) }
    const again = await world.database.transaction((tx) =>
      seedStation(tx, ledger, station, { tenant: 'other', now: 0 }),
    )
    expect(again).toBe(false)
    expect(await world.database.read.selectFrom('tenants').select('tenant_id').execute()).toEqual([
      { tenant_id: 'station' },
    ])
  })
})

describe('the first administrator', () => {
  it('is not made with an unusable name or password, and every problem is named', async () => {
    const refused = world.users.setupFirstAdministrator(CALL, { username: ' chief', password: 'short' })
    await expect(refused).rejects.toMatchObject({
      code: 'InvalidModel',
      details: [{ Path: 'username' }, { Path: 'password' }],
    })
    expect(world.entries).toEqual([])
  })

  it('of several set-ups at once one makes it, and later ones are refused', async () => {
    const names = ['chief', 'sheriff', 'captain']
    const made = await Promise.allSettled(
      names.map((username) => world.users.setupFirstAdministrator(CALL, { username, password: PASSWORD })),
    )
    const won = made.filter((one) => one.status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'Forbidden' })
    expect(await world.users.hasAdministrator()).toBe(true)
    await expect(
      world.users.setupFirstAdministrator(CALL, { username: 'marshal', password: PASSWORD }),
    ).rejects.toMatchObject({ code: 'Forbidden' })
    const { principalId, username } = (won[0] as PromiseFulfilledResult<{ principalId: string; username: string }>)
      .value
    expect(await groupsOf(principalId)).toEqual([1])
    expect(await world.users.isAdministrator(principalId)).toBe(true)
    await world.enable(principalId, false)
    expect(await world.users.isAdministrator(principalId)).toBe(false)
    expect(await world.users.isAdministrator('999')).toBe(false)
    expect(world.entries).toMatchObject([
      {
        action: 'user.created',
        object: { type: 'user', id: principalId, name: username },
        detail: { firstAdministrator: true },
      },
    ])
  })
})

describe('users', () => {
  it('keep everything that was said, and the password as argon2id only', async () => {
    const given = {
      username: 'Žofie',
      password: PASSWORD,
      group: 'Patrol',
      policies: ['CreateCases', 'AccessUnassociatedFiles:Download'],
    }
    const made = await world.users.createUser(CALL, {
      ...given,
      firstName: 'Žofie',
      lastName: 'Nováková',
      badge: 'B-7',
      email: 'z@station.example',
    })
    expect(made).toMatchObject({
      username: 'Žofie',
      kId: `urn:user:station:Žofie:${made.principalId}`,
      group: 'Patrol',
      groupCreated: true,
    })
    const row = (await principals()).find(({ principal_id }) => principal_id === Number(made.principalId))
    expect(row).toMatchObject({
      first_name: 'Žofie',
      last_name: 'Nováková',
      badge: 'B-7',
      email: 'z@station.example',
      guest: 0,
      enabled: 1,
      created_by: 'cli:root',
    })
    expect(await verifyPassword(row?.password_hash ?? '', PASSWORD)).toBe(true)
    expect(await policiesOf(made.principalId)).toEqual(['AccessUnassociatedFiles:Download', 'CreateCases'])
    expect(world.entries.map(({ action }) => action)).toEqual(['group.created', 'user.created'])
    expect(JSON.stringify(world.entries)).not.toContain(PASSWORD)
    expect(JSON.stringify(world.entries)).not.toContain('argon2')
  })

  it('share a group by its name, whatever its case', async () => {
    const one = await world.users.createUser(CALL, { username: 'one', password: PASSWORD, group: 'Detectives' })
    const two = await world.users.createUser(CALL, { username: 'two', password: PASSWORD, group: ' DETECTIVES'.trim() })
    expect(two).toMatchObject({ group: 'Detectives', groupCreated: false })
    expect(await groupsOf(two.principalId)).toEqual(await groupsOf(one.principalId))
  })

  it('are refused under a name that is taken in any case or composition, and nothing is left of them', async () => {
    await world.users.createUser(CALL, { username: 'Zoe\u0301', password: PASSWORD })
    const before = (await principals()).length
    await expect(
      world.users.createUser(CALL, { username: 'ZO\u00c9', password: PASSWORD, group: 'Left behind' }),
    ).rejects.toMatchObject({
      code: 'NameTaken',
      details: [{ Path: 'username' }],
    })
    expect(await principals()).toHaveLength(before)
  })

  it('of several of one name at once one is made', async () => {
    const racing = Array.from({ length: 4 }, () =>
      world.users.createUser(CALL, { username: 'racer', password: PASSWORD }),
    )
    expect((await Promise.allSettled(racing)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('who are guests are in CreateCases only, and never administrators', async () => {
    const guest = await world.users.createUser(CALL, {
      username: 'visitor',
      password: PASSWORD,
      guest: true,
      policies: ['CreateCases'],
    })
    expect(guest.guest).toBe(true)
    const refused = {
      username: 'visitor 2',
      password: PASSWORD,
      guest: true,
      policies: ['ShareCases'],
      group: 'account administrators',
    }
    await expect(world.users.createUser(CALL, refused)).rejects.toMatchObject({
      details: [{ Path: 'policies' }, { Path: 'group' }],
    })
  })

  it.each([
    [['NoSuch']],
    [['createcases']],
    [['CreateCases', 'CreateCases']],
    [['CreateCases:View']],
    [['AccessUnassociatedFiles:None']],
    [['AccessUnassociatedFiles:View:Edit']],
    [['']],
  ])('are not made with policies %j', async (policies) => {
    await expect(
      world.users.createUser(CALL, { username: 'nobody', password: PASSWORD, policies }),
    ).rejects.toMatchObject({
      code: 'InvalidModel',
      details: [{ Path: 'policies' }],
    })
  })

  it('change nothing when their ledger entry cannot be written', async () => {
    const { createUsers } = await import('../../../server/features/identity/users/users.service.ts')
    const ledger = { append: () => Promise.reject(new Error('the ledger is full')) }
    const users = createUsers({ db: world.database, ledger, clock: world.clock })
    const before = (await principals()).length
    await expect(users.createUser(CALL, { username: 'unwritten', password: PASSWORD })).rejects.toThrow(
      'the ledger is full',
    )
    expect(await principals()).toHaveLength(before)
  })
})

describe('integrations', () => {
  it('get a connection file with every member of decisions 9', async () => {
    const { connection, principalId, kId } = await world.users.createIntegration(CALL, {
      name: 'CAD',
      baseUrl: 'https://station.example:7443/',
    })
    const origin = 'https://station.example:7443'
    const text = expect.stringMatching(/^[A-Za-z0-9_-]+$/) as string
    const date = '0001-01-01T00:00:00'
    expect(JSON.parse(JSON.stringify(connection))).toEqual({
      TenantId: 'station',
      ServicePrincipalId: principalId,
      ServicePrincipalKey: {
        k: null,
        kid: kId,
        kty: 'RSA',
        use: null,
        n: text,
        e: 'AQAB',
        x5t: null,
        d: text,
        p: text,
        q: text,
        dp: text,
        dq: text,
        qi: text,
        nbf: date,
        exp: date,
      },
      APIKey: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      ApiBaseAddresses: [origin],
      SecurityTokenServiceBaseAddresses: [`${origin}/connect`],
      CADApiAddresses: [`${origin}/cadservice`],
      CaseServiceBaseAddresses: [`${origin}/api/v1`],
      DeviceServiceBaseAddresses: [`${origin}/api/v1`],
      DocumentStoreBaseAddresses: [`${origin}/api/v1`],
      KeyStoreBaseAddresses: [`${origin}/keystore/api/v1`],
      SearchServiceBaseAddresses: [`${origin}/searchservice/api/v1`],
      UserServiceBaseAddresses: [`${origin}/userservice/api/v1`],
      CertificateThumbprints: [],
      DisableEncryption: true,
    })
    expect(kId).toBe(`urn:service:station:CAD:${principalId}`)
    expect(Buffer.from(connection.ServicePrincipalKey.n, 'base64url').length * 8).toBeGreaterThanOrEqual(2048)
  })

  it('S3: leave neither private key nor API key on the station', async () => {
    const { connection } = await world.users.createIntegration(CALL, {
      name: 'secretive',
      baseUrl: world.url,
      group: 'Vendors',
      policies: ['PushCadEvents'],
    })
    const kept = JSON.stringify([
      await world.database.read.selectFrom('service_keys').selectAll().execute(),
      await world.database.read.selectFrom('api_keys').selectAll().execute(),
      await principals(),
      await world.database.read
        .selectFrom('ledger')
        .select('body')
        .execute()
        .then((rows) => rows.map(({ body }) => Buffer.from(body).toString('utf8'))),
      world.entries,
    ])
    const { d, p, q, dp, dq, qi, n } = connection.ServicePrincipalKey
    for (const secret of [d, p, q, dp, dq, qi, connection.APIKey]) {
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    }
    expect(kept).toContain(n)
    expect(kept).toContain(createHash('sha256').update(connection.APIKey).digest('hex'))
    expect(await policiesOf(connection.ServicePrincipalId)).toEqual(['PushCadEvents'])
    expect(world.entries.map(({ action }) => action)).toEqual(['group.created', 'service.created'])
  })

  it('are refused under a name that is taken', async () => {
    await world.users.createIntegration(CALL, { name: 'Twice', baseUrl: world.url })
    await expect(world.users.createIntegration(CALL, { name: 'TWICE', baseUrl: world.url })).rejects.toMatchObject({
      details: [{ Path: 'name' }],
    })
  })

  it.each([
    '',
    'station.example',
    'ftp://station.example',
    'https://station.example/path',
    'https://u:p@station.example',
    'https://station.example/?x',
    'javascript:alert(1)',
  ])('are refused with the base address %j', async (baseUrl) => {
    await expect(world.users.createIntegration(CALL, { name: 'lost', baseUrl })).rejects.toMatchObject({
      details: [{ Path: 'baseUrl' }],
    })
  })
})

describe('S1 keys that are not registered', () => {
  const rsa = (bits: number, exponent = 0x10001) =>
    generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: exponent }).publicKey.export({
      format: 'jwk',
    }) as Record<string, unknown>
  const good = rsa(2048)

  it.each<[string, () => Record<string, unknown>, string]>([
    ['1024 bits', () => rsa(1024), 'n'],
    ['2040 bits', () => rsa(2040), 'n'],
    ['exponent 3', () => rsa(2048, 3), 'e'],
    ['a private member', () => ({ ...good, d: 'AQAB' }), 'd'],
    ['a symmetric key', () => ({ kty: 'oct', k: 'c2VjcmV0' }), 'k'],
    ['no kind', () => ({ n: good['n'], e: good['e'] }), 'kty'],
    ['a modulus that is no base64url', () => ({ ...good, n: '===' }), 'n'],
    ['a modulus that is no string', () => ({ ...good, n: 65537 }), 'n'],
    [
      'P-384',
      () =>
        generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }) as Record<
          string,
          unknown
        >,
      'kty',
    ],
    ['a point that is not on the curve', () => ({ kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'B'.repeat(43) }), ''],
    ['nothing', () => ({}), 'kty'],
  ])('%s', async (_name, make, Path) => {
    await expect(registrableKey(make(), 'kid')).rejects.toMatchObject({
      code: 'InvalidJsonWebKeys',
      details: [{ Path }],
    })
  })

  it('RSA of 2048 bits and P-256 are, with nothing but the key in what is kept', async () => {
    const { jwk } = await registrableKey({ ...good, alg: 'RS256', x5c: ['MIIB'], d: null, evil: 'x' }, 'the kid')
    expect(Object.keys(jwk).sort()).toEqual(['e', 'kid', 'kty', 'n'])
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as Record<
      string,
      unknown
    >
    expect(Object.keys((await registrableKey(curve, 'the kid')).jwk).sort()).toEqual(['crv', 'kid', 'kty', 'x', 'y'])
  })

  it('a validity that is past or turned round', () => {
    const valid = (from: number | null, to: number | null, now: number) => () =>
      validityOf({}, { notBefore: from === null ? null : timeOf(from), expires: to === null ? null : timeOf(to) }, now)
    expect(valid(null, 1000, 1000)).toThrow()
    expect(valid(3000, 2000, 1000)).toThrow()
    expect(valid(1000, 2000, 1500)).not.toThrow()
    expect(valid(null, null, 1500)).not.toThrow()
  })
})
