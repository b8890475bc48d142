/**
 * Reviewers at work, as a process of its own (promise L2): so many requests a second at a constant rate, whether earlier ones are answered
 * or not, and films that play. Times count from when a request was due. Loopback alone, and never longer than `mostSeconds`.
 *   node reviewers.ts '{"url":…,"token":…,"perSecond":50,"requests":[…],"films":[…],"mostSeconds":600}'
 * Ends when its stdin does; prints one line of JSON, a `ReviewReport`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request as send } from 'node:http'
import { fileURLToPath } from 'node:url'
import { NODE } from '../../support/station.ts'

export interface ReviewPlan {
  readonly url: string
  readonly token: string
  readonly perSecond: number
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[]
  /** Paths of content; each plays from its start to its end, again and again. */
  readonly films: readonly { readonly path: string; readonly length: number }[]
  readonly mostSeconds: number
}

export interface ReviewReport {
  readonly seconds: number
  readonly requests: Times
  readonly playback: Times
}

export interface Times {
  readonly count: number
  readonly errors: number
  /** What the first errors were. */
  readonly problems: readonly string[]
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly most: number | null
}

/** What a browser asks for at a time, and how much of a film it needs a second: 16 Mbit. */
const RANGE = 256 * 1024
const FILM_BYTES_A_SECOND = 2_000_000

class Clocked {
  private readonly times: number[] = []
  private readonly problems: string[] = []
  private errors = 0

  async time(due: number, work: Promise<void>): Promise<void> {
    try {
      await work
      this.times.push(performance.now() - due)
    } catch (error) {
      this.errors++
      if (this.problems.length < 5) this.problems.push((error as Error).message)
    }
  }
  report(): Times {
    const sorted = this.times.sort((a, b) => a - b)
    const at = (part: number): number | null =>
      sorted.length === 0 ? null : Math.round((sorted[Math.floor((sorted.length - 1) * part)] as number) * 10) / 10
    const { errors, problems } = this
    return { count: sorted.length + errors, errors, problems, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) }
  }
}

async function review(plan: ReviewPlan, ended: AbortSignal): Promise<ReviewReport> {
  const { hostname } = new URL(plan.url)
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new Error(`Load is made for loopback alone, not for ${plan.url}`)
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const ask = (method: string, path: string, expected: number, body?: unknown, range?: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = body === undefined ? '' : JSON.stringify(body)
      const outgoing = send(`${plan.url}${path}`, {
        agent,
        method,
        headers: {
          authorization: `Bearer ${plan.token}`,
          ...(range === undefined ? {} : { range }),
          ...(sent === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
        },
      })
      outgoing.on('error', reject)
      outgoing.on('response', (response) => {
        response.on('error', reject)
        response.resume()
        response.on('end', () =>
          response.statusCode === expected
            ? resolve()
            : reject(new Error(`${method} ${path}: ${response.statusCode ?? 'nothing'}`)),
        )
      })
      outgoing.end(sent)
    })
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))

  const asked = new Clocked()
  const played = new Clocked()
  const from = performance.now()
  const works = () => !ended.aborted && performance.now() - from < plan.mostSeconds * 1000
  const atRate = async (): Promise<void> => {
    const underWay: Promise<void>[] = []
    for (let number = 0; works(); number++) {
      const due = from + (number * 1000) / plan.perSecond
      await pause(due - performance.now())
      const { method, path, body } = plan.requests[number % plan.requests.length] as ReviewPlan['requests'][0]
      underWay.push(asked.time(due, ask(method, path, 200, body)))
    }
    await Promise.all(underWay)
  }
  const play = async ({ path, length }: ReviewPlan['films'][0]): Promise<void> => {
    let due = performance.now()
    for (let at = 0; works(); at = at + RANGE >= length ? 0 : at + RANGE) {
      await pause(due - performance.now())
      const end = Math.min(at + RANGE, length) - 1
      await played.time(due, ask('GET', path, 206, undefined, `bytes=${at}-${end}`))
      // A player that fell behind does not ask twice as fast for ever.
      due = Math.max(due + (RANGE / FILM_BYTES_A_SECOND) * 1000, performance.now() - 1000)
    }
  }
  await Promise.all([atRate(), ...plan.films.map(play)])
  agent.destroy()
  return {
    seconds: Math.round((performance.now() - from) / 100) / 10,
    requests: asked.report(),
    playback: played.report(),
  }
}

/** Begins at once. @returns how it is ended, and what it says then */
export function startReview(plan: ReviewPlan): { end(): Promise<ReviewReport> } {
  const child: ChildProcess = spawn(NODE, [fileURLToPath(import.meta.url), JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    end: async () => {
      child.stdin?.end()
      const code = await closed
      if (code !== 0) throw new Error(`The reviewers ended with ${code}`)
      return JSON.parse(said) as ReviewReport
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const ended = new AbortController()
  process.stdin.resume()
  process.stdin.once('end', () => ended.abort())
  const report = await review(JSON.parse(process.argv[2] ?? '') as ReviewPlan, ended.signal)
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exit(0)
}
