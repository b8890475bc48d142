import { describe, expect, it } from 'vitest'
import { Fault } from '../../../shared/kernel/errors.ts'
import type { Machine } from '../../platform/network/machine.ts'
import * as names from './names.ts'
import type { LanSettings } from './ports.ts'

const MACHINE: Machine = {
  name: 'evidence-pc',
  localName: 'evidence-pc.local',
  addresses: ['10.20.1.5', '8.8.4.4', 'fd00::5'],
}
const SETTINGS: LanSettings = {
  stationName: 'East',
  host: '0.0.0.0',
  port: null,
  names: ['given.example'],
  wanted: false,
}
const on = { enabled: true, names: ['evidence.pd.example'], allowed: [] as string[] }

describe('names of the LAN', () => {
  it('are those that people chose, those given at the start, the machine’s, its addresses and loopback', () => {
    const all = names.namesOf(on, SETTINGS, MACHINE)
    expect(all).toEqual([
      'evidence.pd.example',
      'given.example',
      'evidence-pc.local',
      'evidence-pc',
      '10.20.1.5',
      '8.8.4.4',
      'localhost',
      '127.0.0.1',
    ])
    expect(names.origins(all, 7443)[0]).toBe('https://evidence.pd.example:7443')
    expect(names.origins(all, 7443).join()).not.toMatch(/localhost|127\.0\.0\.1/)
    expect(names.originOf('fd00::5', 443)).toBe('https://[fd00::5]')
  })

  it('hold IPv6 addresses where IPv6 is listened at, and of one address that one', () => {
    expect(names.addressesOf({ ...SETTINGS, host: '::' }, MACHINE)).toEqual(MACHINE.addresses)
    expect(names.addressesOf({ ...SETTINGS, host: '10.20.1.5' }, MACHINE)).toEqual(['10.20.1.5'])
  })

  it('are written once and in lower case; what is none is named with its place', () => {
    expect(names.checked({ Names: ['A.example.', 'a.example'], AllowList: ['10.1.2.3/8', '10.0.0.0/8'] })).toEqual({
      names: ['a.example'],
      allowed: ['10.0.0.0/8'],
    })
    expect(names.checked({})).toEqual({})
    try {
      names.checked({ Names: ['a_b', 'x:1', '*.example', '1.2.3.4', 'fd00::1', ''], AllowList: ['everybody'] })
      expect.unreachable()
    } catch (error) {
      expect((error as Fault).details.map(({ Path }) => Path)).toEqual([
        ...[0, 1, 2, 3, 4, 5].map((index) => `Names[${index}]`),
        'AllowList[0]',
      ])
    }
  })
})

describe('addresses that are admitted over the LAN', () => {
  it.each([
    ['10.20.1.77', on, true],
    ['192.168.1.1', on, true],
    ['::ffff:172.16.9.9', on, true],
    ['fe80::1%eth0', on, true],
    ['8.8.8.8', on, false],
    ['2001:db8::1', on, false],
    ['10.20.1.77', { ...on, allowed: ['10.30.0.0/16'] }, false],
    ['10.30.1.77', { ...on, allowed: ['10.30.0.0/16'] }, true],
    ['8.8.8.8', { ...on, allowed: ['8.8.8.0/24'] }, true],
    ['10.20.1.77', { ...on, enabled: false }, false],
    ['', on, false],
  ])('%s', (address, choice, may) => {
    expect(names.admission(choice, MACHINE)(address)).toBe(may)
  })

  it('this machine may always, whatever is on the list', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '10.20.1.5', '8.8.4.4', 'fd00::5']) {
      expect(names.admission({ ...on, allowed: ['172.31.0.0/16'] }, MACHINE)(address), address).toBe(true)
      expect(names.admission({ ...on, enabled: false }, MACHINE)(address), address).toBe(true)
    }
  })
})
