/** `package verify`: does what `VERIFY.txt` tells a stranger to do, and names every file, line and entry that does not hold. */
import {
  createHash,
  createPublicKey,
  type KeyObject,
  verify as verifySignature,
  type X509Certificate,
} from 'node:crypto'
import { openCosignature, readCosignatures, type SaidCosignature } from '../../kernel/ledger/cosignature.ts'
import { openCheckpoint } from '../../kernel/ledger/signed-note.ts'
import { fingerprintOf } from '../../platform/secrets/package-key.ts'
import type { Timestamp } from '../../platform/timestamps/timestamp.ts'
import { checkTimestamp } from '../../platform/timestamps/timestamp-token.ts'
import { checkCmsSignature, type CmsSignature } from '../../platform/signatures/cms-signature.ts'
import { entriesIn, hashIn, readTextIn } from '../../storage/packages/read-package.ts'
import * as layout from './format/layout.ts'
import { problemsOf } from './format/proofs.ts'

export interface PackageProblem {
  /** What does not hold: a path below the package, or an entry of the ledger. */
  readonly where: string
  readonly text: string
}

export interface VerifiedPackage {
  readonly problems: readonly PackageProblem[]
  /** Of both keys in the package; null where there is none. */
  readonly fingerprints: { readonly package: string | null; readonly ledger: string | null }
  readonly files: number
  readonly bytes: number
  readonly entries: number
  /** Of the station, as its tree head says; null where that does not hold. */
  readonly origin: string | null
  /** Of an authority outside: null where there is none or it does not hold, `unchecked` where no certificates were given. */
  readonly timestamp: Timestamp | 'unchecked' | null
  /** With the certificate of the agency: null where there is none or it does not hold, `unchecked` where no certificates were given. */
  readonly agencySignature: CmsSignature | 'unchecked' | null
  /** Of other stations on the tree head: those that hold, with the key that is enclosed. */
  readonly cosignatures: readonly SaidCosignature[]
}

export interface VerifyWork {
  /** The fingerprint of the package key as it stands on paper. */
  readonly fingerprint?: string | undefined
  /** Certificates of the authorities whose timestamps and certificates are believed, obtained from them. */
  readonly roots?: readonly X509Certificate[] | undefined
  /** Fingerprints of the keys of stations that must have co-signed, obtained from them. */
  readonly witnesses?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  readonly onBytes?: ((bytes: number) => void) | undefined
}

/** What the lists of a package say, when its signature was verified with the key in it. */
export interface VerifiedLists {
  readonly packageKey: KeyObject | null
  readonly ledgerKey: KeyObject | null
  readonly fingerprints: VerifiedPackage['fingerprints']
  /** Whether the key is the one on the paper, where one was given, and it signed the list. */
  readonly isSigned: boolean
  readonly tags: Buffer
  /** Every file that a list names, with the hash that it must have. */
  readonly listed: readonly layout.ListedFile[]
  readonly files: number
  readonly bytes: number
}

/**
 * Keys, signature, both lists, the hash of each file, and that nothing was added.
 * @param folders of this kind of package @throws Error when the folder cannot be read
 */
export async function verifyLists(
  folder: string,
  folders: readonly string[],
  work: VerifyWork,
  say: Say,
): Promise<VerifiedLists> {
  const text = textIn(folder, say)
  const packageKey = keyIn(await text(layout.PACKAGE_KEY), layout.PACKAGE_KEY, say)
  const ledgerKey = keyIn(await text(layout.LEDGER_KEY), layout.LEDGER_KEY, say)
  const fingerprints = {
    package: packageKey === null ? null : fingerprintOf(packageKey),
    ledger: ledgerKey === null ? null : fingerprintOf(ledgerKey),
  }
  const isOurs = work.fingerprint === undefined || fingerprints.package === work.fingerprint.toLowerCase()
  if (!isOurs) say(layout.PACKAGE_KEY, 'it is not the key on the paper: somebody else made this package')
  const tags = await text(layout.TAG_LIST)
  const holds = packageKey !== null && isSigned(tags, await text(layout.SIGNATURE), packageKey)
  if (packageKey !== null && !holds) say(layout.TAG_LIST, 'the signature does not hold')
  const payload = listIn(await text(layout.PAYLOAD_LIST), layout.PAYLOAD_LIST, say)
  const listed = [...listIn(tags, layout.TAG_LIST, say), ...payload]
  const sums = await compare(folder, listed, work, say)
  nothingAdded(await entriesIn(folder), listed, folders, say)
  return { packageKey, ledgerKey, fingerprints, isSigned: isOurs && holds, tags, listed, ...sums }
}

const textIn =
  (folder: string, say: Say) =>
  async (path: string): Promise<Buffer> => {
    const found = await readTextIn(folder, path)
    if (found === null) say(path, 'it is missing')
    return found ?? Buffer.alloc(0)
  }

/** Of the key in a package; null where there is none. It proves nothing by itself. */
export async function packageFingerprint(folder: string): Promise<string | null> {
  const key = keyIn((await readTextIn(folder, layout.PACKAGE_KEY)) ?? Buffer.alloc(0), layout.PACKAGE_KEY, () => {})
  return key === null ? null : fingerprintOf(key)
}

