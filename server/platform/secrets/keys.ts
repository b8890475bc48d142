import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Clock } from '../clock/clock.ts'
import { type KeyFiles, openKeyFiles } from './key-files.ts'
import { checkLan, LAN, type LanKeys, type LanKeysFile, lanKeys } from './lan-keys.ts'
import { checkTenant, TENANT, type TenantKeys, type TenantKeysFile, tenantKeys } from './tenant-keys.ts'

/** All keys in `keys/` (decisions 12). They are never in the database, in logs or in ordinary snapshots. */
export interface StationKeys {
  /** Key that signs checkpoints. */
  readonly signing: SigningKeys
  /** Keys that sign access tokens. */
  readonly tokens: TokenKeySet
  /** Keys for which uploads are encrypted. */
  readonly tenant: TenantKeys
  /** The CA of the LAN and its certificate. */
  readonly lan: LanKeys
  /** 32 bytes, for upload addresses. */
  readonly uploadSecret: Uint8Array
  /** 32 bytes, for encryption at rest. */
  readonly secretsKey: Uint8Array
  /** Files that were created now; empty except at the first start. */
  readonly created: readonly string[]
  /** Files that other accounts could read until now. */
  readonly tightened: readonly string[]
}

export interface Ed25519Signer {
  /** Raw, 32 bytes. */
  readonly publicKey: Uint8Array
  sign(bytes: Uint8Array): Uint8Array
}

export interface SigningKeys {
  current(): Ed25519Signer
  /** Raw public keys of all signing keys so far, oldest first; the last one is the current key. */
  publicKeys(): readonly Uint8Array[]
  next(): Ed25519Signer | null
  /** Creates and stores the next key, unless there is one already. @returns it */
  prepareNext(): Promise<Ed25519Signer>
  promoteNext(): Promise<void>
}

export interface TokenKeySet {
  current(): { readonly kid: string; readonly privateKey: KeyObject }
  /** Published public keys: the current one first; old ones as long as one of their tokens may be valid. */
  all(): readonly JWK[]
  /** Replaces the current key when it is older than 90 days. @returns whether it was replaced */
  rotateWhenDue(): Promise<boolean>
  rotate(): Promise<void>
}

/** The station's ledger has entries, but its keys are missing. */
export class KeysMissing extends Error {
  override readonly name = 'KeysMissing'
}

export interface OpenKeysOptions {
  readonly clock: Clock
  /** True when the station's ledger has entries. Missing keys are then not created. */
  readonly established: boolean
  /** For a new signing key: raw public keys of earlier, lost signing keys, oldest first. */
  readonly retired?: readonly Uint8Array[]
}

/** Names of the files in `keys/` that every station has. */
export const KEY_FILES = ['signing.json', 'token.json', 'upload.json', 'secrets.json'] as const
/** Key files that are created at first use: the CA of the LAN, and the keys for encrypted uploads. */
export const LATER_KEY_FILES = [LAN, TENANT] as const

/** Texts of all key files, which are secrets; for encryption into a snapshot. @throws Error when a required file is missing */
export async function readKeyFiles(dir: string): Promise<Record<string, string>> {
  const files = await openKeyFiles(dir)
  const texts: Record<string, string> = {}
  for (const name of [...KEY_FILES, ...LATER_KEY_FILES]) {
    const text = await files.read(name)
    if (text !== null) texts[name] = text
  }
  for (const name of KEY_FILES) if (!Object.hasOwn(texts, name)) throw new Error(`${dir} lacks ${name}.`)
  return texts
}

/** Writes key files into a folder without any. @throws Error when one exists already, or a required one is missing in `texts` */
export async function writeKeyFiles(dir: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const files = await openKeyFiles(dir)
  for (const name of KEY_FILES) {
    const text = texts[name]
    if (text === undefined) throw new Error(`The keys lack ${name}.`)
    await files.create(name, text)
  }
  for (const name of LATER_KEY_FILES) {
    const text = texts[name]
    if (text !== undefined) await files.create(name, text)
  }
}

