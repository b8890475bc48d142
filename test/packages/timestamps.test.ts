/** Timestamps of an authority outside (RFC 3161): which answers are taken, and what openssl says of them. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timestampAuthority } from '../../server/features/packages/timestamps.ts'
import { verifyPackage } from '../../server/features/packages/verify.ts'
import {
  createTimestampAuthority,
  type TimestampAuthority,
} from '../../server/platform/timestamps/timestamp-authority.ts'
import { certificatesInPem } from '../../server/platform/signatures/signed-data.ts'
import { checkTimestamp } from '../../server/platform/timestamps/timestamp-token.ts'
import { temporaryFolder } from '../support/station.ts'
import { commandsOf, type PlainTools, plainTools } from './plain-tools.ts'
import { type PackagesWorld, packagesStation } from './world.ts'
import { type Behaviour, type TestAuthority, testAuthority } from '../support/timestamp-authority.ts'

const BYTES = Buffer.from('what a package signs\n')
const SHA256 = createHash('sha256').update(BYTES).digest('hex')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let authority: TestAuthority
let asked: TimestampAuthority
beforeAll(async () => {
  folder = await temporaryFolder('timestamps')
  authority = await testAuthority(path.join(folder.dir, 'authority'))
  const roots = certificatesInPem(readFileSync(authority.rootFile, 'utf8'))
  asked = createTimestampAuthority({ url: authority.url, roots, patienceMs: 3000 })
}, 60_000)
afterAll(async () => {
  await authority?.close()
  await folder?.dispose()
})

describe('a timestamp', () => {
  it('of an honest authority is taken, and openssl verifies it', async () => {
    authority.behave('honest')
    const { answer, timeUtc, authority: name } = await asked.stamp(SHA256)
    expect(name).toContain('Time Authority')
    expect(Math.abs(Date.parse(timeUtc) - Date.now())).toBeLessThan(60_000)
    expect(asked.check(answer, SHA256).timeUtc).toBe(timeUtc)
    const [data, reply] = [path.join(folder.dir, 'data'), path.join(folder.dir, 'reply.tsr')]
    writeFileSync(data, BYTES)
    writeFileSync(reply, answer)
    const words = ['ts', '-verify', '-data', data, '-in', reply, '-CAfile', authority.rootFile]
    expect(execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).toContain(
      'Verification: OK',
    )
  })

  it.each<[Behaviour, RegExp]>([
    ['another hash', /about other bytes/],
    ['another question', /another question/],
    ['somebody else', /somebody else than the authority/],
    ['not for timestamps', /not for timestamps/],
    ['changed', /about other content/],
    ['refuses', /the authority refused/],
    ['a page', /no timestamp/],
    ['an error', /status 503/],
    ['elsewhere', /cannot be reached/],
    ['endless', /too long/],
    ['hangs', /within 3 seconds/],
  ])('of an authority that lies or fails is refused: %s', async (behaviour, reason) => {
    authority.behave(behaviour)
    await expect(asked.stamp(SHA256)).rejects.toThrow(reason)
  })

  it('with any byte changed is refused', async () => {
    authority.behave('honest')
    const { answer } = await asked.stamp(SHA256)
    const roots = certificatesInPem(readFileSync(authority.rootFile, 'utf8'))
    const { timeUtc: stated } = asked.check(answer, SHA256)
    const taken: number[] = []
    for (let at = 0; at < answer.length; at += 3) {
      const bytes = Buffer.from(answer)
      bytes[at] = (bytes[at] as number) ^ 1
      try {
        const { timeUtc } = checkTimestamp(bytes, { sha256: SHA256, nonce: null, roots })
        if (timeUtc !== stated) taken.push(at)
      } catch (error) {
        expect((error as Error).name, `byte ${at}`).toBe('TimestampRefused')
      }
    }
    // Bytes that nothing signs may change, such as a list of algorithms; never the time.
    expect(taken).toEqual([])
  }, 60_000)

  it('is asked for by an address with certificates, and not by the address alone', async () => {
    expect(await timestampAuthority({ url: undefined, roots: undefined })).toBeNull()
    await expect(timestampAuthority({ url: 'http://127.0.0.1:9', roots: undefined })).rejects.toThrow(
      /SALLYPORT_TIMESTAMP_ROOTS names no certificates/,
    )
  })

  it('is not taken when whoever waits gives up', async () => {
    authority.behave('hangs')
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('stopped')), 50)
    await expect(asked.stamp(SHA256, stop.signal)).rejects.toThrow('stopped')
  })
})

describe('a package', () => {
  let world: PackagesWorld
  let tools: PlainTools
  beforeAll(async () => {
    world = await packagesStation({ timestampUrl: authority.url, timestampRoots: authority.rootFile })
    const root = world.folder('root')
    tools = plainTools(root)
    copyFileSync(authority.rootFile, path.join(root, 'authority.pem'))
  }, 120_000)
  afterAll(() => world?.given.close())

  const roots = () => certificatesInPem(readFileSync(authority.rootFile, 'utf8'))
  /** What the blocks of its instructions print, all of which must succeed. @param of those that hold one of these words; all, the ledger's too, take long */
  const byHand = (folder: string, of = /comm -3|ts -verify/): string =>
    commandsOf(readFileSync(path.join(folder, 'VERIFY.txt'), 'utf8'))
      .filter((script) => of.test(script))
      .map((script) => {
        const { code, output } = tools.run(folder, `AUTHORITY=/authority.pem\n${script}`)
        expect(code, `${script}\n${output}`).toBe(0)
        return output
      })
      .join('\n')
  const entry = (action: string) => world.given.ledger().findLast((one) => one.action === action)

  it('has a timestamp, which its recipient verifies by the commands in it', async () => {
    authority.behave('honest')
    const made = await world.make(world.folder('honest'), { parts: [] })
    expect(made.timestamp).toMatchObject({ authority: expect.stringContaining('Time Authority') })
    expect(byHand(made.path, /^/)).toContain('Verification: OK')
    expect(await verifyPackage(made.path, { roots: roots() })).toMatchObject({
      problems: [],
      timestamp: made.timestamp && { timeUtc: (made.timestamp as { timeUtc: string }).timeUtc },
    })
    expect(entry('package.made')?.detail?.['timestamp']).toMatchObject({
      authority: expect.any(String),
      stationAheadMs: expect.any(Number),
    })
  })

  it('whose timestamp was exchanged for one of other bytes does not verify', async () => {
    authority.behave('honest')
    const made = await world.make(world.folder('exchanged'), { parts: [] })
    expect((await verifyPackage(made.path)).timestamp).toBe('unchecked')
    const { answer } = await asked.stamp(SHA256)
    writeFileSync(path.join(made.path, 'tagmanifest.tsr'), answer)
    expect((await verifyPackage(made.path, { roots: roots() })).problems).toEqual([
      { where: 'tagmanifest.tsr', text: 'the timestamp is about other bytes' },
    ])
    const last = commandsOf(readFileSync(path.join(made.path, 'VERIFY.txt'), 'utf8')).find((one) =>
      one.includes('ts -verify'),
    )
    expect(tools.run(made.path, `AUTHORITY=/authority.pem\n${last}`).code).not.toBe(0)
  })

  it.each(['zip', 'iso'])('as %s has its timestamp inside', async (form) => {
    authority.behave('honest')
    const made = await world.make(path.join(world.folder(form), `package.${form}`), { parts: [], form })
    const out = world.folder(`${form}-opened`)
    execFileSync('7z', ['x', '-y', `-o${out}`, made.path], { stdio: 'ignore' })
    const folder = form === 'zip' ? path.join(out, readdirSync(out)[0] as string) : out
    expect(byHand(folder)).toContain('Verification: OK')
  })

  it.each<Behaviour>(['an error', 'somebody else'])(
    'is made without one when the authority fails (%s), and gets it later',
    async (behaviour) => {
      authority.behave(behaviour)
      const made = await world.make(world.folder(`later ${behaviour}`), { parts: [] })
      expect(made.timestamp).toEqual({ problem: expect.any(String) })
      expect(readdirSync(made.path)).not.toContain('tagmanifest.tsr')
      expect(byHand(made.path)).toContain('no timestamp in this package')
      const packageId = Number(made.number.slice(1))
      await expect(world.given.command('package.timestamp', { packageId })).rejects.toThrow(/There is no timestamp/)
      authority.behave('honest')
      await world.given.command('package.timestamp', { packageId })
      expect(byHand(made.path)).toContain('Verification: OK')
      expect(entry('package.timestamped')?.object.id).toBe(String(packageId))
      await expect(world.given.command('package.timestamp', { packageId })).rejects.toThrow(/has a timestamp already/)
    },
  )

  it('that is not there, or is not made, gets none', async () => {
    const made = await world.make(world.folder('not made'), { parts: [] })
    const packageId = Number(made.number.slice(1))
    await expect(world.given.command('package.timestamp', { packageId: 4711 })).rejects.toMatchObject({
      code: 'PackageNotFound',
    })
    await world.given.meddle((db) =>
      db
        .prepare(
          "UPDATE packages SET state = 'Making', signed_sha256 = NULL, ledger_size = NULL, finished_utc = NULL WHERE package_id = ?",
        )
        .run(packageId),
    )
    await expect(world.given.command('package.timestamp', { packageId })).rejects.toMatchObject({
      code: 'PackageNotOpen',
      message: expect.stringContaining('is not made'),
    })
  }, 60_000)

  it('that may be without its name, because the station ended in between, gets none', async () => {
    authority.behave('an error')
    const made = await world.make(world.folder('cut off'), { parts: [] })
    const packageId = Number(made.number.slice(1))
    authority.behave('honest')
    await world.given.meddle((db) =>
      db.prepare("UPDATE packages SET problem = 'cut off' WHERE package_id = ?").run(packageId),
    )
    await expect(world.given.command('package.timestamp', { packageId })).rejects.toMatchObject({
      code: 'PackageNotOpen',
      message: expect.stringContaining('is not made'),
    })
    expect(readdirSync(made.path)).not.toContain('tagmanifest.tsr')
  }, 60_000)

  it('as a file gets it beside it later', async () => {
    authority.behave('an error')
    const made = await world.make(path.join(world.folder('beside'), 'package.zip'), { parts: [], form: 'zip' })
    authority.behave('honest')
    const { path: at } = await world.given.command('package.timestamp', { packageId: Number(made.number.slice(1)) })
    expect(at).toBe(`${made.path}.tsr`)
    expect(asked.check(readFileSync(at), made.signedSha256).authority).toContain('Time Authority')
  }, 60_000)
})
