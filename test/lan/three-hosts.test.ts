// @module-tag merge
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { fingerprintWords } from '../../shared/network/certificate-fingerprint.ts'
import type { Json } from '../support/given.ts'
import { assertionFor, type ConnectionFile } from '../support/integrator.ts'
import { programOf } from '../support/program.ts'
import { patience } from '../support/scale.ts'
import { NODE, temporaryFolder } from '../support/station.ts'
import { hears, spoken, until } from './children.ts'
import { type Host, hostsMissing, threeHosts } from './hosts.ts'

/** A station and two other hosts on a network of their own: pairing, browsing, uploads, docking, and a cable that is pulled. */
const missing = hostsMissing()
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROGRAM = programOf('server/bin/sallyport.ts')
/** The program of a checkout, which has simulated cameras. */
const WITH_CAMERAS = programOf('test/simulators/sallyport.ts')
const PORT = 7443

describe.skipIf(missing !== null)(`the LAN of three hosts${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let hosts: Awaited<ReturnType<typeof threeHosts>>
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let program: ChildProcess
  let data: string
  let ca: string
  let origin: string
  let connection: ConnectionFile
  let chief: ConnectionFile
  const command = async (name: string, args: Record<string, unknown>): Promise<Json> =>
    (await callControl(data, { command: name, args, user: 'tester' }, () => {}, new AbortController().signal))?.result
  const integration = async (name: string, policies: readonly string[], group: string | null) =>
    (await command('integration.create', { name, policies, group, baseUrl: origin })).connection as ConnectionFile

  /** curl on another host, which knows the station's CA and nothing else. */
  const curl = async (host: Host, method: string, place: string, more: readonly string[] = []): Promise<Json> => {
    const words = ['-sS', '--cacert', ca, '-X', method, '-w', '\n%{http_code}', '--max-time', '60', ...more]
    const said = await host.run('curl', [...words, place.startsWith('https') ? place : `${origin}${place}`])
    const at = said.lastIndexOf('\n')
    const text = said.slice(0, at)
    return {
      status: Number(said.slice(at + 1)),
      text,
      json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    }
  }
  const tokenOf = async (host: Host, config: ConnectionFile): Promise<string> => {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      client_id: `${config.ServicePrincipalId}@${config.TenantId}`,
      assertion: assertionFor(config, `${origin}/connect/token`),
    })
    return (await curl(host, 'POST', '/connect/token', ['-d', body.toString()])).json.access_token
  }
  const asking = async (host: Host, config: ConnectionFile) => {
    const token = await tokenOf(host, config)
    return (method: string, place: string, body?: unknown) =>
      curl(host, method, place, [
        '-H',
        `Authorization: Bearer ${token}`,
        ...(body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]),
      ])
  }

  beforeAll(async () => {
    hosts = await threeHosts()
    folder = await temporaryFolder('three-hosts')
    data = path.join(folder.dir, 'data')
    const { station } = hosts
    origin = `https://${station.address}:${PORT}`
    const words = ['serve', '--data', data, '--port', '0', '--lan', '--lan-port', String(PORT)]
    const env = { SALLYPORT_LOG_LEVEL: 'warn', SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_DOCK: 'false' }
    program = hears(station.spawn(NODE, [PROGRAM, ...words], env))
    await saidBy(program, /^listening http/m)
    await command('setup', { username: 'sergeant', password: 'a long enough pass phrase' })
    // From here on the station is on its network by itself.
    ca = path.join(folder.dir, 'fetched.pem')
    await until(() =>
      hosts.officer.run('curl', ['-sS', '-k', '--max-time', '5', '-o', ca, `${origin}/pairing/ca.pem`]).then(
        () => true,
        () => false,
      ),
    )
    connection = await integration('uploader', ['ManageDevices'], null)
    chief = await integration('desk', [], 'Account Administrators')
  }, patience(120_000))
  afterAll(async () => {
    if (program !== undefined && program.exitCode === null) {
      program.kill('SIGTERM')
      await once(program, 'exit')
    }
    await hosts?.dispose()
    await folder?.dispose()
  }, patience(60_000))

  it('pairs a host: what it fetched untrusted has the words of the station’s own screen, and from then on TLS is checked', async () => {
    const { officer } = hosts
    const ask = await asking(officer, chief)
    const screen = (await ask('GET', '/api/v1/tenant/station/station/lan')).json
    const der = Buffer.from(readFileSync(ca, 'utf8').replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
    expect(fingerprintWords(createHash('sha256').update(der).digest('hex'))).toEqual(screen.Ca.Words)
    const openssl = await officer.run('openssl', ['x509', '-in', ca, '-noout', '-fingerprint', '-sha256'])
    expect(openssl.replaceAll(':', '').toLowerCase()).toContain(screen.Ca.Sha256Fingerprint)
    const checked = await officer
      .run('openssl', [
        's_client',
        '-connect',
        `${hosts.station.address}:${PORT}`,
        '-CAfile',
        ca,
        '-verify_return_error',
        '-verify_ip',
        hosts.station.address,
        '-brief',
        '-no_ign_eof',
      ])
      .catch((error: { stderr?: string }) => String(error.stderr))
    expect(checked).not.toMatch(/verify error|verification failed/i)
    // Without the CA it is a stranger's.
    await expect(officer.run('curl', ['-sS', '--max-time', '20', `${origin}/`])).rejects.toThrow(/certificate/)
    expect(screen.Origins).toContain(origin)
    expect(screen.Addresses).toEqual([hosts.station.address])
  })

  it('lets a host browse: the page, the interfaces, nothing of loopback; plain HTTP is told what to do', async () => {
    const { officer } = hosts
    const page = await curl(officer, 'GET', '/', ['-H', 'Accept: text/html'])
    expect([page.status, /<html/i.test(page.text)]).toEqual([200, true])
    expect((await curl(officer, 'GET', '/api/v1/tenant/station/station')).status).toBe(401)
    expect((await curl(officer, 'GET', '/metrics')).status).toBe(401)
    const ask = await asking(officer, chief)
    expect((await ask('GET', '/api/v1/tenant/station/station')).json.Mode).toBe('ready')
    const plain = await officer.run('curl', ['-sS', '--max-time', '20', `http://${hosts.station.address}:${PORT}/`])
    expect(plain).toContain('Write https://')
    // The listener of loopback is none of theirs.
    const loopback = /^listening http:\/\/127\.0\.0\.1:(\d+)/m.exec(spoken(program))?.[1]
    await expect(
      officer.run('curl', ['-sS', '--max-time', '20', `http://${hosts.station.address}:${loopback}/`]),
    ).rejects.toThrow()
  })

  it(
    'takes an upload from another host while its cable is pulled and put back: it goes on, and nothing acknowledged is lost',
    async () => {
      const { officer } = hosts
      const ask = await asking(officer, connection)
      const bytes = randomBytes(24 * 2 ** 20)
      const file = path.join(folder.dir, 'film.bin')
      writeFileSync(file, bytes)
      const place = '/documentstore/api/v1/tenant/station/evidence'
      const { EvidenceId } = (await ask('POST', place, { Name: 'From another host' })).json
      const open = (await ask('POST', `${place}/${EvidenceId}/resource`, { Name: 'film.bin' })).json
      expect(open.UploadUri.startsWith(`${origin}/blob/`)).toBe(true)
      // A tenth of a second for each MiB, so that there is a half-way.
      await officer
        .run('tc', [
          'qdisc',
          'add',
          'dev',
          'lan0',
          'root',
          'tbf',
          'rate',
          '80mbit',
          'burst',
          '64kb',
          'latency',
          '400ms',
        ])
        .catch(() => '')
      const upload = hears(
        officer.spawn(NODE, [path.join(ROOT, 'test/lan/uploader.mjs'), open.UploadUri, file], {
          NODE_EXTRA_CA_CERTS: ca,
        }),
      )
      const ended = once(upload, 'exit')
      await until(async () => largest(spoken(upload)) >= 6 * 2 ** 20)
      await officer.cable('down')
      const before = largest(spoken(upload))
      // Long enough for TCP to notice, short enough for nobody to give up.
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      const meanwhile = largest(spoken(upload))
      await officer.cable('up')
      expect(meanwhile - before).toBeLessThanOrEqual(4 * 2 ** 20)
      expect(meanwhile).toBeLessThan(bytes.length)
      expect([await ended.then(([code]) => code as number), spoken(upload)]).toEqual([
        0,
        expect.stringMatching(/done\n$/),
      ])
      const done = await ask('POST', `${place}/${EvidenceId}/resource/${open.ResourceId}/complete`, {
        Sha256: createHash('sha256').update(bytes).digest('hex'),
        LengthInBytes: bytes.length,
      })
      expect([done.status, done.json.State]).toEqual([200, 'UserCompleted'])
    },
    patience(180_000),
  )

  it('docks a camera from another host over TLS, its cable pulled half-way: every file is whole', {
    tags: ['merge'],
    timeout: patience(180_000),
  }, async () => {
    const { camera } = hosts
    const config = path.join(folder.dir, 'config.json')
    writeFileSync(config, JSON.stringify(connection))
    const cameras = path.join(folder.dir, 'cameras')
    mkdirSync(cameras)
    const sallyport = (words: readonly string[]) => camera.run(NODE, [WITH_CAMERAS, ...words])
    const [made] = JSON.parse(
      `[${(await sallyport(['camera', 'make', cameras, '--layout', 'manifest', '--recordings', '3', '--bytes', '2000000', '--json'])).trim().replaceAll('\n', ',')}]`,
    )
    const card = made.path ?? path.join(cameras, made.name)
    const sending = hears(
      camera.spawn(NODE, [
        WITH_CAMERAS,
        'camera',
        'send',
        card,
        '--config',
        config,
        '--ca',
        ca,
        '--block',
        '262144',
        '--slow',
        '1500000',
        '--json',
      ]),
    )
    const ended = once(sending, 'exit')
    await until(async () => blobs(data) >= 1 || sending.exitCode !== null)
    await camera.cable('down')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await camera.cable('up')
    const [code] = await ended
    expect([code, spoken(sending)]).toEqual([0, expect.stringContaining('serial')])
    const { sha256 } = storedOf(data)
    expect(sha256.length).toBeGreaterThanOrEqual(3)
    // Without the CA it speaks to loopback alone.
    await expect(sallyport(['camera', 'send', card, '--config', config])).rejects.toThrow(
      /this machine alone|certificate|fetch failed/,
    )
  })

  it('keeps hosts away that are not on the list, before TLS, and lets an administrator not lock themselves out unknowingly', async () => {
    const { officer, camera } = hosts
    const ask = await asking(officer, chief)
    const LAN = '/api/v1/tenant/station/station/lan'
    const list = (...AllowList: string[]) => ask('PATCH', LAN, { AllowList })
    const refused = await list(`${camera.address}/32`)
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'LanWouldLockYouOut'])
    const off = await ask('PATCH', LAN, { Enabled: false })
    expect([off.status, off.json.ErrorCode]).toEqual([409, 'LanWouldLockYouOut'])
    expect((await list(`${officer.address}/32`)).status).toBe(200)
    await expect(curl(camera, 'GET', '/api/v1/pairing')).rejects.toThrow(/reset|SSL|recv|connect/i)
    const status = (await ask('GET', LAN)).json
    expect(status.Refused).toMatchObject({ LastAddress: camera.address })
    const { Items } = (await ask('GET', `${LAN}/host`)).json
    expect(Items.find(({ ThisOne }: Json) => ThisOne)).toMatchObject({ Address: officer.address })
    expect((await list()).status).toBe(200)
    expect((await curl(camera, 'GET', '/api/v1/pairing')).status).toBe(200)
  })

  it('is announced by mDNS', async () => {
    const ask = await asking(hosts.officer, chief)
    const { Announced } = (await ask('GET', '/api/v1/tenant/station/station/lan')).json
    expect(Announced).toMatchObject({ State: 'announced', Problem: null })
    const heard = await hosts.officer.run(NODE, [path.join(ROOT, 'test/lan/listener.mjs'), hosts.officer.address])
    const service = JSON.parse(heard)
    expect(service).toMatchObject({ port: PORT, addresses: expect.arrayContaining([hosts.station.address]) })
    expect(`${service.name}._sallyport._tcp.local`).toBe(Announced.Service)
  })

  it('has a new address in its certificate without being asked', async () => {
    const { station, officer } = hosts
    await station.run('ip', ['addr', 'add', '10.77.0.200/24', 'dev', 'lan0'])
    const there = `https://10.77.0.200:${PORT}/api/v1/pairing`
    await until(() =>
      curl(officer, 'GET', there).then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  })
})

async function saidBy(child: ChildProcess, pattern: RegExp): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`it ended:\n${spoken(child)}`)
    return pattern.test(spoken(child))
  })
}

const largest = (text: string): number => Math.max(0, ...(text.match(/^\d+$/gm) ?? []).map(Number))
function storedOf(data: string): { sha256: string[] } {
  const db = openRaw(path.join(data, 'sallyport.db'), { readOnly: true })
  try {
    const rows = db
      .prepare(
        "SELECT r.sha256 FROM resources r JOIN evidence e USING (evidence_id) WHERE r.state = 'UserCompleted' AND e.source_id IS NOT NULL",
      )
      .pluck()
      .all() as string[]
    return { sha256: rows }
  } finally {
    db.close()
  }
}
const blobs = (data: string): number => (existsSync(path.join(data, 'sallyport.db')) ? storedOf(data).sha256.length : 0)
