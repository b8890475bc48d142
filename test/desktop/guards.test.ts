import { describe, expect, test } from 'vitest'
import { isAllowedSender } from '../../main/ipc/sender.ts'
import { COMMANDS as OF_PROGRAM, readArguments } from '../../main/system/arguments.ts'
import { COMMANDS } from '../../server/bin/commands.ts'
import { judgeAddress, mayRequest } from '../../main/window/addresses.ts'
import { ARGUMENT } from '../../shared/desktop/calls.ts'
import { CALLS } from '../../shared/desktop/bridge.ts'

const STATION = 'http://127.0.0.1:7460'

describe('addresses', () => {
  test.each([
    [`${STATION}/evidence/1?x#y`, 'stay'],
    [`blob:${STATION}/1234`, 'stay'],
    ['https://www.openstreetmap.org/copyright', 'outside'],
    ['http://www.openstreetmap.org/', 'refused'],
    ['https://www.openstreetmap.org.evil.test/', 'refused'],
    ['https://www.openstreetmap.org@evil.test/', 'refused'],
    [`${STATION}@evil.test/`, 'refused'],
    ['http://user@127.0.0.1:7460/', 'refused'],
    ['http://127.0.0.1:7461/', 'refused'],
    ['https://127.0.0.1:7460/', 'refused'],
    ['http://localhost:7460/', 'refused'],
    ['file:///etc/passwd', 'refused'],
    ['javascript:alert(1)', 'refused'],
    ['data:text/html,hello', 'refused'],
    ['about:blank', 'refused'],
    ['blob:http://evil.test/1', 'refused'],
    ['blob:null/1', 'refused'],
    ['', 'refused'],
  ])('%s: %s', (address, verdict) => {
    expect(judgeAddress(address, STATION)).toBe(verdict)
  })

  test('requests: the station, what a page made itself, and the map server that was configured', () => {
    const tiles = 'https://tiles.example'
    const may = (address: string) => mayRequest(address, STATION, tiles)
    expect(
      [`${STATION}/x`, 'ws://127.0.0.1:7460/x', 'data:,x', `blob:${STATION}/1`, `${tiles}/1/2/3.png`].map(may),
    ).toEqual([true, true, true, true, true])
    expect(
      [
        'http://127.0.0.1:1/',
        'ws://127.0.0.1:1/',
        'https://tiles.example.evil/1',
        'file:///etc/passwd',
        'ftp://x/',
        'x',
      ].map(may),
    ).toEqual([false, false, false, false, false, false])
    expect(mayRequest(`${tiles}/1`, STATION, null)).toBe(false)
  })
})

test('calls are answered for the main frame of a page of the station, and for nobody else', () => {
  const top = { url: `${STATION}/a`, parent: null }
  expect(isAllowedSender(top, STATION)).toBe(true)
  expect(isAllowedSender({ ...top, parent: top }, STATION)).toBe(false)
  expect(isAllowedSender(null, STATION)).toBe(false)
  for (const url of ['about:blank', 'data:text/html,x', 'http://127.0.0.1:7461/', `${STATION}.evil.test/`])
    expect([url, isAllowedSender({ url, parent: null }, STATION)]).toEqual([url, false])
})

describe('arguments of calls', () => {
  test.each([
    ['chooseFiles', { title: 'x', path: '/etc' }],
    ['chooseFiles', 'x'],
    ['chooseFolders', {}],
    ['reveal', ''],
    ['reveal', ['/etc/passwd']],
    ['print', { paper: 'A0' }],
    ['print', { silent: true }],
    ['notify', { title: 'x' }],
    ['notify', { title: 'x', body: 'y'.repeat(401) }],
    ['notify', { title: ' ', body: 'y' }],
    ['badge', -1],
    ['badge', 1.5],
    ['badge', '3'],
    ['quit', true],
  ] as const)('%s refuses %j', (call, argument) => {
    expect(ARGUMENT[call].safeParse(argument).success).toBe(false)
  })

  test('every call has a schema, and takes what its interface says', () => {
    expect(Object.keys(ARGUMENT).toSorted()).toEqual([...CALLS].toSorted())
    expect(ARGUMENT.chooseFiles.safeParse(undefined).success).toBe(true)
    expect(ARGUMENT.print.safeParse({ landscape: true, backgrounds: false, paper: 'Letter' }).success).toBe(true)
    expect(ARGUMENT.badge.safeParse(0).success).toBe(true)
  })
})

describe('arguments of the program', () => {
  test('settings among the switches of Chromium, in a checkout', () => {
    const argv = ['--inspect=0', '.', '--data', '/var/evidence', '--port=7461', '--remote-debugging-port=0', '--hidden']
    expect(readArguments(argv, false)).toEqual({
      command: null,
      settings: { data: '/var/evidence', port: '7461' },
      hidden: true,
    })
  })

  test('every command of the terminal is one of the program too', () => {
    const first = [...COMMANDS.keys()].map((name) => name.split(' ')[0])
    expect([...OF_PROGRAM].toSorted()).toEqual([...new Set([...first, 'help'])].toSorted())
  })

  test('commands of the terminal, with their own options', () => {
    expect(readArguments(['ingest', '--data', '/x', '/media/card'], true)).toMatchObject({
      command: ['ingest', '--data', '/x', '/media/card'],
      settings: { data: '/x' },
    })
    expect(readArguments(['.', 'verify', '--fast'], false).command).toEqual(['verify', '--fast'])
    // A folder in a checkout that happens to have a command's name is not one.
    expect(readArguments(['verify'], false).command).toBeNull()
    expect(readArguments(['/some/file.mp4'], true).command).toBeNull()
  })
})
