/** Names and addresses of the station on the LAN, and addresses that may connect. Pure. */
import { isIP, isIPv4 } from 'node:net'
import { type Problem, fault } from '../../../shared/kernel/errors.ts'
import { isHostName } from '../../../shared/network/host-names.ts'
import type { Reach } from '../../platform/certificates/authority.ts'
import type { Machine } from '../../platform/network/machine.ts'
import {
  LOOPBACK_NETWORKS,
  networkText,
  plainAddress,
  PRIVATE_NETWORKS,
  readNetwork,
  withinNetworks,
} from '../../platform/network/networks.ts'
import type { LanChoice } from './lan.store.ts'
import type { LanSettings } from './ports.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const isLoopbackName = (name: string): boolean => LOOPBACK.includes(name)
/** IPv6 is heard only where all of it, or one such address, is listened at. */
const heard =
  (host: string) =>
  (address: string): boolean =>
    host === '::' || (host === '0.0.0.0' ? isIPv4(address) : address === host)

/** DNS names, those that people chose first. */
export const dnsNames = (choice: Pick<LanChoice, 'names'>, settings: LanSettings, machine: Machine): string[] => [
  ...new Set([...choice.names, ...settings.names, machine.localName, machine.name]),
]

export const addressesOf = (settings: LanSettings, machine: Machine): string[] =>
  machine.addresses.filter(heard(settings.host))

/** All valid values of `Host`, which certificates cover. */
export const namesOf = (choice: Pick<LanChoice, 'names'>, settings: LanSettings, machine: Machine): string[] => [
  ...new Set([
    ...dnsNames(choice, settings, machine),
    ...addressesOf(settings, machine),
    'localhost',
    ...['127.0.0.1', '::1'].filter(heard(settings.host)),
  ]),
]

/** The names for which a new CA may issue certificates. */
export const reachOf = (choice: Pick<LanChoice, 'names'>, settings: LanSettings, machine: Machine): Reach => ({
  names: [...new Set([...dnsNames(choice, settings, machine), 'localhost'])],
  networks: [...PRIVATE_NETWORKS, ...LOOPBACK_NETWORKS],
})

export const originOf = (name: string, port: number): string =>
  new URL(`https://${isIP(name) === 6 ? `[${name}]` : name}:${port}`).origin

/** Origins for other hosts, without loopback names. */
export const origins = (names: readonly string[], port: number): string[] =>
  names.filter((name) => !isLoopbackName(name)).map((name) => originOf(name, port))

export const networksOf = ({ allowed }: Pick<LanChoice, 'allowed'>): readonly string[] =>
  allowed.length === 0 ? PRIVATE_NETWORKS : allowed

/** Whether an address may connect: the station's own machine always, others while the LAN is on and the list allows it. */
export function admission(
  choice: Pick<LanChoice, 'enabled' | 'allowed'>,
  machine: Machine,
): (address: string) => boolean {
  const here = withinNetworks([...LOOPBACK_NETWORKS, ...machine.addresses])
  const listed = withinNetworks(networksOf(choice))
  return (address) => here(plainAddress(address)) || (choice.enabled && listed(plainAddress(address)))
}

/** @throws Fault InvalidModel with every entry that cannot be used; names in lower case, networks as everybody writes them, each once */
export function checked(given: {
  readonly Names?: readonly string[] | undefined
  readonly AllowList?: readonly string[] | undefined
}): Partial<Pick<LanChoice, 'names' | 'allowed'>> {
  const problems: Problem[] = []
  const names = given.Names?.map((text, index) => {
    const name = text.trim().toLowerCase().replace(/\.$/, '')
    if (!isHostName(name) || isLoopbackName(name))
      problems.push({
        Path: `Names[${index}]`,
        Message: 'must be a name such as evidence.example.org, without scheme or port',
      })
    return name
  })
  const allowed = given.AllowList?.map((text, index) => {
    const network = readNetwork(text)
    if (network === null)
      problems.push({ Path: `AllowList[${index}]`, Message: 'must be a network such as 10.20.0.0/16, or one address' })
    return network === null ? text : networkText(network)
  })
  if (problems.length > 0) throw fault('InvalidModel', 'Some of it cannot be used.', problems)
  return {
    ...(names === undefined ? {} : { names: [...new Set(names)] }),
    ...(allowed === undefined ? {} : { allowed: [...new Set(allowed)] }),
  }
}
