/**
 * A load generator, as a process of its own (docs/guarantees.md, Load): asks as fast as it is answered to find the peak, then at a constant
 * rate of so many times the peak, whether earlier ones are answered or not, then little again. Times count from when a request was due.
 * It takes numbers and time limits, and refuses any address but loopback.
 *   node test/support/open-loop.ts '{"url":"http://127.0.0.1:7460","requests":[…],"plan":{…}}'
 * Prints one line of JSON, a `LoopReport`.
 */
import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { NODE } from './station.ts'

export interface LoopRequest {
  readonly method: string
  readonly path: string
  readonly token: string | null
  readonly body?: unknown
}

export interface LoopPlan {
  /** Seconds as fast as it goes, on so many connections; before and after the rest. */
  readonly peakSeconds: number
  readonly lanes: number
  /** Times the peak, for so many seconds; or so many a second whatever the peak is. */
  readonly times: number
  readonly perSecond?: number
  readonly overloadSeconds: number
  /** Times the peak, afterwards: what is asked on an ordinary day. */
  readonly calmTimes: number
  readonly calmSeconds: number
  /** Never more than these connections, and never more requests altogether. */
  readonly mostConnections: number
  readonly mostRequests: number
}

export interface Stretch {
  readonly seconds: number
  readonly sent: number
  /** Due, and never sent since every connection waited for an answer. */
  readonly unsent: number
  readonly byStatus: Readonly<Record<string, number>>
  /** Answered with 2xx, a second. */
  readonly goodput: number
  /** 429 and 503 that did not say when to come again. */
  readonly withoutRetryAfter: number
  /** Connections that broke. */
  readonly broken: number
  /** Milliseconds from when it was due to its answer, of those with 2xx; null without any. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

export interface LoopReport {
  readonly peak: Stretch
  readonly overload: Stretch
  /** The first second after the overload is part of it. */
  readonly calm: Stretch
  readonly peakAfter: Stretch
  /** Seconds after the end of the overload until every later request was answered with 2xx within 500 ms. */
  readonly recoverySeconds: number
}

interface Asked {
  readonly due: number
  ended: number
  status: number
  /** Of a refusal that does not say when to come again. */
  mute: boolean
}

interface Line {
  readonly socket: Socket
  asked: Asked | null
  rest: Buffer
  told: (() => void) | null
}

/** For a status: the connection ended without an answer. */
const BROKEN = -1

interface Lines {
  /** @returns null when no connection is free and no more may be opened. */
  ask(due: number, told: (() => void) | null): Asked | null
  close(): void
}

