import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { arrivalOf, forwardedSource, isForeignUrl } from '../../../server/http/begin.ts'
import { sourceNetwork, withinNetworks } from '../../../server/platform/network/networks.ts'

const request = (
  remoteAddress: string,
  { secure = false, headers = {} }: { secure?: boolean; headers?: object } = {},
) => ({ headers, socket: { remoteAddress, ...(secure ? { encrypted: true } : {}) } }) as unknown as IncomingMessage

it.each([
  ['127.0.0.1', {}, 'local'],
  ['127.8.9.1', {}, 'local'],
  ['::1', {}, 'local'],
  ['::ffff:127.0.0.1', {}, 'local'],
  ['192.168.1.4', {}, 'network'],
  ['::ffff:192.168.1.4', {}, 'network'],
  ['', {}, 'network'],
  // At the listener of the LAN the same machine is anybody.
  ['127.0.0.1', { secure: true }, 'network'],
  ['::1', { secure: true }, 'network'],
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip'].flatMap((name) => [
    ['127.0.0.1', { headers: { [name]: 'x' } }, 'proxied'] as const,
    ['192.168.1.4', { headers: { [name]: '' }, secure: true }, 'proxied'] as const,
  ]),
] as const)('3.6: a request from %j with %j is %s', (address, given, expected) => {
  expect(arrivalOf(request(address, given), false)).toBe(expected)
})

it.each([
  ['10.0.0.5', '198.51.100.7', '198.51.100.7'],
  ['::ffff:10.0.0.5', '198.51.100.7', '198.51.100.7'],
  // What the client wrote itself stands before what the proxy added.
  ['10.0.0.5', '127.0.0.1, 198.51.100.7', '198.51.100.7'],
  ['10.0.0.5', '203.0.113.1, 198.51.100.7, 10.0.0.6', '198.51.100.7'],
  ['10.0.0.5', ['203.0.113.1', '198.51.100.7'], '198.51.100.7'],
  ['10.0.0.5', '2001:db8::7', '2001:db8::7'],
  ['10.0.0.5', '::ffff:198.51.100.7', '198.51.100.7'],
  // Nothing that can be believed: the request counts as the proxy's own.
  ['10.0.0.5', undefined, null],
  ['10.0.0.5', '', null],
  ['10.0.0.5', 'unknown', null],
  ['10.0.0.5', '198.51.100.7, unknown', null],
  ['10.0.0.5', '198.51.100.7:443', null],
  ['10.0.0.5', '10.0.0.6', null],
  // Not a proxy.
  ['10.0.1.5', '198.51.100.7', null],
  ['127.0.0.1', '198.51.100.7', null],
  ['', '198.51.100.7', null],
])('3.6: a connection from %j with X-Forwarded-For %j is of %j', (address, header, expected) => {
  const isProxy = withinNetworks(['10.0.0.0/24'])
  expect(forwardedSource(request(address, { headers: { 'x-forwarded-for': header } }), isProxy)).toBe(expected)
  expect(forwardedSource(request(address, { headers: { 'x-forwarded-for': header } }), withinNetworks([]))).toBeNull()
})

it('3.6: behind a public address of another name nothing from loopback is local, whatever it says', () => {
  for (const secure of [false, true]) expect(arrivalOf(request('127.0.0.1', { secure }), true)).toBe('proxied')
  expect(arrivalOf(request('192.168.1.4', { secure: true }), true)).toBe('network')
})

it.each([
  [undefined, false],
  ['http://127.0.0.1:7460', false],
  ['http://localhost:7460', false],
  ['http://[::1]:7460', false],
  ['https://evidence.example', true],
  ['http://127.0.0.1.example', true],
  ['https://192.168.1.4', true],
])('3.6: the public address %s is foreign: %s', (address, foreign) => {
  expect(isForeignUrl(address)).toBe(foreign)
})

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::1'],
  ['cli', 'cli'],
])('S18: failures from %s are counted for %s', (address, network) => {
  expect(sourceNetwork(address)).toBe(network)
})
