/** Cookies that prove a session (decisions 10, RFC 6265bis 4.1.3.2): 256 random bits. The station stores only their SHA-256. */
import { hash, randomBytes } from 'node:crypto'

const isTls = (origin: string): boolean => origin.startsWith('https:')
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export const newToken = (): string => randomBytes(32).toString('base64url')
export const tokenHash = (token: string): string => hash('sha256', token, 'hex')

export interface TokenCookie {
  nameAt(origin: string): string
  /** Without Max-Age: the browser drops it on exit, and the station ends the session itself. */
  set(token: string, origin: string): string
  clear(origin: string): string
  /**
   * @param header the `Cookie` header as Node joins it.
   * @returns the token; null when there is none, or several: then another party may have set one.
   */
  read(header: string | undefined, origin: string): string | null
}

/** Over TLS the prefix `__Host-` makes browsers refuse a cookie without Secure, for another path, or for a whole domain. */
export function tokenCookie(plain: string): TokenCookie {
  const nameAt = (origin: string): string => (isTls(origin) ? `__Host-${plain}` : plain)
  const set = (token: string, origin: string): string =>
    `${nameAt(origin)}=${token}; Path=/; HttpOnly; SameSite=Strict${isTls(origin) ? '; Secure' : ''}`
  return {
    nameAt,
    set,
    clear: (origin) => `${set('', origin)}; Max-Age=0`,
    read: (header, origin) => {
      const name = nameAt(origin)
      const values = (header ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1))
      const [only] = values
      return values.length === 1 && only !== undefined && TOKEN.test(only) ? only : null
    },
  }
}
