/** Session, IPC and downloads: what stands between pages and the program. */
import type { DownloadItem, IpcMain, IpcMainInvokeEvent, SaveDialogOptions, Session, WebRequest } from 'electron'
import { stat } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { ask, listening, preventable, refuse, refusing } from './parts.ts'

const events = listening('session', 'will-download')
let mayAskFor: Parameters<Session['setPermissionRequestHandler']>[0] = null
let mayHave: Parameters<Session['setPermissionCheckHandler']>[0] = null
let beforeRequest: (details: { url: string }, answer: (response: { cancel?: boolean }) => void) => void = () => {}

export const defaultSession = refusing('session', {
  on: events.on,
  setPermissionRequestHandler: (handler) => void (mayAskFor = handler),
  setPermissionCheckHandler: (handler) => void (mayHave = handler),
  // What the stand-in lacks can only be turned off.
  setDevicePermissionHandler: (handler) => void (handler?.({} as never) === false || refuse('has no devices')),
  setDisplayMediaRequestHandler: () => {},
  setSpellCheckerEnabled: (on) => void (on && refuse('has no spell checker')),
  setProxy: async ({ mode }) => void (mode === 'direct' || refuse('has no proxy')),
  webRequest: {
    onBeforeRequest: (handler: unknown) => void (beforeRequest = handler as never),
  } as unknown as WebRequest,
} satisfies Partial<Session>)

export function mayRequest(url: string): boolean {
  let passes = true
  beforeRequest({ url }, ({ cancel }) => void (passes = cancel !== true))
  return passes
}

/** Chromium's names of permissions, and Electron's. */
const PERMISSIONS = { geolocation: 'geolocation', camera: 'media', 'clipboard-write': 'clipboard-sanitized-write' }

/** Both handlers are asked as Electron asks them; Chromium then holds the page to the answer. */
export async function settlePermissions(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const [name, permission] of Object.entries(PERMISSIONS)) {
    const details = { isMainFrame: true, requestingUrl: `${origin}/` }
    let granted = mayHave?.(null, permission as never, origin, details as never) ?? true
    mayAskFor?.({} as never, permission as never, (yes) => void (granted &&= yes), details as never)
    const setting = granted ? 'granted' : 'denied'
    await session.send('Browser.setPermission', { origin, permission: { name }, setting })
  }
}

const calls = new Map<string, Parameters<IpcMain['handle']>[1]>()
export const ipcMain = refusing('ipcMain', {
  handle: (channel, listener) => {
    if (calls.has(channel)) refuse(`has a handler for ${channel} already`)
    calls.set(channel, listener)
  },
} satisfies Partial<IpcMain>)

export async function answerInvoke(channel: string, event: object, argument: unknown): Promise<unknown> {
  const handler = calls.get(channel) ?? refuse(`has no handler for ${channel}`)
  return handler(event as IpcMainInvokeEvent, argument)
}

/** As Electron: no path set by the program, so the person is asked; nothing chosen cancels. */
export async function downloadOf(download: Download): Promise<void> {
  const own = listening('DownloadItem', 'done')
  let options: SaveDialogOptions = {}
  let path = ''
  let size = 0
  const item = refusing('DownloadItem', {
    once: own.once,
    getURL: () => download.url(),
    getFilename: () => download.suggestedFilename(),
    getSavePath: () => path,
    getReceivedBytes: () => size,
    setSaveDialogOptions: (given) => void (options = given),
  } satisfies Partial<DownloadItem>)
  const event = preventable({})
  events.send('will-download', event, item)
  if (!event.prevented) path = (await ask<{ filePath: string }>('save', options)).filePath
  if (path === '') {
    await download.cancel()
    return void own.send('done', {}, 'cancelled')
  }
  const saved = await download.saveAs(path).then(
    () => stat(path),
    () => null,
  )
  size = saved?.size ?? 0
  own.send('done', {}, saved === null ? 'interrupted' : 'completed')
}
