/** Signatures of the agency (CMS): with which certificates a package is signed, and what openssl says of them. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms'
import { AsnConvert } from '@peculiar/asn1-schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agencySigner } from '../../server/features/packages/agency-signature.ts'
import { verifyPackage } from '../../server/features/packages/verify.ts'
import { checkCmsSignature, createCmsSigner } from '../../server/platform/signatures/cms-signature.ts'
import { certificatesInPem } from '../../server/platform/signatures/signed-data.ts'
import {
  type IssuedCertificate,
  type TestCertificateAuthority,
  testCertificateAuthority,
} from '../support/certificate-authority.ts'
import { temporaryFolder } from '../support/station.ts'
import { commandsOf, type PlainTools, plainTools } from './plain-tools.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

const BYTES = Buffer.from('what a package signs\n')
const SHA256 = createHash('sha256').update(BYTES).digest('hex')
/** A minute on: certificates that are issued meanwhile are valid by then. */
const NOW = new Date(Date.now() + 60_000)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let authority: TestCertificateAuthority
let other: TestCertificateAuthority
beforeAll(async () => {
  folder = await temporaryFolder('agency-signature')
  authority = testCertificateAuthority(path.join(folder.dir, 'authority'), 'State Authority')
  other = testCertificateAuthority(path.join(folder.dir, 'other'), 'State Authority')
}, 60_000)
afterAll(() => folder?.dispose())

const text = (file: string): string => readFileSync(file, 'utf8')
const rootsOf = ({ rootFile }: TestCertificateAuthority) => certificatesInPem(text(rootFile))
const signerWith = ({ certificateFile, keyFile }: IssuedCertificate) =>
  createCmsSigner({ certificates: text(certificateFile), key: text(keyFile) })
/** What `openssl cms -verify` prints about a detached signature. */
function opensslSays(signature: Buffer, bytes: Buffer, rootFile: string): { code: number; output: string } {
  const [data, reply] = [path.join(folder.dir, 'data'), path.join(folder.dir, 'reply.p7s')]
  writeFileSync(data, bytes)
  writeFileSync(reply, signature)
  const words = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', reply, '-content', data, '-CAfile', rootFile]
  try {
    return { code: 0, output: execFileSync('sh', ['-c', '"$@" 2>&1 >/dev/null', 'sh', 'openssl', ...words]).toString() }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer }
    return { code: status, output: stdout.toString() }
  }
}

/** A detached signature that `openssl cms` makes, with the certificates of the file. */
function byOpenssl(name: string, { certificateFile, keyFile }: IssuedCertificate, ...more: string[]): Buffer {
  const [data, reply] = [path.join(folder.dir, `${name}.data`), path.join(folder.dir, `${name}.made.p7s`)]
  writeFileSync(data, BYTES)
  // The first one is that of whoever signs.
  const [, ...others] = text(certificateFile).split(/(?=-----BEGIN)/)
  writeFileSync(`${data}.pem`, others.join(''))
  const words = ['-sign', '-binary', '-in', data, '-signer', certificateFile, '-inkey', keyFile, '-md', 'sha256']
  execFileSync('openssl', ['cms', ...words, '-certfile', `${data}.pem`, ...more, '-outform', 'DER', '-out', reply])
  return readFileSync(reply)
}

function digestedFrom(): string {
  const data = path.join(folder.dir, 'to-digest')
  writeFileSync(data, BYTES)
  return data
}

