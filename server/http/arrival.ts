/** How a request came in: from this very machine, through a proxy, or over the network. */
import type { IncomingMessage } from 'node:http'
import type { Arrival } from '../kernel/ledger/call.ts'
import { LOOPBACK_NETWORKS, withinNetworks } from '../platform/network/networks.ts'

/** Programs that pass requests on say so in one of these. No browser, and no client that speaks to the station itself, sends them. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
] as const

const isLoopbackAddress = withinNetworks(LOOPBACK_NETWORKS)

/**
 * A connection from loopback is `local` only at the listener on loopback, which is the one without TLS, and only where no proxy can stand
 * in between. A header can take privileges away and never gives one.
 * @param publicUrlIsForeign a proxy on this machine is expected, and not every proxy says that it is one
 */
export function arrivalOf(req: Pick<IncomingMessage, 'socket' | 'headers'>, publicUrlIsForeign: boolean): Arrival {
  const forwarded = FORWARDING.some((name) => req.headers[name] !== undefined)
  const loopback = isLoopbackAddress(req.socket.remoteAddress ?? '')
  if (forwarded || (loopback && publicUrlIsForeign)) return 'proxied'
  return loopback && !('encrypted' in req.socket) ? 'local' : 'network'
}

/** Whether the configured public address is of another name than loopback: then something stands in front of the station. */
export function isForeignUrl(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false
  const { hostname } = new URL(publicUrl)
  return hostname !== 'localhost' && !isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}
