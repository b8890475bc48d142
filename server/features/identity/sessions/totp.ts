/** Codes of an authenticator (RFC 6238: SHA-1, six digits, 30 s) and recovery codes: pure rules. */
import { hash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** Seconds. */
export const PERIOD = 30
/** RFC 4226 4: 160 bits. */
const SEED_BYTES = 20
/** Steps that the clock of a phone may be off, either way (RFC 6238 5.2). */
const DRIFT = 1

export const newSeed = (): Uint8Array => new Uint8Array(randomBytes(SEED_BYTES))

const totpOf = (seed: Uint8Array, label = '', issuer = ''): TOTP =>
  new TOTP({
    issuer,
    label,
    issuerInLabel: true,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD,
    secret: new Secret({ buffer: new Uint8Array(seed).buffer }),
  })

/** The seed for an authenticator: as text to type, and as an address that such programs open. */
export function enrolmentOf(seed: Uint8Array, who: { readonly name: string; readonly station: string }) {
  // In the address a colon separates the station from the name.
  const plain = (text: string): string => text.replaceAll(':', ' ')
  const totp = totpOf(seed, plain(who.name), plain(who.station))
  return { secret: totp.secret.base32, uri: totp.toString() }
}

const CODE = /^\d{6}$/

/** People type spaces, as their authenticator shows them. */
const typed = (text: string): string => text.replaceAll(/[\s-]/g, '')

export const isCode = (text: string): boolean => CODE.test(typed(text))

/** The time step of a code; null unless it is the current step, the one before or the one after. @param now milliseconds. */
export function stepOf(text: string, seed: Uint8Array, now: number): number | null {
  if (!isCode(text)) return null
  const delta = totpOf(seed).validate({ token: typed(text), timestamp: now, window: DRIFT })
  return delta === null ? null : TOTP.counter({ period: PERIOD, timestamp: now }) + delta
}

export const RECOVERY_CODES = 10
/** 80 random bits each, so a plain hash is safe. */
const RECOVERY_BYTES = 10
/** Without letters that look like others (Crockford). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten codes like `ABCD-EFGH-JKMN-PQRS`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const bits = [...randomBytes(RECOVERY_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const letters = (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)])
    return (letters.join('').match(/.{4}/g) ?? []).join('-')
  })

/** The stored form of a recovery code; null for malformed text. Case, spaces and look-alike letters do not matter. */
export function recoveryHash(text: string, principalId: number): string | null {
  const letters = typed(text).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (letters.length !== (RECOVERY_BYTES * 8) / 5 || [...letters].some((one) => !LETTERS.includes(one))) return null
  return hash('sha256', `recovery ${principalId} ${letters}`, 'hex')
}
