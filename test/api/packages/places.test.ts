/** Where packages go that people order: drives that are connected to the station, disc images, and containers with a passphrase. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../support/given.ts'
import { createTrigger, dropTrigger } from '../../support/rows.ts'
import { PUT_OFF } from './acts.ts'
import { type ConnectionFile, signIn } from '../../support/integrator.ts'
import { startServer } from '../../../server/index.ts'
import { dockWorld } from '../../dock/world.ts'
import { PACKAGES } from './acts.ts'

const CHOSEN = { Variant: 'prosecution', Parts: [], Papers: [], Language: 'en' }
const PASSPHRASE = 'correct horse battery staple'
const SAID = Buffer.from('what the witness said\n')
/** Nothing that connects to the station directly sends it. */
const PROXIED = { 'x-forwarded-for': '192.0.2.7' }

let world: Awaited<ReturnType<typeof dockWorld>>
let maker: ConnectionFile
let token: string
let evidenceId: string

beforeAll(async () => {
  world = await dockWorld()
  maker = await world.given.integration('maker', ['AccessUnassociatedFiles:Edit'])
  token = await signIn(maker, world.given.url)
  evidenceId = (await world.given.completed(SAID, { name: 'statement.txt' })).evidenceId
  await world.given.settled(evidenceId)
}, 60_000)
afterAll(() => world?.close())

const call = (method: string, place: string, body?: unknown, headers: Record<string, string> = {}) =>
  world.given.call(method, `${PACKAGES}${place}`, { token, headers, ...(body === undefined ? {} : { body }) })
const order = (more: Record<string, unknown>) => call('POST', '', { EvidenceIds: [evidenceId], ...CHOSEN, ...more })
const places = (headers?: Record<string, string>): Promise<Json> =>
  world.given.expecting(200, call('GET', '/places', undefined, headers))

/** A stick in a bay, with what is on it. */
function stick(name: string, files: Readonly<Record<string, string>> = {}): string {
  const aside = path.join(world.root, `.${name}`)
  mkdirSync(aside)
  for (const [file, text] of Object.entries({ 'notes.txt': 'mine', ...files })) {
    mkdirSync(path.dirname(path.join(aside, file)), { recursive: true })
    writeFileSync(path.join(aside, file), text)
  }
  renameSync(aside, path.join(world.root, name))
  return path.join(world.root, name)
}

const driveCalled = async (name: string): Promise<Json | undefined> =>
  (await places()).Drives.find((one: Json) => one.Name === name)
async function connected(name: string): Promise<Json> {
  stick(name)
  await world.reached(name, 'refused')
  return await world.until(() => driveCalled(name), `the drive ${name}`)
}

const get = (id: string): Promise<Json> => world.given.expecting(200, call('GET', `/${id}`))
const ended = (id: string): Promise<Json> =>
  world.until(async () => {
    const found = await get(id)
    return found.State !== 'Waiting' && found.State !== 'Making' && found
  }, `the end of package ${id}`)

/** Packages that are ordered from here on wait. */
const putOff = (): Promise<unknown> => world.given.meddle((db) => createTrigger(db, PUT_OFF))
const letGo = (): Promise<unknown> =>
  world.given.meddle((db) => {
    dropTrigger(db, PUT_OFF.name, PUT_OFF.table)
    db.exec("UPDATE jobs SET state = 'queued', run_after = 0 WHERE state = 'waiting'")
  })

/** What is on it, without what a hidden file holds. */
const on = (folder: string): string[] => readdirSync(folder).toSorted()