/** @throws Error when the folder cannot be read */
export async function verifyPackage(folder: string, work: VerifyWork = {}): Promise<VerifiedPackage> {
  const problems: PackageProblem[] = []
  const say = (where: string, text: string): void => void problems.push({ where, text })
  const { ledgerKey, fingerprints, tags, files, bytes } = await verifyLists(folder, layout.FOLDERS, work, say)
  const text = textIn(folder, say)
  const head = await treeHead(folder, ledgerKey, say)
  const proofs = (await text(layout.PROOFS)).toString()
  if (head !== null)
    for (const { seq, text: what } of problemsOf((await text(layout.CUSTODY)).toString(), proofs, head))
      say(seq === null ? layout.PROOFS : `entry ${seq}`, what)
  const sha256 = createHash('sha256').update(tags).digest('hex')
  const timestamp = await timestampIn(folder, sha256, work.roots, say)
  return {
    problems,
    fingerprints,
    timestamp,
    agencySignature: await agencySignatureIn(folder, sha256, { ...work, timestamp }, say),
    cosignatures: await cosignaturesIn(folder, (await text(layout.CHECKPOINT_BODY)).toString(), work, say),
    files,
    bytes,
    entries: proofs.split('\n').length - 1,
    origin: head?.origin ?? null,
  }
}

async function timestampIn(
  folder: string,
  sha256: string,
  roots: VerifyWork['roots'],
  say: Say,
): Promise<VerifiedPackage['timestamp']> {
  const answer = await readTextIn(folder, layout.TIMESTAMP)
  if (answer === null) return null
  if (roots === undefined) return 'unchecked'
  try {
    return checkTimestamp(answer, { sha256, nonce: null, roots })
  } catch (error) {
    say(layout.TIMESTAMP, (error as Error).message)
    return null
  }
}

/** The certificates have to be valid at the time of a timestamp that holds, else now: whoever signs states a time of their own, which proves nothing. */
async function agencySignatureIn(
  folder: string,
  sha256: string,
  { roots, timestamp }: VerifyWork & Pick<VerifiedPackage, 'timestamp'>,
  say: Say,
): Promise<VerifiedPackage['agencySignature']> {
  const signature = await readTextIn(folder, layout.AGENCY_SIGNATURE)
  if (signature === null) return null
  if (roots === undefined) return 'unchecked'
  const at = timestamp === null || timestamp === 'unchecked' ? new Date() : new Date(timestamp.timeUtc)
  try {
    return checkCmsSignature(signature, { sha256, roots, at })
  } catch (error) {
    say(layout.AGENCY_SIGNATURE, (error as Error).message)
    return null
  }
}

/** Each with the key that is enclosed; one that is asked for by its fingerprint and is not there is a problem. */
async function cosignaturesIn(
  folder: string,
  head: string,
  { witnesses = [] }: VerifyWork,
  say: Say,
): Promise<readonly SaidCosignature[]> {
  const held: SaidCosignature[] = []
  try {
    const file = await readTextIn(folder, layout.COSIGNATURES)
    for (const one of file === null ? [] : readCosignatures(file.toString())) {
      const { name, time, fingerprint } = openCosignature(one, head)
      held.push({ station: name, timeUtc: new Date(time * 1000).toISOString(), fingerprint })
    }
  } catch (error) {
    say(layout.COSIGNATURES, (error as Error).message)
  }
  for (const wanted of witnesses)
    if (!held.some(({ fingerprint }) => fingerprint === wanted.toLowerCase()))
      say(layout.COSIGNATURES, `no co-signature with the key ${wanted} is in it`)
  return held
}

export type Say = (where: string, text: string) => void

function keyIn(pem: Buffer, path: string, say: Say): KeyObject | null {
  try {
    return createPublicKey(pem)
  } catch {
    if (pem.length > 0) say(path, 'it is no public key')
    return null
  }
}

function isSigned(bytes: Buffer, signature: Buffer, key: KeyObject): boolean {
  try {
    return verifySignature('sha256', bytes, key, signature)
  } catch {
    return false
  }
}

function listIn(bytes: Buffer, path: string, say: Say): layout.ListedFile[] {
  try {
    return layout.readManifest(bytes.toString())
  } catch (error) {
    say(path, (error as Error).message)
    return []
  }
}

async function compare(folder: string, listed: readonly layout.ListedFile[], work: VerifyWork, say: Say) {
  let [files, bytes] = [0, 0]
  for (const { path, sha256 } of listed) {
    const found = await hashIn(folder, path, work)
    if (found === null) say(path, 'it is missing')
    else {
      files++
      bytes += found.bytes
      if (found.sha256 !== sha256) say(path, 'it was changed: its SHA-256 is another one')
    }
  }
  return { files, bytes }
}

function nothingAdded(
  found: Awaited<ReturnType<typeof entriesIn>>,
  listed: readonly layout.ListedFile[],
  folders: readonly string[],
  say: Say,
): void {
  const known = new Set<string>([
    ...listed.map(({ path }) => path),
    ...folders.map((name) => `${name}/`),
    layout.TAG_LIST,
    layout.SIGNATURE,
    ...layout.LATER,
  ])
  for (const { path, kind } of found)
    if (!known.has(path)) say(path, 'it was added: no list names it')
    else if (kind === 'other') say(path, 'it is a link or a device, and no file')
}

/** The tree head, verified in both of its forms. */
export async function treeHead(folder: string, key: KeyObject | null, say: Say) {
  const text = textIn(folder, say)
  const [note, body, signature] = [
    await text(layout.CHECKPOINT),
    await text(layout.CHECKPOINT_BODY),
    await text(layout.CHECKPOINT_SIGNATURE),
  ]
  if (key === null) return null
  if (!note.toString().startsWith(`${body.toString()}\n— `))
    say(layout.CHECKPOINT, `it is not the tree head of ${layout.CHECKPOINT_BODY}`)
  try {
    if (!verifySignature(null, body, key, signature)) throw new Error('its signature does not hold')
    const raw = Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url')
    return openCheckpoint(note.toString(), [raw])
  } catch (error) {
    say(layout.CHECKPOINT, (error as Error).message)
    return null
  }
}
