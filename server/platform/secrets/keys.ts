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
import { keepKey, type KeptKey, type KeyName, type KeyStore, openFolderKeyStore, REQUIRED_KEYS } from './key-store.ts'
import { type KeyFiles, openKeyFiles } from './key-files.ts'
import { LAN, type LanKeys, openLanKeys } from './lan-keys.ts'
import { checkPackageKey, packageKey, type PackageKey } from './package-key.ts'
import { checkTenant, type TenantKeys, tenantKeys } from './tenant-keys.ts'

/**
 * All keys (decisions 12 and 28): in `keys/`, or wrapped in the database of a headquarters. They are never in logs or in ordinary snapshots,
 * and never readable in a database.
 */
export interface StationKeys {
  /** Key that signs checkpoints. */
  readonly signing: SigningKeys
  /** Keys that sign access tokens. */
  readonly tokens: TokenKeySet
  /** Keys for which uploads are encrypted. */
  readonly tenant: TenantKeys
  /** Key that signs packages. */
  readonly packages: PackageKey
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
  /** Takes up what other nodes changed. Calls at once share one read. */
  refresh(): Promise<void>
  close(): Promise<void>
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
  /** Makes the next key current, and retires the current one. Does nothing when another node did so already. */
  promoteNext(): Promise<void>
}

export interface TokenKeySet {
  current(): { readonly kid: string; readonly privateKey: KeyObject }
  /** Published public keys: the current one first; old ones as long as one of their tokens may be valid. */
  all(): readonly JWK[]
  /** Replaces the current key when it is older than 90 days. @returns whether it was replaced */
  rotateWhenDue(): Promise<boolean>
  rotate(): Promise<void>
  /** Takes up the keys of other nodes, where one is unknown here. */
  refresh(): Promise<void>
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
/** Key files that are created at first use: the CA of the LAN, the keys for encrypted uploads, and the key that signs packages. */
export const LATER_KEY_FILES = [LAN, 'tenant.json', 'package.json'] as const

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
  const file = checkSigning(JSON.parse(texts[SIGNING_FILE] ?? '') as SigningFile)
  return [
    ...file.retired.map((key) => new Uint8Array(Buffer.from(key, 'base64url'))),
    signerOf(file.current).publicKey,
    ...(file.next === null ? [] : [signerOf(file.next).publicKey]),
  ]
}

const SIGNING_FILE = 'signing.json'
const DAY = 86_400_000
const TOKEN_KEY_LIFE = 90 * DAY
/** Much longer than the lifetime of a token. */
const TOKEN_KEY_AFTERLIFE = DAY

/** Keys in a folder. @throws KeysMissing beside an existing ledger; Error with the file's name when one cannot be read */
export async function openKeys(dir: string, options: OpenKeysOptions): Promise<StationKeys> {
  const store = await openFolderKeyStore(dir)
  return openKeysIn(store, store.files, options)
}

/**
 * @param own files of this machine alone: the CA of its LAN
 * @throws KeysMissing beside an existing ledger; Error with the key's name when one cannot be read
 */
export async function openKeysIn(
  store: KeyStore,
  own: KeyFiles,
  { clock, established, retired = [] }: OpenKeysOptions,
): Promise<StationKeys> {
  const makers = new Map<KeyName, () => Promise<string>>([
    [
      'signing',
      async () =>
        JSON.stringify({
          format: 1,
          current: newEd25519(),
          next: null,
          retired: retired.map((key) => Buffer.from(key).toString('base64url')),
        } satisfies SigningFile),
    ],
    ['token', async () => JSON.stringify({ format: 1, keys: [await newTokenKey(clock.now())] } satisfies TokensFile)],
    ['upload', async () => JSON.stringify(newSecret())],
    ['secrets', async () => JSON.stringify(newSecret())],
  ])
  const missing = REQUIRED_KEYS.filter((name) => store.text(name) === null)
  if (established && missing.length > 0) throw keysMissing(store, missing)
  const made = missing.length === 0 ? [] : await store.make(makers)
  const signing = keepKey<SigningFile>(store, 'signing', checkSigning)
  const tokens = keepKey<TokensFile>(store, 'token', checkTokens)
  const tenant = tenantKeys(keepKey(store, 'tenant', checkTenant), clock, store.refresh)
  return {
    signing: signingKeys(signing),
    tokens: tokenKeys(tokens, clock, store.refresh),
    tenant,
    packages: packageKey(keepKey(store, 'package', checkPackageKey)),
    lan: await openLanKeys(own),
    uploadSecret: secretOf(keepKey<SecretFile>(store, 'upload', checkSecret).now()),
    secretsKey: secretOf(keepKey<SecretFile>(store, 'secrets', checkSecret).now()),
    created: made.map(store.label),
    tightened: [...new Set([...store.tightened, ...own.tightened])],
    refresh: store.refresh,
    close: store.close,
  }
}

