import { describe, expect, it } from 'vitest'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClockSync, readAdjtimex, readChrony, readTimedatectl } from './sync.ts'

describe('clock synchronisation of the machine', () => {
  it('chrony: the error is the sum of offset, half the delay and the dispersion', () => {
    const line =
      'A29FC87B,162.159.200.123,4,1763683200.123456789,-0.000500000,0.000001,0.000020,-9.123,0.001,0.024,0.006000000,0.001200000,64.5,Normal'
    expect(readChrony(line)).toEqual({ source: 'ntp', errorMilliseconds: 4.7 })
    expect(readChrony(line.replace('Normal', 'Not synchronised'))).toEqual({ source: 'free', errorMilliseconds: null })
    expect(readChrony('506 Cannot talk to daemon')).toBeNull()
  })

  it('adjtimex: reads STA_UNSYNC and the largest error', () => {
    const print = '         mode: 0\n       offset: 12\n     maxerror: 15500\n     esterror: 20\n       status: 8193\n'
    expect(readAdjtimex(print)).toEqual({ source: 'ntp', errorMilliseconds: 15.5 })
    expect(readAdjtimex(print.replace('8193', '64'))).toEqual({ source: 'free', errorMilliseconds: null })
    expect(readAdjtimex('nothing')).toBeNull()
  })

  it('timedatectl: reads yes, no, or nothing', () => {
    expect(readTimedatectl('NTPSynchronized=yes\n')).toEqual({ source: 'ntp', errorMilliseconds: null })
    expect(readTimedatectl('NTPSynchronized=no\n')).toEqual({ source: 'free', errorMilliseconds: null })
    expect(readTimedatectl('Failed to connect to bus')).toBeNull()
  })

  it('is read once a minute, and is "unknown" without a program', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-clock-'))
    try {
      let now = 0
      const sync = createClockSync({ searchPath: [folder], ticks: () => now })
      expect(await sync()).toEqual({ source: 'unknown', errorMilliseconds: null })
      const program = path.join(folder, 'timedatectl')
      writeFileSync(program, '#!/bin/sh\necho NTPSynchronized=yes\n')
      chmodSync(program, 0o755)
      now = 59_999
      expect((await sync()).source).toBe('unknown')
      now = 60_000
      expect((await sync()).source).toBe('ntp')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
