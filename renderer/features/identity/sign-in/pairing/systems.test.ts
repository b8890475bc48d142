import { describe, expect, it } from 'vitest'
import { inOrder, SYSTEMS, systemHere } from './systems.ts'

const AGENTS = {
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
  firefoxWindows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:149.0) Gecko/20100101 Firefox/149.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  chromium: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
  firefoxLinux: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
}

describe('the system that a page is opened on', () => {
  it.each([
    [AGENTS.edge, 0, 'windows', null],
    [AGENTS.firefoxWindows, 10, 'windows', 'firefox'],
    [AGENTS.safari, 0, 'macos', null],
    [AGENTS.safari, 5, 'ios', null],
    [AGENTS.chromium, 0, 'linux', 'chrome'],
    [AGENTS.firefoxLinux, 0, 'linux', 'firefox'],
    [AGENTS.phone, 5, 'ios', null],
    [AGENTS.android, 5, 'android', null],
    ['curl/8', 0, null, null],
  ] as const)('%s', (agent, touches, system, browser) => {
    const here = systemHere(agent, touches)
    expect(here).toEqual({ system, browser })
    const order = inOrder(here)
    expect(order.slice(0, 2)).toEqual(expect.arrayContaining([system, browser].filter((one) => one !== null)))
    expect([...order].sort()).toEqual([...SYSTEMS].sort())
  })
})
