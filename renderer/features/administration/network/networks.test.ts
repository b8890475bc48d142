import fc from 'fast-check'
import { BlockList, isIP } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addressText, holds, isPublic, networkOf, sameNetwork } from './networks.ts'

const range = (text: string): string => {
  const network = networkOf(text)
  return network === null ? 'none' : addressText(network).join(' – ')
}

describe('networks', () => {
  it.each([
    ['10.20.0.0/16', '10.20.0.0 – 10.20.255.255'],
    ['10.20.3.4/16', '10.20.0.0 – 10.20.255.255'],
    [' 10.20.3.4 ', '10.20.3.4 – 10.20.3.4'],
    ['0.0.0.0/0', '0.0.0.0 – 255.255.255.255'],
    ['fd00:1:2::/48', 'fd00:1:2:: – fd00:1:2:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::1%eth0', 'fe80::1 – fe80::1'],
    ['::', ':: – ::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3 – 1:0:0:2::3'],
    ['::ffff:10.0.0.1', '10.0.0.1 – 10.0.0.1'],
  ])('%s holds %s', (text, expected) => {
    expect(range(text)).toBe(expected)
  })

  it.each([
    '',
    'harrow.local',
    '10.20.0.0/33',
    '10.20.0/16',
    '10.020.0.0/16',
    '256.0.0.1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'fd00::/129',
    '1:2:3',
    '::1::2',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    'g::',
    '10.0.0.1:7443',
  ])('%s is none', (text) => {
    expect(networkOf(text)).toBeNull()
  })

  it('agree with the runtime’s own on what is in them', () => {
    const four = fc.ipV4()
    const six = fc.ipV6()
    fc.assert(
      fc.property(fc.oneof(fc.tuple(four, four), fc.tuple(six, six)), fc.nat(128), ([one, other], wanted) => {
        const family = isIP(one) === 4 ? 'ipv4' : 'ipv6'
        const prefix = family === 'ipv4' ? wanted % 33 : wanted
        const list = new BlockList()
        list.addSubnet(one, prefix, family)
        expect(holds(`${one}/${prefix}`, one)).toBe(true)
        expect(holds(`${one}/${prefix}`, other)).toBe(list.check(other, family))
      }),
      { numRuns: 500 },
    )
  })

  it('tell the Internet from one’s own', () => {
    expect(['10.0.0.0/8', '192.168.1.7', 'fd12::/48', '172.31.0.0/16'].map(isPublic)).toEqual(Array(4).fill(false))
    expect(['0.0.0.0/0', '8.8.8.8', '172.0.0.0/8', '::/0', '2001:db8::/32'].map(isPublic)).toEqual(Array(5).fill(true))
    expect(sameNetwork('10.1.2.3/8', '10.0.0.0/8')).toBe(true)
    expect(sameNetwork('10.0.0.0/8', '10.0.0.0/9')).toBe(false)
  })
})
