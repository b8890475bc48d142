import { describe, expect, it } from 'vitest'
import { loadSettings, SettingsError } from './settings.ts'

const load = (desktopClients: string) =>
  loadSettings({ SALLYPORT_DATA: '/d', SALLYPORT_DESKTOP_CLIENTS: desktopClients })
const one = { id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback'] }

describe('desktop clients', () => {
  it('are none unless they are named, and come as JSON', () => {
    expect(loadSettings({ SALLYPORT_DATA: '/d' }).desktopClients).toEqual([])
    expect(load(JSON.stringify([one])).desktopClients).toEqual([one])
  })

  it.each([
    ['no JSON', '[{'],
    ['no list', '{}'],
    ['an id like that of a service', JSON.stringify([{ ...one, id: '2@station' }])],
    ['an id twice', JSON.stringify([one, one])],
    ['no redirect', JSON.stringify([{ ...one, redirects: [] }])],
    ['a redirect to another machine', JSON.stringify([{ ...one, redirects: ['https://attacker.example/callback'] }])],
    ['a secret, which nothing here would keep', JSON.stringify([{ ...one, secret: 'x' }])],
  ])('refuses %s by the name of the setting', (_what, text) => {
    expect(() => load(text)).toThrow(SettingsError)
    expect(() => load(text)).toThrow(/SALLYPORT_DESKTOP_CLIENTS: /)
  })
})
