import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../run/run.ts'

/** Whether this machine's clock is synchronised, according to the machine. */
export interface ClockSync {
  /** `ntp`: synchronised. `free`: not synchronised. `unknown`: no installed program reports it. */
  readonly source: 'ntp' | 'free' | 'unknown'
  /** Largest deviation from true time, if the program reports it. */
  readonly errorMilliseconds: number | null
}

export interface ClockSyncOptions {
  /** Folders searched, first match wins. */
  readonly searchPath: readonly string[]
  /** Monotonic milliseconds. */
  readonly ticks: () => number
}

const MINUTE = 60_000
const UNKNOWN: ClockSync = { source: 'unknown', errorMilliseconds: null }

/** Reads the state at most once a minute, and never twice at the same time. Never rejects. */
export function createClockSync({ searchPath, ticks }: ClockSyncOptions): () => Promise<ClockSync> {
  let known: Promise<ClockSync> | null = null
  let since = 0
  return () => {
    if (known === null || ticks() - since >= MINUTE) {
      since = ticks()
      known = readClockSync(searchPath).catch(() => UNKNOWN)
    }
    return known
  }
}

/** The answer of the first program that has one. Only Linux has programs that need no rights and answer the same in every language. */
async function readClockSync(searchPath: readonly string[]): Promise<ClockSync> {
  const outputOf = async (program: string, args: readonly string[]): Promise<string | null> => {
    for (const folder of searchPath) {
      const file = join(folder, program)
      if (!(await isProgram(file))) continue
      const { end, stdout } = await run({ file, args, timeoutMs: 2000, maxStdout: 64 * 1024 })
      return end === 'ok' ? stdout.toString('utf8') : null
    }
    return null
  }
  const chrony = await outputOf('chronyc', ['-c', 'tracking'])
  const byChrony = chrony === null ? null : readChrony(chrony)
  if (byChrony !== null) return byChrony
  const kernel = await outputOf('adjtimex', ['--print'])
  const byKernel = kernel === null ? null : readAdjtimex(kernel)
  if (byKernel !== null) return byKernel
  const systemd = await outputOf('timedatectl', ['show', '--property=NTPSynchronized'])
  return (systemd === null ? null : readTimedatectl(systemd)) ?? UNKNOWN
}

const isProgram = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

/** `chronyc -c tracking`: reference, its name, stratum, its time, offset, …, root delay (11th), root dispersion, interval, leap. Seconds. */
export function readChrony(text: string): ClockSync | null {
  const fields = text.trim().split(',')
  const leap = fields[13]
  const [offset, delay, dispersion] = [fields[4], fields[10], fields[11]].map(Number)
  if (leap === undefined) return null
  if (leap === 'Not synchronised') return { source: 'free', errorMilliseconds: null }
  if (offset === undefined || delay === undefined || dispersion === undefined) return null
  const seconds = Math.abs(offset) + delay / 2 + dispersion
  return { source: 'ntp', errorMilliseconds: Number.isFinite(seconds) ? round(seconds * 1000) : null }
}

/** `adjtimex --print`: `status` contains STA_UNSYNC (0x40), `maxerror` is in microseconds. */
export function readAdjtimex(text: string): ClockSync | null {
  const value = (name: string): number | null => {
    const found = new RegExp(`\\b${name}:\\s*(\\d+)`).exec(text)?.[1]
    return found === undefined ? null : Number(found)
  }
  const status = value('status')
  if (status === null) return null
  if ((status & 0x40) !== 0) return { source: 'free', errorMilliseconds: null }
  const most = value('maxerror')
  return { source: 'ntp', errorMilliseconds: most === null ? null : round(most / 1000) }
}

/** `timedatectl` reports whether the clock is synchronised, without an error. */
export function readTimedatectl(text: string): ClockSync | null {
  const answer = /^NTPSynchronized=(yes|no)$/m.exec(text)?.[1]
  return answer === undefined ? null : { source: answer === 'yes' ? 'ntp' : 'free', errorMilliseconds: null }
}

const round = (millis: number): number => Math.round(millis * 1000) / 1000
