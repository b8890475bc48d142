import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as secureConnect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fingerprintWords } from '../../../shared/network/certificate-fingerprint.ts'
import { LAN, type LanWorld, lanWorld, overLan } from './world.ts'

/** The station on its network (decisions 10), from its routes to its listener. */
let world: LanWorld
beforeAll(async () => {
  world = await lanWorld()
})
afterAll(() => world?.close())

const PATH = '/api/v1/pairing'

describe('the LAN, before it is turned on', () => {
  it('is off: nobody listens, there is no CA, and pairing says so', async () => {
    const status = await world.status()
    expect(status).toMatchObject({
      Enabled: false,
      Listening: false,
      Ca: null,
      Certificate: null,
      Origins: [],
      Problem: null,
    })
    expect(status.Announced.State).toBe('off')
    expect((await world.given.call('GET', PATH, { token: null })).json).toMatchObject({
      Enabled: false,
      Ca: null,
      Secure: false,
    })
    expect((await world.given.call('GET', '/pairing/ca.pem', { token: null })).status).toBe(404)
  })

  it.each([
    ['renew', undefined, 'LanOff'],
    ['new-ca', { Sha256Fingerprint: '0'.repeat(64) }, 'LanOff'],
  ])('%s is refused', async (path, body, code) => {
    const { status, json } = await world.asked('POST', `/${path}`, body)
    expect([status, json.ErrorCode]).toEqual([409, code])
  })

  it('belongs to account administrators', async () => {
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { Enabled: true }],
      ['POST', '/renew'],
      ['POST', '/new-ca', { Sha256Fingerprint: '0'.repeat(64) }],
      ['GET', '/host'],
      ['POST', '/disconnect', { Address: '127.0.0.1' }],
    ] as const) {
      const given = body === undefined ? {} : { body }
      expect((await world.given.call(method, `${LAN}${path}`, given)).status).toBe(403)
      expect((await world.given.call(method, `${LAN}${path}`, { ...given, token: null })).status).toBe(401)
    }
  })
})