function textOf({ method, path, token, body }: LoopRequest, host: string): string {
  const sent = body === undefined ? '' : JSON.stringify(body)
  const headers = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...(sent === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(sent)}`]),
  ]
  return `${headers.join('\r\n')}\r\n\r\n${sent}`
}

function settle(line: Line, status: number, mute: boolean): void {
  const { asked, told } = line
  line.asked = null
  line.told = null
  if (asked === null) return
  Object.assign(asked, { status, mute, ended: performance.now() })
  told?.()
}

/** Connections that are kept, by hand: a client of the library costs as much as a server. */
function openLines(url: string, requests: readonly LoopRequest[], plan: LoopPlan): Lines {
  const { hostname, port, host, protocol } = new URL(url)
  if (protocol !== 'http:' || !['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
    throw new Error(`Load is made for loopback alone, not for ${url}`)
  const texts = requests.map((request) => textOf(request, host))
  const idle = new Set<Line>()
  let open = 0
  let made = 0

  const read = (line: Line, chunk: Buffer): void => {
    line.rest = line.rest.length === 0 ? chunk : Buffer.concat([line.rest, chunk])
    const end = line.rest.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = line.rest.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (line.rest.length < end + 4 + length) return
    const status = Number(head.slice(9, 12))
    line.rest = line.rest.subarray(end + 4 + length)
    if (!/\r\nconnection: *close/i.test(head)) idle.add(line)
    settle(line, status, (status === 429 || status === 503) && !/\r\nretry-after: *[1-9]/i.test(head))
  }
  const another = (): Line | null => {
    if (open >= plan.mostConnections) return null
    open++
    const line: Line = {
      socket: connect(Number(port), hostname.replaceAll(/[[\]]/g, '')),
      asked: null,
      rest: Buffer.alloc(0),
      told: null,
    }
    line.socket.setNoDelay(true)
    line.socket.on('data', (chunk: Buffer) => read(line, chunk))
    line.socket.on('error', () => {})
    line.socket.on('close', () => {
      open--
      idle.delete(line)
      settle(line, BROKEN, false)
    })
    return line
  }
  const free = (): Line | null => {
    const [line] = idle
    if (line === undefined) return another()
    idle.delete(line)
    return line
  }

  return {
    ask: (due, told) => {
      if (made >= plan.mostRequests) throw new Error('As many requests were made as may be')
      const line = free()
      if (line === null) return null
      const asked: Asked = { due, ended: 0, status: 0, mute: false }
      line.asked = asked
      line.told = told
      line.socket.write(texts[made++ % texts.length] as string)
      return asked
    },
    close: () => {
      for (const { socket } of idle) socket.destroy()
    },
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const isGood = ({ status }: Asked): boolean => status >= 200 && status < 300

/** @param until what ended later is no part of it */
function stretch(all: readonly Asked[], unsent: number, from: number, until: number): Stretch {
  const byStatus: Record<string, number> = {}
  const ended = all.filter((one) => one.ended > 0)
  for (const { status } of ended) {
    const name = status === BROKEN ? 'broken' : String(status)
    byStatus[name] = (byStatus[name] ?? 0) + 1
  }
  const good = ended.filter(isGood)
  const times = good.map((one) => one.ended - one.due).sort((one, other) => one - other)
  const at = (part: number): number | null =>
    times.length === 0 ? null : Math.round(times[Math.floor((times.length - 1) * part)] as number)
  const seconds = (until - from) / 1000
  return {
    seconds: Math.round(seconds * 10) / 10,
    sent: all.length,
    unsent,
    byStatus,
    goodput: Math.round(good.filter((one) => one.ended <= until).length / seconds),
    withoutRetryAfter: ended.filter(({ mute }) => mute).length,
    broken: byStatus['broken'] ?? 0,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  }
}

async function peakOf(lines: Lines, { lanes, peakSeconds }: LoopPlan): Promise<Stretch> {
  const from = performance.now()
  const until = from + peakSeconds * 1000
  const all: Asked[] = []
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until)
        await new Promise<void>((resolve) => {
          const asked = lines.ask(performance.now(), resolve)
          if (asked === null) setTimeout(resolve, 5)
          else all.push(asked)
        })
    }),
  )
  return stretch(all, 0, from, until)
}

async function atRate(lines: Lines, rate: number, seconds: number) {
  const from = performance.now()
  const until = from + seconds * 1000
  const all: Asked[] = []
  let due = 0
  let unsent = 0
  for (let now = from; now < until; now = performance.now()) {
    for (; from + (due * 1000) / rate <= now; due++) {
      const asked = lines.ask(from + (due * 1000) / rate, null)
      if (asked === null) unsent++
      else all.push(asked)
    }
    await pause(1)
  }
  return { all, unsent, from, until: performance.now() }
}

/** Until nothing is under way any more, but no longer than that. */
async function answered(all: readonly Asked[], seconds: number): Promise<void> {
  for (let tries = 0; tries < seconds * 50 && all.some(({ ended }) => ended === 0); tries++) await pause(20)
}

async function run(url: string, requests: readonly LoopRequest[], plan: LoopPlan): Promise<LoopReport> {
  const lines = openLines(url, requests, plan)
  // What is compiled and cached for the first time is no measure.
  await peakOf(lines, { ...plan, peakSeconds: plan.peakSeconds / 2 })
  const peak = await peakOf(lines, plan)
  const high = await atRate(lines, plan.perSecond ?? peak.goodput * plan.times, plan.overloadSeconds)
  const low = await atRate(lines, Math.max(5, peak.goodput * plan.calmTimes), plan.calmSeconds)
  await answered([...high.all, ...low.all], 15)
  const calmEnd = performance.now()
  const bad = low.all.filter((one) => !isGood(one) || one.ended - one.due > 500)
  const last = Math.max(0, ...bad.map(({ due }) => due - low.from))
  // What was never answered has not recovered.
  const lost = low.all.some(({ ended }) => ended === 0)
  const later = low.all.filter(({ due }) => due >= low.from + 1000)
  const peakAfter = await peakOf(lines, plan)
  lines.close()
  return {
    peak,
    overload: stretch(high.all, high.unsent, high.from, high.until),
    calm: stretch(later, low.unsent, low.from + 1000, Math.min(calmEnd, low.until)),
    peakAfter,
    recoverySeconds: lost ? plan.calmSeconds : Math.round(last / 100) / 10,
  }
}

/** Runs it as a process of its own, so that the asking takes nothing from whoever measures. */
export function openLoop(url: string, requests: readonly LoopRequest[], plan: LoopPlan): Promise<LoopReport> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, [fileURLToPath(import.meta.url), JSON.stringify({ url, requests, plan })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
    })
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(said) as LoopReport) : reject(new Error(`The load ended with ${code}`)),
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url, requests, plan } = JSON.parse(process.argv[2] ?? '') as {
    url: string
    requests: LoopRequest[]
    plan: LoopPlan
  }
  process.stdout.write(`${JSON.stringify(await run(url, requests, plan))}\n`)
}
