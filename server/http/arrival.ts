/** Tells whether a request came from this machine, through a proxy, or over the network. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Arrival } from '../kernel/ledger/call.ts'
import { LOOPBACK_NETWORKS, plainAddress, withinNetworks } from '../platform/network/networks.ts'

/** Headers that proxies add. Browsers and clients that connect to the station directly never send them. */
const PROXY_HEADERS = [
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
 * A connection from loopback is `local` only at the listener on loopback (the one without TLS), and only when no proxy can be in between.
 * A header can only take privileges away, never give one.
 * @param publicUrlIsForeign a proxy on this machine is expected; some proxies add no header
 */
export function arrivalOf(req: Pick<IncomingMessage, 'socket' | 'headers'>, publicUrlIsForeign: boolean): Arrival {
  const forwarded = PROXY_HEADERS.some((name) => req.headers[name] !== undefined)
  const loopback = isLoopbackAddress(req.socket.remoteAddress ?? '')
  if (forwarded || (loopback && publicUrlIsForeign)) return 'proxied'
  return loopback && !('encrypted' in req.socket) ? 'local' : 'network'
}

/**
 * The address of the client that a configured proxy names in X-Forwarded-For: the last one in it that is no proxy itself. What stands before
 * it was written by the client and is not believed. Null for every other connection, and where the header is missing or names no address.
 * @param isProxy whether an address is one of the configured proxies
 */
export function forwardedSource(
  req: Pick<IncomingMessage, 'socket' | 'headers'>,
  isProxy: (address: string) => boolean,
): string | null {
  if (!isProxy(req.socket.remoteAddress ?? '')) return null
  const hops = [req.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',')
  for (const hop of hops.toReversed()) {
    const address = plainAddress(hop.trim())
    if (isIP(address) === 0) return null
    if (!isProxy(address)) return address
  }
  return null
}

/** Whether the configured public address has another host than loopback. A proxy then stands in front of the station. */
export function isForeignUrl(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false
  const { hostname } = new URL(publicUrl)
  return hostname !== 'localhost' && !isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}
