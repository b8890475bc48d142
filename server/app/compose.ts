/** Composes a station of all its features, before it listens. */
import { composeFeatures } from '../app.ts'
import { type CommandRunner, createCommands, refusingWhile, StationMoved } from '../commands.ts'
import { StationTampered } from '../features/integrity/verification/start-check.ts'
import { createMove } from './move/move.ts'
import type { App } from '../http/app.ts'
import { isForeignUrl } from '../http/begin.ts'
import { countBusy } from '../kernel/jobs/jobs.store.ts'
import type { Feature } from '../kernel/kernel.ts'
import type { Log } from '../platform/log/log.ts'
import { thisMachine } from '../platform/network/machine.ts'
import { advice } from './checks.ts'
import { createStationApp } from './http.ts'
import { openKernel, type Opened, type StationSettings } from './kernel.ts'
import { createLifecycle } from './lifecycle.ts'

export interface Station {
  readonly app: App
  readonly log: Log
  /** Sets the bound port, from which the addresses follow. */
  bound(port: number): void
  loopbackUrl(): string
  /** Seeds a new station and cleans up after an unclean end; to be called first. */
  prepare(): Promise<void>
  /** Records the start and starts jobs and features. Before it only the operations interface answers. */
  start(): Promise<void>
  command: CommandRunner
  /** Closes the LAN's listener, as `HttpServer.close`. */
  closeLan(millis: number): Promise<number>
  advice(): Promise<string[]>
  /** Address for creating the first administrator, with a new one-time token; null when there is one. */
  setupUrl(): Promise<string | null>
  /** Number of queued and running jobs. */
  work(): Promise<number>
  /** May be called at any stage. */
  stop(): Promise<void>
}

/**
 * @param onFailed called once when the disk failed under a commit or an fsync, or the data folder was replaced; the process must then end
 * @throws Error when a part cannot be opened; the parts opened before are then closed in reverse order
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
    // Open threads would keep the process alive.
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
    findGuest: features.findGuest,
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
    packages: features.packages,
    confined: media.tools.confined,
  })
  const behindProxy = isForeignUrl(settings.publicUrl)
  return {
    app: http.app,
    log,
    bound: (port) => {
      addresses.bound(port)
      kernel.nodes.listensAt(`${thisMachine().name}:${port}`)
    },
    loopbackUrl: addresses.loopbackUrl,
    prepare: async () => {
      if (tampered !== null) log.error(`ALARM: ${tampered}`)
      else if (mode.isRetired()) log.warn(mode.reason())
      else await lifecycle.prepare()
    },
    start: async () => {
      if (tampered === null && !mode.isRetired()) return lifecycle.start(() => (ready = true))
      // Read-only: no entries, checkpoints, jobs or cameras.
      ready = true
      await network.start?.()
    },
    stop: async () => {
      await http.close()
      await lifecycle.stop()
    },
    command: refusingWhile(
      () =>
        tampered !== null
          ? new StationTampered(tampered)
          : mode.isRetired()
            ? new StationMoved(mode.reason() ?? '')
            : null,
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
        forwarding: features.forwarding,
        packages: features.packages,
        exchange: features.exchange,
        disclosure: features.disclosureCommands,
        validation: features.validation,
        nodes: features.nodes.list,
        move: createMove(kernel, { retire: lifecycle.retire }),
        finishJobs: lifecycle.finishJobs,
        rotateTenantKey: features.keyStore.rotate,
      }),
    ),
    closeLan: network.close,
    advice: async () => [
      ...(await advice({
        users: identity.users,
        media: media.tools,
        mode,
        behindProxy: behindProxy && settings.proxies.length === 0,
      })),
      ...network.advice(),
    ],
    setupUrl: async () => {
      // Behind a proxy no caller is known to be at this machine. `setup` on the command line then creates the first administrator.
      const token = behindProxy ? null : await identity.sessions.setupToken()
      return token === null ? null : `${addresses.loopbackUrl()}/setup#token=${token}`
    },
    work: () => countBusy(db.read),
  }
}
