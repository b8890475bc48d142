/** How windows and the program end: into the tray, drained, crashed, refused; and where a window comes back. */
// @module-tag merge
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startStation, temporaryFolder } from '../support/station.ts'
import { QUICK_CHROMIUM, type Shell, type ShellOptions, startShell } from './shell.ts'
import { aClip, endlessTools, ingest, readyz } from './station.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
const shells: Shell[] = []

beforeEach(async () => {
  folder = await temporaryFolder('desktop')
  data = path.join(folder.dir, 'evidence')
})
afterEach(async () => {
  for (const shell of shells.splice(0)) await shell.end()
  await folder.dispose()
})

const start = async (options: Pick<ShellOptions, 'args' | 'env'> = {}): Promise<Shell> => {
  const { args = [], env = {} } = options
  const shell = await startShell({
    userData: folder.dir,
    args: ['--data', data, ...args],
    env: { ...QUICK_CHROMIUM, ...env },
  })
  shells.push(shell)
  return shell
}

/** A program whose station works on something that does not end. */
const atWork = async (): Promise<Shell> => {
  const tools = endlessTools(folder.dir)
  const shell = await start({ env: { SALLYPORT_TOOL_FOLDERS: tools, SALLYPORT_DRAIN_SECONDS: '1' } })
  await shell.url()
  await shell.page()
  ingest(data, aClip(folder.dir))
  await shell.until(({ tray }) => tray?.tip.includes('1 job running'))
  return shell
}

/** What the ledger says last, the newest first: a station that was drained says so, and signs for it. */
function lastActs(): string[] {
  const db = new Sqlite(path.join(data, 'sallyport.db'), { readonly: true })
  try {
    const bodies = db.prepare('SELECT body FROM ledger ORDER BY seq DESC LIMIT 2').pluck().all() as Uint8Array[]
    return bodies.map((body) => (JSON.parse(Buffer.from(body).toString()) as { action: string }).action)
  } finally {
    db.close()
  }
}
const DRAINED = ['checkpoint.signed', 'station.stopped']

describe('closing the window', () => {
  test('puts it into the tray with a word the first time; the station goes on; the tray brings it back', async () => {
    const shell = await start()
    const url = await shell.url()
    await shell.page()
    for (const expected of [1, 1]) {
      await shell.act('closeWindow')
      const { notes } = await shell.until((now) => now.windows[0]?.visible === false && now)
      expect(notes.map(({ title }) => title)).toEqual(Array(expected).fill('Sallyport is still running'))
      expect(await readyz(url)).toBe('ready')
      await shell.act('clickTray')
      await shell.until(({ windows }) => windows[0]?.visible)
    }
  })

  test('while work runs it is said, and can be taken back; the work goes on', async () => {
    const shell = await atWork()
    await shell.act('clickMenu', 'File', 'Close window')
    const question = await shell.until(({ asked }) => asked[0])
    expect(question.options).toMatchObject({
      message: 'The station has 1 job running.',
      detail: 'It continues with the window closed. Sallyport stays in the tray; open it there.',
      buttons: ['Close the window', 'Cancel'],
    })
    await shell.act('answer', { response: 1 })
    expect((await shell.state()).windows[0]?.visible).toBe(true)
    await shell.act('closeWindow')
    await shell.until(({ asked }) => asked[0])
    await shell.act('answer', { response: 0 })
    await shell.until(({ windows }) => windows[0]?.visible === false)
    expect((await shell.state()).tray?.tip).toContain('1 job running')

    // Quitting asks as well, and what was under way is taken up again.
    await shell.act('clickTray', 'Quit Sallyport')
    const quit = await shell.until(({ asked }) => asked[0])
    expect(quit.options).toMatchObject({ message: 'Quit while 1 job is running?', buttons: ['Keep running', 'Quit'] })
    await shell.act('answer', { response: 0 })
    expect(await readyz(await shell.url())).toBe('ready')
    await shell.act('clickTray', 'Quit Sallyport')
    await shell.until(({ asked }) => asked[0])
    await shell.act('answer', { response: 1 })
    expect(await shell.ended).toEqual({ code: 0, signal: null })
    expect(lastActs()).toEqual(DRAINED)
  })

  test('in French, as the system is', async () => {
    const shell = await start({ args: ['--lang=fr-CA'] })
    await shell.page()
    const tray = await shell.until(({ tray: now }) => (now?.tip.includes('prête') ? now : null))
    expect(tray.menu.map(({ label }) => label).filter((label) => label !== undefined)).toEqual([
      'Ouvrir Sallyport',
      'La station est prête',
      'Aucun traitement en cours',
      'Quitter Sallyport',
    ])
    await shell.act('closeWindow')
    await shell.until(({ notes }) => notes[0]?.title === 'Sallyport est toujours en marche')
  })

  test('ends the program where there is no tray', async () => {
    const shell = await start({ args: ['--no-tray'] })
    await shell.page()
    await shell.act('closeWindow')
    expect(await shell.ended).toEqual({ code: 0, signal: null })
    expect(lastActs()).toEqual(DRAINED)
  })
})

