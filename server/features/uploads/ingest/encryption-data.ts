/** The header `x-ms-meta-encryptiondata` of an encrypted upload (decisions 6). */
import { quarantineReason } from '../../../../shared/messages/quarantine-reasons.ts'
import { z } from 'zod'

export interface EncryptionData {
  readonly keyId: string
  /** 16 bytes. */
  readonly iv: Uint8Array
  /** The content key, encrypted for the station's key by RSA-OAEP with SHA-1. */
  readonly wrappedKey: Uint8Array
}

/** Standard base64 in its canonical form, of a length that `check` accepts. */
const base64 = (check: (bytes: number) => boolean) =>
  z
    .string()
    .max(4096)
    .transform((text, context) => {
      const bytes = Buffer.from(text, 'base64')
      if (bytes.toString('base64') === text && check(bytes.length)) return new Uint8Array(bytes)
      context.addIssue({ code: 'custom', message: 'is not base64 of the right length' })
      return z.NEVER
    })

const Header = z.object({
  ContentEncryptionIV: base64((length) => length === 16),
  EncryptionAgent: z.object({ EncryptionAlgorithm: z.literal('AES_CBC_256'), Protocol: z.literal('1.0') }),
  EncryptionMode: z.literal('FullBlob'),
  // Metadata of the encrypting client; not used here.
  KeyWrappingMetadata: z.unknown().optional(),
  WrappedContentKey: z.object({
    Algorithm: z.literal('RSA-OAEP'),
    EncryptedKey: base64((length) => length > 0),
    KeyId: z.string().min(1).max(512),
  }),
})

/** Ids of the keys that these headers name. Pure. */
export const namedKeys = (headers: readonly string[]): Set<string> =>
  new Set(
    headers.flatMap((header) => {
      const data = readEncryptionData(header)
      return typeof data === 'string' ? [] : data.keyId
    }),
  )

/** Pure. @returns a sentence for the ledger when the header is not as decisions 6 describes */
export function readEncryptionData(header: string): EncryptionData | string {
  let value: unknown
  try {
    value = JSON.parse(header)
  } catch {
    return quarantineReason('noJson')
  }
  const read = Header.safeParse(value)
  if (!read.success) {
    const paths = [...new Set(read.error.issues.map(({ path }) => path.join('.') || 'the whole'))]
    return quarantineReason('otherData', { where: paths.join(', ') })
  }
  const { ContentEncryptionIV: iv, WrappedContentKey: wrapped } = read.data
  return { keyId: wrapped.KeyId, iv, wrappedKey: wrapped.EncryptedKey }
}
