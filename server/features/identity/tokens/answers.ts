import type { BytesAnswer } from '../../../http/bytes.ts'
import type { OAuthRefusal } from './refusal.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
/** Token answers are never cached (RFC 6749 5.1). */
export const NO_STORE = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** RFC 6749 5.2. */
export function refusalAnswer({ error, message }: OAuthRefusal): BytesAnswer {
  return { status: 400, headers: NO_STORE, body: JSON.stringify({ error, error_description: message }) }
}

/** A redirect. It may hold a code, so it is not cached. */
export const redirectTo = (address: string, headers: Readonly<Record<string, string>> = {}): BytesAnswer => ({
  status: 303,
  headers: { Location: address, 'Cache-Control': 'no-store', ...headers },
})
