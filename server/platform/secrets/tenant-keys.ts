import { createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Clock } from '../clock/clock.ts'
import type { KeyFiles } from './key-files.ts'

/** The published public key (decisions 6); `kid` is the thumbprint of RFC 7638. */
export interface PublicTenantKey {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
  readonly kid: string
}

/**
 * RSA keys for which uploads are encrypted (decisions 6 and 12). The first one is created at first use, since most stations never need one.
 * The loss of a key affects only encrypted uploads that are not complete.
 */
export interface TenantKeys {
  /** Null when no key was ever created. */
  current(): PublicTenantKey | null
  /** The current key, which is created and stored when there is none. */
  ensure(): Promise<PublicTenantKey>
  /** Creates a new current key. The old one is kept until `forget`. */
  rotate(): Promise<PublicTenantKey>
  /** Null when the station has no such key, or has it no longer. */
  privateKey(kid: string): KeyObject | null
  /** Deletes keys that were replaced at least a week ago and are not used by an open upload. @returns their ids */
  forget(named: ReadonlySet<string>): Promise<string[]>
}

export const TENANT = 'tenant.json'
const MODULUS_BITS = 3072
/** Clients that read the key may still encrypt with it; an upload address is valid for a day. */
const AFTERLIFE = 7 * 86_400_000

export interface TenantKeysFile {
  format: 1
  /** The first one is the current key. */
  keys: { kid: string; createdAt: number; retiredAt: number | null; jwk: JsonWebKey }[]
}

export function checkTenant(file: TenantKeysFile): TenantKeysFile {
  for (const { kid, jwk } of file.keys) {
    if (createPrivateKey({ key: jwk, format: 'jwk' }).asymmetricKeyType !== 'rsa' || typeof kid !== 'string')
      throw new Error('it holds no RSA key')
  }
  return file
}

export function tenantKeys(files: KeyFiles, clock: Clock, opened: TenantKeysFile | null): TenantKeys {
  let keys = opened?.keys ?? []
  /** Serializes changes: two concurrent ones would lose a key. */
  let line: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = line.then(work, work)
    line = result.catch(() => {})
    return result
  }
  const save = async (changed: TenantKeysFile['keys']): Promise<void> => {
    const put = keys.length === 0 ? files.create : files.write
    await put(TENANT, JSON.stringify({ format: 1, keys: changed } satisfies TenantKeysFile))
    keys = changed
  }
  const published = ({ kid, jwk }: TenantKeysFile['keys'][number]): PublicTenantKey => ({
    kty: 'RSA',
    n: jwk.n as string,
    e: jwk.e as string,
    kid,
  })
  const current = (): PublicTenantKey | null => (keys[0] === undefined ? null : published(keys[0]))
  const replace = async (): Promise<PublicTenantKey> => {
    const now = clock.now()
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
    const jwk = privateKey.export({ format: 'jwk' })
    const fresh = { kid: await calculateJwkThumbprint(jwk as JWK), createdAt: now, retiredAt: null, jwk }
    await save([fresh, ...keys.map((key) => ({ ...key, retiredAt: key.retiredAt ?? now }))])
    return published(fresh)
  }
  return {
    current,
    ensure: () => inTurn(async () => current() ?? replace()),
    rotate: () => inTurn(replace),
    privateKey: (kid) => {
      const found = keys.find((key) => key.kid === kid)
      return found === undefined ? null : createPrivateKey({ key: found.jwk, format: 'jwk' })
    },
    forget: (named) =>
      inTurn(async () => {
        const limit = clock.now() - AFTERLIFE
        const expired = keys.filter(({ kid, retiredAt }) => retiredAt !== null && retiredAt <= limit && !named.has(kid))
        if (expired.length > 0) await save(keys.filter((key) => !expired.includes(key)))
        return expired.map(({ kid }) => kid)
      }),
  }
}