describe('the drives that packages can go to', () => {
  it('are volumes that were not taken for a camera, with the room on them', async () => {
    const camera = world.camera('bay-1', { serial: '0412', recordings: [1], bytes: 100 })
    camera.plugIn()
    const drive = await connected('EVIDENCE')
    await world.reached('bay-1', 'released')
    const { Drives, DiscImages, Containers } = await places()
    expect(Drives.map(({ Name }: Json) => Name)).toEqual(['EVIDENCE'])
    expect(drive).toMatchObject({ FileSystem: 'folder', FreeBytes: expect.any(Number) })
    expect([DiscImages, Containers]).toEqual([true, true])
  })

  it('are no cards of cameras that nobody knows, or that have no recording: nothing is written onto these', async () => {
    const cards = { CAMCORDER: 'PRIVATE/AVCHD/about.txt', BROADCAST: 'XDROOT/about.txt' }
    for (const [name, file] of Object.entries(cards)) {
      stick(name, { [file]: 'x' })
      await world.reached(name, 'refused')
    }
    // Neither a folder of that name elsewhere, nor one of a name that begins so.
    stick('MINE', { 'copies/DCIM/about.txt': 'x', 'DCIM of June/about.txt': 'x', 'Private/letter.txt': 'x' })
    await world.reached('MINE', 'refused')
    await world.until(() => driveCalled('MINE'), 'the drive MINE')
    const names = (await places()).Drives.map(({ Name }: Json) => Name)
    expect(names).toContain('MINE')
    expect(names.filter((name: string) => Object.hasOwn(cards, name))).toEqual([])
    // A stick that became a card since it was offered.
    const drive = await driveCalled('MINE')
    mkdirSync(path.join(world.root, 'MINE', 'DCIM'))
    expect((await order({ Form: 'folder', DriveId: drive?.['DriveId'] })).status).toBe(409)
    expect(on(path.join(world.root, 'MINE'))).toEqual(['DCIM', 'DCIM of June', 'Private', 'copies', 'notes.txt'])
  })

  it('S4 are nobody’s who is not at the station itself: not to see, not to write to, not to begin on', async () => {
    const drive = await connected('LENT')
    expect((await places(PROXIED)).Drives).toEqual([])
    const asked = { Form: 'folder', DriveId: drive.DriveId, EvidenceIds: [evidenceId], ...CHOSEN }
    await world.given.expecting(403, call('POST', '', asked, PROXIED))
    const { PackageId } = await world.given.expecting(201, order({ ...asked, Encrypted: true }))
    await world.given.expecting(403, call('POST', `/${PackageId}/start`, { Passphrase: PASSPHRASE }, PROXIED))
    expect(await get(PackageId)).toMatchObject({ State: 'Stopped', Drive: 'LENT', Encrypted: true })
    expect(on(path.join(world.root, 'LENT'))).toEqual(['notes.txt'])
  })

  it('are named by their id at the moment: another id is none, and nothing is recorded', async () => {
    const before = world.entries('package.ordered').length
    const { Code, ErrorCode } = await world.given.expecting(409, order({ Form: 'folder', DriveId: 'f'.repeat(32) }))
    expect(Code ?? ErrorCode).toBe('DriveUnavailable')
    expect(world.entries('package.ordered').length).toBe(before)
  })
})

