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

/** What an authenticator is given: as text to type, and as the address that such programs open. */
export function invitation(seed: Uint8Array, who: { readonly name: string; readonly station: string }) {
  // A colon parts the station from the name in there.
  const plain = (text: string): string => text.replaceAll(':', ' ')
  const totp = totpOf(seed, plain(who.name), plain(who.station))
  return { secret: totp.secret.base32, uri: totp.toString() }
}

const CODE = /^\d{6}$/

/** People write them with spaces, as their authenticator shows them. */
const typed = (text: string): string => text.replaceAll(/[\s-]/g, '')

export const isCode = (text: string): boolean => CODE.test(typed(text))

/** The time step whose code it is; null when it is none of now, the step before or the one after. @param now milliseconds. */
export function stepOf(text: string, seed: Uint8Array, now: number): number | null {
  if (!isCode(text)) return null
  const delta = totpOf(seed).validate({ token: typed(text), timestamp: now, window: DRIFT })
  return delta === null ? null : TOTP.counter({ period: PERIOD, timestamp: now }) + delta
}

export const RECOVERY_CODES = 10
/** 80 random bits each, so that a plain hash tells nothing of them. */
const RECOVERY_BYTES = 10
/** Without letters that are taken for others (Crockford). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten of `ABCD-EFGH-JKMN-PQRS`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const bits = [...randomBytes(RECOVERY_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const letters = (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)])
    return (letters.join('').match(/.{4}/g) ?? []).join('-')
  })

/** How a recovery code is kept and found; null when it is none. Case, spaces and the usual mix-ups do not matter. */
export function recoveryHash(text: string, principalId: number): string | null {
  const letters = typed(text).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  if (letters.length !== (RECOVERY_BYTES * 8) / 5 || [...letters].some((one) => !LETTERS.includes(one))) return null
  return hash('sha256', `recovery ${principalId} ${letters}`, 'hex')
}
