/** C1: a stranger verifies a package with coreutils, openssl and a shell, by the commands in it; and what they find when it was altered. */
import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MadePackage } from '../../server/features/packages/packages.service.ts'
import { verifyPackage } from '../../server/features/packages/verify.ts'
import { sampled } from '../support/scale.ts'
import { commandsOf, type PlainTools, plainTools } from './plain-tools.ts'
import { OTHER_CASE, type PackagesWorld, packagesStation } from './world.ts'

let world: PackagesWorld
let tools: PlainTools
let made: MadePackage
/** Of the same station, for a selection. */
let second: MadePackage
beforeAll(async () => {
  world = await packagesStation()
  tools = plainTools(world.folder('root'))
  made = await world.make(world.folder('out'))
  second = await world.make(world.folder('second'), { of: { evidenceIds: [world.evidence.photo] } })
}, 180_000)
afterAll(() => world?.given.close())

const textOf = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8')

interface Verified {
  /** Of the first block: the fingerprints. */
  readonly keys: string
  /** Blocks that failed, from 1, with what they printed. */
  readonly failed: readonly { readonly block: number; readonly output: string }[]
}

function verifiedByHand(folder: string, instructions = 'VERIFY.txt', from = folder, until = Infinity): Verified {
  const blocks = commandsOf(textOf(from, instructions))
  const results: ReturnType<PlainTools['run']>[] = []
  for (const script of blocks) {
    if (results.filter(({ code }) => code !== 0).length >= until) break
    results.push(tools.run(folder, script))
  }
  return {
    keys: results[0]?.output ?? '',
    failed: results.flatMap(({ code, output }, at) => (code === 0 ? [] : [{ block: at + 1, output }])),
  }
}

let copies = 0
/** A copy that may be altered. */
function copied(alter: (folder: string) => void): string {
  const folder = path.join(world.given.dir, `copy-${++copies}`)
  cpSync(made.path, folder, { recursive: true })
  alter(folder)
  return folder
}

describe('C1 a package as it was made', () => {
  it.each(['VERIFY.txt', 'VERIFY.fr.txt'])('holds by the commands of %s, and they print its keys', (instructions) => {
    const { keys, failed } = verifiedByHand(made.path, instructions)
    expect(failed).toEqual([])
    const ledger = createHash('sha256')
      .update(derOf(textOf(made.path, 'ledger-pub.pem')))
      .digest('hex')
    expect(keys).toBe(`${made.fingerprint}  -\n${ledger}  -\n`)
  })

  it('has the same commands in both languages, and ten blocks of them', () => {
    expect(commandsOf(textOf(made.path, 'VERIFY.fr.txt'))).toEqual(commandsOf(textOf(made.path, 'VERIFY.txt')))
    expect(commandsOf(textOf(made.path, 'VERIFY.txt'))).toHaveLength(10)
  })

  it('holds by our own command, which names the station', async () => {
    const found = await verifyPackage(made.path, { fingerprint: made.fingerprint })
    expect(found.problems).toEqual([])
    expect(found.entries).toBeGreaterThan(20)
    expect(made.packageId.startsWith(`${found.origin}/package/`)).toBe(true)
  })

  it('holds the entry that introduced its key, and no word of another case', () => {
    const lines = textOf(made.path, 'meta/custody.jsonl')
    expect(lines).toContain(`"action":"key.created"`)
    expect(lines).toContain(made.fingerprint)
    for (const file of ['meta/custody.jsonl', 'meta/items.json', 'README.html', 'meta/case.jsonld'])
      expect(textOf(made.path, file), file).not.toContain(OTHER_CASE)
    // The entry is left out whole; that there is one is not hidden.
    expect(textOf(made.path, 'meta/proofs.txt').match(/ withheld$/gm)).toHaveLength(1)
  })

  it('is in the ledger with the hash of its signed list', () => {
    const entry = world.given.ledger().find(({ action, object }) => action === 'package.made' && object.id === '1')
    expect(entry?.sha256).toBe(createHash('sha256').update(textOf(made.path, 'tagmanifest-sha256.txt')).digest('hex'))
    expect(made.signedSha256).toBe(entry?.sha256)
  })
})

