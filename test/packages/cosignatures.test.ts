/** Co-signatures of paired stations on the tree head of a package (docs/decisions/0038): asked for, believed, added later, and checked by hand. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MadePackage } from '../../server/features/packages/packages.service.ts'
import { verifyPackage } from '../../server/features/packages/verify.ts'
import { type Cosignature, cosign, openCosignature, readCosignatures } from '../../server/kernel/ledger/cosignature.ts'
import { BadNote } from '../../server/kernel/ledger/signed-note.ts'
import { type IntegrityWorld, integrityWorld } from '../api/integrity/world.ts'
import type { Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { commandsOf, type PlainTools, plainTools } from './plain-tools.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

const FILE = 'tagmanifest.cosignatures'
const DER_PREFIX = '302a300506032b6570032100'

let world: PackagesWorld
/** The station that co-signs. */
let other: IntegrityWorld
let between: Between
let tools: PlainTools
let chief: string
let targetId: string
beforeAll(async () => {
  ;[world, other] = await Promise.all([packagesStation(), integrityWorld({}, true)])
  tools = plainTools(world.folder('root'))
  between = await standBetween(other.given.url)
  const { given } = world
  const options = { name: 'chief', policies: [], group: 'Account Administrators', baseUrl: given.url }
  chief = await signIn((await given.command('integration.create', options)).connection, given.url)
}, 120_000)
afterAll(async () => {
  between?.server.closeAllConnections()
  between?.server.close()
  await world?.given.close()
  await other?.given.close()
})

const place = '/api/v1/tenant/station/keeping/checkpoint-target'
const entry = (action: string) => world.given.ledger().findLast((one) => one.action === action)
/** Fingerprint of the key of the other station, worked out from what it says of itself. */
async function fingerprint(): Promise<string> {
  const { VerifierKey } = (await other.keeping()).Checkpoints
  const key = Buffer.from(VerifierKey.split('+').slice(2).join('+'), 'base64').subarray(1)
  return createHash('sha256')
    .update(Buffer.concat([Buffer.from(DER_PREFIX, 'hex'), key]))
    .digest('hex')
}
/** The last block of its instructions, by a shell and openssl alone. */
function byHand(folder: string): { readonly code: number; readonly output: string } {
  const script = commandsOf(readFileSync(path.join(folder, 'VERIFY.txt'), 'utf8')).find(
    (one) => one.includes(FILE) && one.includes('pkeyutl'),
  )
  return tools.run(folder, script as string)
}
const make = (name: string, more: Record<string, unknown> = {}): Promise<MadePackage> =>
  world.make(world.folder(name), { parts: [], papers: [], ...more })

it('a package of a station without a neighbour has none, and says what to do for one', async () => {
  const made = await make('alone')
  expect(made.cosignatures).toBeNull()
  expect(byHand(made.path)).toEqual({ code: 0, output: 'no co-signature in this package\n' })
  expect((await verifyPackage(made.path)).cosignatures).toEqual([])
  await expect(world.given.command('package.cosign', { packageId: Number(made.number.slice(1)) })).rejects.toThrow(
    /No station is paired/,
  )
}, 60_000)

