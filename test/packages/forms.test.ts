/** Packages as ZIP files, disc images and encrypted containers: what a stranger verifies in them, what is refused, and that a passphrase stays secret. */
// @module-tag merge
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  mkdtempSync,
  openSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { MadePackage } from '../../server/features/packages/packages.service.ts'
import { openPackage, type PackagePlace } from '../../server/storage/packages/open-package.ts'
import type { PackageWriter, WrittenFile } from '../../server/storage/packages/package-writer.ts'
import { makePlace, say } from '../cli/world.ts'
import { commandsOf, type PlainTools, plainTools } from './plain-tools.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

const PASSPHRASE = 'a lantern é in the "north" window'

let world: PackagesWorld
let tools: PlainTools
beforeAll(async () => {
  world = await packagesStation()
  tools = plainTools(world.folder('root'))
}, 180_000)
afterAll(() => world?.given.close())

const run = (program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return { status, said: `${stdout}${stderr}` }
}

/** Blocks of its own `VERIFY.txt` that fail. */
const failedIn = (folder: string): string[] =>
  commandsOf(readFileSync(path.join(folder, 'VERIFY.txt'), 'utf8'))
    .map((script) => tools.run(folder, script))
    .filter(({ code }) => code !== 0)
    .map(({ output }) => output)

let folders = 0
const fresh = (): string => world.folder(`out-${++folders}`)
const entriesOf = (made: MadePackage, action: string) =>
  world.given
    .ledger()
    .filter(({ action: one, object }) => one === action && object.id === made.packageId.split('/').at(-1))

describe('a package as one file', () => {
  it('as a ZIP file unpacks into a folder that holds by its own VERIFY.txt', async () => {
    const out = fresh()
    const made = await world.make(path.join(out, 'x.zip'), { form: 'zip' })
    expect(run('unzip', ['-qq', made.path, '-d', path.join(out, 'in')])).toEqual({ status: 0, said: '' })
    expect(failedIn(path.join(out, 'in', readdirSync(path.join(out, 'in'))[0] ?? ''))).toEqual([])
    expect(statSync(made.path).mode & 0o777).toBe(0o644)
    for (const action of ['package.begun', 'package.made'])
      expect(entriesOf(made, action)[0]?.detail).toMatchObject({ form: 'zip', encrypted: false })
  })

  it('as a disc image holds by its own VERIFY.txt, and is of nobody and not to be written', async () => {
    const out = fresh()
    const made = await world.make(path.join(out, "the prosecutor's.iso"), { form: 'iso' })
    const disc = path.join(out, 'disc')
    expect(run('xorriso', ['-osirrox', 'on', '-indev', `stdio:${made.path}`, '-extract', '/', disc]).status).toBe(0)
    expect(failedIn(disc)).toEqual([])
    expect(run('find', [disc, '-perm', '/222']).said).toBe('')
    run('chmod', ['-R', 'u+w', disc])
    expect(entriesOf(made, 'package.made')[0]?.detail).toMatchObject({ form: 'iso', encrypted: false })
    expect(run('xorriso', ['-indev', `stdio:${made.path}`, '-toc']).said).toMatch(/Volume id\s+: 'P\d{6}'/)
  })

  it.each(['zip', 'iso'])('is replaced by no other one (%s)', async (form) => {
    const to = path.join(fresh(), `x.${form}`)
    await world.make(to, { form })
    const before = readFileSync(to)
    await expect(world.make(to, { form })).rejects.toThrow(/There is something at/)
    expect(readFileSync(to).equals(before)).toBe(true)
    expect(readdirSync(path.dirname(to)).filter((name) => name.endsWith('.unfinished'))).toEqual([])
  })
})

/** A writer without a station. */
async function opened(form: PackagePlace['form'], bytes = 1_000_000): Promise<{ writer: PackageWriter; out: string }> {
  const out = mkdtempSync(path.join(tmpdir(), 'sallyport-forms-'))
  const target = form === 'folder' ? out : path.join(out, `a.${form}`)
  const writer = await openPackage(
    { form, target, name: 'a', volume: 'P000001', passphrase: null },
    { bytes, files: 10, folders: ['data', 'forms', 'meta'] },
  )
  onTestFinished(async () => {
    await writer.close()
    rmSync(out, { recursive: true, force: true })
  })
  return { writer, out }
}

