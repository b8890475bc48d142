/** Witnesses of a package over HTTP: which there are, how a missing one is added to a ZIP file that is kept here, and who may. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IssuedCertificate, testCertificateAuthority } from '../../support/certificate-authority.ts'
import { type Given, givenStation, type Json, sha256Of } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { temporaryFolder } from '../../support/station.ts'
import { type TestAuthority, testAuthority } from '../../support/timestamp-authority.ts'
import { PACKAGES } from './acts.ts'

const CHOSEN = { Variant: 'court', Parts: [], Papers: [], Language: 'en' }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let given: Given
let authority: TestAuthority
let issued: IssuedCertificate
let rootFile: string
let maker: string
let stranger: string
let evidenceId: string
beforeAll(async () => {
  folder = await temporaryFolder('witnesses')
  authority = await testAuthority(path.join(folder.dir, 'time'))
  const state = testCertificateAuthority(path.join(folder.dir, 'state'), 'State')
  issued = state.issue('Tanners-Row-Station')
  rootFile = state.rootFile
  given = await givenStation({
    settings: {
      timestampUrl: authority.url,
      timestampRoots: authority.rootFile,
      signingCertificate: issued.certificateFile,
      signingKey: issued.keyFile,
    },
  })
  maker = await signIn(await given.integration('maker', ['AccessUnassociatedFiles:Edit']), given.url)
  stranger = await signIn(await given.integration('stranger'), given.url)
  evidenceId = (await given.completed(Buffer.from('what was said\n'), { name: 'one.txt' })).evidenceId
  await given.settled(evidenceId)
}, 60_000)
afterAll(async () => {
  await given?.close()
  await authority?.close()
  await folder?.dispose()
})

const call = (method: string, at: string, token = maker, body?: Json) =>
  given.call(method, `${PACKAGES}${at}`, { token, ...(body === undefined ? {} : { body }) })
async function made(): Promise<Json> {
  const { PackageId } = await given.expecting(201, call('POST', '', maker, { EvidenceIds: [evidenceId], ...CHOSEN }))
  let found: Json = {}
  await expect
    .poll(async () => (found = await given.expecting(200, call('GET', `/${PackageId}`))).State, { timeout: 20_000 })
    .toBe('Made')
  return found
}
const witnessesOf = (one: Json) =>
  one.Witnesses.map(({ Kind, By, Problem, IsBeside }: Json) => [Kind, By, Problem === null, IsBeside])
const bytesOf = async (at: string, token = maker): Promise<Buffer> => {
  const answer = await fetch(`${given.url}${PACKAGES}${at}`, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

describe('the witnesses of a package', () => {
  it('are told: who signed and who stamped it, and no station where none is paired', async () => {
    const one = await made()
    expect(witnessesOf(one).sort()).toEqual([
      ['signature', expect.stringContaining('Tanners-Row-Station'), true, false],
      ['timestamp', expect.stringContaining('Time Authority'), true, false],
    ])
    const stamp = one.Witnesses.find(({ Kind }: Json) => Kind === 'timestamp')
    expect(Math.abs(Date.parse(stamp.UtcTime) - Date.now())).toBeLessThan(120_000)
    // They are in the ZIP file: nothing lies beside it.
    expect(await call('GET', `/${one.PackageId}/witness/timestamp`)).toMatchObject({
      status: 409,
      json: { ErrorCode: 'PackageFileGone' },
    })
    expect(await call('POST', `/${one.PackageId}/witness/cosignature`)).toMatchObject({
      status: 409,
      json: { ErrorCode: 'CosignatureUnavailable' },
    })
  }, 60_000)

  it('that were missing are added later, beside a ZIP file that stays as it is, and hold with openssl', async () => {
    authority.behave('an error')
    const key = readFileSync(issued.keyFile)
    writeFileSync(issued.keyFile, 'not a key')
    const one = await made()
    expect(witnessesOf(one).sort()).toEqual([
      ['signature', null, false, false],
      ['timestamp', null, false, false],
    ])
    const zip = await bytesOf(`/${one.PackageId}/file`)
    for (const kind of ['timestamp', 'signature'])
      expect((await call('POST', `/${one.PackageId}/witness/${kind}`)).status).toBe(409)
    authority.behave('honest')
    writeFileSync(issued.keyFile, key)
    for (const kind of ['timestamp', 'signature'])
      await given.expecting(200, call('POST', `/${one.PackageId}/witness/${kind}`))
    const now = await given.expecting(200, call('GET', `/${one.PackageId}`))
    expect(witnessesOf(now).sort()).toEqual([
      ['signature', expect.stringContaining('Tanners-Row-Station'), true, true],
      ['timestamp', expect.stringContaining('Time Authority'), true, true],
    ])
    expect(sha256Of(await bytesOf(`/${one.PackageId}/file`))).toBe(sha256Of(zip))
    // As its recipient does: what was added goes into the folder of the package.
    const at = path.join(folder.dir, 'recipient')
    mkdirSync(at)
    writeFileSync(path.join(at, 'package.zip'), zip)
    execFileSync('unzip', ['-q', 'package.zip'], { cwd: at })
    const inside = path.join(at, one.Name)
    for (const [kind, file] of [
      ['timestamp', 'tagmanifest.tsr'],
      ['signature', 'tagmanifest.p7s'],
    ] as const)
      writeFileSync(path.join(inside, file), await bytesOf(`/${one.PackageId}/witness/${kind}`))
    const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: inside, stdio: 'pipe' })
    const LIST = 'tagmanifest-sha256.txt'
    openssl('ts', '-verify', '-data', LIST, '-in', 'tagmanifest.tsr', '-CAfile', authority.rootFile)
    const signature = ['-inform', 'DER', '-in', 'tagmanifest.p7s', '-content', LIST]
    openssl('cms', '-verify', '-binary', ...signature, '-CAfile', rootFile, '-out', '/dev/null')
    expect(await call('POST', `/${one.PackageId}/witness/timestamp`)).toMatchObject({
      status: 409,
      json: { ErrorCode: 'PackageNotOpen' },
    })
  }, 60_000)

  it('S4: are for whoever sees the package', async () => {
    authority.behave('an error')
    const one = await made()
    authority.behave('honest')
    for (const method of ['GET', 'POST'])
      expect(await call(method, `/${one.PackageId}/witness/timestamp`, stranger)).toMatchObject({
        status: 404,
        json: { ErrorCode: 'PackageNotFound' },
      })
    expect((await call('POST', `/${one.PackageId}/witness/nobody`)).status).toBe(400)
  }, 60_000)

  it('are not added by two at once, nor to a file that is not here any more', async () => {
    authority.behave('an error')
    const one = await made()
    authority.behave('hangs')
    const asked = authority.asked()
    const stop = new AbortController()
    const first = fetch(`${given.url}${PACKAGES}/${one.PackageId}/witness/timestamp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${maker}` },
      signal: stop.signal,
    }).catch(() => null)
    await expect.poll(() => authority.asked()).toBe(asked + 1)
    expect((await call('POST', `/${one.PackageId}/witness/signature`)).json.ErrorCode).toBe('PackageInProgress')
    // Whoever asked went away: the next one need not wait for the authority.
    stop.abort()
    await first
    authority.behave('honest')
    await expect.poll(async () => (await call('POST', `/${one.PackageId}/witness/timestamp`)).status).toBe(200)
    await given.expecting(204, call('DELETE', `/${one.PackageId}/file`))
    for (const method of ['GET', 'POST'])
      expect(await call(method, `/${one.PackageId}/witness/timestamp`)).toMatchObject({
        status: 409,
        json: { ErrorCode: 'PackageFileGone' },
      })
    // Who vouched stays on record.
    expect(witnessesOf(await given.expecting(200, call('GET', `/${one.PackageId}`)))).toContainEqual([
      'timestamp',
      expect.stringContaining('Time Authority'),
      true,
      true,
    ])
  }, 60_000)
})
