import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sha256Of } from '../support/given.ts'
import { DOCK, dockWorld } from './world.ts'

type World = Awaited<ReturnType<typeof dockWorld>>
let world: World
afterEach(() => world?.close())

describe('a camera comes home', () => {
  it('twelve files of three recordings become three evidences, and it is safe to take', async () => {
    world = await dockWorld()
    const camera = world.camera('bay-1', { serial: 'A1', behind: 72_000, extra: { 'notes/readme.txt': 'a note' } })
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(session).toMatchObject({
      Files: 12,
      FilesDone: 12,
      Problems: 0,
      Foreign: 2,
      Cleared: 0,
      Rounds: 1,
      Profile: 'manifest',
      ClearRule: 'never',
      Device: { Manufacturer: 'Lantern', SerialNumber: 'A1', Model: 'L2' },
    })
    const detail = await world.given.expecting(200, world.get(`/session/${session.DockSessionId}`))
    expect(detail.Recordings).toHaveLength(3)
    // The station's clock against the camera's, as far apart as it was made.
    const [{ Camera: clock }] = detail.Clock
    expect(Math.abs(clock.OffsetMilliseconds - 72_000)).toBeLessThan(clock.UncertaintyMilliseconds)
    for (const { EvidenceId, StartTimeUtc, CorrectedStartTimeUtc } of detail.Recordings) {
      expect(Date.parse(CorrectedStartTimeUtc) - Date.parse(StartTimeUtc)).toBe(clock.OffsetMilliseconds)
      const evidence = world.given.database((db) =>
        db.prepare('SELECT * FROM evidence WHERE evidence_id = ?').get(Number(EvidenceId)),
      ) as Record<string, unknown>
      expect(evidence).toMatchObject({
        state: 'UserCompleted',
        device_identity: 'Docked',
        category_id: null,
        association_state: 'None',
        start_utc: CorrectedStartTimeUtc,
      })
      const originals = world.given.database((db) =>
        db
          .prepare(
            "SELECT name, state, time_offset, start_utc FROM resources WHERE evidence_id = ? AND role = 'original'",
          )
          .all(Number(EvidenceId)),
      ) as Record<string, unknown>[]
      expect(originals).toHaveLength(4)
      for (const one of originals)
        expect(one).toMatchObject({
          state: 'UserCompleted',
          // What the camera does not say of a part nobody knows of bytes that are no film.
          start_utc: String(one['name']).endsWith('_1.mp4') ? StartTimeUtc : null,
          time_offset: `PT${(clock.OffsetMilliseconds / 1000).toFixed(3).replace(/\.?0+$/, '')}S`,
        })
    }
    const files = await world.filesOf(session.DockSessionId)
    for (const file of camera.files) {
      expect(files.find((one) => one.Path === file.path)).toMatchObject({
        Outcome: 'taken',
        Sha256: file.sha256,
        Cleared: 'kept',
      })
      expect(sha256Of(world.blob(file.sha256))).toBe(file.sha256)
    }
    expect(files.filter((one) => one.Outcome === 'foreign').map((one) => one.Path)).toEqual([
      'camera.json',
      'notes/readme.txt',
    ])
    expect(camera.left()).toHaveLength(12)
    const [tile] = await world.wall()
    expect(tile).toMatchObject({ Bay: 'bay-1', State: 'released', SafeToTake: true, Present: true, SerialNumber: 'A1' })
    // Every step stands in the ledger, in the order of the states.
    const steps = world.given
      .ledger()
      .filter(({ object, action }) => object.type === 'dockSession' && action.startsWith('dock.'))
      .filter(({ actor }) => actor.kind === 'internal')
    expect(steps.map(({ detail: about }) => about?.['to'] ?? 'detected')).toEqual([
      'detected',
      'identified',
      'negotiated',
      'listed',
      'copying',
      'verifying',
      'committed',
      'cleared',
      'released',
    ])
    for (const { source, correlationId } of steps)
      expect([source, correlationId]).toEqual(['dock', `dock-${session.DockSessionId}`])
    // Taken out of its bay it is off the wall.
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    expect((await world.sessions())[0]?.State).toBe('released')
  })

  it('its receipt is checked with openssl and sha256sum, and agrees with the ledger', async () => {
    world = await dockWorld()
    const camera = world.camera('bay-1', { serial: 'A2' })
    camera.plugIn()
    const { DockSessionId: id, ReceiptSha256 } = await world.reached('bay-1', 'released')
    const folder = path.join(world.given.dir, 'receipt')
    mkdirSync(folder)
    for (const part of ['receipt.json', 'receipt.sig', 'key.pem']) {
      const { status, bytes } = await world.get(`/session/${id}/receipt/${part}`)
      expect([part, status]).toEqual([part, 200])
      writeFileSync(path.join(folder, part), bytes)
    }
    const check = (file: string): string =>
      execFileSync(
        'openssl',
        ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin', '-in', file, '-sigfile', 'receipt.sig'],
        { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      )
    expect(check('receipt.json')).toContain('Signature Verified Successfully')
    const receipt = JSON.parse(execFileSync('cat', ['receipt.json'], { cwd: folder, encoding: 'utf8' }))
    writeFileSync(path.join(folder, 'other.json'), JSON.stringify({ ...receipt, bay: 'bay-2' }))
    expect(() => check('other.json')).toThrow()
    // The files are the ones that the receipt names, by a program of somebody else.
    const sums = receipt.files
      .filter((file: { sha256: string | null }) => file.sha256 !== null)
      .map((file: { sha256: string; path: string }) => `${file.sha256}  ${file.path}\n`)
      .join('')
    execFileSync('sha256sum', ['-c', '--quiet', '--strict'], { cwd: camera.at, input: sums })
    expect(receipt.totals).toMatchObject({ files: 13, taken: 12, hereAlready: 0, foreign: 1, failed: 0, cleared: 0 })
    // Its hash is in the ledger, and the head that it names is the chain's at that place.
    const [released] = world.entries('dock.released')
    expect([released?.sha256, ReceiptSha256]).toEqual([
      sha256Of(execFileSync('cat', [path.join(folder, 'receipt.json')])),
      released?.sha256,
    ])
    const hash = world.given.database((db) =>
      db.prepare('SELECT hash FROM ledger WHERE seq = ?').pluck().get(receipt.ledgerHead.seq),
    )
    expect(receipt.ledgerHead.hash).toBe((hash as Buffer).toString('hex'))
    for (const file of receipt.files)
      if (file.outcome === 'taken') {
        const entry = world.given.ledger().find(({ seq }) => seq === file.ledgerSeq)
        expect(entry).toMatchObject({ action: 'resource.completed', sha256: file.sha256 })
      }
  })

  it('a session that is not over has no receipt, and callers without the policy read none of it', async () => {
    world = await dockWorld()
    expect((await world.get('/session/1/receipt/receipt.json')).json.ErrorCode).toBe('DockSessionNotFound')
    world.camera('bay-1', { serial: 'A3', recordings: [1] }).plugIn()
    await world.reached('bay-1', 'released')
    for (const place of ['/session', '/session/1', '/session/1/file', '/session/1/receipt/receipt.json'])
      expect([place, (await world.given.call('GET', `${DOCK}${place}`)).status]).toEqual([place, 403])
  })
})

/** Files with an attempt that was counted against the card: none because the card was gone (S19). */
const filesBlamed = (): unknown =>
  world.given.database((db) => db.prepare('SELECT count(*) FROM dock_files WHERE attempts > 0').pluck().get())

describe('a camera that is pulled', () => {
  it('half-way and reinserted continues with the files that are left, and each is stored once', async () => {
    world = await dockWorld({ dockLanes: 1 })
    const camera = world.camera('bay-1', { serial: 'B1', bytes: 3_000_000 })
    camera.plugIn()
    await world.until(async () => {
      const [one] = await world.sessions()
      return one?.State === 'copying' && one.FilesDone >= 2
    }, 'two copied files')
    camera.pull()
    const pulled = await world.reached('bay-1', 'pulled')
    expect(pulled).toMatchObject({ Before: 'copying', Problems: 0 })
    expect(pulled.FilesDone).toBeGreaterThanOrEqual(2)
    expect(pulled.FilesDone).toBeLessThan(12)
    expect(filesBlamed()).toBe(0)
    expect((await world.wall())[0]).toMatchObject({ State: 'pulled', Present: false, SafeToTake: false })
    camera.plugIn()
    const done = await world.reached('bay-1', 'released')
    expect(done).toMatchObject({ DockSessionId: pulled.DockSessionId, Rounds: 2, FilesDone: 12, Problems: 0 })
    const files = await world.filesOf(done.DockSessionId)
    expect(files.filter((one) => one.Outcome === 'taken')).toHaveLength(12)
    const resources = world.given.database((db) =>
      db.prepare("SELECT count(*) FROM resources WHERE role = 'original'").pluck().get(),
    )
    expect(resources).toBe(12)
    expect(world.entries('dock.pulled')).toHaveLength(1)
    expect(world.entries('dock.resumed')).toHaveLength(1)
    expect(await world.sessions()).toHaveLength(1)
  })

  it('and put into another bay is recognised by its device', async () => {
    world = await dockWorld({ dockLanes: 1 })
    const camera = world.camera('bay-1', { serial: 'B2', bytes: 3_000_000, recordings: [6] })
    camera.plugIn()
    await world.until(async () => {
      const [one] = await world.sessions()
      return one?.State === 'copying' && one.FilesDone >= 1
    }, 'a copied file')
    camera.pull()
    await world.reached('bay-1', 'pulled')
    expect(filesBlamed()).toBe(0)
    // As another mount would be: the same files in a folder that was made anew.
    execFileSync('cp', ['-a', camera.at, path.join(world.root, '.bay-7')])
    execFileSync('mv', [path.join(world.root, '.bay-7'), path.join(world.root, 'bay-7')])
    const done = await world.reached('bay-7', 'released')
    expect(done).toMatchObject({ Rounds: 2, FilesDone: 6, Problems: 0 })
    expect(await world.sessions()).toHaveLength(1)
    expect(world.entries('dock.resumed')[0]?.detail).toMatchObject({ bay: 'bay-7', insteadOf: expect.any(String) })
  })

  it('after its release and docked again has everything here already, and nothing twice', async () => {
    world = await dockWorld()
    const camera = world.camera('bay-1', { serial: 'B3' })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    camera.plugIn()
    const second = await world.until(
      async () =>
        (await world.sessions()).find((one) => one.DockSessionId !== first.DockSessionId && one.State === 'released'),
      'a second release',
    )
    const files = await world.filesOf(second.DockSessionId)
    expect(files.filter((one) => one.Outcome === 'here')).toHaveLength(12)
    // The second time is an event of its own in the custody of each file.
    expect(world.entries('dock.fileHere')).toHaveLength(12)
    expect(world.given.database((db) => db.prepare('SELECT count(*) FROM evidence').pluck().get())).toBe(3)
  })
})

describe('S12 a volume that lies', () => {
  it('is read where it is one, and everything else on it is reported: a link, a pipe, a file that grows', async () => {
    world = await dockWorld()
    const camera = world.camera('bay-1', { serial: 'C1', recordings: [2] })
    const media = path.join(camera.at, 'media')
    symlinkSync('/', path.join(media, 'root'))
    symlinkSync('/etc/hostname', path.join(media, 'R9_1.mp4'))
    execFileSync('mkfifo', [path.join(media, 'R9_2.mp4')])
    const growing = path.join(media, 'R9_3.mp4')
    writeFileSync(growing, Buffer.alloc(4_000_000, 7))
    const timer = setInterval(() => appendFileSync(growing, Buffer.alloc(50_000, 7)), 5)
    try {
      camera.plugIn()
      // Its name changed with the folder's, and it goes on growing under the new one.
      clearInterval(timer)
      const moved = path.join(camera.at, 'media', 'R9_3.mp4')
      const growth = setInterval(() => appendFileSync(moved, Buffer.alloc(50_000, 7)), 5)
      try {
        const session = await world.reached('bay-1', 'released')
        const files = new Map((await world.filesOf(session.DockSessionId)).map((one) => [one.Path, one]))
        expect(files.get('media/R1_1.mp4')?.Outcome).toBe('taken')
        expect(files.get('media/R1_2.mp4')?.Outcome).toBe('taken')
        expect(files.get('media/root')).toMatchObject({ Outcome: 'foreign', Reason: expect.stringContaining('link') })
        expect(files.get('media/R9_1.mp4')).toMatchObject({
          Outcome: 'foreign',
          Reason: expect.stringContaining('link'),
        })
        expect(files.get('media/R9_2.mp4')).toMatchObject({
          Outcome: 'foreign',
          Reason: expect.stringContaining('pipe'),
        })
        expect(files.get('media/R9_3.mp4')).toMatchObject({ Outcome: 'failed', Reason: expect.stringMatching(/\w/) })
        expect(session).toMatchObject({ Problems: 1, FilesDone: 3 })
        expect(world.entries('dock.fileFailed')).toHaveLength(1)
        expect(camera.left()).toHaveLength(6)
      } finally {
        clearInterval(growth)
      }
    } finally {
      clearInterval(timer)
    }
  })

  it('and is no camera is left alone', async () => {
    world = await dockWorld()
    const folder = path.join(world.root, '.stick')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'letter.txt'), 'Dear Sir')
    execFileSync('mv', [folder, path.join(world.root, 'stick')])
    const session = await world.reached('stick', 'refused')
    expect(session).toMatchObject({ Files: 0, Reason: expect.stringMatching(/\w/) })
    expect(world.given.database((db) => db.prepare('SELECT count(*) FROM evidence').pluck().get())).toBe(0)
    expect(world.entries('dock.refused')).toHaveLength(1)
    expect((await world.wall())[0]).toMatchObject({ State: 'refused', SafeToTake: true })
  })
})