function keysMissing(store: KeyStore, missing: readonly KeyName[]): KeysMissing {
  return new KeysMissing(
    `The station's keys are gone: ${store.place} lacks ${missing.map(store.label).join(', ')}, although its ledger has entries. ${store.whenMissing}`,
  )
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

function signingKeys(kept: KeptKey<SigningFile>): SigningKeys {
  const retiredOf = ({ retired }: SigningFile): Uint8Array[] =>
    retired.map((key) => new Uint8Array(Buffer.from(key, 'base64url')))
  return {
    current: () => signerOf(kept.now().current),
    publicKeys: () => [...retiredOf(kept.now()), signerOf(kept.now().current).publicKey],
    next: () => {
      const { next } = kept.now()
      return next === null ? null : signerOf(next)
    },
    prepareNext: async () => {
      const { next } = await kept.change((file) => (file.next === null ? { ...file, next: newEd25519() } : file))
      return signerOf(next as JsonWebKey)
    },
    promoteNext: async () => {
      const before = kept.now()
      await kept.change((file) => {
        if (file.next === null && file.current.x !== before.current.x) return file
        if (file.next === null) throw new Error('No next signing key was prepared')
        return {
          format: 1,
          current: file.next,
          next: null,
          retired: [...file.retired, Buffer.from(signerOf(file.current).publicKey).toString('base64url')],
        }
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
async function newTokenKey(now: number): Promise<TokensFile['keys'][number]> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  return { kid: await calculateJwkThumbprint(jwk as JWK), createdAt: now, retiredAt: null, jwk }
}

function checkTokens(file: TokensFile): TokensFile {
  for (const { jwk } of file.keys) {
    if (createPrivateKey({ key: jwk, format: 'jwk' }).asymmetricKeyType !== 'rsa')
      throw new Error('it holds no RSA key')
  }
  if (file.keys.length === 0) throw new Error('it holds no key')
  return file
}

function tokenKeys(kept: KeptKey<TokensFile>, clock: Clock, refresh: () => Promise<void>): TokenKeySet {
  type Key = TokensFile['keys'][number]
  const first = ({ keys }: TokensFile): Key => keys[0] as Key
  const isDue = (file: TokensFile): boolean => clock.now() - first(file).createdAt >= TOKEN_KEY_LIFE
  const rotated = async ({ keys }: TokensFile): Promise<TokensFile> => {
    const now = clock.now()
    const alive = keys
      .map((key) => ({ ...key, retiredAt: key.retiredAt ?? now }))
      .filter(({ retiredAt }) => now - retiredAt < TOKEN_KEY_AFTERLIFE)
    return { format: 1, keys: [await newTokenKey(now), ...alive] }
  }
  let current: { readonly kid: string; readonly privateKey: KeyObject } | null = null
  return {
    current: () => {
      const { kid, jwk } = first(kept.now())
      if (current?.kid !== kid) current = { kid, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
      return current
    },
    all: () =>
      kept.now().keys.map(({ kid, jwk: { kty, n, e } }) => ({ kty, n, e, kid, use: 'sig', alg: 'RS256' }) as JWK),
    rotateWhenDue: async () => {
      if (!isDue(kept.now())) return false
      let done = false
      // Judged again on the current text: another node may have replaced the key meanwhile.
      await kept.change(async (file) => {
        done = isDue(file)
        return done ? rotated(file) : file
      })
      return done
    },
    rotate: async () => void (await kept.change(rotated)),
    refresh,
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
