/**
 * Sends answers: status, headers, and a body that is text, bytes or a stream; all answers go through here. Content negotiation chooses their
 * media type (decisions 1).
 */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { FrameContext } from './context.ts'

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable | Buffer | string | undefined
}

/** Milliseconds without progress of a client after which a stream is ended. */
const STALLED = 60_000

const BODYLESS = new Set([204, 205, 304])

/**
 * Writes the answer. Resolves when all of it was given to the socket. When the client disconnects or the stream fails, the socket is
 * destroyed, since a cut answer must never look complete; the call then resolves after the stream has been destroyed.
 */
export async function send(ctx: FrameContext, answer: WireAnswer): Promise<void> {
  const { res } = ctx
  // Koa's own writer would leave the socket open for ever when a stream fails half way.
  ctx.respond = false
  const { body } = answer
  if (res.headersSent || !res.writable) {
    discard(body)
    return
  }
  try {
    res.statusCode = answer.status
    for (const [name, value] of Object.entries(answer.headers)) {
      const before = name === 'Vary' ? res.getHeader(name) : undefined
      res.setHeader(name, before === undefined ? value : `${String(before)}, ${value}`)
    }
    if (ctx.state.stopping()) res.setHeader('Connection', 'close')
  } catch (error) {
    // Node refuses the header (a line break in it). Nothing of this answer may be sent.
    discard(body)
    for (const name of Object.keys(answer.headers)) res.removeHeader(name)
    throw error
  }
  const empty = BODYLESS.has(answer.status)
  if (!(body instanceof Readable)) {
    const data = body ?? ''
    // Text goes out in one piece with the headers.
    if (!empty && !res.hasHeader('Content-Length')) res.setHeader('Content-Length', Buffer.byteLength(data))
    res.end(empty || ctx.method === 'HEAD' ? undefined : data)
    return
  }
  if (empty || ctx.method === 'HEAD') {
    discard(body)
    res.end()
    return
  }
  if (res.getHeader('Content-Type')?.toString().startsWith('text/event-stream') === true) res.flushHeaders()
  const endWatch = watchReader(res)
  try {
    await pipeline(body, res)
  } catch (error) {
    res.destroy()
    if (!ctx.state.signal.aborted)
      ctx.state.log.warn({ correlationId: ctx.state.correlationId, err: error }, 'an answer was cut short')
  } finally {
    endWatch()
  }
}

/** Ends a stream to a stalled reader, which would keep the file open for ever. The socket's own timeout is used by Node for keep-alive. */
function watchReader(res: ServerResponse): () => void {
  let before = -1
  const timer = setInterval(() => {
    const written = res.socket?.bytesWritten ?? 0
    if (res.writableNeedDrain && written === before) res.destroy()
    before = written
  }, STALLED)
  timer.unref()
  return () => clearInterval(timer)
}

function discard(body: WireAnswer['body']): void {
  if (!(body instanceof Readable)) return
  body.on('error', () => {})
  body.destroy()
}

export const JSON_OFFERS = ['application/json', 'text/json', 'text/plain'] as const

interface Range {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

/** RFC 9110 12.5.1. Malformed ranges are ignored, and of the parameters only `q` counts. */
function parseAccept(header: string): Range[] {
  return header.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';')
    const match = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\/([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*$/.exec(range)
    if (match === null) return []
    const weight = parameters
      .map((one) => /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i.exec(one)?.[1])
      .find((value) => value !== undefined)
    return [
      {
        type: (match[1] as string).toLowerCase(),
        subtype: (match[2] as string).toLowerCase(),
        quality: weight === undefined ? 1 : Number(weight),
      },
    ]
  })
}

function qualityOf(offer: string, ranges: readonly Range[]): number {
  const [type, subtype] = offer.split('/')
  let best = { specificity: -1, quality: 0 }
  for (const range of ranges) {
    const specificity =
      range.type === type && range.subtype === subtype
        ? 2
        : range.type === type && range.subtype === '*'
          ? 1
          : range.type === '*' && range.subtype === '*'
            ? 0
            : -1
    if (specificity > best.specificity) best = { specificity, quality: range.quality }
  }
  return best.quality
}

/** @returns the offer of the highest quality, the first of equal ones; null when none is acceptable */
function chooseType(accept: string | undefined, offers: readonly string[]): string | null {
  if (accept === undefined || accept.trim() === '') return offers[0] ?? null
  const ranges = parseAccept(accept)
  let chosen: string | null = null
  let quality = 0
  for (const offer of offers) {
    const offerQuality = qualityOf(offer, ranges)
    if (offerQuality > quality) [chosen, quality] = [offer, offerQuality]
  }
  return chosen
}

/** The Content-Type of a route's JSON answer. @throws Fault NotAcceptable */
export function answerType(route: RouteDefinition, accept: string | undefined): string {
  const hasContent = Object.values(route.responses).some((schema) => schema !== null && schema !== 'bytes')
  const chosen = chooseType(accept, route.offers ?? JSON_OFFERS)
  if (chosen === null && hasContent)
    throw fault('NotAcceptable', `The answer is offered as ${(route.offers ?? JSON_OFFERS).join(', ')}.`)
  return `${chosen ?? 'application/json'}; charset=utf-8`
}
