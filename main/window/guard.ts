/** Denies all pages: other origins, own windows, permissions, devices, and the outside network (docs/guarantees.md, Electron). */
import { app, type Session, shell, type WebContents } from 'electron'
import { judgeAddress, mayRequest, originOf } from './addresses.ts'

/** Allowed permissions: writing to the clipboard after a user gesture, and full screen for the player. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen'])

export interface SessionGuard {
  /** The station's origin. */
  readonly station: string
  /** Origin of a configured map server. */
  readonly tiles: string | null
}

/** Sets permissions, network and devices of the only session; to be called before the first window. */
export function guardSession(session: Session, { station, tiles }: SessionGuard): void {
  const may = (permission: string, origin: string | undefined): boolean =>
    ALLOWED.has(permission) && originOf(origin ?? '') === station
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(details.isMainFrame && may(permission, details.requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => may(permission, origin))
  session.setDevicePermissionHandler(() => false)
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}))
  session.setSpellCheckerEnabled(false)
  // The Content-Security-Policy of the page forbids this too; this also covers pages without one.
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayRequest(details.url, station, tiles) }))
}

export interface ContentsGuard {
  readonly station: string
  /** Opens an address of the station in a window of the program. */
  readonly openWindow: (url: string) => void
}

/** Guards every page that is created in this program. */
export function guardContents({ station, openWindow }: ContentsGuard): void {
  app.on('web-contents-created', (_event, contents) => guardPage(contents, station, openWindow))
}

function guardPage(contents: WebContents, station: string, openWindow: (url: string) => void): void {
  const outside = (url: string): void => {
    if (judgeAddress(url, station) === 'outside') void shell.openExternal(new URL(url).href)
  }
  // For all frames, including the main frame.
  contents.on('will-frame-navigate', (details) => {
    if (judgeAddress(details.url, station) === 'stay') return
    details.preventDefault()
    if (details.isMainFrame) outside(details.url)
  })
  contents.on('will-redirect', (details) => {
    if (judgeAddress(details.url, station) !== 'stay') details.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (judgeAddress(url, station) === 'stay') openWindow(url)
    else outside(url)
    return { action: 'deny' }
  })
}
