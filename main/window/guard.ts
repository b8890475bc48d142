/** What no page gets, whatever it asks: other origins, windows of its own, permissions, devices, the network outside (docs/guarantees.md, Electron). */
import { app, type Session, shell, type WebContents } from 'electron'
import { judgeAddress, mayRequest, originOf } from './addresses.ts'

/** Writing to the clipboard on a person's act, and a player that fills the screen. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen'])

export interface SessionGuard {
  /** The station's origin. */
  readonly station: string
  /** Origin of a configured map server. */
  readonly tiles: string | null
}

/** Permissions, network and devices of the one session there is. Before the first window. */
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
  // The page's policy says the same; this holds for pages that have lost theirs.
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayRequest(details.url, station, tiles) }))
}

export interface ContentsGuard {
  readonly station: string
  /** Shows an address of the station in a window of ours. */
  readonly openWindow: (url: string) => void
}

/** Every page that ever comes to be in this program, whoever made it. */
export function guardContents({ station, openWindow }: ContentsGuard): void {
  app.on('web-contents-created', (_event, contents) => guardOne(contents, station, openWindow))
}

function guardOne(contents: WebContents, station: string, openWindow: (url: string) => void): void {
  const outside = (url: string): void => {
    if (judgeAddress(url, station) === 'outside') void shell.openExternal(new URL(url).href)
  }
  // Of any frame; the whole page's own navigations come here too.
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
