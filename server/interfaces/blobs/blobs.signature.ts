import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signed link allows: `r` reading the state of an upload, `w` uploading. */
export type LinkPermission = 'r' | 'w'

export interface UploadLink {
  /** Tenant as registered. */
  readonly container: string
  /** Resource id, a decimal string. */
  readonly blob: string
  /** Milliseconds since 1970. */
  readonly expires: number
  readonly permissions: string
}

const DAY = 24 * 60 * 60 * 1000
const VERSION = '1'

/**
 * Links that carry their own right (decisions 6: absolute, signed, 24 h). The members are named as in Azure's shared access signatures,
 * because its client library keeps `sig` out of its logs. Every member is under the signature, each on a line of its own.
 * @param secret at least 32 bytes, kept in keys/
 */
export interface LinkSigner {
  /** Path and query, to be put behind the origin that the caller's Host matched. */
  pathFor(container: string, blob: string, now: number): string
  /** The link's permissions, or null when it is forged, changed or expired. Takes the same time for every wrong signature. */
  check(container: string, blob: string, query: Readonly<Record<string, string>>, now: number): string | null
}

export function linkSigner(secret: Uint8Array): LinkSigner {
  if (secret.length < 32) throw new Error('The secret for upload links needs 32 bytes')
  const sign = ({ container, blob, expires, permissions }: UploadLink): Buffer =>
    createHmac('sha256', secret)
      .update(
        [
          'sallyport-upload',
          VERSION,
          encodeURIComponent(container),
          encodeURIComponent(blob),
          isoSeconds(expires),
          permissions,
        ].join('\n'),
      )
      .digest()
  return {
    pathFor: (container, blob, now) => {
      const link: UploadLink = { container, blob, expires: now + DAY, permissions: 'rw' }
      const query = new URLSearchParams({
        sv: VERSION,
        sr: 'b',
        sp: link.permissions,
        se: isoSeconds(link.expires),
        sig: sign(link).toString('base64url'),
      })
      return `/blob/${encodeURIComponent(container)}/${encodeURIComponent(blob)}?${query}`
    },
    check: (container, blob, query, now) => {
      const { sv, sr, sp, se, sig } = query
      if (sv !== VERSION || sr !== 'b' || sp === undefined || se === undefined || sig === undefined) return null
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(se)) return null
      const expires = Date.parse(se)
      // A lone surrogate cannot be encoded: no link was ever made for such a name.
      if (Number.isNaN(expires) || isoSeconds(expires) !== se || !container.isWellFormed() || !blob.isWellFormed())
        return null
      const wanted = sign({ container, blob, expires, permissions: sp })
      const given = Buffer.from(sig, 'base64url')
      // One signature has one spelling: decoding alone passes over padding, strange characters and the last letter's unused bits.
      if (given.toString('base64url') !== sig) return null
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
      return now < expires ? sp : null
    },
  }
}

const isoSeconds = (millis: number): string => `${new Date(millis).toISOString().slice(0, 19)}Z`