const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
const DATA = 'data/0001_bwc_0412.mp4'
const CUSTODY = 'meta/custody.jsonl'

function edit(folder: string, file: string, change: (bytes: Buffer) => Uint8Array | string): void {
  const at = path.join(folder, file)
  writeFileSync(at, change(readFileSync(at)))
}
const flipped = (bytes: Buffer): Buffer => {
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] as number) ^ 1
  return bytes
}
const lines = (change: (lines: string[]) => string[]) => (bytes: Buffer) =>
  `${change(bytes.toString().trimEnd().split('\n')).join('\n')}\n`

/** What is done to a package, and what the plain tools then name. */
const ALTERED: readonly (readonly [name: string, alter: (folder: string) => void, named: string | RegExp])[] = [
  ['one bit of an original', (at) => edit(at, DATA, flipped), DATA],
  ['an original cut short', (at) => truncateSync(path.join(at, DATA), 100), DATA],
  ['an original cut to nothing', (at) => truncateSync(path.join(at, DATA), 0), DATA],
  ['an original taken away', (at) => rmSync(path.join(at, DATA)), DATA],
  ['a file added', (at) => writeFileSync(path.join(at, 'data/0009_new.mp4'), 'x'), 'data/0009_new.mp4'],
  ['a file renamed', (at) => renameSync(path.join(at, DATA), path.join(at, 'data/0001_bwc_0413.mp4')), DATA],
  [
    'two files swapped',
    (at) => {
      const [one, other] = [path.join(at, DATA), path.join(at, 'data/0004_etc_passwd')]
      renameSync(one, `${one}.x`)
      renameSync(other, one)
      renameSync(`${one}.x`, other)
    },
    DATA,
  ],
  ['a line of the list of files', (at) => edit(at, 'manifest-sha256.txt', flipped), 'manifest-sha256.txt'],
  ['a tag file', (at) => appendFileSync(path.join(at, 'bag-info.txt'), 'Contact-Name: X\n'), 'bag-info.txt'],
  [
    'a line of custody edited',
    (at) => edit(at, CUSTODY, (bytes) => bytes.toString().replace('"outcome":"ok"', '"outcome":"no"')),
    /entry \d+: its line/,
  ],
  [
    'a line of custody deleted',
    (at) =>
      edit(
        at,
        CUSTODY,
        lines((all) => all.toSpliced(3, 1)),
      ),
    /entry \d+: its line/,
  ],
  [
    'two lines of custody swapped',
    (at) =>
      edit(
        at,
        CUSTODY,
        lines(([one = '', other = '', ...rest]) => [other, one, ...rest]),
      ),
    /entry \d+: its line/,
  ],
  [
    'a line of custody appended',
    (at) => appendFileSync(path.join(at, CUSTODY), '{"seq":1}\n'),
    'more lines than proofs',
  ],
  ['the checkpoint of another station', (at) => otherCheckpoint(at), 'meta/checkpoint.body'],
  [
    'the package key swapped',
    (at) => writeFileSync(path.join(at, 'station-pub.pem'), newKey().publicPem),
    /Verification [fF]ailure/,
  ],
  [
    'the signature of another package',
    (at) => copyFileSync(path.join(second.path, 'tagmanifest.sig'), path.join(at, 'tagmanifest.sig')),
    /Verification [fF]ailure/,
  ],
  [
    'a copy replaced by another valid one',
    (at) => copyFileSync(path.join(at, DATA), path.join(at, 'data/0002_vehicle_12.view.mp4')),
    'data/0002_vehicle_12.view.mp4',
  ],
  [
    'the index altered',
    (at) => edit(at, 'README.html', (bytes) => bytes.toString().replace('Quay', 'Bay')),
    'README.html',
  ],
  ['LF made CRLF', (at) => edit(at, CUSTODY, (bytes) => bytes.toString().replaceAll('\n', '\r\n')), CUSTODY],
  ['the case of a name', (at) => renameSync(path.join(at, DATA), path.join(at, 'data/0001_BWC_0412.mp4')), DATA],
]

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function otherCheckpoint(folder: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  const body = `elsewhere/0123456789abcdef\n5\n${Buffer.alloc(32, 7).toString('base64')}\n`
  writeFileSync(path.join(folder, 'meta/checkpoint.body'), body)
  writeFileSync(path.join(folder, 'meta/checkpoint.sig'), sign(null, Buffer.from(body), privateKey))
}

