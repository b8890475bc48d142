/** The program as a person has it before them: the built main/ in the stand-in, its own station, pages of real Chromium. */
// @module-tag merge
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readyz } from './station.ts'
import { type Shell, startShell } from './shell.ts'
import { temporaryFolder } from '../support/station.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let shell: Shell
let page: Page
let url: string
/** Somebody else's server on this machine, and what reached it. */
let foreign: Server
let foreignUrl: string
const reached: string[] = []

beforeAll(async () => {
  folder = await temporaryFolder('desktop')
  foreign = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.setHeader('Content-Type', 'text/html')
    response.end('<title>foreign</title>')
  })
  await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done))
  foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
  shell = await startShell({ userData: folder.dir })
  url = await shell.url()
  page = await shell.page()
})
afterAll(async () => {
  await shell?.end()
  foreign?.close()
  await folder?.dispose()
})

describe('boot', () => {
  test('the station runs in the program and answers everybody on this machine', async () => {
    expect(await readyz(url)).toBe('ready')
    expect(statSync(path.join(folder.dir, 'station/sallyport.db')).isFile()).toBe(true)
    expect(statSync(path.join(folder.dir, 'station/keys')).mode & 0o777).toBe(0o700)
  })

  test('a new station opens its one-time set-up link, on the same origin as a browser', async () => {
    // The page takes the token out of the address as soon as it has it.
    expect(page.url().split('#')[0]).toBe(`${url}/setup`)
    await shell.until(({ windows }) => windows[0]?.visible)
  })

  test('the tray says the state, once it was asked for', async () => {
    const tray = await shell.until(({ tray: now }) => (now?.tip.includes('ready') ? now : null))
    expect(tray.tip).toBe('Sallyport\nThe station is ready\nNo job running')
    expect(tray.picture).toMatch(/dist\/app\/icons\/tray\.png$/)
  })

  test('a second start shows the first window and ends by itself with 0', async () => {
    await shell.act('closeWindow')
    await shell.until(({ windows }) => windows[0]?.visible === false)
    const second = await startShell({ userData: folder.dir })
    expect(await second.ended).toEqual({ code: 0, signal: null })
    await shell.until(({ windows }) => windows.length === 1 && windows[0]?.visible)
  })
})

describe('what a page cannot do', () => {
  // Without the token, which the page takes out of its address once it has read it.
  const address = (): string => page.url().split('#')[0] as string
  const urlAfter = async (act: string): Promise<string> => {
    await page.evaluate(act)
    await new Promise((later) => setTimeout(later, 400))
    return address()
  }

  test('S7: leave for another origin, by its address, a form, a frame or a new window', async () => {
    const before = address()
    reached.length = 0
    expect(await urlAfter(`location.href = '${foreignUrl}/address'`)).toBe(before)
    expect(
      await urlAfter(
        `document.body.appendChild(Object.assign(document.createElement('a'), { href: '${foreignUrl}/link' })).click()`,
      ),
    ).toBe(before)
    await urlAfter(
      `{ const f = document.createElement('iframe'); f.src = '${foreignUrl}/frame'; document.body.append(f) }`,
    )
    await urlAfter(`fetch('${foreignUrl}/fetch').catch(() => {})`)
    await urlAfter(`window.open('${foreignUrl}/window')`)
    expect(address()).toBe(before)
    expect(reached).toEqual([])
    expect((await shell.state()).external).toEqual([])
  })

  test('open what is not on the list outside; what is, opens in the system’s browser and nowhere else', async () => {
    const before = address()
    await page.evaluate("window.open('https://www.openstreetmap.org/copyright')")
    expect(await shell.until(({ external }) => external[0])).toBe('https://www.openstreetmap.org/copyright')
    await page.evaluate("location.href = 'https://www.apache.org/licenses/LICENSE-2.0'")
    expect(await shell.until(({ external }) => external[1])).toBe('https://www.apache.org/licenses/LICENSE-2.0')
    await page.evaluate(
      "window.open('https://evil.test/'); window.open('file:///etc/passwd'); location.href = 'mailto:a@b'",
    )
    await new Promise((later) => setTimeout(later, 300))
    expect((await shell.state()).external).toHaveLength(2)
    expect(address()).toBe(before)
  })

  test('a page of the station opens in a further window of the program', async () => {
    await page.evaluate("window.open('/docs')")
    const docs = await shell.page('/docs')
    expect(await docs.title()).toBe('Sallyport interfaces')
    expect(await docs.evaluate('typeof window.sallyport')).toBe('object')
    await docs.close()
    await shell.until(({ windows }) => windows.length === 1)
  })

  test('have permissions beyond the clipboard it writes and a full screen', async () => {
    const state = (name: string): Promise<string> =>
      page.evaluate(
        (asked) => navigator.permissions.query({ name: asked as PermissionName }).then((one) => one.state),
        name,
      )
    expect(await state('clipboard-write')).toBe('granted')
    for (const name of ['geolocation', 'camera']) expect([name, await state(name)]).toEqual([name, 'denied'])
    const asked = await page.evaluate(
      () =>
        new Promise((done) =>
          navigator.geolocation.getCurrentPosition(
            () => done('given'),
            ({ code }) => done(code),
          ),
        ),
    )
    expect(asked).toBe(1)
  })

  test('see anything of Node or Electron', async () => {
    const seen = '[typeof require, typeof process, typeof module, typeof Buffer, typeof window.__electronInvoke]'
    expect(await page.evaluate(seen)).toEqual(Array(5).fill('undefined'))
    expect(await page.evaluate("Object.isFrozen(window.sallyport) && Reflect.set(window, 'sallyport', 1)")).toBe(false)
  })
})