/** Raw public keys in the text of `signing.json`: all signing keys so far, and the next one. @throws Error for any other text */
export function publicKeysIn(texts: Readonly<Record<string, string>>): Uint8Array[] {
  const file = checkSigning(JSON.parse(texts[SIGNING] ?? '') as SigningFile)
  return [
    ...file.retired.map((key) => new Uint8Array(Buffer.from(key, 'base64url'))),
    signerOf(file.current).publicKey,
    ...(file.next === null ? [] : [signerOf(file.next).publicKey]),
  ]
}

const SIGNING = 'signing.json'
const TOKENS = 'token.json'
const UPLOAD = 'upload.json'
const SECRETS = 'secrets.json'
const DAY = 86_400_000
const TOKEN_KEY_LIFE = 90 * DAY
/** Much longer than the lifetime of a token. */
const TOKEN_KEY_AFTERLIFE = DAY

/** @throws KeysMissing beside an existing ledger; Error with the file's name when one cannot be read */
export async function openKeys(
  dir: string,
  { clock, established, retired = [] }: OpenKeysOptions,
): Promise<StationKeys> {
  const files = await openKeyFiles(dir)
  const makers: Readonly<Record<string, () => Promise<unknown>>> = {
    [SIGNING]: async () =>
      ({
        format: 1,
        current: newEd25519(),
        next: null,
        retired: retired.map((key) => Buffer.from(key).toString('base64url')),
      }) satisfies SigningFile,
    [TOKENS]: async () => ({ format: 1, keys: [await newTokenKey(clock)] }) satisfies TokensFile,
    [UPLOAD]: async () => newSecret(),
    [SECRETS]: async () => newSecret(),
  }
  const missing: string[] = []
  for (const name of Object.keys(makers)) if ((await files.read(name)) === null) missing.push(name)
  if (established && missing.length > 0) {
    throw new KeysMissing(
      `The station's keys are gone: ${dir} lacks ${missing.join(', ')}, although its ledger has entries. ` +
        'Put the keys folder back as it was, from a copy of it; new keys would not continue the signatures of this ledger. ' +
        'If it is lost for good, keep this data folder as it is and begin a new station in another one.',
    )
  }
  for (const name of missing) await files.create(name, JSON.stringify(await makers[name]?.()))
  const read = async <T>(name: string, open: (value: T) => T): Promise<T> => {
    const text = (await files.read(name)) as string
    try {
      return open(JSON.parse(text) as T)
    } catch {
      // Without message and cause of the parser: they quote the text, which is a secret.
      throw new Error(`${dir}: ${name} is damaged. Put it back from a copy.`)
    }
  }
  return {
    signing: signingKeys(files, await read<SigningFile>(SIGNING, checkSigning)),
    tokens: tokenKeys(files, clock, await read<TokensFile>(TOKENS, checkTokens)),
    tenant: tenantKeys(
      files,
      clock,
      (await files.read(TENANT)) === null ? null : await read<TenantKeysFile>(TENANT, checkTenant),
    ),
    lan: lanKeys(files, (await files.read(LAN)) === null ? null : await read<LanKeysFile>(LAN, checkLan)),
    uploadSecret: secretOf(await read<SecretFile>(UPLOAD, checkSecret)),
    secretsKey: secretOf(await read<SecretFile>(SECRETS, checkSecret)),
    created: missing,
    tightened: files.tightened,
  }
}

interface SigningFile {
  format: 1
  current: JsonWebKey
  next: JsonWebKey | null
  /** Raw public keys in base64url, oldest first. */
  retired: string[]
}

const newEd25519 = (): JsonWebKey => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })

function checkSigning(file: SigningFile): SigningFile {
  signerOf(file.current)
  if (file.next !== null) signerOf(file.next)
  if (!file.retired.every((key) => Buffer.from(key, 'base64url').length === 32))
    throw new Error('a retired key is no key')
  return file
}