describe('a signature', () => {
  it.each([
    ['an RSA key, for mail', { key: 'rsa', usage: 'mail' }],
    ['an ECDSA key, for mail', { key: 'ec', usage: 'mail' }],
    ['an ECDSA key, for no purpose in particular', { key: 'ec', usage: 'any' }],
  ] as const)('with %s holds here and with openssl', (name, given) => {
    const signer = signerWith(authority.issue(`holds ${name.replaceAll(/\W/g, '-')}`, given))
    const signature = signer.sign(SHA256, NOW)
    expect(opensslSays(signature, BYTES, authority.rootFile)).toEqual({
      code: 0,
      output: expect.stringContaining('Verification successful'),
    })
    const found = checkCmsSignature(signature, { sha256: SHA256, roots: rootsOf(authority), at: NOW })
    expect(found.signer).toBe(signer.subject)
    expect(Math.abs(Date.parse(String(found.timeUtc)) - NOW.getTime())).toBeLessThan(1000)
  })

  it('of other bytes, or by a certificate of another authority, does not hold, here and with openssl', () => {
    const signature = signerWith(authority.issue('one')).sign(SHA256, NOW)
    const another = createHash('sha256').update('other bytes').digest('hex')
    expect(() => checkCmsSignature(signature, { sha256: another, roots: rootsOf(authority), at: NOW })).toThrow(
      /about other content/,
    )
    expect(opensslSays(signature, Buffer.from('other bytes'), authority.rootFile).code).not.toBe(0)
    // Its names are those of the authority that is believed; its key is not.
    const forged = signerWith(other.issue('one')).sign(SHA256, NOW)
    expect(() => checkCmsSignature(forged, { sha256: SHA256, roots: rootsOf(authority), at: NOW })).toThrow(
      /somebody else than the authority/,
    )
    expect(opensslSays(forged, BYTES, authority.rootFile).code).not.toBe(0)
  })

  it('with any byte changed does not hold, or says the same', () => {
    const signature = signerWith(authority.issue('changed')).sign(SHA256, NOW)
    const said = checkCmsSignature(signature, { sha256: SHA256, roots: rootsOf(authority), at: NOW })
    const others: number[] = []
    for (let at = 0; at < signature.length; at += 3) {
      const bytes = Buffer.from(signature)
      bytes[at] = (bytes[at] as number) ^ 1
      try {
        const found = checkCmsSignature(bytes, { sha256: SHA256, roots: rootsOf(authority), at: NOW })
        if (JSON.stringify(found) !== JSON.stringify(said)) others.push(at)
      } catch (error) {
        expect((error as Error).name, `byte ${at}`).toBe('SignatureProblem')
      }
    }
    expect(others).toEqual([])
  })

  it('that an agency made with openssl holds as well', () => {
    const { certificateFile, keyFile } = authority.issue('by-hand')
    const [data, reply] = [path.join(folder.dir, 'by-hand'), path.join(folder.dir, 'by-hand.p7s')]
    writeFileSync(data, BYTES)
    const words = ['-sign', '-binary', '-in', data, '-signer', certificateFile, '-inkey', keyFile, '-md', 'sha256']
    execFileSync('openssl', ['cms', ...words, '-certfile', authority.issuingFile, '-outform', 'DER', '-out', reply])
    const found = checkCmsSignature(readFileSync(reply), { sha256: SHA256, roots: rootsOf(authority), at: NOW })
    expect(found.signer).toContain('by-hand')
  })

  it('holds while the certificate is valid, and not afterwards; then nothing is signed with it', () => {
    const signer = signerWith(authority.issue('ends', { days: 10 }))
    const later = new Date(NOW.getTime() + 20 * 86_400_000)
    const signature = signer.sign(SHA256, NOW)
    const roots = rootsOf(authority)
    expect(checkCmsSignature(signature, { sha256: SHA256, roots, at: NOW }).signer).toContain('ends')
    expect(() => checkCmsSignature(signature, { sha256: SHA256, roots, at: later })).toThrow(
      /was not valid at that time/,
    )
    for (const at of [later, new Date(0)])
      expect(() => signer.sign(SHA256, at)).toThrow(/the certificate is valid from/)
  })

  it('S19: by a certificate that is not valid yet, or is issued by one of no authority, or under another name, does not hold', () => {
    const roots = rootsOf(authority)
    const early = signerWith(authority.issue('early')).sign(SHA256, NOW)
    expect(() => checkCmsSignature(early, { sha256: SHA256, roots, at: new Date(0) })).toThrow(
      /was not valid at that time/,
    )
    authority.issue('clerk')
    const { certificateFile, keyFile } = authority.issue('below-clerk', { by: 'clerk' })
    const below = byOpenssl('below-clerk', { certificateFile, keyFile })
    expect(() => checkCmsSignature(below, { sha256: SHA256, roots, at: NOW })).toThrow(
      /somebody else than the authority/,
    )
    expect(opensslSays(below, BYTES, authority.rootFile).code).not.toBe(0)
    const namesake = certificatesInPem(authority.rootOfAnotherName())
    expect(() => checkCmsSignature(early, { sha256: SHA256, roots: namesake, at: NOW })).toThrow(
      /somebody else than the authority/,
    )
  })

  it('S19: of content of another type does not hold', () => {
    const typed = byOpenssl('typed', authority.issue('typed'), '-econtent_type', '1.3.6.1.4.1.311.2.1.4')
    expect(() => checkCmsSignature(typed, { sha256: SHA256, roots: rootsOf(authority), at: NOW })).toThrow(
      /about other content/,
    )
  })

  it('S19: of two people at once, of nobody, over another hash, or of something else altogether does not hold', () => {
    const issued = authority.issue('alone')
    const refused = (bytes: Uint8Array) => () =>
      checkCmsSignature(bytes, { sha256: SHA256, roots: rootsOf(authority), at: NOW })
    const altered = (alter: (signed: SignedData) => void): Buffer => {
      const info = AsnConvert.parse(signerWith(issued).sign(SHA256, NOW), ContentInfo)
      const signed = AsnConvert.parse(info.content, SignedData)
      alter(signed)
      info.content = AsnConvert.serialize(signed)
      return Buffer.from(AsnConvert.serialize(info))
    }
    expect(refused(altered(() => {}))().signer).toContain('alone')
    expect(refused(altered(({ signerInfos }) => signerInfos.push(signerInfos[0] as SignerInfo)))).toThrow(
      /does not have one signature/,
    )
    expect(refused(altered(({ signerInfos }) => void signerInfos.splice(0)))).toThrow(/does not have one signature/)
    expect(refused(byOpenssl('sha512', issued, '-md', 'sha512'))).toThrow(/in a way that is not known here/)
    const digested = path.join(folder.dir, 'digested')
    execFileSync('openssl', [
      'cms',
      '-digest_create',
      '-binary',
      '-in',
      digestedFrom(),
      '-outform',
      'DER',
      '-out',
      digested,
    ])
    expect(refused(readFileSync(digested))).toThrow(/it is no signature/)
  })

  it('is set by two files, and one of them alone is said to be of no use', async () => {
    const { certificateFile: certificate, keyFile: key } = authority.issue('halves')
    expect(await agencySigner({ certificate: undefined, key: undefined })).toBeNull()
    for (const half of [
      { certificate, key: undefined },
      { certificate: undefined, key },
    ])
      await expect(agencySigner(half)).rejects.toThrow(/belong together/)
    expect(() => createCmsSigner({ certificates: '', key: text(key) })).toThrow(
      /there is no certificate|cannot be read/,
    )
  })

  it('is made with no certificate that openssl would not take, and with no key but its own', () => {
    expect(() => signerWith(authority.issue('server', { usage: 'server' }))).toThrow(/signing mail/)
    expect(() => signerWith(authority.issue('edwards', { key: 'ed25519' }))).toThrow(/neither RSA nor ECDSA/)
    const [one, two] = [authority.issue('first'), authority.issue('second')]
    expect(() => signerWith({ ...one, keyFile: two.keyFile })).toThrow(/not that of the certificate/)
    expect(() => createCmsSigner({ certificates: 'none', key: text(one.keyFile) })).toThrow(
      /certificate cannot be read/,
    )
    expect(() => createCmsSigner({ certificates: text(one.certificateFile), key: 'none' })).toThrow(/private key/)
  })

  it('of a certificate for servers is not taken, as openssl does not', () => {
    const { certificateFile, keyFile } = authority.issue('web', { usage: 'server' })
    const [data, reply] = [path.join(folder.dir, 'web'), path.join(folder.dir, 'web.p7s')]
    writeFileSync(data, BYTES)
    const words = ['-sign', '-binary', '-in', data, '-signer', certificateFile, '-inkey', keyFile, '-md', 'sha256']
    execFileSync('openssl', ['cms', ...words, '-certfile', authority.issuingFile, '-outform', 'DER', '-out', reply])
    const signature = readFileSync(reply)
    expect(() => checkCmsSignature(signature, { sha256: SHA256, roots: rootsOf(authority), at: NOW })).toThrow(
      /not for signatures/,
    )
    expect(opensslSays(signature, BYTES, authority.rootFile).code).not.toBe(0)
  })
})

