import { verify } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '../../../kernel/ledger/canonical.ts'
import { ed25519PublicKey, type Signer } from '../../../kernel/ledger/signed-note.ts'

/** The signed list of a snapshot's content. A folder is a snapshot only with this file and its signature. */

const Sum = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), length: z.int().min(0) })

const ManifestSchema = z.object({
  format: z.literal(1),
  /** Origin of the station's checkpoints. */
  origin: z.string(),
  snapshot: z.string(),
  createdUtc: z.string(),
  program: z.string(),
  database: Sum.extend({ schema: z.int() }),
  ledger: z.object({ entries: z.int(), head: z.string() }),
  /** The last signed checkpoint in the snapshot. */
  checkpoint: z.string().nullable(),
  counts: z.record(z.string(), z.int()),
  /** `list`: a file of lines `sha256 length`, ascending. `damaged`: not included, because they were damaged in the station itself. */
  blobs: z.object({
    count: z.int(),
    bytes: z.int(),
    list: Sum,
    damaged: z.array(z.string()),
    /** Originals whose bytes are at headquarters only, by the receipts in the database. They are not in it and not missing. */
    forwarded: z.object({ count: z.int(), bytes: z.int() }).optional(),
  }),
  /** Wrapped by a passphrase; null in ordinary snapshots. */
  keys: Sum.nullable(),
  /** Raw Ed25519 keys in base64 that ever signed for this station, oldest first. */
  publicKeys: z.array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/)).min(1),
})

export type Manifest = z.output<typeof ManifestSchema>

export const DATABASE = 'database.db'
export const LIST = 'blobs.txt'
export const KEYS = 'keys.sealed'
export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'manifest.sig'

/** The prefix keeps the signature from being valid for anything else: neither a checkpoint nor a rotation begins like this. */
const signedText = (text: string): Buffer => Buffer.from(`sallyport snapshot\n${text}`)
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** @returns the texts of the two files */
export function signManifest(manifest: Manifest, signer: Signer): { text: string; signature: string } {
  const text = `${canonicalJson(manifest)}\n`
  return { text, signature: `${base64(signer.publicKey)} ${base64(signer.sign(signedText(text)))}\n` }
}

export class BadManifest extends Error {
  override readonly name = 'BadManifest'
}

/** @returns the signed manifest, and the raw key that signed it, in base64. @throws BadManifest */
export function openManifest(text: string, signature: string): { manifest: Manifest; signedBy: string } {
  const [key = '', signed = ''] = signature.trim().split(' ')
  const raw = Buffer.from(key, 'base64')
  const bytes = Buffer.from(signed, 'base64')
  if (raw.length !== 32 || bytes.length !== 64) throw new BadManifest(`${SIGNATURE} is no signature.`)
  if (!verify(null, signedText(text), ed25519PublicKey(new Uint8Array(raw)), bytes))
    throw new BadManifest(`${MANIFEST} is not what was signed: it was changed, or ${SIGNATURE} was.`)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new BadManifest(`${MANIFEST} cannot be read.`)
  }
  const parsed = ManifestSchema.safeParse(given)
  if (!parsed.success) throw new BadManifest(`${MANIFEST} is of a form that this program does not know.`)
  if (!parsed.data.publicKeys.includes(key))
    throw new BadManifest(`${SIGNATURE} is by a key that the manifest does not name as the station's.`)
  return { manifest: parsed.data, signedBy: key }
}
