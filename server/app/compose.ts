/** A station of all its features, before it listens. */
import { composeFeatures } from '../app.ts'
import { type CommandRunner, createCommands, refusingWhile } from '../commands.ts'
import type { App } from '../http/app.ts'
import { isForeignUrl } from '../http/arrival.ts'
import { countBusy } from '../kernel/jobs/jobs.store.ts'
import type { Feature } from '../kernel/kernel.ts'
import type { Log } from '../platform/log/log.ts'
import { advice } from './checks.ts'
import { createStationApp } from './http.ts'
import { openKernel, type Opened, type StationSettings } from './kernel.ts'
import { createLifecycle } from './lifecycle.ts'

export interface Station {
  readonly app: App
  readonly log: Log
  /** The port that was bound; addresses follow from it. */
  bound(port: number): void
  loopbackUrl(): string
  /** Seeds a new station and puts right what an unclean end left; before anything else. */
  prepare(): Promise<void>
  /** Writes that it started, takes up its jobs. Before this nothing but operations is answered. */
  start(): Promise<void>
  command: CommandRunner
  /** The listener of the LAN, as `HttpServer.close`. */
  closeLan(millis: number): Promise<number>
  advice(): Promise<string[]>
  /** Where the first administrator is made, with a fresh one-time token; null when there is one. */
  setupUrl(): Promise<string | null>
  /** Jobs queued or running. */
  work(): Promise<number>
  /** Safe to call at any stage. */
  stop(): Promise<void>
}

/**
 * @param onFailed told once when the disk failed under a commit or an fsync, or the data folder was replaced: the process has to end.
 * @throws when a part cannot be made; then what was opened before it is closed again, the newest first
 */
export async function composeStation(
  settings: StationSettings,
  log: Log,
  onFailed: (reason: string) => void,
): Promise<Station> {
  const opened: Opened[] = []
  try {
    return await compose(settings, log, onFailed, opened)
  } catch (error) {
    // Threads that stay open would keep the process from ending.
    for (const part of opened.reverse())
      await part.close().catch((problem: unknown) => log.warn({ err: problem }, 'a part of the station did not close'))
    throw error
  }
}

async function compose(
  settings: StationSettings,
  log: Log,
  onFailed: (reason: string) => void,
  opened: Opened[],
): Promise<Station> {
  const list: Feature[] = []
  const kernel = await openKernel(settings, log, onFailed, opened, list)
  const { db, mode, tampered } = kernel
  let ready = false
  const features = composeFeatures(kernel, list, () => http.app)
  const { addresses, identity, integrity, media, network, uploads } = features
  const http = createStationApp(kernel, {
    features: list,
    addresses,
    identity,
    apiKeys: features.dispatch.apiKeys,
    media: media.tools,
    network,
    atWork: integrity.atWork,
    isReady: () => ready,
  })
  const lifecycle = createLifecycle({
    kernel,
    features: list,
    checkpoints: integrity.checkpoints,
    requireOwnBlobs: kernel.requireOwnBlobs,
    uploads: uploads.uploads,
    disposition: features.disposition,
    confined: media.tools.confined,
  })
  const behindProxy = isForeignUrl(settings.publicUrl)
  return {
    app: http.app,
    log,
    bound: addresses.bound,
    loopbackUrl: addresses.loopbackUrl,
    prepare: async () => {
      if (tampered === null) await lifecycle.prepare()
      else log.error(`ALARM: ${tampered}`)
    },
    start: async () => {
      if (tampered === null) return lifecycle.start(() => (ready = true))
      // Only to be looked at: no entry, no checkpoint, no job, no camera.
      ready = true
      await network.start?.()
    },
    stop: async () => {
      await http.close()
      await lifecycle.stop()
    },
    command: refusingWhile(
      tampered,
      createCommands({
        users: identity.users,
        people: identity.people,
        resetSecondStep: identity.sessions.account.reset,
        resetPasskeys: identity.sessions.passkeys.reset,
        ingest: uploads.ingest,
        placeInto: features.cases.links.placeInto,
        tenant: settings.tenant,
        verify: integrity.verify,
        integrity: integrity.commands,
        finishJobs: lifecycle.finishJobs,
        rotateTenantKey: features.keyStore.rotate,
      }),
    ),
    closeLan: network.close,
    advice: async () => [
      ...(await advice({ users: identity.users, media: media.tools, mode, behindProxy })),
      ...network.advice(),
    ],
    setupUrl: async () => {
      // Where a proxy may stand in front, nobody is known to be at this machine; `setup` makes the first administrator.
      const token = behindProxy ? null : await identity.sessions.setupToken()
      return token === null ? null : `${addresses.loopbackUrl()}/setup#token=${token}`
    },
    work: () => countBusy(db.read),
  }
}