describe('a package', () => {
  let world: PackagesWorld
  let tools: PlainTools
  let issued: IssuedCertificate
  beforeAll(async () => {
    issued = authority.issue('Tanners-Row-Station')
    const { certificateFile: signingCertificate, keyFile: signingKey } = issued
    world = await packagesStation({ signingCertificate, signingKey })
    const root = world.folder('root')
    tools = plainTools(root)
    copyFileSync(authority.rootFile, path.join(root, 'authority.pem'))
  }, 120_000)
  afterAll(() => world?.given.close())

  const byHand = (at: string): { code: number; output: string } => {
    const script = commandsOf(text(path.join(at, 'VERIFY.txt'))).find((one) => one.includes('cms -verify'))
    return tools.run(at, `AUTHORITY=/authority.pem\n${script}`)
  }
  const entry = (action: string) => world.given.ledger().findLast((one) => one.action === action)

  it('is signed, its recipient verifies that with the commands in it, and an exchanged signature is found', async () => {
    const made = await world.make(world.folder('signed'), { parts: [] })
    expect(made.agencySignature).toEqual({ signer: expect.stringContaining('Tanners-Row-Station') })
    expect(byHand(made.path)).toMatchObject({ code: 0, output: expect.stringContaining('successful') })
    const roots = rootsOf(authority)
    expect(await verifyPackage(made.path, { roots })).toMatchObject({
      problems: [],
      agencySignature: { signer: expect.stringContaining('Tanners-Row-Station') },
    })
    expect((await verifyPackage(made.path)).agencySignature).toBe('unchecked')
    expect(entry('package.made')?.detail?.['agencySignature']).toEqual(made.agencySignature)
    writeFileSync(path.join(made.path, 'tagmanifest.p7s'), signerWith(issued).sign(SHA256, NOW))
    expect((await verifyPackage(made.path, { roots })).problems).toEqual([
      { where: 'tagmanifest.p7s', text: 'its signature is about other content' },
    ])
    expect(byHand(made.path).code).not.toBe(0)
  })

  it('is made without where the files cannot be used, says so, and is signed later', async () => {
    const key = text(issued.keyFile)
    writeFileSync(issued.keyFile, 'not a key')
    const made = await world.make(world.folder('later'), { parts: [] })
    expect(made.agencySignature).toEqual({ problem: expect.stringContaining('private key') })
    expect(readdirSync(made.path)).not.toContain('tagmanifest.p7s')
    expect(byHand(made.path).output).toContain('no CMS signature')
    const packageId = Number(made.number.slice(1))
    await expect(world.given.command('package.sign', { packageId })).rejects.toThrow(/private key cannot be read/)
    writeFileSync(issued.keyFile, key)
    await world.given.command('package.sign', { packageId })
    expect(byHand(made.path)).toMatchObject({ code: 0 })
    expect(entry('package.signed')?.object.id).toBe(String(packageId))
    await expect(world.given.command('package.sign', { packageId })).rejects.toThrow(/has a signature .* already/)
    rmSync(path.join(made.path, 'tagmanifest.p7s'))
    expect((await verifyPackage(made.path)).agencySignature).toBeNull()
  })

  it('as a ZIP file has it inside, and later gets it beside', async () => {
    const made = await world.make(path.join(world.folder('zip'), 'package.zip'), { parts: [], form: 'zip' })
    expect(execFileSync('unzip', ['-l', made.path], { encoding: 'utf8' })).toContain('/tagmanifest.p7s')
    const { path: at } = await world.given.command('package.sign', { packageId: Number(made.number.slice(1)) })
    expect(at).toBe(`${made.path}.p7s`)
    const roots = rootsOf(authority)
    expect(checkCmsSignature(readFileSync(at), { sha256: made.signedSha256, roots, at: NOW }).signer).toContain(
      'Tanners',
    )
  })
})
