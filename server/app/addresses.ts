import type { Settings } from '../config/settings.ts'
import { loopbackOrigins } from '../http/host.ts'
import type { Addresses } from '../features/identity/tokens/tokens.service.ts'

/** The station's addresses. The port is known only after it is bound, so callers must read these values at each use. */
export interface StationAddresses {
  bound(port: number): void
  loopbackUrl(): string
  /** All origins that a request's Host may name, at the loopback listener or at the LAN's (`secure`). Other hosts are refused. */
  origins(secure: boolean): string[]
  forTokens(): Addresses
}

/** @param lan all origins of the LAN's listener; none while it is off */
export function createAddresses(settings: Settings, lan: () => readonly string[]): StationAddresses {
  let port = settings.port
  const loopbackUrl = (): string => `http://${settings.host === '::1' ? '[::1]' : settings.host}:${port}`
  const issuer = (): string => settings.publicUrl ?? loopbackUrl()
  const origins = (secure: boolean): string[] => {
    if (secure) return [...new Set([...lan(), ...(issuer().startsWith('https:') ? [issuer()] : [])])]
    return [
      ...new Set([issuer(), ...loopbackOrigins(port), ...settings.hostNames.map((name) => `http://${name}:${port}`)]),
    ]
  }
  return {
    bound: (actual) => {
      port = actual
    },
    loopbackUrl,
    origins,
    forTokens: () => ({ issuer: issuer(), origins: [...new Set([...origins(false), ...origins(true)])] }),
  }
}