describe('a package on a drive', () => {
  let made: Json
  const root = (): string => path.join(world.root, 'HANDOVER')
  it('C1 is a folder beside what was there, and holds by its own lists', async () => {
    const { DriveId } = await connected('HANDOVER')
    const ordered = await world.given.expecting(201, order({ Form: 'folder', DriveId }))
    expect(ordered).toMatchObject({ Form: 'folder', Drive: 'HANDOVER', Encrypted: false })
    made = await ended(ordered.PackageId)
    expect(made).toMatchObject({ State: 'Made', Problem: null, CanDownload: false })
    expect(on(root())).toEqual([made.Name, `${made.Name}.receipt.pdf`, 'notes.txt'].toSorted())
    const checked = execFileSync('sha256sum', ['-c', '--strict', 'tagmanifest-sha256.txt', 'manifest-sha256.txt'], {
      cwd: path.join(root(), made.Name),
      encoding: 'utf8',
    })
    expect(checked).not.toMatch(/FAILED/)
    expect(readFileSync(path.join(root(), made.Name, 'data/0001_statement.txt'))).toEqual(SAID)
  })

  it('S4 gets no witness from somebody who is not at the station', async () => {
    await world.given.expecting(403, call('POST', `/${made.PackageId}/witness/timestamp`, undefined, PROXIED))
  })

  it('is not taken for a camera when the drive comes back', async () => {
    renameSync(root(), path.join(world.root, '.away'))
    await world.until(async () => (await driveCalled('HANDOVER')) === undefined, 'the drive away')
    const away = await world.given.expecting(409, call('POST', `/${made.PackageId}/witness/timestamp`))
    expect(away.ErrorCode).toBe('DriveUnavailable')
    renameSync(path.join(world.root, '.away'), root())
    await world.until(() => driveCalled('HANDOVER'), 'the drive again')
    expect(await get(made.PackageId)).toMatchObject({ State: 'Made', Drive: 'HANDOVER' })
  })

  it('is handed out by nobody, and removed by nobody: it is where it is', async () => {
    await world.given.expecting(409, call('GET', `/${made.PackageId}/file`))
    await world.given.expecting(409, call('GET', `/${made.PackageId}/receipt`))
    await world.given.expecting(409, call('DELETE', `/${made.PackageId}/file`))
    expect(on(root())).toContain(made.Name)
  })

  it('can be one file there as well', async () => {
    const { DriveId } = (await driveCalled('HANDOVER')) as Json
    const { PackageId } = await world.given.expecting(201, order({ Form: 'zip', DriveId }))
    const { Name, State } = await ended(PackageId)
    expect(State).toBe('Made')
    execFileSync('unzip', ['-tqq', path.join(root(), `${Name}.zip`)])
  })

  it('begins only where its drive is connected, and goes on when it is back', async () => {
    const { DriveId } = await connected('SLOW')
    const at = path.join(world.root, 'SLOW')
    const ordered = await world.given.expecting(201, order({ Form: 'folder', DriveId, Encrypted: true }))
    const start = () => call('POST', `/${ordered.PackageId}/start`, { Passphrase: PASSPHRASE })
    renameSync(at, path.join(world.root, '.away'))
    await world.until(async () => (await driveCalled('SLOW')) === undefined, 'the drive away')
    const { ErrorCode } = await world.given.expecting(409, start())
    expect(ErrorCode).toBe('DriveUnavailable')
    renameSync(path.join(world.root, '.away'), at)
    await world.until(() => driveCalled('SLOW'), 'the drive again')
    await world.given.expecting(200, start())
    const { Name, State } = await ended(ordered.PackageId)
    expect(State).toBe('Made')
    expect(on(at)).toEqual([`${Name}.7z`, `${Name}.7z.receipt.pdf`, 'notes.txt'].toSorted())
  })

  it('asks for its drive again when its turn comes, and writes nothing where that was', async () => {
    const { DriveId } = await connected('GONE')
    const at = path.join(world.root, 'GONE')
    await putOff()
    const { PackageId } = await world.given.expecting(201, order({ Form: 'folder', DriveId }))
    renameSync(at, path.join(world.root, '.gone'))
    await world.until(async () => (await driveCalled('GONE')) === undefined, 'the drive away')
    await letGo()
    // Any other job makes the queue look.
    await ended((await world.given.expecting(201, order({}))).PackageId)
    const { State, Problem } = await ended(PackageId)
    expect([State, Problem]).toEqual(['Failed', expect.stringMatching(/^The drive GONE is not connected/)])
    expect(on(world.root)).not.toContain('GONE')
  })

  describe('that was cut off between its entry and its name', () => {
    let at: string
    let whole: Json
    /** As the next start finds it: the job was not ended, and is taken up. */
    const takenUp = async (id: string): Promise<void> => {
      await world.given.meddle((db) =>
        db.exec(`UPDATE jobs SET state = 'queued', run_after = 0
          WHERE job_id = (SELECT max(job_id) FROM jobs WHERE subject = 'package:${id}')`),
      )
      // Any other job makes the queue look.
      await ended((await world.given.expecting(201, order({}))).PackageId)
    }
    const away = async (): Promise<void> => {
      renameSync(at, path.join(world.root, '.cut'))
      await world.until(async () => (await driveCalled('CUT')) === undefined, 'the drive away')
    }
    const back = async (): Promise<void> => {
      renameSync(path.join(world.root, '.cut'), at)
      await world.until(() => driveCalled('CUT'), 'the drive again')
    }
    beforeAll(async () => {
      const { DriveId } = await connected('CUT')
      at = path.join(world.root, 'CUT')
      whole = await ended((await world.given.expecting(201, order({ Form: 'folder', DriveId }))).PackageId)
    })

    it('is not shown as made while its drive is away, and is made when it is back', async () => {
      renameSync(path.join(at, whole.Name), path.join(at, `${whole.Name}.unfinished`))
      await away()
      await takenUp(whole.PackageId)
      const open = await ended(whole.PackageId)
      expect(open).toMatchObject({ State: 'Failed', SignedSha256: null, FinishedUtcTime: null, Witnesses: [] })
      expect(open.Problem).toMatch(/^The drive CUT is not connected/)
      await back()
      const { ErrorCode } = await world.given.expecting(409, call('POST', `/${whole.PackageId}/witness/timestamp`))
      expect(ErrorCode).toBe('PackageNotOpen')
      await world.given.expecting(200, call('POST', `/${whole.PackageId}/resume`))
      expect(await ended(whole.PackageId)).toMatchObject({ State: 'Made', Problem: null })
      expect(on(at)).toEqual([whole.Name, `${whole.Name}.receipt.pdf`, 'notes.txt'].toSorted())
    })

    it('is made at once where it had its name already', async () => {
      const { SignedSha256 } = await get(whole.PackageId)
      const timesMade = (): number =>
        world.entries('package.made').filter(({ object }) => object.id === whole.PackageId).length
      const before = timesMade()
      await away()
      await takenUp(whole.PackageId)
      expect(await ended(whole.PackageId)).toMatchObject({ State: 'Failed', SignedSha256: null })
      await back()
      await world.given.expecting(200, call('POST', `/${whole.PackageId}/resume`))
      expect(await ended(whole.PackageId)).toMatchObject({ State: 'Made', SignedSha256 })
      expect(timesMade()).toBe(before)
    })

    it('keeps no passphrase when it had its name already', async () => {
      const { DriveId } = (await driveCalled('CUT')) as Json
      const { PackageId, Name } = await world.given.expecting(201, order({ Form: 'folder', DriveId, Encrypted: true }))
      const start = () => call('POST', `/${PackageId}/start`, { Passphrase: PASSPHRASE })
      await world.given.expecting(200, start())
      expect((await ended(PackageId)).State).toBe('Made')
      await away()
      await takenUp(PackageId)
      expect((await ended(PackageId)).State).toBe('Failed')
      await back()
      await world.given.expecting(200, start())
      expect((await ended(PackageId)).State).toBe('Made')
      renameSync(path.join(at, `${Name}.7z`), path.join(at, `${Name}.7z.unfinished`))
      await takenUp(PackageId)
      expect(await ended(PackageId)).toMatchObject({ State: 'Failed', Problem: expect.stringMatching(/passphrases/) })
    })
  })

  const isRoot = process.getuid?.() === 0
  it.runIf(isRoot)('goes to no drive that cannot be written to', async () => {
    const bay = path.join(world.root, 'SEALED')
    mkdirSync(bay)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', bay])
    onTestFinished(() => void spawnSync('umount', ['-l', bay]))
    await world.reached('SEALED', 'refused')
    await connected('OPEN')
    expect(await driveCalled('SEALED')).toBeUndefined()
  })

  it.runIf(isRoot)('is refused before it starts where there is too little room', async () => {
    const at = path.join(world.root, '.SMALL')
    mkdirSync(at)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', at])
    onTestFinished(() => void spawnSync('umount', ['-l', path.join(world.root, 'SMALL')]))
    writeFileSync(path.join(at, 'notes.txt'), 'x'.repeat(4000))
    execFileSync('mkdir', [path.join(world.root, 'SMALL')])
    execFileSync('mount', ['--move', at, path.join(world.root, 'SMALL')])
    const drive = await world.until(() => driveCalled('SMALL'), 'the drive SMALL')
    const before = world.entries('package.ordered').length
    const { ErrorCode } = await world.given.expecting(409, order({ Form: 'folder', DriveId: drive.DriveId }))
    expect([ErrorCode, world.entries('package.ordered').length]).toEqual(['DriveTooSmall', before])
  })
})

