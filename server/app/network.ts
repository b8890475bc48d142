/** The station on its network (decisions 10). */
import { isHostName } from '../../shared/network/host-names.ts'
import type { Feature, Kernel } from '../kernel/kernel.ts'
import type { App } from '../http/app.ts'
import { createLanListener } from '../http/lan-listener.ts'
import type { Observed } from '../http/begin.ts'
import { createCertificates } from '../features/network/certificates.ts'
import { lanRoutes } from '../features/network/lan.routes.ts'
import { createLan, thumbprints } from '../features/network/lan.service.ts'
import { origins as forOthers } from '../features/network/names.ts'
import { createAnnouncer } from '../platform/network/announce.ts'
import { thisMachine } from '../platform/network/machine.ts'

interface Needs {
  readonly hasAdministrator: () => Promise<boolean>
  readonly app: () => App
}

export interface NetworkFeature extends Feature {
  /** All origins of the LAN's listener; none while it is off. */
  origins(): string[]
  /** Thumbprints of the CA and the certificate, for an origin of the listener. */
  thumbprints(origin: string): readonly string[]
  observe(request: Observed): void
  start(): Promise<void>
  close(millis: number): Promise<number>
  /** Advice for the person at the terminal. */
  advice(): string[]
}

/** Milliseconds between two checks of the network addresses and for the first administrator. */
const CHECK_EVERY = 2_000

export function networkFeature(kernel: Kernel, needs: Needs): NetworkFeature {
  const { settings, db, ledger, keys, clock, log, mode } = kernel
  const publicUrl = settings.publicUrl === undefined ? null : new URL(settings.publicUrl)
  const lanSettings = {
    stationName: settings.stationName,
    host: settings.lanHost,
    port: settings.lanPort ?? null,
    names: [...settings.hostNames, ...(publicUrl?.protocol === 'https:' ? [publicUrl.hostname] : [])].filter(
      isHostName,
    ),
    wanted: settings.lan,
  }
  const certificates = createCertificates({ keys: keys.lan, clock, machineName: () => thisMachine().name })
  const announcer = createAnnouncer((error) => log.warn({ err: error }, 'the station could not be announced by mDNS'))
  const listener = createLanListener({
    listener: () => needs.app().listener,
    isAllowed: (address) => lan.mayCome(address),
    isOwnName: (host) => lan.origins().some((origin) => new URL(origin).host === host.toLowerCase()),
    now: clock.now,
  })
  const lan = createLan({
    db,
    ledger,
    clock,
    log,
    certificates,
    listener,
    announcer,
    machine: thisMachine,
    settings: lanSettings,
    hasAdministrator: needs.hasAdministrator,
    mayWrite: mode.mayWrite,
  })
  return {
    routes: lanRoutes({ lan, listener, certificates, announcer, settings: lanSettings, clock }),
    tasks: [{ name: 'the LAN', runsOn: 'every node', everyMs: CHECK_EVERY, run: lan.tick }],
    origins: lan.origins,
    thumbprints: (origin) => (lan.origins().includes(origin) ? thumbprints(certificates) : []),
    observe: listener.observe,
    start: lan.start,
    close: lan.close,
    advice: () => {
      const { row, problem } = lan.state()
      const [first] = lan.origins().filter((origin) => forOthers([new URL(origin).hostname], 1).length > 0)
      if (problem !== null) return [`The LAN is on, but the station cannot be reached there: ${problem}`]
      if (first !== undefined) return [`Other hosts reach the station at ${first}; they pair with it at ${first}/pair`]
      return settings.lan && !row.enabled ? ['The LAN is turned on as soon as there is an administrator.'] : []
    },
  }
}
