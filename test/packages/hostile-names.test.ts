/** C2: files with hostile names in one package, which `sha256sum`, `unzip`, Python, 7-Zip and xorriso take without a word. */
// @module-tag merge
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPackage } from '../../server/storage/packages/open-package.ts'
import { verifyPackage } from '../../server/features/packages/verify.ts'
import { sha256Of } from '../support/given.ts'
import { isLong } from '../support/scale.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

/** None of them is a name that a person typed by mistake alone: each did harm to some program. */
const NAMES: readonly string[] = [
  '../../../etc/passwd',
  '..\\..\\boot.ini',
  '/etc/shadow',
  'C:\\Windows\\System32\\drivers\\etc\\hosts',
  '\\\\server\\share\\file.mp4',
  'a/b/c.mp4',
  './.htaccess',
  '.',
  '..',
  '...',
  ' ',
  '-rf',
  '--help',
  '-',
  '--checkpoint-action=exec=sh x.sh',
  '~root',
  '*',
  '?.mp4',
  '[a-z].mp4',
  '{a,b}.mp4',
  '$(reboot).mp4',
  '`id`.mp4',
  '$HOME.mp4',
  '%s%n%x.mp4',
  '%2e%2e%2fa.mp4',
  "'; DROP TABLE evidence; --.mp4",
  '"quoted".mp4',
  "it's.mp4",
  '<script>alert(1)</script>.mp4',
  'a&b|c;d>e.mp4',
  'line\nbreak.mp4',
  'line\r\nbreak.mp4',
  '0000000000000000000000000000000000000000000000000000000000000000  data/0001_x',
  '\\escaped.mp4',
  'tab\there.mp4',
  'bell\u0007.mp4',
  'escape\u001b[2J.mp4',
  'delete\u007f.mp4',
  'harmless\u202Egpj.exe',
  'a\u2066b\u2069c.mp4',
  '\u200b\u200d\ufeff.mp4',
  'separator\u2028.mp4',
  'نسخة.mp4',
  'עד.mp4',
  '证据.mp4',
  '🚓👮🏽‍♀️.mp4',
  'Z\u0351\u036b\u0343\u036a\u0302a\u0321\u034alg\u034do.mp4',
  'caf\u00e9.mp4',
  'cafe\u0301.mp4',
  'EVIDENCE.MP4',
  'evidence.mp4',
  'CON',
  'nul.mp4',
  'COM1.mp4',
  'trailing dot.',
  'trailing space ',
  '=HYPERLINK("http://elsewhere.invalid")',
  '@SUM(1+1)',
  '__proto__',
  'constructor',
  `${'x'.repeat(251)}.mp4`,
  '🚓'.repeat(62),
  'tagmanifest.sig',
]
/** Names that are the same in a package but for their number. */
const TWINS = [
  ['caf\u00e9.mp4', 'cafe\u0301.mp4'],
  ['EVIDENCE.MP4', 'evidence.mp4'],
] as const

interface Item {
  readonly originalName: string
  readonly path: string
  readonly sha256: string
}

let world: PackagesWorld
/** Of all of them, in the order of the names. */
let evidenceIds: string[] = []
/** As the station keeps them: their entries in the ledger say the same, so nothing but the ways in can bring them there. */
let kept: string[] = []
beforeAll(async () => {
  world = await packagesStation()
  const { given } = world
  const { EvidenceId: evidenceId } = await given.evidence({ Name: 'Hostile names' })
  const onDisk: string[] = []
  for (const name of NAMES) {
    const open = await given.call('POST', `${given.documents}/evidence/${evidenceId}/resource`, {
      body: { Name: name },
    })
    // The contract refuses some; a card or a disk has them all the same.
    if (open.status !== 201) {
      onDisk.push(path.join(world.folder(`disk-${onDisk.length}`), name))
      writeFileSync(onDisk.at(-1) as string, bytesOf(name))
      continue
    }
    await given.put(open.json.UploadUri, bytesOf(name))
    const { ResourceId: id } = open.json
    await given.expecting(
      200,
      given.call('POST', `${given.documents}/evidence/${evidenceId}/resource/${id}/complete`, { body: {} }),
    )
  }
  await given.expecting(200, given.call('POST', `${given.documents}/evidence/${evidenceId}/complete`))
  await given.command('ingest', { paths: onDisk, case: null })
  const rows = given.database(
    (db) =>
      db.prepare("SELECT name, sha256, evidence_id AS id FROM resources WHERE role = 'original'").all() as {
        name: string
        sha256: string
        id: number
      }[],
  )
  const found = NAMES.map((name) => rows.find(({ sha256 }) => sha256 === sha256Of(bytesOf(name))))
  evidenceIds = [...new Set(found.map((row) => String(row?.id)))]
  kept = found.map((row) => row?.name ?? '')
  await given.settled(evidenceId)
}, 240_000)
afterAll(() => world?.given.close())

