/** At which address somebody outside opens a link, and when nobody can. */
import { expect, it } from 'vitest'
import { outsideAddress } from './http.ts'

const LOCAL = 'http://127.0.0.1:7460'
const LAN = ['https://harrow-quay.local:7443', 'https://192.168.4.20:7443']

it('is this machine alone while the LAN is off, whatever the caller uses', () => {
  expect(outsideAddress(LOCAL, LOCAL, [])).toEqual({ Reachable: false, Origin: LOCAL })
  expect(outsideAddress('http://localhost:7460', LOCAL, [])).toEqual({
    Reachable: false,
    Origin: 'http://localhost:7460',
  })
})

it('is an address of the LAN where that is on: the one that the caller uses, else the first', () => {
  expect(outsideAddress(LOCAL, LOCAL, LAN)).toEqual({ Reachable: true, Origin: LAN[0] })
  expect(outsideAddress('https://192.168.4.20:7443', LOCAL, LAN)).toEqual({ Reachable: true, Origin: LAN[1] })
})

it('is never loopback while another address is known', () => {
  const lan = ['https://localhost:7443', 'https://127.0.0.1:7443', 'https://[::1]:7443', ...LAN]
  for (const own of lan.slice(0, 3))
    expect(outsideAddress(own, LOCAL, lan)).toEqual({ Reachable: true, Origin: LAN[0] })
  expect(outsideAddress(LOCAL, LOCAL, lan.slice(0, 3))).toEqual({ Reachable: false, Origin: LOCAL })
})

it('is the public address of the station where one is set', () => {
  const issuer = 'https://evidence.example.gov'
  expect(outsideAddress(LOCAL, issuer, [])).toEqual({ Reachable: true, Origin: issuer })
  expect(outsideAddress(LOCAL, issuer, LAN)).toEqual({ Reachable: true, Origin: issuer })
})