describe('with a paired station', () => {
  beforeAll(async () => {
    const connection = await other.given.integration('neighbour')
    const body = { Connection: { ...(connection as Json), ApiBaseAddresses: [between.url] } }
    targetId = (await world.given.expecting(201, world.given.call('POST', place, { token: chief, body }))).TargetId
  }, 60_000)

  it('a package is co-signed, which its recipient verifies by the commands in it', async () => {
    const made = await make('honest')
    const key = await fingerprint()
    expect(made.cosignatures).toEqual({
      by: [{ station: (await other.keeping()).Checkpoints.Origin, timeUtc: expect.any(String), fingerprint: key }],
      problems: [],
    })
    const { code, output } = byHand(made.path)
    expect([code, output]).toEqual([0, expect.stringContaining('Signature Verified Successfully')])
    expect(output).toContain(`key ${key}`)
    for (const script of commandsOf(readFileSync(path.join(made.path, 'VERIFY.txt'), 'utf8')))
      expect([script, tools.run(made.path, script).code]).toEqual([script, 0])
    const found = await verifyPackage(made.path, { witnesses: [key.toUpperCase()] })
    expect(found.problems).toEqual([])
    expect(found.cosignatures).toMatchObject([{ fingerprint: key }])
    expect(entry('package.made')?.detail?.['cosignatures']).toEqual(made.cosignatures)
    // A station that is not among them is missed.
    expect((await verifyPackage(made.path, { witnesses: ['0'.repeat(64)] })).problems).toEqual([
      { where: FILE, text: expect.stringContaining('no co-signature with the key 0000') },
    ])
  }, 60_000)

  it('is verified by hand with any key, also where its base64 holds a plus', async () => {
    const made = await make('plus')
    const note = readFileSync(path.join(made.path, 'meta/checkpoint.txt'), 'utf8')
    let one: Cosignature
    do {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519')
      const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
      const signer = { publicKey: raw, sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)) }
      one = cosign(note, { name: 'neighbour', time: 1_800_000_000 }, signer)
    } while (one.key.split('+').length < 4)
    writeFileSync(path.join(made.path, FILE), `${one.line}\n${one.key}\n`)
    const { code, output } = byHand(made.path)
    expect([code, output]).toEqual([0, expect.stringContaining('neighbour, Fri Jan 15 08:00:00 UTC 2027')])
    expect((await verifyPackage(made.path)).cosignatures).toMatchObject([
      { station: 'neighbour', timeUtc: '2027-01-15T08:00:00.000Z' },
    ])
  }, 60_000)

  it('one that was tampered with is found, by hand and by program', async () => {
    const made = await make('tampered')
    const at = path.join(made.path, FILE)
    const honest = readFileSync(at, 'utf8')
    const [line = '', key = ''] = honest.split('\n')
    const bytes = Buffer.from(line.split(' ')[2] as string, 'base64')
    const changed = (offset: number): string => {
      const copy = Buffer.from(bytes)
      copy[offset] = (copy[offset] as number) ^ 1
      return `${line.split(' ').slice(0, 2).join(' ')} ${copy.toString('base64')}\n${key}\n`
    }
    const { publicKey } = generateKeyPairSync('ed25519')
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')
    const otherKey = `${key.split('+').slice(0, 2).join('+')}+${Buffer.concat([Buffer.of(4), raw]).toString('base64')}`
    for (const [what, text] of Object.entries({
      'the time': changed(11),
      'the first byte of the signature': changed(12),
      'the last byte of the signature': changed(75),
      'the key': `${line}\n${otherKey}\n`,
      'to nothing': '',
      'cut off': honest.slice(0, 60),
      'a line more': `${honest}${line}\n`,
      'without its end': honest.slice(0, -1),
      'a pair more, cut off': `${honest}${line}\n${key}`,
    })) {
      writeFileSync(at, text)
      expect([what, byHand(made.path).code]).not.toEqual([what, 0])
      expect([what, (await verifyPackage(made.path)).problems.map(({ where }) => where)]).toEqual([what, [FILE]])
    }
    writeFileSync(at, honest)
    expect((await verifyPackage(made.path)).problems).toEqual([])
    // A name cannot give commands to the terminal on which it is printed.
    writeFileSync(at, honest.replaceAll(line.split(' ')[1] as string, 'nasty\u001b]0;name\u0007'))
    const { code, output } = byHand(made.path)
    expect(code).not.toBe(0)
    expect(output).toContain('nasty?]0;name?, ')
    expect(output).not.toMatch(/[\u001b\u0007]/)
    expect(output).toContain('this name does not belong to the key')
    writeFileSync(at, honest)
    // The head of another package is another text.
    const next = await make('tampered next')
    writeFileSync(path.join(next.path, FILE), honest)
    expect((await verifyPackage(next.path)).problems.map(({ where }) => where)).toEqual([FILE])
    expect(byHand(next.path).code).not.toBe(0)
  }, 120_000)

  it('is made without one while the neighbour is away, and gets it later though that one has seen more since', async () => {
    between.behave = 'away'
    const made = await make('later')
    expect(made.cosignatures).toEqual({ problem: expect.stringContaining('could not be reached') })
    expect(readdirSync(made.path)).not.toContain(FILE)
    const packageId = Number(made.number.slice(1))
    await expect(world.given.command('package.cosign', { packageId })).rejects.toThrow(/There is no co-signature/)
    between.behave = 'honest'
    // The neighbour gets a newer checkpoint first.
    await make('newer')
    const before = other.entries('checkpoint.cosigned').length
    const said = await world.given.command('package.cosign', { packageId })
    expect(said.by).toMatchObject([{ fingerprint: await fingerprint() }])
    expect(other.entries('checkpoint.cosigned')).toHaveLength(before + 1)
    expect(byHand(made.path)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Signature Verified Successfully'),
    })
    expect((await verifyPackage(made.path)).cosignatures).toHaveLength(1)
    expect(entry('package.cosigned')?.object.id).toBe(String(packageId))
    await expect(world.given.command('package.cosign', { packageId })).rejects.toThrow(
      /Every paired station has co-signed it already/,
    )
    expect(await other.alarms()).toEqual([])
  }, 120_000)

  it('does not make the neighbour think that the ledger became shorter, when a copy is asked for next', async () => {
    // Makes entries after the newest checkpoint, over which the head of the package is signed.
    await make('before a copy')
    await make('before a copy too')
    const copy = world.given.call('POST', `${place}/${targetId}/copy`, { token: chief })
    const target = await world.given.expecting(200, copy)
    expect(await other.alarms()).toEqual([])
    expect(target.Problem).toBeNull()
  }, 60_000)

  describe('and another one', () => {
    let third: IntegrityWorld
    let thirdBetween: Between
    let thirdId: string
    beforeAll(async () => {
      third = await integrityWorld({}, true)
      thirdBetween = await standBetween(third.given.url)
      const connection = await third.given.integration('neighbour of a neighbour')
      const body = { Connection: { ...(connection as Json), ApiBaseAddresses: [thirdBetween.url] } }
      thirdId = (await world.given.expecting(201, world.given.call('POST', place, { token: chief, body }))).TargetId
    }, 60_000)
    afterAll(async () => {
      between.behave = 'honest'
      await world.given.expecting(204, world.given.call('DELETE', `${place}/${thirdId}`, { token: chief }))
      thirdBetween.server.closeAllConnections()
      thirdBetween.server.close()
      await third.given.close()
    })

    it('that was away co-signs later, and the first one is not asked again', async () => {
      thirdBetween.behave = 'away'
      const made = await make('two neighbours')
      expect(made.cosignatures).toMatchObject({ by: [{}], problems: [{ address: thirdBetween.url }] })
      const first = readFileSync(path.join(made.path, FILE), 'utf8')
      const packageId = Number(made.number.slice(1))
      const asked = other.entries('checkpoint.cosigned').length + other.entries('checkpoint.received').length
      await expect(world.given.command('package.cosign', { packageId })).rejects.toThrow(/could not be reached/)
      expect(readFileSync(path.join(made.path, FILE), 'utf8')).toBe(first)
      thirdBetween.behave = 'honest'
      const said = await world.given.command('package.cosign', { packageId })
      expect(said.by).toMatchObject([{ station: (await third.keeping()).Checkpoints.Origin }])
      expect(other.entries('checkpoint.cosigned').length + other.entries('checkpoint.received').length).toBe(asked)
      expect(readFileSync(path.join(made.path, FILE), 'utf8').startsWith(first)).toBe(true)
      expect(readdirSync(path.dirname(made.path)).filter((name) => name.endsWith('.unfinished'))).toEqual([])
      expect((await verifyPackage(made.path)).problems).toEqual([])
      expect((await verifyPackage(made.path)).cosignatures).toHaveLength(2)
      const { code, output } = byHand(made.path)
      expect([code, output.match(/Signature Verified Successfully/g)?.length]).toEqual([0, 2])
      await expect(world.given.command('package.cosign', { packageId })).rejects.toThrow(
        /Every paired station has co-signed/,
      )
    }, 120_000)

    it('is asked at the same time: a station that does not answer holds up nobody', async () => {
      between.behave = 'hangs'
      const before = third.entries('checkpoint.received').length
      let isMade = false
      const making = make('one hangs').finally(() => {
        isMade = true
      })
      await expect.poll(() => third.entries('checkpoint.received').length, { timeout: 9_000 }).toBe(before + 1)
      expect(isMade).toBe(false)
      expect((await making).cosignatures).toMatchObject({ by: [{}], problems: [{ address: between.url }] })
    }, 60_000)

    it('gets the place of one that does not hold', async () => {
      between.behave = 'honest'
      const made = await make('one is broken')
      const at = path.join(made.path, FILE)
      const [line = '', ...others] = readFileSync(at, 'utf8').split('\n')
      writeFileSync(at, [`${line.slice(0, -8)}AAAAAA==`, ...others].join('\n'))
      expect((await verifyPackage(made.path)).problems).not.toEqual([])
      await world.given.command('package.cosign', { packageId: Number(made.number.slice(1)) })
      expect((await verifyPackage(made.path)).problems).toEqual([])
      expect((await verifyPackage(made.path)).cosignatures).toHaveLength(2)
    }, 60_000)
  })

  it('as a file gets it beside it later, and as ZIP has it inside', async () => {
    between.behave = 'away'
    const to = path.join(world.folder('beside'), 'package.zip')
    const made = await world.make(to, { parts: [], papers: [], form: 'zip' })
    between.behave = 'honest'
    const { path: at } = await world.given.command('package.cosign', { packageId: Number(made.number.slice(1)) })
    expect(at).toBe(`${made.path}.cosignatures`)
    const inside = await world.make(path.join(world.folder('inside'), 'package.zip'), {
      parts: [],
      papers: [],
      form: 'zip',
    })
    expect(execFileSync('unzip', ['-l', inside.path], { encoding: 'utf8' })).toContain(FILE)
  }, 120_000)

  it.each<[Exclude<Behaviour, 'honest' | 'away'>, RegExp]>([
    ['another signature', /signature does not hold/],
    ['another text', /signature does not hold/],
    ['another name', /names another key|no line/],
    ['a day off', /more than a day/],
    ['no co-signature', /gave no co-signature/],
    ['a page', /gave no co-signature/],
    ['an error', /answered 500/],
    ['refuses', /refuses it/],
    ['hangs', /could not be reached/],
  ])(
    'one that lies (%s) is not believed, and the package is made without',
    async (behaviour, why) => {
      between.behave = behaviour
      const made = await make(`lies ${behaviour}`)
      between.behave = 'honest'
      expect(made.cosignatures).toEqual({ problem: expect.stringMatching(why) })
      expect(readdirSync(made.path)).not.toContain(FILE)
      expect((await verifyPackage(made.path)).problems).toEqual([])
    },
    60_000,
  )

  it('S19: is known by the key of its first co-signature; another key, and one of ours, are not believed', async () => {
    const key = await fingerprint()
    const known = world.given
      .ledger()
      .filter(({ action, object }) => action === 'checkpoint.cosignerKnown' && object.id === targetId)
    expect(known.map(({ detail }) => detail)).toMatchObject([{ fingerprint: key }])
    await world.given.meddle((db) => db.prepare("UPDATE checkpoint_cosigners SET key_fingerprint = 'another'").run())
    const made = await make('another key')
    expect(made.cosignatures).toEqual({ problem: expect.stringContaining('another key than before') })
    expect(readdirSync(made.path)).not.toContain(FILE)
    await world.given.meddle((db) => db.prepare('UPDATE checkpoint_cosigners SET key_fingerprint = ?').run(key))
    expect((await make('the known key')).cosignatures).toMatchObject({ by: [{ fingerprint: key }] })
  }, 60_000)

  it('one that is paired no more is not asked', async () => {
    await world.given.expecting(204, world.given.call('DELETE', `${place}/${targetId}`, { token: chief }))
    expect((await make('parted')).cosignatures).toBeNull()
  }, 60_000)

  it('S19: a station that is paired with itself gets no co-signature from itself', async () => {
    const { given } = world
    const { status, json } = await given.call('POST', place, {
      token: chief,
      body: { Connection: await given.integration('mirror') },
    })
    expect(status).toBe(201)
    const made = await make('mirrored')
    expect(made.cosignatures).toEqual({ problem: expect.stringContaining('the key of this station') })
    await given.expecting(204, given.call('DELETE', `${place}/${json.TargetId}`, { token: chief }))
  }, 60_000)
})

