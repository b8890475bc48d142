import { describe, expect, it } from 'vitest'
import { DockSync } from './dock-sync.ts'

const problemOf = (given: unknown): string => DockSync.safeParse(given).error?.issues[0]?.message ?? ''

describe('the setting dockSync', () => {
  it('is JSON or the list itself, and has defaults', () => {
    const read = [
      {
        folder: '/srv/a',
        after: 'keep',
        stillSeconds: 30,
        officerFolders: false,
        device: { serialNumber: 'IR-1', manufacturer: 'Lantern', deviceType: 'Recorder' },
      },
    ]
    const given = [{ folder: '/srv/x/../a/', device: { serialNumber: 'IR-1', manufacturer: 'Lantern' } }]
    expect(DockSync.parse(given)).toEqual(read)
    expect(DockSync.parse(JSON.stringify(given))).toEqual(read)
  })

  it.each([
    ['{', /is no JSON/],
    [[{ folder: 'incoming' }], /whole path/],
    [[{ folder: '/srv/a', after: 'delete' }], /Invalid option/],
    [[{ folder: '/srv/a', stillSeconds: 0 }], /expected number/],
    [[{ folder: '/srv/a', remove: true }], /Unrecognized key/],
    [[{ folder: '/srv/a' }, { folder: '/srv/a/b' }], /may lie in another/],
    [[{ folder: '/srv/a' }, { folder: '/srv/a/' }], /may lie in another/],
    [[{ folder: '/srv/a', officer: 'x', officerFolders: true }], /more than one way/],
  ])('refuses %j', (given, words) => {
    expect(problemOf(given)).toMatch(words)
  })

  it('accepts sibling folders with a common prefix', () => {
    expect(DockSync.parse([{ folder: '/srv/a' }, { folder: '/srv/a b' }])).toHaveLength(2)
  })
})
