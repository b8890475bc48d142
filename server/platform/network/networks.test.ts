import { describe, expect, it } from 'vitest'
import { networkText, PRIVATE_NETWORKS, readNetwork, withinNetworks } from './networks.ts'

describe('networks', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.168.7.200/25', '192.168.7.128/25'],
    ['192.168.7.4', '192.168.7.4/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['fd12:3456::1/32', 'fd12:3456::/32'],
    ['FE80::1', 'fe80::1/128'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.1', '::ffff:a00:1/128'],
    [' 10.0.0.0/8 ', '10.0.0.0/8'],
  ])('%s is %s', (given, text) => {
    const network = readNetwork(given)
    expect(network === null ? null : networkText(network)).toBe(text)
  })

  it.each([
    '',
    '10',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'office',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'fe80::1%eth0',
    '1.2.3.4/8/8',
  ])('%s is none', (text) => {
    expect(readNetwork(text)).toBeNull()
  })

  it('contain addresses in every form that the kernel uses', () => {
    const within = withinNetworks(['10.20.0.0/16', 'fd00::/8'])
    for (const inside of ['10.20.0.1', '10.20.255.255', '::ffff:10.20.3.4', 'fd12::1', 'fdff::2%eth0'])
      expect(within(inside), inside).toBe(true)
    for (const outside of ['10.21.0.1', '::ffff:10.21.0.1', 'fe80::1', '::1', '127.0.0.1', 'unknown', ''])
      expect(within(outside), outside).toBe(false)
    expect(withinNetworks([])('10.0.0.1')).toBe(false)
  })

  it('PRIVATE_NETWORKS contains no public address', () => {
    const within = withinNetworks(PRIVATE_NETWORKS)
    for (const address of [
      '10.255.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.9',
      '169.254.1.1',
      'fd00::1',
      'fe80::9',
    ])
      expect(within(address), address).toBe(true)
    for (const address of ['8.8.8.8', '172.32.0.1', '172.15.0.1', '192.169.0.1', '2001:db8::1', '11.0.0.1'])
      expect(within(address), address).toBe(false)
  })
})