const bytesOf = (name: string): Buffer => Buffer.from(`bytes of ${JSON.stringify(name)}`)
const of = () => ({ of: { evidenceIds }, parts: [] })
const run = (program: string, args: readonly string[], cwd?: string) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  return { status, stdout, stderr }
}

/** Both lists, by coreutils, which warn of a line that they do not take. */
function holds(folder: string): void {
  for (const list of ['tagmanifest-sha256.txt', 'manifest-sha256.txt']) {
    const { status, stdout, stderr } = run('sha256sum', ['-c', '--strict', '--warn', list], folder)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.split('\n').length).toBe(readFileSync(path.join(folder, list), 'utf8').split('\n').length)
  }
}

/** What a package says of its files, with the names as they were. */
function itemsIn(folder: string): Item[] {
  const items = JSON.parse(readFileSync(path.join(folder, 'meta/items.json'), 'utf8')) as Item[]
  return items.map((item) => ({ ...item, originalName: unescaped(item.originalName) }))
}

/** As `names.ts` describes it, written anew. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:\\|u\{([0-9a-f]+)\})/g, (_all, code?: string) =>
    code === undefined ? '\\' : String.fromCodePoint(Number.parseInt(code, 16)),
  )

const SAFE = /^data\/\d{4,}_[a-z0-9._-]{1,40}$/

describe(`C2 a package of ${NAMES.length} files with hostile names`, () => {
  it('is kept by the station under the names that they came with', () => {
    expect(kept).toEqual(NAMES)
  })

  it('as a folder holds by sha256sum without a warning, and says what each was called', async () => {
    const { path: folder } = await world.make(world.folder('hostile'), of())
    holds(folder)
    expect((await verifyPackage(folder)).problems).toEqual([])
    const items = itemsIn(folder)
    expect(items.map(({ originalName }) => originalName).toSorted()).toEqual(NAMES.toSorted())
    for (const item of items) {
      expect(item.path).toMatch(SAFE)
      expect(readFileSync(path.join(folder, item.path), 'utf8')).toBe(`bytes of ${JSON.stringify(item.originalName)}`)
    }
    for (const twins of TWINS) {
      const [one, other] = twins.map((name) => items.find(({ originalName }) => originalName === name)?.path)
      expect(one?.replace(/\d+_/, '')).toBe(other?.replace(/\d+_/, ''))
      expect(one).not.toBe(other)
    }
    // Every file system takes them, also one that knows no case.
    expect(new Set(readdirSync(path.join(folder, 'data')).map((name) => name.toLowerCase())).size).toBe(
      NAMES.length + 1,
    )
  })

  it('gives each name back in items.csv, by another reader', async () => {
    const { path: folder } = await world.make(world.folder('csv'), of())
    const read = `import csv, json, sys
print(json.dumps([row['OriginalName'] for row in csv.DictReader(open(sys.argv[1], encoding='utf-8-sig', newline=''))]))`
    const { stdout } = run('python3', ['-c', read, path.join(folder, 'meta/items.csv')])
    const names = (JSON.parse(stdout) as string[])
      // A formula stands behind an apostrophe.
      .map((name) => unescaped(name.replace(/^'(?=[=+\-@\s"]*[=+\-@])/, '').replaceAll(/;'(?=[\s"]*[=+\-@])/g, ';')))
    expect(names.toSorted()).toEqual(NAMES.toSorted())
    expect(stdout).not.toMatch(/"[=@+-]/)
  })

  it('as a ZIP file opens with unzip, Python and 7-Zip, and holds unpacked', async () => {
    const out = world.folder('zip')
    const file = path.join(out, 'to court.zip')
    const { path: made } = await world.make(file, { ...of(), form: 'zip' })
    expect(made).toBe(file)
    expect(readdirSync(out).toSorted()).toEqual(['to court.zip', 'to court.zip.receipt.pdf'])
    expect(run('unzip', ['-tqq', file])).toMatchObject({ status: 0, stderr: '' })
    const read = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps({'bad': z.testzip(), 'names': z.namelist(), 'compressed': [i.filename for i in z.infolist() if i.compress_type != 0]}))`
    const found = JSON.parse(run('python3', ['-c', read, file]).stdout)
    expect(found.bad).toBeNull()
    expect(found.compressed).toEqual([])
    expect(run('7z', ['t', file]).stdout).toMatch(/Everything is Ok/)
    run('unzip', ['-qq', file, '-d', out])
    const [top = ''] = readdirSync(out).filter((name) => !name.includes('.'))
    expect(found.names.every((name: string) => name.startsWith(`${top}/`))).toBe(true)
    expect(new Set(found.names).size).toBe(found.names.length)
    holds(path.join(out, top))
    expect((await verifyPackage(path.join(out, top))).problems).toEqual([])
  })

  it('as a disc image is read by xorriso with the names whole, and holds unpacked', async () => {
    const out = world.folder('iso')
    const file = path.join(out, 'to court.iso')
    await world.make(file, { ...of(), form: 'iso' })
    expect(readdirSync(out).toSorted()).toEqual(['to court.iso', 'to court.iso.receipt.pdf'])
    const disc = path.join(out, 'disc')
    expect(run('xorriso', ['-osirrox', 'on', '-indev', `stdio:${file}`, '-extract', '/', disc]).status).toBe(0)
    holds(disc)
    expect((await verifyPackage(disc)).problems).toEqual([])
    // What Windows reads of it.
    const joliet = run('7z', ['l', '-slt', '-ba', file]).stdout
    const names = [...joliet.matchAll(/^Path = (.+)$/gm)].map(([, name]) => name)
    for (const { path: name } of itemsIn(disc)) expect(names).toContain(name)
    execFileSync('chmod', ['-R', 'u+w', disc])
  })
})

describe('C2 a ZIP file of more than its old format holds', () => {
  const zipped = async (
    bytes: number,
    files: number,
    fill: (writer: Awaited<ReturnType<typeof openPackage>>, out: string) => Promise<void>,
  ) => {
    const out = mkdtempSync(path.join(tmpdir(), 'sallyport-zip64-'))
    const target = path.join(out, 'large.zip')
    const writer = await openPackage(
      { form: 'zip', target, name: 'large', volume: 'P000001', passphrase: null },
      { bytes, files, folders: ['data', 'meta', 'forms'] },
    )
    try {
      await fill(writer, out)
      await writer.settle({ path: 'tagmanifest.sig', length: 71 }, {})
      await writer.finish({ path: 'tagmanifest.sig', bytes: Buffer.alloc(71, 1) }, {})
    } finally {
      await writer.close()
    }
    return { target, dispose: () => rmSync(out, { recursive: true }) }
  }
  const opens = (file: string): void => {
    expect(run('unzip', ['-tqq', file])).toMatchObject({ status: 0, stderr: '' })
    expect(
      run('python3', ['-c', 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())', file]).stdout,
    ).toBe('None\n')
    expect(run('7z', ['t', file]).stdout).toMatch(/Everything is Ok/)
  }

  const many = isLong ? 66_000 : 300
  it(`${many} files`, { timeout: 900_000 }, async () => {
    const { target, dispose } = await zipped(0, many, async (writer) => {
      for (let no = 1; no <= many; no++) await writer.write(`data/${no}_a.txt`, `${no}`)
    })
    opens(target)
    const count = run('python3', [
      '-c',
      'import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))',
      target,
    ])
    expect(Number(count.stdout)).toBe(many + 4)
    dispose()
  })

  const ofLong = isLong ? '' : ' (skipped: it writes 4 GiB for minutes, so only the long counts run it)'
  it.skipIf(!isLong)(`a file of more than 4 GiB, and one behind it${ofLong}`, { timeout: 1_800_000 }, async () => {
    const length = 2 ** 32 + 5
    const { target, dispose } = await zipped(length, 2, async (writer, out) => {
      const source = path.join(out, 'sparse')
      const fd = openSync(source, 'w')
      ftruncateSync(fd, length)
      closeSync(fd)
      const hash = createHash('sha256')
      for (let left = length; left > 0; left -= 2 ** 26) hash.update(Buffer.alloc(Math.min(left, 2 ** 26)))
      await writer.copy(source, { path: 'data/0001_a.bin', sha256: hash.digest('hex'), bytes: length }, {})
      const small = path.join(out, 'small')
      writeFileSync(small, 'behind it')
      const sha256 = createHash('sha256').update('behind it').digest('hex')
      await writer.copy(small, { path: 'data/0002_b.bin', sha256, bytes: 9 }, {})
    })
    opens(target)
    dispose()
  })
})
