/** What the LAN needs of other parts; app.ts supplies it. */
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Credential } from '../../platform/certificates/authority.ts'

/** As server/http/lan-listener.ts has it. */
export interface Listener {
  prepare(
    at: { readonly host: string; readonly port: number },
    credential: Credential,
  ): Promise<{ readonly port: number; use(): void; discard(): Promise<void> }>
  port(): number | null
  setCertificate(credential: Credential): void
  close(millis: number): Promise<number>
  hosts(): readonly ListenerHost[]
  disconnect(address: string): number
  disconnectForbidden(): void
  refused(): { readonly connections: number; readonly last: string | null; readonly at: number | null }
}

export interface ListenerHost {
  readonly address: string
  readonly hostName: string | null
  readonly people: readonly Principal[]
  /** Milliseconds since 1970. */
  readonly since: number
  readonly lastRequestAt: number | null
  readonly lastRequest: string | null
  readonly connections: number
  readonly requests: number
  readonly underWay: number
  readonly received: number
  readonly sent: number
}

export interface LanSettings {
  readonly stationName: string
  /** Where it listens: an address of this machine, or all of them. */
  readonly host: string
  /** The port from the command line, which overrides the stored one; null when none was given. */
  readonly port: number | null
  /** Names given at the start, lower case. */
  readonly names: readonly string[]
  /** Turn it on as soon as there is an administrator (`--lan`). */
  readonly wanted: boolean
}
