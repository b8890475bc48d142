/** Announces the station by mDNS (RFC 6762, 6763), so that other machines find it. A convenience: failures here do not affect the station. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import type { EventEmitter } from 'node:events'
import { isIPv4 } from 'node:net'
import type { Bonjour, ServiceConfig } from 'bonjour-service'

/** The library's socket. */
interface Mdns extends EventEmitter {
  query(name: string, type: string, done: (error: Error | null | undefined) => void): void
}

export interface Announcement {
  /** Name in people's list of stations. */
  readonly name: string
  /** Ending in .local. */
  readonly host: string
  readonly port: number
  /** Addresses of this machine. A change needs another announcement. */
  readonly addresses: readonly string[]
}

export interface Announced {
  readonly state: 'announced' | 'off' | 'failed'
  readonly problem: string | null
}

export interface Announcer {
  /** Replaces the previous announcement. Repeating the same one does nothing unless it failed. */
  announce(what: Announcement): Promise<void>
  state(): Announced
  /** Withdraws the announcement. */
  stop(): Promise<void>
}

/** Service type without underscores and protocol, as the library expects it. */
export const SERVICE = 'sallyport'

const GOODBYE_MILLIS = 500
const RETRY_MILLIS = 30_000
const OFF: Announced = { state: 'off', problem: null }

export function createAnnouncer(onProblem: (error: Error) => void): Announcer {
  let announcements: readonly Bonjour[] = []
  let state = OFF
  let tried: string | null = null
  let failedAt: number | null = null

  /** Number of the current announcement. Late failures of earlier sockets are ignored by it. */
  let generation = 0
  const failing =
    (current: number) =>
    (error: Error): void => {
      if (current !== generation) return
      if (failedAt === null) onProblem(error)
      failedAt = performance.now()
      state = {
        state: 'failed',
        problem: connectionReason('notAnnounced', { why: error.message }),
      }
    }
  const stop = async (): Promise<void> => {
    generation++
    const before = announcements
    announcements = []
    tried = null
    state = OFF
    await Promise.all(before.map(sayGoodbye))
  }
  return {
    announce: async (what) => {
      const key = JSON.stringify(what)
      const again = failedAt !== null && performance.now() - failedAt < RETRY_MILLIS
      if (key === tried && (state.state !== 'failed' || again)) return
      await stop()
      tried = key
      const current = generation
      const fail = failing(current)
      // The library sends over IPv4 only; its messages contain all addresses.
      const through = what.addresses.filter((address) => isIPv4(address))
      if (through.length === 0) {
        fail(new Error(connectionReason('onNoNetwork')))
        return
      }
      const heard = (): void => {
        if (current !== generation) return
        state = { state: 'announced', problem: null }
        failedAt = null
      }
      try {
        announcements = await Promise.all(through.map((address) => begin(what, address, fail, heard)))
      } catch (error) {
        fail(error as Error)
      }
    },
    state: () => state,
    stop,
  }
}

/** @param through address of the network interface; without it a machine without a default route would send to no network */
async function begin(
  what: Announcement,
  through: string,
  fail: (error: Error) => void,
  heard: () => void,
): Promise<Bonjour> {
  const { default: library } = await import('bonjour-service')
  const options = { interface: through, bind: '0.0.0.0' } as unknown as Partial<ServiceConfig>
  const bonjour = new library(options, fail)
  // The library has no handler for errors of its socket, which would end the process; so would a question that it cannot answer.
  const { mdns } = (bonjour as unknown as { server: { mdns: Mdns } }).server
  mdns.on('error', fail)
  const answers = mdns.listeners('query')
  mdns.removeAllListeners('query')
  mdns.on('query', (...question: unknown[]) => {
    try {
      for (const answer of answers) answer(...question)
    } catch {
      // A malformed question from the network is ignored.
    }
  })
  const service = bonjour.publish({
    name: what.name,
    type: SERVICE,
    port: what.port,
    host: what.host,
    txt: { path: '/', pairing: '/pair' },
    // The name contains the machine's name, so no probe is needed; the library's probe would write to stdout.
    probe: false,
  })
  // The event `up` is emitted even when nothing was sent. A question after it shows whether sending works.
  service.on('up', () => {
    mdns.query(`_${SERVICE}._tcp.local`, 'PTR', (error) => {
      if (error) fail(error)
      else heard()
    })
  })
  service.on('error', fail)
  return bonjour
}

/** Withdraws the announcement, with a time limit for a network that is gone. */
function sayGoodbye(bonjour: Bonjour): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      try {
        bonjour.destroy()
      } catch {
        // The socket was never open.
      }
      resolve()
    }
    const timer = setTimeout(end, GOODBYE_MILLIS)
    bonjour.unpublishAll(end)
  })
}
