import { createHmac, timingSafeEqual } from 'node:crypto'

export interface UploadLink {
  /** Tenant as registered. */
  readonly container: string
  /** Resource id, a decimal string. */
  readonly blob: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** Letters: `r` reading the state of an upload, `w` uploading. */
  readonly permissions: string
  readonly holder: LinkHolder
}

/** The holder of a link, and when it was issued. Whether it is still valid for the holder is checked separately. */
export interface LinkHolder {
  /** PrincipalId, a decimal string. */
  readonly principalId: string
  /** Milliseconds since 1970, whole seconds. */
  readonly issuedAt: number
}

/** Why a link is not valid: it was not issued by this station, or it has expired. */
export type BadLink = 'forged' | 'expired'

export interface CheckedLink {
  readonly permissions: string
  readonly holder: LinkHolder
}

const DAY = 24 * 60 * 60 * 1000
/** Version 1 did not contain the holder. */
const VERSION = '2'

/**
 * Signed links that authorize by themselves (decisions 6: absolute, signed, 24 h). The members are named as in Azure's shared access signatures,
 * because its client library keeps `sig` out of its logs. Every member is under the signature, each on a line of its own.
 * @param secret at least 32 bytes, kept in keys/
 */
export interface LinkSigner {
  /** Path and query, to be put behind the origin that the caller's Host matched. */
  pathFor(container: string, blob: string, now: number, principalId: string): string
  /** Permissions and holder of the link, or why it is not valid. Takes the same time for every wrong signature. */
  check(container: string, blob: string, query: Readonly<Record<string, string>>, now: number): CheckedLink | BadLink
}

export function linkSigner(secret: Uint8Array): LinkSigner {
  if (secret.length < 32) throw new Error('The secret for upload links needs 32 bytes')
  const sign = ({ container, blob, expires, permissions, holder }: UploadLink): Buffer =>
    createHmac('sha256', secret)
      .update(
        [
          'sallyport-upload',
          VERSION,
          encodeURIComponent(container),
          encodeURIComponent(blob),
          isoSeconds(holder.issuedAt),
          isoSeconds(expires),
          permissions,
          holder.principalId,
        ].join('\n'),
      )
      .digest()
  return {
    pathFor: (container, blob, now, principalId) => {
      const holder = { principalId, issuedAt: now }
      const link: UploadLink = { container, blob, expires: now + DAY, permissions: 'rw', holder }
      const query = new URLSearchParams({
        sv: VERSION,
        sr: 'b',
        sp: link.permissions,
        saoid: principalId,
        st: isoSeconds(now),
        se: isoSeconds(link.expires),
        sig: sign(link).toString('base64url'),
      })
      return `/blob/${encodeURIComponent(container)}/${encodeURIComponent(blob)}?${query}`
    },
    check: (container, blob, query, now) => {
      const { sv, sr, sp, saoid, st, se, sig } = query
      if (sv !== VERSION || sr !== 'b' || sp === undefined || saoid === undefined || sig === undefined) return 'forged'
      const [issuedAt, expires] = [instantOf(st), instantOf(se)]
      // A lone surrogate cannot be encoded, so no link exists for such a name.
      if (issuedAt === null || expires === null || !container.isWellFormed() || !blob.isWellFormed()) return 'forged'
      const holder = { principalId: saoid, issuedAt }
      const expected = sign({ container, blob, expires, permissions: sp, holder })
      const sent = Buffer.from(sig, 'base64url')
      // A signature has one spelling: decoding alone ignores padding, other characters and the last letter's unused bits.
      if (sent.toString('base64url') !== sig) return 'forged'
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return 'forged'
      return now < expires ? { permissions: sp, holder } : 'expired'
    },
  }
}

const isoSeconds = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`

/** Null for every text that `isoSeconds` does not write. */
function instantOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return null
  const millis = Date.parse(text)
  return Number.isNaN(millis) || isoSeconds(millis) !== text ? null : millis
}