describe('the bridge', () => {
  const ask = (call: string): Promise<unknown> =>
    page.evaluate(`window.sallyport.${call}.then((value) => ({ value }), (error) => ({ error: error.message }))`)

  test('refuses arguments that are not what its interface says, in words', async () => {
    expect(await ask("badge('many')")).toEqual({
      error: expect.stringMatching(/^That was not understood: .*expected number/s),
    })
    expect(await ask("notify({ title: 'x' })")).toEqual({ error: expect.stringContaining('body') })
    expect(await ask("reveal('/etc/passwd')")).toEqual({ error: 'Only a file that was saved from here can be shown.' })
    const { revealed, badge } = await shell.state()
    expect([revealed, badge]).toEqual([[], 0])
  })

  test('refuses a page of another origin, however it came into the window', async () => {
    await page.goto('about:blank')
    try {
      expect(await ask('badge(7)')).toEqual({ error: 'Only a page of this station may ask for that.' })
      expect((await shell.state()).badge).toBe(0)
    } finally {
      await page.goto(url)
    }
  })

  test('badge, notification, about, print', async () => {
    expect(await ask('badge(7)')).toEqual({ value: undefined })
    expect((await shell.state()).badge).toBe(7)
    expect(await ask("notify({ title: 'Copied', body: '3 files are safe.' })")).toEqual({ value: undefined })
    expect((await shell.state()).notes.at(-1)).toMatchObject({ title: 'Copied', body: '3 files are safe.' })
    // One at a time: whoever comes back finds no pile.
    expect(await ask("notify({ title: 'Sallyport', body: 'A case you follow changed' })")).toEqual({ value: undefined })
    expect((await shell.state()).notes.slice(-2).map(({ body, closed }) => [body, closed])).toEqual([
      ['3 files are safe.', true],
      ['A case you follow changed', false],
    ])
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await ask('about()')).toMatchObject({
      value: { name: 'Sallyport', version, node: process.versions.node, updateFeed: null },
    })
    expect(await ask("print({ landscape: true, paper: 'Letter' })")).toEqual({ value: { printed: true } })
    expect((await shell.state()).printed).toEqual([
      { silent: false, landscape: true, printBackground: true, pageSize: 'Letter' },
    ])
  })

  test('choosing files and folders: what the person chose, and nothing when they did not', async () => {
    const file = path.join(folder.dir, 'clip.mp4')
    writeFileSync(file, 'five!')
    mkdirSync(path.join(folder.dir, 'card'))
    const files = ask("chooseFiles({ title: 'Footage' })")
    const question = await shell.until(({ asked }) => asked[0])
    expect(question).toMatchObject({
      kind: 'open',
      options: { title: 'Footage', properties: ['openFile', 'multiSelections'] },
    })
    await shell.act('answer', { canceled: false, filePaths: [file, path.join(folder.dir, 'gone')] })
    expect(await files).toEqual({ value: [{ path: file, name: 'clip.mp4', size: 5, isDirectory: false }] })
    const folders = ask('chooseFolders()')
    await shell.until(({ asked }) => asked[0])
    await shell.act('answer', { canceled: false, filePaths: [path.join(folder.dir, 'card')] })
    expect(await folders).toMatchObject({ value: [{ name: 'card', size: 0, isDirectory: true }] })
    const none = ask('chooseFiles()')
    await shell.until(({ asked }) => asked[0])
    await shell.act('answer', { canceled: true, filePaths: [] })
    expect(await none).toEqual({ value: [] })
  })

  test('a download goes where the person says, is told, and only then can be shown', async () => {
    const save = async (name: string, answer: string): Promise<void> => {
      await page.evaluate(
        `document.body.appendChild(Object.assign(document.createElement('a'), { href: '/openapi.json', download: '${name}' })).click()`,
      )
      await shell.until(({ asked }) => asked[0]?.kind === 'save')
      await shell.act('answer', { filePath: answer })
    }
    const target = path.join(folder.dir, 'kept.json')
    await save('interfaces.json', '')
    await save('interfaces.json', target)
    const note = await shell.until(
      ({ notes }) => notes.findIndex(({ title }) => title === 'Saved: kept.json') + 1 || null,
    )
    expect(JSON.parse(readFileSync(target, 'utf8'))).toMatchObject({ openapi: expect.any(String) })
    expect(await ask('saved()')).toEqual({ value: [{ path: target, name: 'kept.json', size: statSync(target).size }] })
    await shell.act('clickNote', note - 1)
    expect(await ask(`reveal(${JSON.stringify(target)})`)).toEqual({ value: undefined })
    expect((await shell.state()).revealed).toEqual([target, target])
  })
})

describe('menu', () => {
  test('goes home, opens the interfaces beside, and says what it is', async () => {
    await shell.act('clickMenu', 'Help', 'Interfaces of this station')
    const docs = await shell.page('/docs')
    await docs.close()
    await shell.act('clickMenu', 'Help', 'About Sallyport')
    expect((await shell.state()).about).toBe(1)
    await page.goto(`${url}/somewhere`)
    await shell.act('clickMenu', 'Go', 'Home')
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 15_000 }).toBe('/')
    await shell.act('clickMenu', 'Go', 'Back')
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 15_000 }).toBe('/somewhere')
  })
})
