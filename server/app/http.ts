/** The HTTP side of the station: its addresses, all routes, authorisation, and the pages of the window. */
import { Worker } from 'node:worker_threads'
import type { Settings } from '../config/settings.ts'
import type { dispatchFeature } from '../features/dispatch/index.ts'
import type { identityFeature } from '../features/identity/index.ts'
import type { Addresses } from '../features/identity/tokens/tokens.service.ts'
import { enabledMember } from '../features/identity/tokens/tokens.store.ts'
import { type App, BODY_MILLIS, createApp } from '../http/app.ts'
import { isForeignUrl } from '../http/begin.ts'
import { createBodyReader } from '../http/body.ts'
import { loopbackOrigins } from '../http/host.ts'
import { createMetrics } from '../http/metrics.ts'
import { operationsRoutes } from '../http/operations.ts'
import type { Mode } from '../http/ports.ts'
import { createSite } from '../http/static-files.ts'
import { lifecycleOfEvidence } from '../kernel/access/access.store.ts'
import type { Feature, Kernel } from '../kernel/kernel.ts'
import { tenantByName } from '../kernel/tenant.ts'
import { VERSION } from '../openapi.ts'
import type { MediaTools } from '../platform/ffmpeg/media-tools.ts'
import { readSite, siteFolder } from '../platform/files/static-files.ts'
import { createAuthorize, type FindGuest } from './authorize.ts'
import { stationChecks } from './checks.ts'
import { registerIntegrityMetrics } from './integrity-metrics.ts'
import type { NetworkFeature } from './network.ts'
import { registerNodeMetrics } from './node-metrics.ts'
import { storageFault } from './refusals.ts'

interface Needs {
  readonly features: readonly Feature[]
  readonly addresses: StationAddresses
  readonly identity: Pick<ReturnType<typeof identityFeature>, 'tokens' | 'sessions'>
  readonly apiKeys: ReturnType<typeof dispatchFeature>['apiKeys']
  readonly findGuest: FindGuest
  readonly media: MediaTools
  readonly network: NetworkFeature
  /** Called for each request. */
  readonly atWork: () => void
  /** False until requests may be answered. */
  readonly isReady: () => boolean
}

export function createStationApp(kernel: Kernel, needs: Needs): { app: App; close: () => Promise<void> } {
  const { settings, db, ledger, mode, clock, log, access, store, isAdministrator, isInPolicy } = kernel
  const { identity, apiKeys, addresses } = needs
  const metrics = createMetrics()
  registerNodeMetrics(metrics.registry, kernel.nodes, kernel.node)
  registerIntegrityMetrics(metrics.registry, { db, clock, store })
  const routes = needs.features.flatMap((feature) => feature.routes ?? [])
  const httpMode = (): Mode => {
    if (!needs.isReady() || kernel.nodes.wrongClock() !== null) return 'not-ready'
    return mode.mayWrite() ? 'ready' : 'read-only'
  }
  const checks = stationChecks({ db, mode, nodes: kernel.nodes, media: needs.media, store })
  const bodies = createBodyReader(() => new Worker(new URL('../body.worker.ts', import.meta.url)))
  const described = routes.map(({ route }) => route)
  const app = createApp({
    routes: [...routes, ...operationsRoutes({ metrics, mode: httpMode, checks, routes: described, version: VERSION })],
    authorize: createAuthorize({
      tokens: identity.tokens,
      sessions: identity.sessions,
      findGuest: needs.findGuest,
      byApiKey: apiKeys.principalOf,
      apiKeyInQuery: settings.apiKeyInQuery,
      isAdministrator,
      isInPolicy,
      isEnabled: async ({ id }) => (await enabledMember(db.read, Number(id))) !== null,
      levelOnEvidence: async (principal, id) => {
        const lifecycle = await lifecycleOfEvidence(db.read, id)
        // Also for missing evidence: timing must not distinguish it from evidence without access (decisions 13).
        const level = await access.onEvidence(db.read, principal, id)
        return lifecycle === null ? null : { level, deleted: lifecycle === 'Deleted' }
      },
    }),
    ledger,
    database: db,
    station: {
      origins: addresses.origins,
      secretsKey: kernel.keys.secretsKey,
      mode: httpMode,
      whyRefused: () => kernel.nodes.wrongClock() ?? mode.reason(),
      tenant: tenantByName(settings.tenant),
      publicUrlIsForeign: isForeignUrl(settings.publicUrl),
      proxies: settings.proxies,
      clock,
      log,
      observe: (request) => {
        needs.atWork()
        metrics.observe(request)
        needs.network.observe(request)
      },
      bodies,
      translate: storageFault,
      mayShare: settings.apiKeyInQuery ? apiKeys.mayShare : async () => false,
      site: createSite({
        files: readSite(siteFolder()),
        tiles: settings.tileUrl === undefined ? null : new URL(settings.tileUrl).origin,
      }),
    },
    settings: { ...settings, bodyMillis: BODY_MILLIS },
  })
  return { app, close: bodies.close }
}

/**
 * At which address others open a link, and whether they can at all. The address that the caller uses goes first, since it is known to work.
 * @param lan origins of the LAN's listener; none while it is off
 */
export function outsideAddress(
  own: string,
  issuer: string,
  lan: readonly string[],
): { readonly Reachable: boolean; readonly Origin: string } {
  const [first] = lan.filter((origin) => !LOOPBACK.test(new URL(origin).hostname))
  const outside = isForeignUrl(issuer) ? issuer : first
  const Origin = lan.includes(own) && !LOOPBACK.test(new URL(own).hostname) ? own : (outside ?? own)
  return { Reachable: outside !== undefined, Origin }
}

const LOOPBACK = /^(localhost|127\.|\[::1\]$)/

/** The station's addresses. The port is known only after it is bound, so callers must read these values at each use. */
export interface StationAddresses {
  bound(port: number): void
  loopbackUrl(): string
  /** All origins that a request's Host may name, at the loopback listener or at the LAN's (`secure`). Other hosts are refused. */
  origins(secure: boolean): readonly string[]
  forTokens(): Addresses
}

/** @param lan all origins of the LAN's listener; none while it is off */
export function createAddresses(settings: Settings, lan: () => readonly string[]): StationAddresses {
  let port = settings.port
  const loopbackUrl = (): string => `http://${settings.host === '::1' ? '[::1]' : settings.host}:${port}`
  const issuer = (): string => settings.publicUrl ?? loopbackUrl()
  const withoutTls = (): string[] => [
    ...new Set([issuer(), ...loopbackOrigins(port), ...settings.hostNames.map((name) => `http://${name}:${port}`)]),
  ]
  // They change with the port alone, and each request asks for them.
  let plain = withoutTls()
  const origins = (secure: boolean): readonly string[] =>
    secure ? [...new Set([...lan(), ...(issuer().startsWith('https:') ? [issuer()] : [])])] : plain
  return {
    bound: (actual) => {
      port = actual
      plain = withoutTls()
    },
    loopbackUrl,
    origins,
    // Each token that is checked asks for the issuer; the origins are for the exchange alone.
    forTokens: () => ({
      issuer: issuer(),
      get origins() {
        return [...new Set([...origins(false), ...origins(true)])]
      },
    }),
  }
}
