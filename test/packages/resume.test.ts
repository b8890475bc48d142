/** C3: a package whose command or station is killed, whose volume is too small or fills up, or whose place is taken. */
// @module-tag merge
import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { filesIn, makePlace, type Place, rows, running, say, start } from '../cli/world.ts'
import { patience, scale } from '../support/scale.ts'
import type { Station } from '../support/station.ts'

const MIB = 1024 * 1024
const FILES = 20
const EACH = 10 * MIB
const KILLS = scale(3, 20)
const OTHER_KILLS = scale(1, 10)
const PASSPHRASE = 'tide tables for the old harbour'

let place: Place
let words: string[] = []
/** Milliseconds that a package takes. */
let usual = 0
beforeAll(async () => {
  place = makePlace('packages')
  const media = place.folder('media')
  for (let no = 1; no <= FILES; no++) writeFileSync(path.join(media, `camera ${no}.bin`), randomBytes(EACH))
  expect((await say(['ingest', media], { data: place.data })).code).toBe(0)
  rmSync(media, { recursive: true })
  words = ['package', 'create', ...Array.from({ length: FILES }, (_, at) => ['--evidence', String(at + 1)]).flat()]
  writeFileSync(place.path('passphrase'), `${PASSPHRASE}\n`, { mode: 0o600 })
  const since = performance.now()
  const { code, stderr } = await make(place.folder('first'))
  expect(code, stderr).toBe(0)
  usual = performance.now() - since
}, patience(120_000))
afterAll(() => place?.remove())

const make = (to: string, ...more: string[]) => say([...words, '--to', to, ...more, '--json'], { data: place.data })

/** Names in a folder that say that they are whole. */
const whole = (folder: string): string[] =>
  readdirSync(folder).filter((name) => !/\.unfinished$|\.receipt\.pdf$/.test(name))
const unfinished = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.unfinished'))
const run = (program: string, args: readonly string[], cwd?: string) => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 * MIB })
  return { status, said: `${stdout}${stderr}` }
}

/** What has a whole name is a whole package, whatever it is in. */
async function holds(made: string): Promise<void> {
  const out = mkdtempSync(path.join(place.dir, 'opened-'))
  let folder = made
  if (made.endsWith('.7z')) expect(run('7z', ['x', `-p${PASSPHRASE}`, `-o${out}`, made]).status).toBe(0)
  if (made.endsWith('.zip')) expect(run('unzip', ['-qq', made, '-d', out])).toEqual({ status: 0, said: '' })
  if (made.endsWith('.iso')) {
    expect(
      run('xorriso', ['-osirrox', 'on', '-indev', `stdio:${made}`, '-extract', '/', path.join(out, 'disc')]).status,
    ).toBe(0)
    run('chmod', ['-R', 'u+w', out])
  }
  if (folder === made && !lstatSync(made).isDirectory()) folder = path.join(out, readdirSync(out)[0] ?? '')
  for (const list of ['tagmanifest-sha256.txt', 'manifest-sha256.txt'])
    expect(run('sha256sum', ['-c', '--strict', '--quiet', list], folder)).toEqual({ status: 0, said: '' })
  const verified = await say(['package', 'verify', folder], { data: place.data })
  expect(verified.stdout).toMatch(/all of it holds/)
  expect(verified.code).toBe(0)
  rmSync(out, { recursive: true })
}

async function until(is: () => boolean): Promise<void> {
  const end = performance.now() + patience(30_000)
  while (!is()) {
    if (performance.now() > end) throw new Error('it never came so far')
    await pause(1)
  }
}

const filesBelow = (folder: string): number => filesIn(folder).length

interface Killed {
  readonly form: 'folder' | 'zip' | 'iso' | 'encrypted'
  readonly kills: number
}