describe('a package that is encrypted', () => {
  let ordered: Json
  it('waits for its passphrase, which has to be long enough and one line', async () => {
    ordered = await world.given.expecting(201, order({ Encrypted: true }))
    expect(ordered).toMatchObject({ State: 'Stopped', Encrypted: true, Form: 'zip', Drive: null })
    const { ErrorCode } = await world.given.expecting(409, call('POST', `/${ordered.PackageId}/resume`))
    expect(ErrorCode).toBe('PassphraseNeeded')
    for (const Passphrase of ['too short', 'twelve of them\nin two lines', '', 'x'.repeat(1025)])
      await world.given.expecting(400, call('POST', `/${ordered.PackageId}/start`, { Passphrase }))
  })

  it('is one file that its passphrase opens, and no other', async () => {
    await world.given.expecting(200, call('POST', `/${ordered.PackageId}/start`, { Passphrase: PASSPHRASE }))
    const { State, CanDownload } = await ended(ordered.PackageId)
    expect([State, CanDownload]).toEqual(['Made', true])
    const reply = await call('GET', `/${ordered.PackageId}/file`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-7z-compressed'])
    expect(reply.headers.get('content-disposition')).toMatch(/\.zip\.7z/)
    const file = path.join(world.given.dir, 'package.7z')
    writeFileSync(file, reply.bytes)
    expect(spawnSync('7z', ['t', `-p${PASSPHRASE}`, file]).status).toBe(0)
    expect(spawnSync('7z', ['t', '-panother passphrase', file]).status).not.toBe(0)
    expect(Buffer.from(reply.bytes).includes(SAID)).toBe(false)
    expect((await call('GET', `/${ordered.PackageId}/receipt`)).status).toBe(200)
  })

  it('leaves its passphrase in no file of the station', () => {
    const files = (readdirSync(world.given.data, { recursive: true }) as string[])
      .map((name) => path.join(world.given.data, name))
      .filter((name) => statSync(name).isFile())
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((name) => readFileSync(name).includes(PASSPHRASE))).toEqual([])
  })

  it('is not begun twice, and not where nothing was ordered with a passphrase', async () => {
    const start = (id: string) => call('POST', `/${id}/start`, { Passphrase: PASSPHRASE })
    const stop = (id: string) => call('POST', `/${id}/stop`)
    expect((await world.given.expecting(409, start(ordered.PackageId))).ErrorCode).toBe('PackageNotOpen')
    expect((await world.given.expecting(409, stop(ordered.PackageId))).ErrorCode).toBe('PackageNotOpen')
    const waits = await world.given.expecting(201, order({ Encrypted: true }))
    expect((await world.given.expecting(409, stop(waits.PackageId))).ErrorCode).toBe('PackageNotOpen')
    const fresh = await world.given.expecting(201, order({ Encrypted: true }))
    const [one, other] = await Promise.all([start(fresh.PackageId), start(fresh.PackageId)])
    expect([one.status, other.status].toSorted()).toEqual([200, 409])
    await ended(fresh.PackageId)
    const plain = await world.given.expecting(201, order({}))
    expect((await world.given.expecting(409, start(plain.PackageId))).ErrorCode).toBe('PackageNotOpen')
    await ended(plain.PackageId)
  })

  it('is removed with its container', async () => {
    await world.given.expecting(204, call('DELETE', `/${ordered.PackageId}/file`))
    const left = readdirSync(path.join(world.given.data, 'packages')).filter((name) => name.endsWith(ordered.PackageId))
    expect([left, (await get(ordered.PackageId)).CanDownload]).toEqual([[], false])
  })
})