describe('quitting', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s drains the station and ends with 0, unasked', async (name) => {
    const shell = await start()
    await shell.url()
    shell.signal(name)
    expect(await shell.ended).toEqual({ code: 0, signal: null })
    expect(lastActs()).toEqual(DRAINED)
  })

  test('the page and the system may ask for it', async () => {
    const byPage = await start()
    await (await byPage.page()).evaluate('void window.sallyport.quit()')
    expect(await byPage.ended).toEqual({ code: 0, signal: null })
    expect(lastActs()).toEqual(DRAINED)
    const bySystem = await start()
    await bySystem.url()
    await bySystem.act('shutDown')
    expect(await bySystem.ended).toEqual({ code: 0, signal: null })
    expect(lastActs()).toEqual(DRAINED)
  })
})

describe('a window that', { tags: ['merge'] }, () => {
  test('crashes comes back with a word; again and again, the person is asked', async () => {
    const shell = await start()
    const url = await shell.url()
    for (const times of [1, 2]) {
      const page = await shell.page()
      await page.goto('chrome://crash').catch(() => {})
      await shell.until(({ notes }) => notes.length === times)
      expect((await shell.state()).notes[0]?.title).toBe('The window stopped and was opened again')
    }
    await (await shell.page()).goto('chrome://crash').catch(() => {})
    const question = await shell.until(({ asked }) => asked[0])
    expect(question.options.message).toBe('The window stops again and again.')
    expect(question.options.detail).toContain(url)
    await shell.act('answer', { response: 0 })
    expect(await (await shell.page()).title()).not.toBe('')
  })

  test('hangs is waited for or opened anew', async () => {
    const shell = await start()
    await shell.page()
    await shell.act('hang')
    expect((await shell.until(({ asked }) => asked[0])).options).toMatchObject({
      message: 'The window does not answer.',
      buttons: ['Wait', 'Open it again'],
    })
    await shell.act('answer', { response: 1 })
    await shell.until(({ notes }) => notes[0]?.title === 'The window stopped and was opened again')
  })

  test('was moved opens there again; on a screen that is gone, on one that is there', async () => {
    const bounds = { x: 2000, y: 100, width: 1100, height: 700 }
    const two = '--screens=1920x1040+0+0,1280x1024+1920+0'
    const first = await start({ args: [two] })
    await first.page()
    await first.act('placeWindow', bounds)
    await first.end()
    expect(JSON.parse(readFileSync(path.join(folder.dir, 'window.json'), 'utf8'))).toMatchObject({ place: bounds })
    const again = await start({ args: [two] })
    await again.url()
    expect((await again.until(({ windows }) => windows[0])).bounds).toEqual(bounds)
    await again.end()
    const alone = await start({ args: ['--screens=1280x700+0+0'] })
    await alone.url()
    expect((await alone.until(({ windows }) => windows[0])).bounds).toEqual({ x: 90, y: 0, width: 1100, height: 700 })
  })
})

describe('a start that fails is told in words, tried again, and ends with 3', { tags: ['merge'] }, () => {
  const told = async (shell: Shell): Promise<{ message?: string; detail?: string }> => {
    const { options } = await shell.until(({ asked }) => asked[0])
    expect(options['buttons']).toEqual(['Try again', 'Quit'])
    return options
  }
  const giveUp = async (shell: Shell): Promise<void> => {
    await shell.act('answer', { response: 1 })
    expect(await shell.ended).toEqual({ code: 3, signal: null })
  }

  test('another station is at work in the folder; once it has ended, trying again opens the window', async () => {
    const other = await startStation({ data })
    const shell = await start()
    const { message, detail } = await told(shell)
    expect([message, detail]).toEqual(['Another station is using this folder.', expect.stringContaining(data)])
    await other.stop()
    await shell.act('answer', { response: 0 })
    await shell.page()
  })

  test('the port is taken: which', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
    const { port } = server.address() as AddressInfo
    try {
      const shell = await start({ args: ['--port', String(port)] })
      const { message, detail } = await told(shell)
      expect([message, detail]).toEqual([`Port ${port} is taken.`, expect.stringContaining(`127.0.0.1:${port}`)])
      await giveUp(shell)
      expect(shell.output()).toContain(`Port ${port} is taken.`)
    } finally {
      server.close()
    }
  })

  test('the database is newer, or damaged, or a setting cannot be used', async () => {
    mkdirSync(data)
    const db = new Sqlite(path.join(data, 'sallyport.db'))
    db.pragma('user_version = 9999')
    db.close()
    const newer = await start()
    expect((await told(newer)).message).toBe('This station was used with a newer Sallyport.')
    await giveUp(newer)

    writeFileSync(
      path.join(data, 'sallyport.db'),
      'no database at all, and long enough to be read as one. '.repeat(100),
    )
    const damaged = await start()
    expect((await told(damaged)).message).toBe('The station’s database cannot be read.')
    await giveUp(damaged)

    const setting = await start({ env: { SALLYPORT_DERIVE_LANES: 'many' } })
    const { message, detail } = await told(setting)
    expect([message, detail]).toEqual([
      'Some settings cannot be used.',
      expect.stringContaining('SALLYPORT_DERIVE_LANES'),
    ])
    await giveUp(setting)
  })
})
