/** The session cookie (decisions 10, RFC 6265bis 4.1.3.2): 256 random bits. The station stores only its SHA-256. */
import { hash, randomBytes } from 'node:crypto'

/** Over TLS the prefix `__Host-` makes browsers refuse a cookie without Secure, for another path, or for a whole domain. */
export const cookieName = (origin: string): string => (isTls(origin) ? '__Host-sallyport_session' : 'sallyport_session')

const isTls = (origin: string): boolean => origin.startsWith('https:')
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export const newToken = (): string => randomBytes(32).toString('base64url')
export const tokenHash = (token: string): string => hash('sha256', token, 'hex')

/** Without Max-Age: the browser drops it on exit, and the station ends the session itself. */
export function setCookie(token: string, origin: string): string {
  return `${cookieName(origin)}=${token}; Path=/; HttpOnly; SameSite=Strict${isTls(origin) ? '; Secure' : ''}`
}

export const clearCookie = (origin: string): string => `${setCookie('', origin)}; Max-Age=0`

/**
 * @param header the `Cookie` header as Node joins it.
 * @returns the token; null when there is none, or several: then another party may have set one.
 */
export function tokenFrom(header: string | undefined, origin: string): string | null {
  const name = cookieName(origin)
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [only] = values
  return values.length === 1 && only !== undefined && TOKEN.test(only) ? only : null
}