describe('a disc image', () => {
  it('is kept at the station, and lists what is in it', async () => {
    const { PackageId } = await world.given.expecting(201, order({ Form: 'iso' }))
    expect(await ended(PackageId)).toMatchObject({ State: 'Made', Form: 'iso', CanDownload: true })
    const reply = await call('GET', `/${PackageId}/file`)
    expect(reply.headers.get('content-type')).toBe('application/x-iso9660-image')
    const file = path.join(world.given.dir, 'package.iso')
    writeFileSync(file, reply.bytes)
    const listed = execFileSync('xorriso', ['-indev', `stdio:${file}`, '-find', '/'], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    expect(listed).toContain('0001_statement.txt')
  })

  it('a folder is no file that could be kept', async () => {
    const { Details } = await world.given.expecting(400, order({ Form: 'folder' }))
    expect(Details).toEqual([expect.objectContaining({ Path: 'Form' })])
  })
})

describe('a station that is started again', () => {
  it('does not know the passphrase of what it was making: it says so, and goes on when it is given again', async () => {
    await putOff()
    const { PackageId } = await world.given.expecting(201, order({ Encrypted: true }))
    await world.given.expecting(200, call('POST', `/${PackageId}/start`, { Passphrase: PASSPHRASE }))
    expect((await get(PackageId)).State).toBe('Waiting')
    const twice = await world.given.expecting(409, call('POST', `/${PackageId}/start`, { Passphrase: PASSPHRASE }))
    expect(twice.ErrorCode).toBe('PackageInProgress')
    await world.given.stop()
    await letGo()

    const station = await startServer({ ...world.given.settings, port: 0 })
    try {
      const again = await signIn(maker, station.url)
      const ask = async (method: string, place: string, body?: unknown): Promise<Json> => {
        const reply = await fetch(`${station.url}${PACKAGES}/${PackageId}${place}`, {
          method,
          headers: { authorization: `Bearer ${again}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return (await reply.json()) as Json
      }
      const reached = (state: string): Promise<Json> =>
        world.until(async () => {
          const found = await ask('GET', '')
          return found.State === state && found
        }, `${state} of package ${PackageId}`)
      expect((await reached('Failed')).Problem).toMatch(/started again.*does not keep passphrases/)
      expect((await ask('POST', '/start', { Passphrase: PASSPHRASE })).State).toBe('Waiting')
      expect(await reached('Made')).toMatchObject({ Encrypted: true, CanDownload: true })
    } finally {
      await station.close()
    }
  })
})
