import type { BytesAnswer } from '../../../http/bytes.ts'
import type { OAuthRefusal } from './refusal.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
/** Token answers are never kept (RFC 6749 5.1). */
export const NOT_KEPT = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** RFC 6749 5.2. */
export function refusalAnswer({ error, message }: OAuthRefusal): BytesAnswer {
  return { status: 400, headers: NOT_KEPT, body: JSON.stringify({ error, error_description: message }) }
}

/** On to another address; nothing on the way keeps it, since it may hold a code. */
export const leadingTo = (address: string, headers: Readonly<Record<string, string>> = {}): BytesAnswer => ({
  status: 303,
  headers: { Location: address, 'Cache-Control': 'no-store', ...headers },
})
