import { describe, expect, it } from 'vitest'
import { loadSettings, SettingsError } from './settings.ts'

describe('settings', () => {
  it('have a default for everything but the folder', () => {
    expect(loadSettings({ SALLYPORT_DATA: '/d' })).toMatchObject({
      data: '/d',
      host: '127.0.0.1',
      port: 7460,
      tenant: 'station',
      reserveBytes: 268435456,
    })
  })

  it('list all problems together, including unknown settings', () => {
    const load = () =>
      loadSettings({
        SALLYPORT_DATA: '/d',
        SALLYPORT_PORT: 'x',
        SALLYPORT_TENANT: 'default',
        SALLYPORT_PROT: '1',
        SALLYPORT_HOST: '0.0.0.0',
      })
    expect(load).toThrow(SettingsError)
    try {
      load()
    } catch (error) {
      expect((error as SettingsError).problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
        'SALLYPORT_HOST',
        'SALLYPORT_PORT',
        'SALLYPORT_PROT',
        'SALLYPORT_TENANT',
      ])
    }
  })

  it('prefer the command line, and reduce a public address to its origin', () => {
    const settings = loadSettings(
      { SALLYPORT_DATA: '/d', SALLYPORT_PORT: '1' },
      { port: 0, publicUrl: 'https://station.example/x?y' },
    )
    expect(settings).toMatchObject({ port: 0, publicUrl: 'https://station.example' })
  })
})