function signerOf(jwk: JsonWebKey): Ed25519Signer {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 key')
  const publicKey = new Uint8Array(
    Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x as string, 'base64url'),
  )
  return { publicKey, sign: (bytes) => sign(null, bytes, privateKey) }
}

function signingKeys(files: KeyFiles, opened: SigningFile): SigningKeys {
  let file = opened
  const save = async (changed: SigningFile): Promise<void> => {
    await files.write(SIGNING, JSON.stringify(changed))
    file = changed
  }
  return {
    current: () => signerOf(file.current),
    publicKeys: () => [
      ...file.retired.map((key) => new Uint8Array(Buffer.from(key, 'base64url'))),
      signerOf(file.current).publicKey,
    ],
    next: () => (file.next === null ? null : signerOf(file.next)),
    prepareNext: async () => {
      const next = file.next ?? newEd25519()
      if (file.next === null) await save({ ...file, next })
      return signerOf(next)
    },
    promoteNext: async () => {
      if (file.next === null) throw new Error('No next signing key was prepared')
      await save({
        format: 1,
        current: file.next,
        next: null,
        retired: [...file.retired, Buffer.from(signerOf(file.current).publicKey).toString('base64url')],
      })
    },
  }
}

interface TokensFile {
  format: 1
  /** The first is the current one. */
  keys: { kid: string; createdAt: number; retiredAt: number | null; jwk: JsonWebKey }[]
}

/** RS256; `kid` is the thumbprint of RFC 7638. */
async function newTokenKey(clock: Clock): Promise<TokensFile['keys'][number]> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  return { kid: await calculateJwkThumbprint(jwk as JWK), createdAt: clock.now(), retiredAt: null, jwk }
}

function checkTokens(file: TokensFile): TokensFile {
  for (const { jwk } of file.keys) {
    if (createPrivateKey({ key: jwk, format: 'jwk' }).asymmetricKeyType !== 'rsa')
      throw new Error('it holds no RSA key')
  }
  if (file.keys.length === 0) throw new Error('it holds no key')
  return file
}

function tokenKeys(files: KeyFiles, clock: Clock, opened: TokensFile): TokenKeySet {
  let keys = opened.keys
  const usable = (jwk: JsonWebKey): KeyObject => createPrivateKey({ key: jwk, format: 'jwk' })
  const first = (): TokensFile['keys'][number] => keys[0] as TokensFile['keys'][number]
  let current = { kid: first().kid, privateKey: usable(first().jwk) }

  const rotate = async (): Promise<void> => {
    const now = clock.now()
    const fresh = await newTokenKey(clock)
    const alive = keys
      .map((key) => ({ ...key, retiredAt: key.retiredAt ?? now }))
      .filter(({ retiredAt }) => now - retiredAt < TOKEN_KEY_AFTERLIFE)
    const changed = [fresh, ...alive]
    await files.write(TOKENS, JSON.stringify({ format: 1, keys: changed } satisfies TokensFile))
    keys = changed
    current = { kid: fresh.kid, privateKey: usable(fresh.jwk) }
  }
  return {
    current: () => current,
    all: () => keys.map(({ kid, jwk: { kty, n, e } }) => ({ kty, n, e, kid, use: 'sig', alg: 'RS256' }) as JWK),
    rotateWhenDue: async () => {
      if (clock.now() - first().createdAt < TOKEN_KEY_LIFE) return false
      await rotate()
      return true
    },
    rotate,
  }
}

interface SecretFile {
  format: 1
  /** 32 bytes in base64url. */
  key: string
}

const newSecret = (): SecretFile => ({ format: 1, key: randomBytes(32).toString('base64url') })

function checkSecret(file: SecretFile): SecretFile {
  if (secretOf(file).length !== 32) throw new Error('it holds no key of 32 bytes')
  return file
}

const secretOf = ({ key }: SecretFile): Uint8Array => new Uint8Array(Buffer.from(key, 'base64url'))
