import { createPrivateKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Clock } from '../clock/clock.ts'
import type { KeyFiles } from './key-files.ts'

/** The public half as it is published (decisions 6); `kid` is the thumbprint of RFC 7638. */
export interface PublicTenantKey {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
  readonly kid: string
}

/**
 * RSA keys that uploads are encrypted for (decisions 6 and 12). The first is made when somebody asks for it: most stations never need one.
 * One that is lost is no station that is lost, only uploads that were on their way.
 */
export interface TenantKeys {
  /** Null where none was ever made. */
  current(): PublicTenantKey | null
  /** The current one; made, and kept, where there is none. */
  ensure(): Promise<PublicTenantKey>
  /** A new current key; the old one is kept until `forget`. */
  rotate(): Promise<PublicTenantKey>
  /** Null where the station has no such key, or has it no more. */
  privateKey(kid: string): KeyObject | null
  /** Drops keys that were replaced a week ago or earlier and that no open upload names. @returns their ids */
  forget(named: ReadonlySet<string>): Promise<string[]>
}

export const TENANT = 'tenant.json'
const MODULUS_BITS = 3072
/** Whoever read the key may be encrypting still; an upload address is good for a day. */
const AFTERLIFE = 7 * 86_400_000

export interface TenantKeysFile {
  format: 1
  /** The first is the current one. */
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
  /** One after the other: two that make a key at once would lose one. */
  let line: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = line.then(work, work)
    line = mine.catch(() => {})
    return mine
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
        const gone = keys.filter(({ kid, retiredAt }) => retiredAt !== null && retiredAt <= limit && !named.has(kid))
        if (gone.length > 0) await save(keys.filter((key) => !gone.includes(key)))
        return gone.map(({ kid }) => kid)
      }),
  }
}
