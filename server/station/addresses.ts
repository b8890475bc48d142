import type { Settings } from '../config/settings.ts'
import { loopbackOrigins } from '../http/middleware/host.ts'
import type { Addresses } from '../interfaces/tokens/tokens.service.ts'

/** Where the station answers. The port is known only once it is bound, so everything here is asked at each use. */
export interface StationAddresses {
  bound(port: number): void
  loopbackUrl(): string
  /** Every origin that a request's Host may name; nothing else is answered. */
  origins(): string[]
  forTokens(): Addresses
}

export function createAddresses(settings: Settings): StationAddresses {
  let port = settings.port
  const loopbackUrl = (): string => `http://${settings.host === '::1' ? '[::1]' : settings.host}:${port}`
  const issuer = (): string => settings.publicUrl ?? loopbackUrl()
  const origins = (): string[] => [
    ...new Set([issuer(), ...loopbackOrigins(port), ...settings.hostNames.map((name) => `http://${name}:${port}`)]),
  ]
  return {
    bound: (actual) => {
      port = actual
    },
    loopbackUrl,
    origins,
    forTokens: () => ({ issuer: issuer(), origins: origins() }),
  }
}