function source(out: string, bytes = randomBytes(300_000)): { file: string; to: WrittenFile } {
  const file = path.join(out, 'source')
  writeFileSync(file, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { file, to: { path: 'data/0001_a.bin', sha256, bytes: bytes.length } }
}

const LAST = { path: 'tagmanifest.sig', length: 71 }

describe('C3 what is written is compared with what was to be written', () => {
  it.each(['folder', 'zip', 'iso'] as const)(
    'a source with other bytes ends it, and nothing is left (%s)',
    async (form) => {
      const { writer, out } = await opened(form)
      const { file, to } = source(out)
      const fd = openSync(file, 'r+')
      writeSync(fd, Buffer.from('other'), 0, 5, 100_000)
      closeSync(fd)
      const made = async (): Promise<void> => {
        await writer.copy(file, to, {})
        await writer.settle(LAST, {})
      }
      await expect(made()).rejects.toMatchObject({ code: form === 'iso' ? 'ReadBackMismatch' : 'NotAsExpected' })
      await writer.close()
      expect(readdirSync(out).filter((name) => form !== 'folder' && name !== 'source')).toEqual([])
    },
  )

  it.each(['folder', 'zip', 'iso'] as const)('so does one of another length, and a link (%s)', async (form) => {
    const { writer, out } = await opened(form)
    const { file, to } = source(out)
    await expect(writer.copy(file, { ...to, bytes: to.bytes + 1 }, {})).rejects.toMatchObject({ code: 'NotAsExpected' })
    run('ln', ['-s', file, path.join(out, 'link')])
    await expect(writer.copy(path.join(out, 'link'), to, {})).rejects.toMatchObject({ code: 'SourceNotRegular' })
  })

  it('a ZIP file that the volume does not give back is found, in a file, a checksum and a header', async () => {
    // Behind the bytes stands what 7-Zip and unzip compare them with.
    for (const at of [200_000, 300_000 + 100, 150]) {
      const { writer, out } = await opened('zip')
      const { file, to } = source(out)
      await writer.copy(file, to, {})
      const fd = openSync(path.join(out, 'a.zip.unfinished'), 'r+')
      const offset = readFileSync(path.join(out, 'a.zip.unfinished')).indexOf(Buffer.from(to.path))
      writeSync(
        fd,
        Buffer.from([0xa5, 0x5a]),
        0,
        2,
        at === 150 ? offset + 3 : at > 300_000 ? offset + to.path.length + to.bytes + 4 : at,
      )
      closeSync(fd)
      await expect(writer.settle(LAST, {})).rejects.toMatchObject({ code: 'ReadBackMismatch' })
    }
  })

  it('an image is no package before its last file is in its place', async () => {
    const { writer, out } = await opened('iso')
    const { file, to } = source(out)
    await writer.copy(file, to, {})
    await writer.settle(LAST, {})
    const signature = Buffer.alloc(LAST.length, 's')
    expect(readFileSync(path.join(out, 'a.iso.unfinished')).includes(signature)).toBe(false)
    await expect(writer.finish({ path: LAST.path, bytes: Buffer.alloc(70) }, {})).rejects.toThrow(/70 bytes/)
    await writer.finish({ path: LAST.path, bytes: signature }, {})
    await writer.close()
    expect(readdirSync(out).toSorted()).toEqual(['a.iso', 'source'])
    const extracted = path.join(out, 'sig')
    run('xorriso', [
      '-osirrox',
      'on',
      '-indev',
      `stdio:${path.join(out, 'a.iso')}`,
      '-extract',
      `/${LAST.path}`,
      extracted,
    ])
    expect(readFileSync(extracted).equals(signature)).toBe(true)
  })

  it.each(['folder', 'zip', 'iso'] as const)('what got its name meanwhile stays as it is (%s)', async (form) => {
    const { writer, out } = await opened(form)
    const { file, to } = source(out)
    await writer.copy(file, to, {})
    await writer.settle(LAST, {})
    writeFileSync(writer.path, 'mine')
    await expect(writer.finish({ path: LAST.path, bytes: Buffer.alloc(LAST.length) }, {})).rejects.toThrow(
      /There is something at/,
    )
    await writer.close()
    expect(readFileSync(path.join(out, form === 'folder' ? 'a' : `a.${form}`), 'utf8')).toBe('mine')
  })

  it('a signal ends it in the middle of a file, and nothing is left', async () => {
    const { writer, out } = await opened('zip', 100_000_000)
    const { file, to } = source(out, Buffer.alloc(100_000_000))
    const abort = new AbortController()
    const copying = writer.copy(file, to, { signal: abort.signal, onProgress: () => abort.abort(new Error('Stopped')) })
    await expect(copying).rejects.toThrow('Stopped')
    await writer.close()
    expect(readdirSync(out)).toEqual(['source'])
  })
})

describe('S3 an encrypted package', () => {
  it('has its names encrypted, opens with its passphrase alone, holds, and leaves no plain one', async () => {
    const out = fresh()
    const made = await world.make(out, { passphrase: PASSPHRASE })
    expect(readdirSync(out).toSorted()).toEqual([path.basename(made.path), `${path.basename(made.path)}.receipt.pdf`])
    expect(made.path).toMatch(/\.7z$/)
    // Not even the list of names.
    const listed = run('7z', ['l', '-pa wrong passphrase', made.path])
    expect(listed.status).not.toBe(0)
    expect(listed.said).not.toContain('tagmanifest')
    expect(run('7z', ['t', '-pa wrong passphrase', made.path]).status).not.toBe(0)
    expect(run('7z', ['l', '-slt', `-p${PASSPHRASE}`, made.path]).said).toMatch(/Method = .*7zAES/)
    expect(run('7z', ['x', `-p${PASSPHRASE}`, `-o${out}/in`, made.path]).status).toBe(0)
    expect(failedIn(path.join(out, 'in', readdirSync(path.join(out, 'in'))[0] ?? ''))).toEqual([])
    for (const action of ['package.begun', 'package.made'])
      expect(entriesOf(made, action)[0]?.detail).toMatchObject({ form: 'folder', encrypted: true })
  })

  it.each(['zip', 'iso'])('holds a package as one file (%s)', async (form) => {
    const out = fresh()
    const made = await world.make(path.join(out, `x.${form}`), { form, passphrase: PASSPHRASE })
    expect(made.path).toBe(path.join(out, `x.${form}.7z`))
    expect(run('7z', ['x', `-p${PASSPHRASE}`, `-o${out}/in`, made.path]).status).toBe(0)
    expect(readdirSync(path.join(out, 'in'))).toEqual([`x.${form}`])
    expect(run('7z', ['t', path.join(out, 'in', `x.${form}`)]).status).toBe(0)
  })

  it('tells its passphrase in no argument and no environment, and keeps it nowhere', async () => {
    const { given } = world
    const { evidenceId } = await given.completed(randomBytes(40_000_000), { name: 'long.bin' })
    const secret = Buffer.from(PASSPHRASE)
    const seen = { programs: 0, leaks: [] as string[] }
    const timer = setInterval(() => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
          if (!/\/7z[ar]?$/.test(readlinkSync(`/proc/${pid}/exe`))) continue
          const told = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`))
          if ((told[0]?.length ?? 0) > 0) seen.programs++
          if (told.some((bytes) => bytes.includes(secret))) seen.leaks.push(pid)
        } catch {
          // It has ended.
        }
    }, 4)
    await world
      .make(fresh(), { of: { evidenceIds: [evidenceId] }, passphrase: PASSPHRASE })
      .finally(() => clearInterval(timer))
    expect(seen.programs).toBeGreaterThan(0)
    expect(seen.leaks).toEqual([])
    const kept = (readdirSync(given.data, { recursive: true }) as string[])
      .map((name) => path.join(given.data, name))
      .filter((file) => statSync(file).isFile() && readFileSync(file).includes(secret))
    expect(kept).toEqual([])
  })

  it('needs a passphrase of 12 characters in the only line of a file', async () => {
    const place = makePlace('passphrase')
    onTestFinished(() => place.remove())
    for (const [text, says] of [
      ['elevenchars\n', /fewer than 12 characters/],
      ['🚓🚓🚓🚓🚓🚓\n', /fewer than 12 characters/],
      ['', /fewer than 12 characters/],
      ['two lines of it\nand more\n', /in its only line/],
    ] as const) {
      writeFileSync(place.path('file'), text)
      const words = ['package', 'create', '--evidence', '1', '--to', place.dir, '--encrypt-with', place.path('file')]
      const { code, stderr } = await say(words, { data: place.data })
      expect(code).toBe(2)
      expect(stderr).toMatch(says)
    }
    await expect(world.make(fresh(), { passphrase: 'elevenchars' })).rejects.toThrow()
  })
})

describe('a station whose folders for programs lack one', () => {
  it.each([
    [
      'xorriso',
      'x.iso',
      [],
      /xorriso, which is not installed .* apt-get install xorriso\. Or make a folder or a ZIP file\./,
    ],
    ['7z', '.', ['--encrypt-with'], /7z, which is not installed .* apt-get install p7zip-full\./],
  ] as const)('%s says so, and how to get it, before anything is written', async (program, to, flags, says) => {
    const place = makePlace('programs')
    onTestFinished(() => place.remove())
    writeFileSync(place.path('clip.bin'), 'clip')
    writeFileSync(place.path('passphrase'), PASSPHRASE)
    expect((await say(['ingest', place.path('clip.bin')], { data: place.data })).code).toBe(0)
    // The program is installed, and not in a folder in which the station may look.
    const folders = `SALLYPORT_TOOL_FOLDERS=${place.folder('programs')}`
    expect(existsSync(`/usr/bin/${program}`)).toBe(true)
    const out = place.folder('out')
    const more = flags.flatMap((flag) => [flag, place.path('passphrase')])
    const { code, stderr } = await say(['package', 'create', '--evidence', '1', '--to', path.join(out, to), ...more], {
      data: place.data,
      under: ['env', folders],
    })
    expect(stderr).toMatch(says)
    expect(code).toBe(1)
    expect(readdirSync(out)).toEqual([])
  })
})
