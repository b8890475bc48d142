/** The one Chromium behind all windows of the stand-in, and the pages in it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Download, type Frame, type Page } from 'playwright-core'
import { refuse } from './parts.ts'
import { mayRequest } from './services.ts'

/** What a page tells the doubles. */
export interface PageEvents {
  mayNavigate(url: string, redirected: boolean, isMainFrame: boolean): boolean
  opensWindow(url: string): void
  invoked(frame: Frame, channel: string, argument: unknown): Promise<unknown>
  crashed(): void
  downloads(download: Download): void
}

/** `programmatic`: the next navigation is the program's own, about which Electron asks nobody. */
export type StandInPage = { readonly page: Page; programmatic: boolean }

let context: BrowserContext | null = null
let portFile = ''
let opening: Promise<unknown> = Promise.resolve()

export async function startChromium(userData: string): Promise<void> {
  portFile = join(userData, 'chromium/DevToolsActivePort')
  context = await chromium.launchPersistentContext(join(userData, 'chromium'), {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    viewport: null,
    // Signals are the program's to answer.
    handleSIGINT: false,
    handleSIGTERM: false,
    downloadsPath: join(userData, 'downloads'),
    // Electron asks before a window comes to be; here none ever does.
    args: [
      '--remote-debugging-port=0',
      '--block-new-web-contents',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  // Electron asks before a window comes to be. Chromium makes it first: it gets nothing to load.
  await context.route('**/*', (route) => route.abort().catch(() => {}))
}
/** Chromium is not taken away under a page that is being made. */
export const stopChromium = (): Promise<unknown> => opening.then(() => context?.close())

/** Where a test connects to the same pages. */
export const debugAddress = (): string | null =>
  existsSync(portFile) ? `http://127.0.0.1:${readFileSync(portFile, 'utf8').split('\n', 1)[0]}` : null

/**
 * Unlike in the true runtime the preload runs in the page's own world, but what it was given stays in a closure, and what it lends the
 * page is copied as there: functions become asynchronous ones over clones, the object is frozen.
 */
const aroundPreload = (preload: string): string => `{
  const invoke = window.__electronInvoke
  delete window.__electronInvoke
  const copied = (value) => async (...args) => structuredClone(await value(...structuredClone(args)))
  const ipcRenderer = { invoke: async (...message) => JSON.parse(await invoke(JSON.stringify(message))) }
  const exposeInMainWorld = (name, api) => Object.defineProperty(window, name, {
    value: Object.freeze(Object.fromEntries(Object.entries(api).map(([key, value]) => [key, copied(value)]))),
  })
  const require = (name) => {
    if (name === 'electron') return { ipcRenderer, contextBridge: { exposeInMainWorld } }
    throw new Error('A sandboxed preload cannot load ' + name)
  }
  if (window === window.top) ((require, module, exports) => { ${preload}\n})(require, { exports: {} }, {})
}`

export function openPage(preload: string, events: PageEvents): Promise<StandInPage> {
  const made = preparePage(preload, events)
  opening = Promise.allSettled([opening, made])
  return made
}

async function preparePage(preload: string, events: PageEvents): Promise<StandInPage> {
  if (context === null) return refuse('has no window before ready')
  const page = context.pages().find((one) => one.url() === 'about:blank') ?? (await context.newPage())
  const made: StandInPage = { page, programmatic: true }
  const session = await context.newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  page.on('crash', events.crashed)
  page.on('download', events.downloads)
  // Closing lets a request go on that is still held back: it is aborted first.
  page.on('popup', (popup) => void setTimeout(() => popup.close().catch(() => {}), 300))
  session.on('Page.windowOpen', ({ url }) => events.opensWindow(url))
  session.on('Fetch.requestPaused', ({ requestId, request, resourceType, frameId, redirectedRequestId }) => {
    const isMainFrame = frameId === frameTree.frame.id
    const redirected = redirectedRequestId !== undefined
    let passes = true
    if (resourceType === 'Document') {
      if (made.programmatic && isMainFrame && !redirected) made.programmatic = false
      else passes = events.mayNavigate(request.url, redirected, isMainFrame)
    }
    passes &&= mayRequest(request.url)
    const done = passes
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    done.catch(() => {})
  })
  await page.route('**/*', (route) => route.continue().catch(() => {}))
  await session.send('Page.enable')
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  await page.exposeBinding('__electronInvoke', async ({ frame }, text: string) => {
    const [channel, argument] = JSON.parse(text) as [string, unknown]
    return JSON.stringify(await events.invoked(frame, channel, argument))
  })
  await page.addInitScript(aroundPreload(readFileSync(preload, 'utf8')))
  return made
}
