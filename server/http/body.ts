/** Receives JSON and form bodies: media type, limit, deadline (decisions 1 and 13). `read-request.ts` parses them. */
import type { IncomingMessage } from 'node:http'
import { Fault, fault } from '../../shared/kernel/errors.ts'
import { mostBodyBytes, type RouteDefinition } from '../../shared/kernel/route.ts'

export interface BodyLimits {
  /** Bytes. The contract gives some routes less. */
  readonly jsonBodyBytes: number
  /** Milliseconds that a body may take to arrive. Slower ones are cut off. */
  readonly bodyMillis: number
}

const FORM = 'application/x-www-form-urlencoded'

/** Whether the request has a body (RFC 9112 6.3). */
export function hasBody(request: IncomingMessage): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true
  return Number(request.headers['content-length'] ?? 0) > 0
}

/**
 * Refuses a body of a type that the route does not accept. Accepted are application/json, text/json, application/json-patch+json,
 * application/*+json and the types that the route adds. Called before the body is read. @throws Fault UnsupportedMediaType
 */
export function checkBodyType(request: IncomingMessage, route: RouteDefinition): void {
  if (route.body === undefined || !hasBody(request)) return
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw fault('UnsupportedMediaType', 'Encoded bodies are not accepted here.')
  const { type, charset } = mediaType(request.headers['content-type'] ?? '')
  if (!isJson(type) && route.accepts?.includes(type) !== true)
    throw fault('UnsupportedMediaType', 'The body must be JSON, under a JSON media type.')
  const { vendorModel } = route
  if (vendorModel !== undefined && isVendors(type, vendorModel.name)) {
    const v = parameterOf(request.headers['content-type'] ?? '', 'v')
    if (v !== null && v !== vendorModel.v)
      throw fault('UnsupportedMediaType', `Only version ${vendorModel.v} of this model is accepted.`)
  }
  if (charset !== null && !['utf-8', 'utf8', 'us-ascii'].includes(charset))
    throw fault('UnsupportedMediaType', 'The body must be in UTF-8.')
}

export function mediaType(header: string): { type: string; charset: string | null } {
  const [type = ''] = header.split(';', 1)
  return { type: type.trim().toLowerCase(), charset: parameterOf(header, 'charset')?.toLowerCase() ?? null }
}

/** The first parameter of that name, without its quotes. */
function parameterOf(header: string, name: string): string | null {
  for (const one of header.split(';').slice(1)) {
    const [, found = '', value = ''] = /^\s*([^\s=]+)\s*=\s*"?([^"\s]+)"?\s*$/.exec(one) ?? []
    if (found.toLowerCase() === name) return value
  }
  return null
}

const isVendors = (type: string, model: string): boolean =>
  type.startsWith('application/vnd.') && type.endsWith(`.${model.toLowerCase()}+json`)

const isJson = (type: string): boolean =>
  type === 'application/json' || type === 'text/json' || /^application\/[a-z0-9!#$&^_.-]+\+json$/.test(type)

/** The raw body of a JSON route; undefined when there is none. @throws Fault BodyTooLarge, RequestTimeout, InvalidModel */
export async function readBytes(
  request: IncomingMessage,
  route: RouteDefinition,
  limits: BodyLimits,
): Promise<Uint8Array | undefined> {
  if (route.body === undefined || !hasBody(request)) return undefined
  const bytes = await collect(request, Math.min(limits.jsonBodyBytes, mostBodyBytes(route)), limits.bodyMillis)
  return bytes.byteLength === 0 ? undefined : bytes
}

/** Whether the body comes as a form. */
export const isForm = (request: IncomingMessage): boolean =>
  mediaType(request.headers['content-type'] ?? '').type === FORM

async function collect(request: IncomingMessage, most: number, millis: number): Promise<Buffer> {
  const tooLarge = () => fault('BodyTooLarge', `A body here may have ${most} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(fault('RequestTimeout', 'The body took too long to arrive.')), millis)
  const onData = (chunk: Buffer): void => {
    length += chunk.byteLength
    if (length > most) reject(tooLarge())
    else chunks.push(chunk)
  }
  const onEnd = (): void => resolve()
  const onClose = (): void => reject(new Fault('InvalidModel', 'The body ended early.'))
  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  try {
    await promise
    return Buffer.concat(chunks, length)
  } finally {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', onClose)
  }
}
