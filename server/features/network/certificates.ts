/** The CA and certificate of the LAN, and when they must be replaced (decisions 10). */
import type { LedgerEntry } from '../../kernel/ledger/ledger.ts'
import {
  makeAuthority,
  makeCertificate,
  type Reach,
  readCertificate,
  reaches,
  renewalTime,
} from '../../platform/certificates/authority.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { LanCredentials, LanKeys } from '../../platform/secrets/lan-keys.ts'
import { isIP } from 'node:net'
import type { LanRow } from './lan.store.ts'

export type Why = 'first' | 'asked' | 'names' | 'due' | 'newCa' | 'lost'

export interface Certificates {
  current(): LanCredentials | null
  /** Names and addresses that the CA may not speak for. */
  outside(names: readonly string[]): string[]
  /** Whether another certificate is needed for these names at this time, and why. */
  needed(names: readonly string[]): Why | null
  /** Creates a certificate, and a CA if there is none or `newCa` is set. Both are stored when it resolves. */
  make(names: readonly string[], reach: Reach, newCa: boolean): Promise<LanCredentials>
}

export const LAN_OBJECT = { type: 'lan', id: '1', name: '' } as const

export function createCertificates({
  keys,
  clock,
  machineName,
}: {
  keys: LanKeys
  clock: Clock
  machineName: () => string
}): Certificates {
  const outside = (names: readonly string[]): string[] => {
    const held = keys.current()
    return held === null ? [] : names.filter((name) => !reaches(held.authority)(name))
  }
  return {
    current: keys.current,
    outside,
    needed: (names) => {
      const held = keys.current()
      if (held === null) return 'first'
      const facts = readCertificate(held.certificate.certificate)
      if (renewalTime(facts) <= clock.now() && facts.notAfter < readCertificate(held.authority.certificate).notAfter)
        return 'due'
      const could = names.filter((name) => reaches(held.authority)(name))
      // A missing address may return with its cable; a removed name counts at once.
      const stale = facts.names.some((name) => isIP(name) === 0 && !names.includes(name))
      return stale || could.some((name) => !facts.names.includes(name)) ? 'names' : null
    },
    make: async (names, reach, newCa) => {
      const held = newCa ? null : keys.current()
      const authority = held?.authority ?? {
        ...(await makeAuthority(`Sallyport CA of ${machineName()}`.slice(0, 64), reach, clock.now())),
        ...reach,
      }
      const could = names.filter((name) => reaches(authority)(name))
      const made = { authority, certificate: await makeCertificate(authority, could, clock.now()) }
      await keys.save(made)
      return made
    },
  }
}

/** Ledger entries that are missing for existing keys, and the row that marks them as written. */
export function untold(
  row: LanRow,
  held: LanCredentials | null,
  why: Why,
  now: number,
): { readonly row: LanRow; readonly entries: readonly LedgerEntry[] } {
  if (held === null) return { row, entries: [] }
  const authority = readCertificate(held.authority.certificate)
  const certificate = readCertificate(held.certificate.certificate)
  const entries: LedgerEntry[] = []
  let updated = row
  if (row.authority !== authority.fingerprint) {
    entries.push({
      action: 'lan.caMade',
      object: LAN_OBJECT,
      sha256: authority.fingerprint,
      detail: {
        subject: authority.subject,
        notAfter: isoMillis(authority.notAfter),
        names: held.authority.names,
        networks: held.authority.networks,
        replaces: row.authority,
      },
    })
    const replaced = row.authority === null ? row.replaced : { fingerprint: row.authority, at: now }
    updated = { ...updated, authority: authority.fingerprint, replaced }
  }
  if (row.certificate !== certificate.fingerprint) {
    entries.push({
      action: 'lan.certificateMade',
      object: LAN_OBJECT,
      sha256: certificate.fingerprint,
      detail: { names: certificate.names, notAfter: isoMillis(certificate.notAfter), why },
    })
    updated = { ...updated, certificate: certificate.fingerprint }
  }
  return { row: updated, entries }
}
