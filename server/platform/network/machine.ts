/** The name of this machine and its addresses on shared networks. */
import { hostname, networkInterfaces } from 'node:os'

export interface Machine {
  /** Lower case, with letters that DNS allows. */
  readonly name: string
  /** For mDNS. */
  readonly localName: string
  /** IPv4 first, without link-local IPv6, which URLs cannot contain. */
  readonly addresses: readonly string[]
}

/** Read on each call, since addresses change while the station runs (cables, DHCP). */
export function thisMachine(): Machine {
  const name = dnsName(hostname())
  const found = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const usable = found.filter(({ internal, address }) => !internal && !address.toLowerCase().startsWith('fe80:'))
  const of = (family: string): string[] => usable.filter((one) => one.family === family).map(({ address }) => address)
  return {
    name,
    localName: `${name.split('.', 1)[0]}.local`,
    addresses: [...new Set([...of('IPv4').sort(), ...of('IPv6').sort()])],
  }
}

function dnsName(text: string): string {
  const labels = text
    .toLowerCase()
    .split('.')
    .map((label) =>
      label
        .replaceAll(/[^a-z0-9-]/g, '-')
        .replaceAll(/^-+|-+$/g, '')
        .slice(0, 63),
    )
    .filter((label) => label !== '')
  return labels.length === 0 ? 'station' : labels.join('.')
}