describe('C1 a package that was altered', () => {
  const tried = sampled(ALTERED, 5).map(({ some, tags }) => [some, tags] as const)
  for (const [some, tags] of tried)
    it.each(some)('%s is found and named', { tags: [...tags] }, async (_name, alter, named) => {
      const folder = copied(alter)
      // The instructions themselves are taken from a package that nobody altered.
      const until = named instanceof RegExp || named.startsWith('more') ? Infinity : 1
      const { failed } = verifiedByHand(folder, 'VERIFY.txt', made.path, until)
      expect(failed.length).toBeGreaterThan(0)
      expect(failed.map(({ output }) => output).join('\n')).toMatch(named)
      const { problems } = await verifyPackage(folder)
      expect(problems.length).toBeGreaterThan(0)
    })

  it('and a link in the place of a file, although it leads to the same bytes', async () => {
    const folder = copied((at) => {
      renameSync(path.join(at, DATA), path.join(at, '..', 'elsewhere.mp4'))
      rmSync(path.join(at, 'meta/items.csv'))
      cpSync(path.join(made.path, 'meta/items.csv'), path.join(at, 'meta/items.csv'))
    })
    const { symlinkSync } = await import('node:fs')
    symlinkSync('../../elsewhere.mp4', path.join(folder, DATA))
    expect(verifiedByHand(folder).failed.length).toBeGreaterThan(0)
    expect((await verifyPackage(folder)).problems.map(({ where }) => where)).toContain(DATA)
  })

  it('S19: forged whole, its tree head is missed where its raw signature is another one', async () => {
    const folder = copied((at) => {
      edit(at, 'meta/checkpoint.sig', flipped)
      resigned(at, newKey())
    })
    expect(verifiedByHand(folder).failed.length).toBeGreaterThan(0)
    expect((await verifyPackage(folder)).problems.map(({ where }) => where)).toContain('meta/checkpoint.txt')
  })

  it('forged whole with another key it passes everything but the comparison with the paper, and VERIFY.txt says so', async () => {
    const folder = copied((at) => {
      edit(at, DATA, flipped)
      resigned(at, newKey())
    })
    const { keys, failed } = verifiedByHand(folder)
    expect(failed).toEqual([])
    expect(keys).not.toContain(made.fingerprint)
    expect(keys.split('\n')[1]).toBe(verifiedByHand(made.path).keys.split('\n')[1])
    expect(textOf(folder, 'VERIFY.txt')).toMatch(/whoever forges a package encloses a key of their own/)
    expect((await verifyPackage(folder)).problems).toEqual([])
    const { problems } = await verifyPackage(folder, { fingerprint: made.fingerprint })
    expect(problems.map(({ where }) => where)).toEqual(['station-pub.pem'])
  })
})

/** Lists and signature as a forger makes them. */
function resigned(folder: string, { publicPem, privatePem }: ReturnType<typeof newKey>): void {
  writeFileSync(path.join(folder, 'station-pub.pem'), publicPem)
  for (const list of ['manifest-sha256.txt', 'tagmanifest-sha256.txt'])
    edit(folder, list, (bytes) =>
      bytes.toString().replaceAll(/^[0-9a-f]{64} {2}(.+)$/gm, (_line, file: string) => {
        const sha256 = createHash('sha256')
          .update(readFileSync(path.join(folder, file)))
          .digest('hex')
        return `${sha256}  ${file}`
      }),
    )
  const list = readFileSync(path.join(folder, 'tagmanifest-sha256.txt'))
  writeFileSync(path.join(folder, 'tagmanifest.sig'), sign('sha256', list, createPrivateKey(privatePem)))
}