describe('the LAN, turned on', () => {
  beforeAll(async () => {
    await world.change({ Enabled: true, Names: ['Evidence.PD.example'] })
  })

  it('answers over TLS by its own CA, by every name, with words that both screens show', async () => {
    const status = await world.status()
    expect(status).toMatchObject({ Enabled: true, Listening: true, Problem: null, Names: ['evidence.pd.example'] })
    const over = await world.over()
    for (const name of ['evidence.pd.example', status.MachineName, status.LocalName, 'localhost']) {
      const { status: answered, json } = await overLan({ ...over, name }, 'GET', PATH)
      expect(answered, name).toBe(200)
      expect(json.Secure).toBe(true)
      expect(json.Ca.Words).toEqual(status.Ca.Words)
      expect(json.Ca.Pem).toBe(`https://${name}:${over.port}/pairing/ca.pem`)
    }
    const der = await world.given.call('GET', '/pairing/ca.crt', { token: null })
    expect(der.headers.get('content-type')).toBe('application/x-x509-ca-cert')
    const fingerprint = createHash('sha256').update(der.bytes).digest('hex')
    expect(status.Ca.Sha256Fingerprint).toBe(fingerprint)
    expect(status.Ca.Words).toEqual(fingerprintWords(fingerprint))
    expect(Buffer.from(der.bytes)).toEqual(new X509Certificate(over.ca).raw)
    expect(status.Origins[0]).toBe(`https://evidence.pd.example:${over.port}`)
    expect(status.Origins.join()).not.toMatch(/localhost|127\.0/)
  })

  it('sets its cookie for this host alone and for TLS alone', async () => {
    const over = await world.over()
    const signedIn = await overLan(over, 'POST', '/connect/session', {
      body: { Username: 'sergeant', Password: 'a long enough pass phrase', NoticeId: 'default' },
      headers: { origin: `https://${over.name}:${over.port}` },
    })
    expect(signedIn.status, signedIn.text).toBe(200)
    expect(String(signedIn.headers['set-cookie'])).toMatch(
      /^__Host-sallyport_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
  })

  it('3.14: says for a day that its names are to be called over TLS alone, and never so of names that are called without', async () => {
    const over = await world.over()
    const said = async (name: string, path = PATH) =>
      (await overLan({ ...over, name }, 'GET', path)).headers['strict-transport-security']
    expect(await said('evidence.pd.example')).toBe('max-age=86400')
    expect(await said('evidence.pd.example', '/nothing/here')).toBe('max-age=86400')
    expect(await said('localhost')).toBeUndefined()
    const numbers = await overLan(over, 'GET', PATH, { host: `127.0.0.1:${over.port}` })
    expect([numbers.status, numbers.headers['strict-transport-security']]).toEqual([200, undefined])
    expect((await world.given.call('GET', PATH, { token: null })).headers.get('strict-transport-security')).toBeNull()
  })

  it.each(['/metrics', '/api/v1/tenant/station/dock/wall'])(
    '3.6: at its listener %s needs an administrator, from this very machine too',
    async (path) => {
      expect((await world.given.call('GET', path, { token: null })).status).toBe(200)
      expect((await overLan(await world.over(), 'GET', path)).status).toBe(401)
    },
  )

  it('tells who writes http:// what to do, and cuts what is no TLS', async () => {
    const { Port } = await world.status()
    const say = async (bytes: string | Buffer): Promise<string> => {
      const socket = connect(Port, '127.0.0.1')
      let heard = ''
      socket.on('data', (part: Buffer) => {
        heard += part.toString('latin1')
      })
      socket.on('error', () => {})
      socket.write(bytes)
      await once(socket, 'close')
      return heard
    }
    const plain = await say('GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n')
    expect(plain).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(plain).toContain('Write https:// in front')
    expect(plain).not.toContain('evil')
    expect(await say(Buffer.from([0, 1, 2, 3]))).toBe('')
    expect(await say(Buffer.from([0x16, 3, 1, 0xff, 0xff, ...Array.from({ length: 40 }, () => 7)]))).not.toContain(
      'HTTP',
    )
  })

  it.each(['TLSv1', 'TLSv1.1'] as const)('speaks no %s', async (version) => {
    const { port, ca, name } = await world.over()
    const socket = secureConnect({
      host: '127.0.0.1',
      port,
      ca,
      servername: name,
      minVersion: version,
      maxVersion: version,
      ciphers: 'ALL:@SECLEVEL=0',
    })
    await expect(once(socket, 'secureConnect')).rejects.toThrow()
  })

  it('takes a new certificate into use without ending connections; the CA stays', async () => {
    const before = await world.status()
    const over = await world.over()
    const held = await session(over)
    expect(await held.ask()).toBe(200)
    const seq = world.last()
    const renewed = await world.given.expecting(200, world.asked('POST', '/renew'))
    expect(renewed.Ca).toEqual(before.Ca)
    expect(renewed.Certificate.Sha256Fingerprint).not.toBe(before.Certificate.Sha256Fingerprint)
    expect(await held.ask()).toBe(200)
    expect(held.fingerprint()).toBe(before.Certificate.Sha256Fingerprint)
    const later = await session(over)
    expect(later.fingerprint()).toBe(renewed.Certificate.Sha256Fingerprint)
    expect(world.acts(seq)).toEqual([['lan.certificateMade', 'ok']])
  })

  it('names that the CA may not speak for need a new one, said so first', async () => {
    const before = await world.status()
    const refused = await world.asked('PATCH', '', { Names: ['evidence.pd.example', 'other.example'] })
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'LanNewCaNeeded'])
    expect(refused.json.Message).toContain('other.example')
    expect((await world.status()).Ca).toEqual(before.Ca)
    const below = await world.change({ Names: ['evidence.pd.example', 'cad.evidence.pd.example'] })
    expect(below.Ca).toEqual(before.Ca)
    expect(below.Certificate.Names).toContain('cad.evidence.pd.example')
    const seq = world.last()
    const after = await world.change({ Names: ['evidence.pd.example', 'other.example'], NewCa: true })
    expect(world.acts(seq)).toEqual([
      ['lan.changed', 'ok'],
      ['lan.caMade', 'ok'],
      ['lan.certificateMade', 'ok'],
    ])
    expect(after.PreviousCa.Sha256Fingerprint).toBe(before.Ca.Sha256Fingerprint)
    const over = await world.over('other.example')
    expect((await overLan(over, 'GET', PATH)).status).toBe(200)
    expect(
      (await overLan({ ...over, name: 'cad.evidence.pd.example' }, 'GET', PATH).catch(String)).toString(),
    ).toContain('altnames')
  })

  it('a new CA is made only in place of the one that was seen', async () => {
    const { Ca } = await world.status()
    const stale = await world.asked('POST', '/new-ca', { Sha256Fingerprint: '0'.repeat(64) })
    expect([stale.status, stale.json.ErrorCode]).toEqual([409, 'LanCaNotCurrent'])
    const old = await world.over()
    const after = await world.given.expecting(
      200,
      world.asked('POST', '/new-ca', { Sha256Fingerprint: Ca.Sha256Fingerprint }),
    )
    expect(after.Ca.Sha256Fingerprint).not.toBe(Ca.Sha256Fingerprint)
    // Whoever trusts the old one alone comes no more.
    await expect(overLan(old, 'GET', PATH)).rejects.toThrow(/certificate/)
    expect((await overLan(await world.over(), 'GET', PATH)).status).toBe(200)
  })

  it('shows who is there, and ends their connections', async () => {
    const over = await world.over()
    const held = await session(over)
    await held.ask(`/api/v1/tenant/station/station`, world.chief)
    const { Items } = await world.given.expecting(200, world.asked('GET', '/host'))
    const [host] = Items
    expect(host).toMatchObject({
      Address: '127.0.0.1',
      HostName: `${over.name}:${over.port}`,
      LastRequest: 'getStation',
      ThisOne: true,
    })
    expect(host.People.map(({ Name }: { Name: string }) => Name)).toEqual(['network desk'])
    expect(host.Connections).toBeGreaterThan(0)
    expect(host.BytesReceived).toBeGreaterThan(100)
    expect(host.BytesSent).toBeGreaterThan(100)
    const seq = world.last()
    const ended = await world.given.expecting(200, world.asked('POST', '/disconnect', { Address: '127.0.0.1' }))
    expect(ended.Connections).toBeGreaterThan(0)
    await held.closed
    expect(world.acts(seq)).toEqual([['lan.disconnected', 'ok']])
    const nobody = await world.asked('POST', '/disconnect', { Address: '10.9.9.9' })
    expect([nobody.status, nobody.json.ErrorCode]).toEqual([404, 'LanHostNotFound'])
  })

  it('refuses names and networks that are none, each with its place', async () => {
    const { status, json } = await world.asked('PATCH', '', {
      Names: ['good.example', 'https://x', 'a b', '10.0.0.1', 'localhost'],
      AllowList: ['10.0.0.0/8', 'office'],
    })
    expect(status).toBe(400)
    expect(json.Details.map(({ Path }: { Path: string }) => Path)).toEqual([
      'Names[1]',
      'Names[2]',
      'Names[3]',
      'Names[4]',
      'AllowList[1]',
    ])
  })

  it('gives connection files the address that was asked, with what to pin', async () => {
    const over = await world.over()
    const { status, json } = await overLan(over, 'POST', '/userservice/api/v1/tenant/station/services', {
      body: { Name: `cad ${Math.random()}` },
      token: world.chief,
    })
    expect(status).toBe(201)
    const origin = `https://${over.name}:${over.port}`
    const { Ca, Certificate } = await world.status()
    expect(json.Connection).toMatchObject({
      ApiBaseAddresses: [origin],
      SecurityTokenServiceBaseAddresses: [`${origin}/connect`],
      CADApiAddresses: [`${origin}/cadservice`],
      CertificateThumbprints: [Ca.Sha256Fingerprint, Certificate.Sha256Fingerprint],
    })
    const here = await world.given.call('POST', '/userservice/api/v1/tenant/station/services', {
      body: { Name: `cad ${Math.random()}` },
      token: world.chief,
    })
    expect(here.json.Connection).toMatchObject({ ApiBaseAddresses: [world.given.url], CertificateThumbprints: [] })
  })

  it('is turned off: nobody listens, connections end, and it comes back with the same CA', async () => {
    const { Ca, Port } = await world.status()
    const held = await session(await world.over())
    const seq = world.last()
    const off = await world.change({ Enabled: false })
    expect(off).toMatchObject({ Enabled: false, Listening: false, Origins: [] })
    await held.closed
    const socket = connect(Port, '127.0.0.1')
    await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED')
    const on = await world.change({ Enabled: true })
    expect(on.Ca).toEqual(Ca)
    expect(world.acts(seq)).toEqual([
      ['lan.changed', 'ok'],
      ['lan.changed', 'ok'],
    ])
  })
})

/** One connection that is kept, for several requests. */
async function session({ port, ca, name }: { port: number; ca: string; name: string }) {
  const socket: TLSSocket = secureConnect({ host: '127.0.0.1', port, ca, servername: name })
  await once(socket, 'secureConnect')
  const closed = once(socket, 'close')
  socket.on('error', () => {})
  onTestFinished(() => {
    socket.destroy()
  })
  return {
    closed,
    fingerprint: () => createHash('sha256').update(socket.getPeerCertificate().raw).digest('hex'),
    ask: async (path = PATH, token?: string): Promise<number> => {
      const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${name}:${port}\r\n${authorization}\r\n`)
      const [part] = (await once(socket, 'data')) as [Buffer]
      return Number(/^HTTP\/1\.1 (\d+)/.exec(part.toString('latin1'))?.[1])
    },
  }
}