describe('what is no co-signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
  const signer = { publicKey: raw, sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)) }
  const text = 'origin\n3\n'.concat(Buffer.alloc(32).toString('base64'), '\n')
  const one = cosign(`${text}\n— origin x\n`, { name: 'neighbour', time: 1_800_000_000 }, signer)
  const idOf = (name: string, type: number): string =>
    createHash('sha256')
      .update(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), raw]))
      .digest('hex')
      .slice(0, 8)
  const keyWith = (name: string, bytes: Uint8Array, id = idOf(name, 4)): string =>
    `${name}+${id}+${Buffer.from(bytes).toString('base64')}`
  const [dash, name, encoded = ''] = one.line.split(' ')
  const lineWith = (change: (bytes: Buffer) => Buffer, named = name): string =>
    `${dash} ${named} ${change(Buffer.from(encoded, 'base64')).toString('base64')}`

  it('S19: is not taken for one', () => {
    expect(openCosignature(one, text)).toMatchObject({ name: 'neighbour', time: 1_800_000_000 })
    for (const [what, wrong] of Object.entries({
      'a key of another type': { ...one, key: keyWith('neighbour', Buffer.concat([Buffer.of(1), raw])) },
      'a short key': { ...one, key: keyWith('neighbour', Buffer.concat([Buffer.of(4), raw]).subarray(0, 32)) },
      'another id of the key': { ...one, key: keyWith('neighbour', Buffer.concat([Buffer.of(4), raw]), '00000000') },
      'another id in the line': {
        ...one,
        line: lineWith((bytes) => Buffer.concat([Buffer.alloc(4), bytes.subarray(4)])),
      },
      'another name in the line': { ...one, line: lineWith((bytes) => bytes, 'somebody') },
      'a short line': { ...one, line: lineWith((bytes) => bytes.subarray(0, 60)) },
      'a name of 201 characters': cosign(`${text}\n— o x\n`, { name: 'n'.repeat(201), time: 1 }, signer),
      'a time after the year 9999': cosign(`${text}\n— o x\n`, { name: 'n', time: 253_402_300_800 }, signer),
      'no line at all': { ...one, line: one.line.slice(2) },
    }))
      expect(() => openCosignature(wrong, text), what).toThrow(BadNote)
    expect(() => openCosignature(one, text.replace('3', '4'))).toThrow(/does not hold/)
    // Whoever forges a key names it by its own id.
    const short = Buffer.concat([Buffer.of(4), raw]).subarray(0, 32)
    const id = createHash('sha256')
      .update(Buffer.concat([Buffer.from('neighbour\n'), short]))
      .digest()
      .subarray(0, 4)
    const forged = {
      key: keyWith('neighbour', short, id.toString('hex')),
      line: lineWith((bytes) => Buffer.concat([id, bytes.subarray(4)])),
    }
    expect(() => openCosignature(forged, text)).toThrow(new BadNote('It has no key'))
    for (const change of [
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)]),
      (bytes: Buffer) => bytes.subarray(0, -1),
    ])
      expect(() => openCosignature({ ...one, line: lineWith(change) }, text)).toThrow(/no line of a co-signature/)
  })

  it.each(['', '\n', 'one line\n', 'two\nlines without an end', 'a\nb\nc\n'])(
    'S19: nor is the text %j a list of them',
    (list) => {
      expect(() => readCosignatures(list)).toThrow(BadNote)
    },
  )
})

