import type { Readable } from 'node:stream'
import { OAuthRefusal } from './refusal.ts'

/** Bytes: many times the largest request. */
const MOST_BYTES = 64 * 1024

/**
 * The parameters of a token request: form encoding (RFC 6749), or the same members as a JSON object. A repeated parameter is
 * refused (RFC 6749 3.2), an empty one counts as absent. @throws OAuthRefusal invalid_request.
 */
export async function readParameters(
  contentType: string | undefined,
  body: Readable,
): Promise<ReadonlyMap<string, string>> {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase()
  const text = await readText(body)
  if (type === 'application/x-www-form-urlencoded') return fromForm(text)
  if (type === 'application/json' || type === 'text/json') return fromJson(text)
  throw invalid('media-type', 'The body is not application/x-www-form-urlencoded.')
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  // Not destroyed on a refusal: that would close the socket before the answer.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MOST_BYTES) throw invalid('too-large', `The body is larger than ${MOST_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The parameters of a query or a form. @throws OAuthRefusal invalid_request, for a repeated parameter. */
export function fromForm(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) add(parameters, name, value)
  return parameters
}

function fromJson(text: string): ReadonlyMap<string, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('body', 'The body is no JSON object.')
  const parameters = new Map<string, string>()
  for (const [name, member] of Object.entries(value)) if (typeof member === 'string') add(parameters, name, member)
  return parameters
}

function add(parameters: Map<string, string>, name: string, value: string): void {
  if (parameters.has(name)) throw invalid('repeated-parameter', 'A parameter is there more than once.')
  if (value !== '') parameters.set(name, value)
}

const invalid = (reason: string, description: string) => new OAuthRefusal('invalid_request', reason, description)
