import type { Settings } from '../config/settings.ts'
import { loopbackOrigins } from '../http/middleware/host.ts'
import type { Addresses } from '../features/identity/tokens/tokens.service.ts'

/** Where the station answers. The port is known only once it is bound, so everything here is asked at each use. */
export interface StationAddresses {
  bound(port: number): void
  loopbackUrl(): string
  /** Every origin that a request's Host may name, at the listener on loopback or at that of the LAN; nothing else is answered. */
  origins(secure: boolean): string[]
  forTokens(): Addresses
}

/** @param lan every origin of the LAN's listener; none while it is off. */
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
