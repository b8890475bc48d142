/**
 * Updates from the configured feed only. Nothing is downloaded or installed while the station works. The updater cannot check signatures of
 * Linux packages, so on Linux an update is only announced; a person checks and installs it.
 */
import type { ExtraLine } from './tray-template.ts'
import type { Words } from './messages.ts'

/** The used part of electron-updater. */
export interface Updater {
  autoDownload: boolean
  autoInstallOnAppQuit: boolean
  setFeedURL(feed: { provider: 'generic'; url: string }): void
  checkForUpdates(): Promise<{
    readonly updateInfo: { readonly version: string }
    readonly isUpdateAvailable: boolean
  } | null>
  downloadUpdate(): Promise<unknown>
  quitAndInstall(): void
}

export interface UpdatesDeps {
  readonly feed: string
  readonly updater: Updater
  /** `checksSignatures` of this platform. If false, nothing is downloaded. */
  readonly signatureChecked: boolean
  readonly work: () => Promise<number>
  readonly words: Words
  readonly setExtra: (line: ExtraLine | null) => void
  readonly notify: (title: string, body: string) => void
  /** Stops the station, then ends the program with this function. */
  readonly leave: (act: () => void) => Promise<void>
  readonly report: (text: string, error: unknown) => void
}

/** Whether electron-updater checks signatures of downloads: on Windows and macOS only. */
export const checksSignatures = (platform: NodeJS.Platform): boolean => platform === 'win32' || platform === 'darwin'

export interface Updates {
  /** Checks once; downloads an update when no work runs, and offers it. */
  check(): Promise<void>
}

export function createUpdates(deps: UpdatesDeps): Updates {
  const { updater, words, setExtra } = deps
  updater.autoDownload = false
  // Installed only on request; an update must not delay quitting.
  updater.autoInstallOnAppQuit = false
  updater.setFeedURL({ provider: 'generic', url: deps.feed })
  let ready: string | null = null
  let announced: string | null = null

  const announce = (version: string): void => {
    setExtra({ label: words('updateAvailable', { version }), click: null })
    if (announced === version) return
    announced = version
    deps.notify(words('updateAvailable', { version }), words('updateAvailableBody'))
  }
  const offer = (version: string): void =>
    setExtra({ label: words('updateReady', { version }), click: () => void install(version) })
  const install = async (version: string): Promise<void> => {
    if ((await deps.work()) > 0) {
      setExtra({ label: words('updateWaits', { version }), click: null })
      return
    }
    await deps.leave(() => updater.quitAndInstall())
  }
  return {
    check: async () => {
      if ((await deps.work()) > 0) return
      if (ready !== null) return offer(ready)
      try {
        const found = await updater.checkForUpdates()
        if (found === null || !found.isUpdateAvailable || (await deps.work()) > 0) return
        if (!deps.signatureChecked) return announce(found.updateInfo.version)
        await updater.downloadUpdate()
        ready = found.updateInfo.version
        offer(ready)
        deps.notify(words('updateReadyTitle', { version: ready }), words('updateReadyBody'))
      } catch (error) {
        deps.report('looking for a newer program failed', error)
      }
    },
  }
}