describe.each<Killed>([
  { form: 'folder', kills: KILLS },
  { form: 'zip', kills: OTHER_KILLS },
  { form: 'iso', kills: OTHER_KILLS },
  { form: 'encrypted', kills: OTHER_KILLS },
])('C3 a package ($form) that is killed', ({ form, kills }) => {
  it(`at ${kills} moments leaves nothing that looks whole, or all of it; the next run makes it`, {
    timeout: kills * patience(60_000),
  }, async () => {
    let taken = 0
    for (let round = 0; round < kills; round++) {
      const out = place.folder(`${form}-${round}`)
      const to = form === 'zip' || form === 'iso' ? path.join(out, `case.${form}`) : out
      const more = form === 'encrypted' ? ['--encrypt-with', place.path('passphrase')] : []
      // The command alone has the station in it; beside a running station that one does the work.
      const station: Station | null = round % 2 === 1 ? await running(place.data) : null
      const command = start([...words, '--to', to, ...more], { data: place.data })
      await until(() => unfinished(out).length > 0)
      // The first one in the middle: a file of three is there, and two are written at a time. The others at any time.
      if (round === 0 && form === 'folder') await until(() => filesBelow(out) >= 3)
      else await pause(randomInt(0, Math.max(2, Math.round(usual * (form === 'folder' ? 0.7 : 1.2)))))
      if (station === null) command.child.kill('SIGKILL')
      else await station.kill()
      await command.ended
      for (const name of whole(out)) await holds(path.join(out, name))
      const before = new Set(whole(out))

      const { code, stdout, stderr } = await make(to, ...more)
      if (before.size > 0 && to !== out) {
        expect(stderr).toMatch(/There is something at/)
        continue
      }
      expect(code, stderr).toBe(0)
      const { path: made, resumed } = JSON.parse(stdout) as { path: string; resumed: number }
      taken += resumed
      await holds(made)
      expect(whole(out).filter((name) => !before.has(name))).toEqual([path.basename(made)])
      expect(unfinished(out)).toEqual([])
      // Nor are its large texts left at the station.
      expect(filesIn(path.join(place.data, 'packages', '.texts'))).toEqual([])
      rmSync(out, { recursive: true })
    }
    // A ZIP file or an image starts again.
    if (form === 'folder') expect(taken).toBeGreaterThan(0)
    if (form === 'zip' || form === 'iso') expect(taken).toBe(0)
  })
})

/** Commands that a running station does take a third of the time. */
function withStation(): void {
  let station: Station | null = null
  beforeAll(async () => {
    station = await running(place.data)
  })
  afterAll(() => station?.stop())
}

describe('C3 a package whose place is taken', () => {
  withStation()
  let folders = 0
  /** In the same one, the next run would take up what the last one began. */
  const taken = (): string => place.folder(`taken-${++folders}`)
  const elsewhere = () => place.folder('elsewhere')
  const next = (): string => {
    const [last] = rows<{ id: number; name: string }>(
      place.data,
      'SELECT package_id AS id, name FROM packages ORDER BY package_id DESC LIMIT 1',
    )
    return (last?.name ?? '').replace(/\d+$/, String((last?.id ?? 0) + 1).padStart(6, '0'))
  }
  it.each([
    ['a link to a folder', (at: string) => symlinkSync(elsewhere(), at)],
    ['a link to nothing', (at: string) => symlinkSync('/nothing/there', at)],
    ['a file', (at: string) => writeFileSync(at, 'mine')],
  ])('by %s in place of the unfinished folder is refused, and nothing is written there', async (_what, put) => {
    const out = taken()
    const at = path.join(out, `${next()}.unfinished`)
    put(at)
    const { code, stderr } = await make(out)
    expect(code).toBe(1)
    expect(stderr).toMatch(/is in the way: it is no folder/)
    expect(filesIn(elsewhere())).toEqual([])
    expect(readdirSync(out)).toEqual([path.basename(at)])
    rmSync(out, { recursive: true })
  })

  it.each(['zip', 'iso'])('a link or a folder in place of the unfinished %s file is refused', async (form) => {
    for (const put of [
      (at: string) => symlinkSync(path.join(elsewhere(), 'target'), at),
      (at: string) => mkdirSync(at),
    ]) {
      const out = taken()
      put(path.join(out, `a.${form}.unfinished`))
      const { code, stderr } = await make(path.join(out, `a.${form}`))
      expect(code).toBe(1)
      expect(stderr).toMatch(/is in the way: it is no file/)
      expect(filesIn(elsewhere())).toEqual([])
      rmSync(out, { recursive: true })
    }
  })

  it.each(['zip', 'iso'])('by a %s file with its name is refused, and that file stays', async (form) => {
    const out = taken()
    const file = path.join(out, `a.${form}`)
    writeFileSync(file, 'mine')
    const { code, stderr } = await make(file)
    expect(code).toBe(1)
    expect(stderr).toMatch(/There is something at .* already/)
    expect(filesIn(out)).toEqual([`a.${form}`])
    rmSync(out, { recursive: true })
  })

  it.each(['nowhere', 'nowhere/a.zip', 'nowhere/a.iso', 'file', 'file/a.zip'])(
    'in %s, which is no folder, is refused',
    async (to) => {
      writeFileSync(place.path('file'), '')
      const { code, stderr } = await make(place.path(to))
      expect(code).toBe(1)
      expect(stderr).toMatch(/There is no folder/)
      expect(existsSync(place.path('nowhere'))).toBe(false)
    },
  )

  it('by another package that is being made, also under another path to it', async () => {
    const out = place.folder('both')
    symlinkSync(out, place.path('both-link'))
    const first = start([...words, '--to', out], { data: place.data })
    await until(() => unfinished(out).length > 0)
    const second = await make(place.path('both-link'))
    expect((await first.ended).code).toBe(0)
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/A package is being made at this place already/),
    })
    expect(whole(out)).toHaveLength(1)
    await holds(path.join(out, whole(out)[0] ?? ''))
  })
})

