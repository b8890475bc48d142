import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsRedirect, isRedirect } from './redirects.ts'

const HOME = 'http://127.0.0.1/callback'

describe('what can be registered', () => {
  it.each([HOME, 'http://[::1]/callback', 'http://127.0.0.1/', 'com.example.viewer:/signed-in', 'org.a-b.c:/x/y'])(
    '%s',
    (address) => expect(isRedirect(address)).toBe(true),
  )
  it.each([
    '',
    'http://127.0.0.1:8080/callback',
    'http://localhost/callback',
    'http://127.0.0.2/callback',
    'http://127.0.0.1',
    'https://127.0.0.1/callback',
    'http://station.example/callback',
    'http://127.0.0.1@attacker.example/callback',
    'http://127.0.0.1/callback?next=x',
    'http://127.0.0.1/callback#x',
    'http://127.0.0.1/a b',
    'viewer:/signed-in',
    'com.example.viewer://host/signed-in',
    'com.example.viewer:signed-in',
    'javascript:/x',
    'data.x:/\r\nx',
    `com.example.viewer:/${'x'.repeat(600)}`,
  ])('not %j', (address) => expect(isRedirect(address)).toBe(false))
})

describe('what fits', () => {
  it('any port of the same loopback address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        expect(fitsRedirect(HOME, `http://127.0.0.1:${port}/callback`)).toBe(true)
      }),
    )
    expect(fitsRedirect(HOME, HOME)).toBe(true)
    expect(fitsRedirect('com.example.viewer:/a', 'com.example.viewer:/a')).toBe(true)
  })
  it.each([
    'http://[::1]:5000/callback',
    'http://127.0.0.1:5000/callback/',
    'http://127.0.0.1:5000/Callback',
    'http://127.0.0.1:5000/',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:05000/callback',
    'http://127.0.0.1:5000/callback?x=1',
    'http://127.0.0.1:5000/callback#x',
    'http://127.0.0.1:5000@attacker.example/callback',
    'http://127.0.0.1.attacker.example/callback',
    'HTTP://127.0.0.1:5000/callback',
    'https://127.0.0.1:5000/callback',
    'http://127.0.0.1:5000/callback\n',
  ])('not %j', (asked) => expect(fitsRedirect(HOME, asked)).toBe(false))
  it('no other address of a private scheme', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (more) => {
        expect(fitsRedirect('com.example.viewer:/a', `com.example.viewer:/a${more}`)).toBe(false)
      }),
    )
  })
})