type Behaviour =
  | 'honest'
  | 'away'
  | 'another signature'
  | 'another text'
  | 'another name'
  | 'a day off'
  | 'no co-signature'
  | 'a page'
  | 'an error'
  | 'refuses'
  | 'hangs'

interface Between {
  readonly server: Server
  readonly url: string
  behave: Behaviour
}

/** Stands between the stations, and changes what the other one answers. */
async function standBetween(url: string): Promise<Between> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const signer = {
    publicKey: new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')),
    sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)),
  }
  const now = (): number => Math.floor(Date.now() / 1000)
  const as = ({ line, key }: Cosignature) => ({ Line: line, Key: key })
  const lie = (behaviour: Behaviour, note: string, honest: { Line: string; Key: string }): object | null => {
    const [dash, name = '', encoded = ''] = honest.Line.split(' ')
    const bytes = Buffer.from(encoded, 'base64')
    switch (behaviour) {
      case 'another signature':
        bytes[20] = (bytes[20] as number) ^ 1
        return { ...honest, Line: `${dash} ${name} ${bytes.toString('base64')}` }
      case 'another text':
        return as(cosign(note.replace(/\n\d+\n/, '\n1\n'), { name: 'liar', time: now() }, signer))
      case 'another name':
        return { ...honest, Line: `${dash} somebody ${encoded}` }
      case 'a day off':
        return as(cosign(note, { name: 'liar', time: now() - 90_000 }, signer))
      case 'no co-signature':
        return null
      default:
        return honest
    }
  }
  const found: Between = { server: createServer(), url: '', behave: 'honest' }
  found.server.on('request', (request, response) => {
    void (async () => {
      const { behave } = found
      if (behave === 'away') return void request.socket.destroy()
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      const isGiven = request.method === 'POST' && (request.url ?? '').includes('/checkpoint')
      // The connection stays open, and nothing comes.
      if (isGiven && behave === 'hangs') return
      const headers = { 'content-type': 'application/json' }
      if (isGiven && behave === 'an error') return void response.writeHead(500, headers).end('{}')
      if (isGiven && behave === 'refuses')
        return void response
          .writeHead(409, headers)
          .end(JSON.stringify({ ErrorCode: 'CheckpointRefused', Message: 'It does not fit.', Details: [] }))
      const reply = await fetch(`${url}${request.url}`, {
        method: request.method as string,
        headers: {
          authorization: request.headers.authorization ?? '',
          ...(body === '' ? {} : { 'content-type': request.headers['content-type'] ?? 'application/json' }),
        },
        ...(body === '' ? {} : { body }),
      })
      const text = await reply.text()
      if (!isGiven || reply.status !== 200 || behave === 'honest')
        return void response.writeHead(reply.status, headers).end(text)
      if (behave === 'a page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      const { Cosignature: honest, ...rest } = JSON.parse(text)
      const lied = lie(behave, JSON.parse(body).Checkpoint, honest)
      response.writeHead(200, headers).end(JSON.stringify({ ...rest, ...(lied === null ? {} : { Cosignature: lied }) }))
    })()
  })
  await new Promise<void>((resolve) => found.server.listen(0, '127.0.0.1', resolve))
  return Object.assign(found, { url: `http://127.0.0.1:${(found.server.address() as AddressInfo).port}` })
}