const isRoot = process.getuid?.() === 0

describe.skipIf(!isRoot)(
  `C3 a package on a volume with too little room${isRoot ? '' : ' (skipped: only root mounts one)'}`,
  () => {
    withStation()
    const volume = (mebibytes: number): string => {
      const at = mkdtempSync(path.join(tmpdir(), 'sallyport-volume-'))
      expect(run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', at]).status).toBe(0)
      onTestFinished(() => {
        run('umount', ['-l', at])
        rmSync(at, { recursive: true, force: true })
      })
      return at
    }
    const target = (at: string, form: string): string =>
      form === 'zip' || form === 'iso' ? path.join(at, `a.${form}`) : at
    const more = (form: string): string[] => (form === 'encrypted' ? ['--encrypt-with', place.path('passphrase')] : [])

    it.each(['folder', 'zip', 'iso', 'encrypted'])('is refused before anything is written (%s)', async (form) => {
      const at = volume(form === 'encrypted' ? 300 : 100)
      const { code, stderr } = await make(target(at, form), ...more(form))
      expect(code).toBe(1)
      expect(stderr).toMatch(/The package needs \d+ bytes on the volume of .* are free\. Nothing was written\./)
      expect(readdirSync(at)).toEqual([])
    })

    it.each(['folder', 'zip', 'iso', 'encrypted'])(
      'that fills up meanwhile says so and leaves nothing that looks whole (%s)',
      async (form) => {
        const at = volume(form === 'encrypted' ? 470 : 260)
        const command = start([...words, '--to', target(at, form), ...more(form)], { data: place.data })
        await until(() => filesIn(at).length > 0)
        const filler = path.join(at, 'somebody else')
        fill(filler)
        const { code, stderr } = await command.ended
        expect(stderr).toMatch(/volume.* is full\. Make room, or name another one, and run it again\./)
        expect(code).toBe(1)
        expect(whole(at)).toEqual(['somebody else'])
        rmSync(filler)
        const again = await make(target(at, form), ...more(form))
        expect(again.code, again.stderr).toBe(0)
        const { path: made } = JSON.parse(again.stdout) as { path: string }
        await holds(made)
        // Away before the volume is.
        renameSync(made, `${made}.seen`)
      },
    )

    const isFirstFile = (): boolean => true
    it.each([
      { form: 'folder', moment: 'at its first file', isThen: isFirstFile },
      { form: 'zip', moment: 'at its first file', isThen: isFirstFile },
      { form: 'iso', moment: 'at its first file', isThen: isFirstFile },
      { form: 'iso', moment: 'while xorriso writes', isThen: (file: string) => file.endsWith('a.iso.unfinished') },
      { form: 'encrypted', moment: 'at its first file', isThen: isFirstFile },
      { form: 'encrypted', moment: 'while 7z writes', isThen: (file: string) => file.includes('container.7z') },
    ])(
      'that is pulled ends it, nothing goes to the disk below, and back it goes on ($form, $moment)',
      async ({ form, isThen }) => {
        const plugged = volume(form === 'encrypted' ? 700 : 450)
        const at = place.folder(`socket-${form}`)
        const plug = (): void => void expect(run('mount', ['--bind', plugged, at]).status).toBe(0)
        const pull = (): void => void run('umount', ['-l', at])
        plug()
        onTestFinished(pull)
        const command = start([...words, '--to', target(at, form), ...more(form)], { data: place.data })
        await until(() => filesIn(at).some(isThen))
        pull()
        const { code, stderr } = await command.ended
        expect([code, stderr]).toEqual([1, expect.stringMatching(/[Vv]olume/)])
        expect(filesIn(at)).toEqual([])
        expect(whole(plugged)).toEqual([])
        plug()
        const again = await make(target(at, form), ...more(form))
        expect(again.code, again.stderr).toBe(0)
        await holds((JSON.parse(again.stdout) as { path: string }).path)
      },
    )
  },
)

/** Until the volume is full, also when what was there is taken away meanwhile. */
function fill(file: string): void {
  const fd = openSync(file, 'w')
  for (let size = 4 * MIB; size >= 4096; ) {
    try {
      if (writeSync(fd, Buffer.alloc(size)) < size) size /= 2
    } catch {
      size /= 2
    }
  }
  closeSync(fd)
}
