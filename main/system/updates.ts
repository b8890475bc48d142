/**
 * Newer programs, from the feed that was configured and nowhere else. Nothing is fetched or installed while the station works. Linux packages
 * carry no signature that the updater checks, so there a newer program is only announced; a person installs it after checking it.
 */
import type { ExtraLine } from './tray-template.ts'
import type { Words } from './messages.ts'

/** What is used of electron-updater. */
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
  /** `checksSignatures` of this platform. Without that nothing is fetched. */
  readonly signatureChecked: boolean
  readonly work: () => Promise<number>
  readonly words: Words
  readonly setExtra: (line: ExtraLine | null) => void
  readonly notify: (title: string, body: string) => void
  /** Drains the station, then ends the program by this act. */
  readonly leave: (act: () => void) => Promise<void>
  readonly report: (text: string, error: unknown) => void
}

/** Whether electron-updater checks the signature of what it fetched: on Windows and macOS alone. */
export const checksSignatures = (platform: NodeJS.Platform): boolean => platform === 'win32' || platform === 'darwin'

export interface Updates {
  /** One look: checks, fetches when nothing is at work, offers what was fetched. */
  look(): Promise<void>
}

export function createUpdates(deps: UpdatesDeps): Updates {
  const { updater, words, setExtra } = deps
  updater.autoDownload = false
  // A person says when; ending the program must never take longer for it.
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
    look: async () => {
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
