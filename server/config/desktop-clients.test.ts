import { describe, expect, it } from 'vitest'
import { loadSettings, SettingsError } from './settings.ts'

const load = (desktopClients: string) =>
  loadSettings({ SALLYPORT_DATA: '/d', SALLYPORT_DESKTOP_CLIENTS: desktopClients })
const one = { id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback'] }

describe('desktop clients', () => {
  it('are none by default, and are given as JSON', () => {
    expect(loadSettings({ SALLYPORT_DATA: '/d' }).desktopClients).toEqual([])
    expect(load(JSON.stringify([one])).desktopClients).toEqual([one])
  })

  it.each([
    ['no JSON', '[{'],
    ['no list', '{}'],
    ['an id like that of a service', JSON.stringify([{ ...one, id: '2@station' }])],
    ['a repeated id', JSON.stringify([one, one])],
    ['no redirect', JSON.stringify([{ ...one, redirects: [] }])],
    ['a redirect to another machine', JSON.stringify([{ ...one, redirects: ['https://attacker.example/callback'] }])],
    ['a secret, which is not supported', JSON.stringify([{ ...one, secret: 'x' }])],
  ])('refuses %s and names the setting', (_what, text) => {
    expect(() => load(text)).toThrow(SettingsError)
    expect(() => load(text)).toThrow(/SALLYPORT_DESKTOP_CLIENTS: /)
  })
})
