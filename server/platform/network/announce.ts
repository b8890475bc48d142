/** mDNS (RFC 6762, 6763): other machines find the station by itself. A convenience; whatever goes wrong here, the station goes on. */
import type { EventEmitter } from 'node:events'
import { isIPv4 } from 'node:net'
import type { Bonjour, ServiceConfig } from 'bonjour-service'

/** Of the library's own socket. */
interface Mdns extends EventEmitter {
  query(name: string, type: string, done: (error: Error | null | undefined) => void): void
}

export interface Announcement {
  /** What people read in a list of stations. */
  readonly name: string
  /** Ending in .local. */
  readonly host: string
  readonly port: number
  /** Of this machine; another announcement when they change. */
  readonly addresses: readonly string[]
}

export interface Announced {
  readonly state: 'announced' | 'off' | 'failed'
  readonly problem: string | null
}

export interface Announcer {
  /** Says this from now on, in place of what it said before. The same again does nothing, unless it failed. */
  announce(what: Announcement): Promise<void>
  state(): Announced
  /** Says goodbye. */
  stop(): Promise<void>
}

/** Without the underscores and the protocol, as the library takes it. */
export const SERVICE = 'sallyport'

const GOODBYE_MILLIS = 500
const RETRY_MILLIS = 30_000
const OFF: Announced = { state: 'off', problem: null }

export function createAnnouncer(onProblem: (error: Error) => void): Announcer {
  let said: readonly Bonjour[] = []
  let state = OFF
  let tried: string | null = null
  let failedAt: number | null = null

  /** Of what was announced before this nothing is heard any more: sockets fail late. */
  let era = 0
  const failing =
    (mine: number) =>
    (error: Error): void => {
      if (mine !== era) return
      if (failedAt === null) onProblem(error)
      failedAt = performance.now()
      state = {
        state: 'failed',
        problem: `Other machines are not told of the station by mDNS: ${error.message}. They find it by its address all the same.`,
      }
    }
  const stop = async (): Promise<void> => {
    era++
    const before = said
    said = []
    tried = null
    state = OFF
    await Promise.all(before.map(farewell))
  }
  return {
    announce: async (what) => {
      const key = JSON.stringify(what)
      const again = failedAt !== null && performance.now() - failedAt < RETRY_MILLIS
      if (key === tried && (state.state !== 'failed' || again)) return
      await stop()
      tried = key
      const mine = era
      const fail = failing(mine)
      // The library speaks IPv4; what it says holds the other addresses too.
      const through = what.addresses.filter((address) => isIPv4(address))
      if (through.length === 0) {
        fail(new Error('this machine is on no network'))
        return
      }
      const heard = (): void => {
        if (mine !== era) return
        state = { state: 'announced', problem: null }
        failedAt = null
      }
      try {
        said = await Promise.all(through.map((address) => begin(what, address, fail, heard)))
      } catch (error) {
        fail(error as Error)
      }
    },
    state: () => state,
    stop,
  }
}

/** @param through an address of the network it is said to: without one a machine that has no way to the Internet says it to nobody. */
async function begin(
  what: Announcement,
  through: string,
  fail: (error: Error) => void,
  heard: () => void,
): Promise<Bonjour> {
  const { default: library } = await import('bonjour-service')
  const options = { interface: through, bind: '0.0.0.0' } as unknown as Partial<ServiceConfig>
  const bonjour = new library(options, fail)
  // The library leaves the errors of its socket to nobody, which would end the process, and so would a question that it cannot answer.
  const { mdns } = (bonjour as unknown as { server: { mdns: Mdns } }).server
  mdns.on('error', fail)
  const answers = mdns.listeners('query')
  mdns.removeAllListeners('query')
  mdns.on('query', (...question: unknown[]) => {
    try {
      for (const answer of answers) answer(...question)
    } catch {
      // Of a stranger on the network; there is nothing to be done about it.
    }
  })
  const service = bonjour.publish({
    name: what.name,
    type: SERVICE,
    port: what.port,
    host: what.host,
    txt: { path: '/', pairing: '/pair' },
    // The name has the machine's in it. The library's own question whether it is taken ends in a line on stdout.
    probe: false,
  })
  // `up` comes whether or not anything went out: a question after it tells.
  service.on('up', () => {
    mdns.query(`_${SERVICE}._tcp.local`, 'PTR', (error) => {
      if (error) fail(error)
      else heard()
    })
  })
  service.on('error', fail)
  return bonjour
}

/** Never waits for a network that is gone. */
function farewell(bonjour: Bonjour): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      try {
        bonjour.destroy()
      } catch {
        // Its socket was never open.
      }
      resolve()
    }
    const timer = setTimeout(end, GOODBYE_MILLIS)
    bonjour.unpublishAll(end)
  })
}
