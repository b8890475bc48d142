import { createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Clock } from '../clock/clock.ts'
import type { KeptKey } from './key-store.ts'

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
  privateKey(kid: string): Promise<KeyObject | null>
  /** Deletes keys that were replaced at least a week ago and are not used by an open upload. @returns their ids */
  forget(named: ReadonlySet<string>): Promise<string[]>
}

const MODULUS_BITS = 3072
/** Clients that read the key may still encrypt with it; an upload address is valid for a day. */
const AFTERLIFE = 7 * 86_400_000

export interface TenantKeysFile {
  format: 1
  /** The first one is the current key. */
  keys: { kid: string; createdAt: number; retiredAt: number | null; jwk: JsonWebKey }[]
}

/** Null where no key was ever made. */
export function checkTenant(file: TenantKeysFile | null): TenantKeysFile | null {
  if (file === null) return null
  for (const { kid, jwk } of file.keys) {
    if (createPrivateKey({ key: jwk, format: 'jwk' }).asymmetricKeyType !== 'rsa' || typeof kid !== 'string')
      throw new Error('it holds no RSA key')
  }
  return file
}

/** @param refresh takes up the keys of other nodes */
export function tenantKeys(
  kept: KeptKey<TenantKeysFile | null>,
  clock: Clock,
  refresh: () => Promise<void>,
): TenantKeys {
  type Keys = TenantKeysFile['keys']
  const keysOf = (file: TenantKeysFile | null): Keys => file?.keys ?? []
  const published = ({ kid, jwk }: Keys[number]): PublicTenantKey => ({
    kty: 'RSA',
    n: jwk.n as string,
    e: jwk.e as string,
    kid,
  })
  const first = (file: TenantKeysFile | null): PublicTenantKey | null => {
    const [key] = keysOf(file)
    return key === undefined ? null : published(key)
  }
  const replaced = async (file: TenantKeysFile | null): Promise<TenantKeysFile> => {
    const now = clock.now()
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
    const jwk = privateKey.export({ format: 'jwk' })
    const fresh = { kid: await calculateJwkThumbprint(jwk as JWK), createdAt: now, retiredAt: null, jwk }
    return { format: 1, keys: [fresh, ...keysOf(file).map((key) => ({ ...key, retiredAt: key.retiredAt ?? now }))] }
  }
  const privateKeyHere = (kid: string): KeyObject | null => {
    const found = keysOf(kept.now()).find((key) => key.kid === kid)
    return found === undefined ? null : createPrivateKey({ key: found.jwk, format: 'jwk' })
  }
  return {
    current: () => first(kept.now()),
    ensure: async () =>
      first(kept.now()) ??
      (first(await kept.change((file) => (first(file) === null ? replaced(file) : file))) as PublicTenantKey),
    rotate: async () => first(await kept.change(replaced)) as PublicTenantKey,
    privateKey: async (kid) => {
      const here = privateKeyHere(kid)
      if (here !== null) return here
      // Another node may have given it out a moment ago.
      await refresh()
      return privateKeyHere(kid)
    },
    forget: async (named) => {
      let expired: Keys = []
      if (kept.now() === null) return []
      await kept.change((file) => {
        const limit = clock.now() - AFTERLIFE
        expired = keysOf(file).filter(
          ({ kid, retiredAt }) => retiredAt !== null && retiredAt <= limit && !named.has(kid),
        )
        return file === null || expired.length === 0
          ? file
          : { ...file, keys: file.keys.filter((key) => !expired.includes(key)) }
      })
      return expired.map(({ kid }) => kid)
    },
  }
}
