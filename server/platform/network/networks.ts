/** Parses networks in CIDR notation and tests whether an address is in one. Pure functions. */
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Networks that may connect to a station by default: RFC 1918, link-local, RFC 4193. */
export const PRIVATE_NETWORKS = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
] as const

export const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'] as const

export interface Network {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** @returns null for an invalid text. A single address is a network of one; bits beyond the prefix are cleared. */
export function readNetwork(text: string): Network | null {
  const match = /^([0-9A-Fa-f:.]{2,45})(?:\/(\d{1,3}))?$/.exec(text.trim())
  const address = match?.[1]
  if (address === undefined || isIP(address) === 0) return null
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bits = family === 'ipv4' ? 32 : 128
  const prefix = match?.[2] === undefined ? bits : Number(match[2])
  if (prefix > bits) return null
  const bytes = addressBytes(address).map((byte, index) => byte & maskByte(prefix, index))
  return { address: addressText(bytes), prefix, family }
}

export const networkText = ({ address, prefix }: Network): string => `${address}/${prefix}`

/** Big-endian mask of one byte of an address. */
export const maskByte = (prefix: number, index: number): number =>
  0xff & ~(0xff >> Math.max(0, Math.min(8, prefix - 8 * index)))

/** The 4 or 16 bytes of an address. @param address one that `isIP` accepts */
export function addressBytes(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number)
  const [head = '', tail] = withoutDots(address).split('::', 2)
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const first = groups(head)
  const last = tail === undefined ? [] : groups(tail)
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
  return all.flatMap((group) => [group >> 8, group & 0xff])
}

/** `::ffff:1.2.3.4` → `::ffff:102:304` */
function withoutDots(address: string): string {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address)
  if (dotted === null) return address
  const [a = 0, b = 0, c = 0, d = 0] = (dotted[2] as string).split('.').map(Number)
  return `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_none, index) =>
    (((bytes[2 * index] as number) << 8) | (bytes[2 * index + 1] as number)).toString(16),
  )
  // The short form of RFC 5952.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** Whether an address is in one of the networks. IPv4 addresses from a dual-stack socket count as IPv4. */
export function withinNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of networks) {
    const network = readNetwork(text)
    if (network !== null) list.addSubnet(network.address, network.prefix, network.family)
  }
  return (address) => {
    const plain = plainAddress(address)
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
  }
}

/** The address without the scope of a link-local one, and without the IPv6 prefix of an IPv4 one. */
export const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '')

/** The source for counting failures: an IPv4 address, the /64 network of an IPv6 address, or otherwise the text itself. */
export function sourceNetwork(source: string): string {
  const plain = plainAddress(source)
  if (isIP(plain) !== 6) return plain
  const { address, prefix } = readNetwork(`${plain}/64`) as Network
  return plain === '::1' ? plain : `${address}/${prefix}`
}
