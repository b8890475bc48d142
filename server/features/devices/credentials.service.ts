import type { z } from 'zod'
import type { StoredCredential } from '../../../shared/devices/configurations.contract.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import {
  credentialBy,
  credentialsOf,
  deleteCredential,
  insertCredential,
  makePendingCurrent,
  updateCredential,
} from './configurations.store.ts'
import { type DeviceCore, type Identification, idOf } from './devices.core.ts'
import { deviceObject } from './devices.models.ts'
import type { Vault } from './vault.ts'

export type CredentialOut = z.input<typeof StoredCredential>

/**
 * Of one device. Each is tried until one works, and those that do not are reported: more than a few are of no use to anybody, and the
 * oldest go.
 */
const MOST_CREDENTIALS = 20

/** Credentials of devices (decisions 5): with which a station signs in to them. They come with a negotiation and go when they fail. */
export interface Credentials {
  /** Current ones first. Empty where the device is unknown. */
  list(
    tenant: string,
    identification: Identification,
  ): Promise<{ device: { id: string; name: string }; credentials: CredentialOut[] }>
  /** They are never handed out again, whether they were known or not. */
  fail(call: Call, tenant: string, identification: Identification, texts: readonly string[]): Promise<void>
  /** In a negotiation. One that failed before stays failed; one that is current stays so. */
  submit(tx: Tx, deviceId: string, text: string, state: 'Current' | 'Pending'): Promise<void>
  /** @returns how many became current */
  makePendingCurrent(tx: Tx, deviceId: string): Promise<number>
  /** Whether it is a current one of the device: who brings it has been in touch with it. */
  proves(from: Tx, deviceId: string, text: string): Promise<boolean>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly vault: Vault
  readonly core: DeviceCore
}

export function createCredentials({ db, ledger, clock, vault, core }: Deps): Credentials {
  const forgetOldest = async (tx: Tx, deviceId: string): Promise<void> => {
    const all = (await credentialsOf(tx, deviceId)).sort((one, other) => one.credential_id - other.credential_id)
    for (const { credential_id: id } of all.slice(0, Math.max(0, all.length - MOST_CREDENTIALS)))
      await deleteCredential(tx, id)
  }
  const failed = async (tx: Tx, deviceId: string, text: string): Promise<boolean> => {
    const fingerprint = vault.fingerprint(deviceId, text)
    const known = await credentialBy(tx, deviceId, fingerprint)
    if (known?.state === 'Failed') return false
    if (known !== undefined) await updateCredential(tx, known.credential_id, { state: 'Failed', sealed: null })
    else
      await insertCredential(tx, {
        device_id: deviceId,
        fingerprint,
        sealed: null,
        state: 'Failed',
        added_utc: isoMillis(clock.now()),
      })
    return known !== undefined
  }

  return {
    list: async (tenant, identification) => {
      const row = await core.named(db.read, tenant, identification)
      if (row === undefined) return { device: { id: idOf(identification), name: '' }, credentials: [] }
      const credentials = (await credentialsOf(db.read, row.device_id)).flatMap(({ sealed, state, added_utc }) => {
        const text = vault.openText(sealed, 'credential', row.device_id)
        return text === null || state === 'Failed'
          ? []
          : [{ DeviceCredential: text, State: state, AddedUtc: added_utc }]
      })
      const { id, name } = deviceObject(row)
      return { device: { id, name }, credentials }
    },

    fail: (call, tenant, identification, texts) =>
      db.transaction(async (tx) => {
        const row = await core.named(tx, tenant, identification)
        let known = 0
        if (row !== undefined) for (const text of new Set(texts)) if (await failed(tx, row.device_id, text)) known++
        await ledger.append(tx, call, {
          action: 'device.credentialsFailed',
          object: row === undefined ? { type: 'device', id: idOf(identification), name: '' } : deviceObject(row),
          detail: { reported: texts.length, handedOutNoMore: known },
        })
      }),

    submit: async (tx, deviceId, text, state) => {
      const fingerprint = vault.fingerprint(deviceId, text)
      const known = await credentialBy(tx, deviceId, fingerprint)
      if (known === undefined) {
        const sealed = vault.sealText(text, 'credential', deviceId)
        await insertCredential(tx, {
          device_id: deviceId,
          fingerprint,
          sealed,
          state,
          added_utc: isoMillis(clock.now()),
        })
        await forgetOldest(tx, deviceId)
      } else if (known.state === 'Pending' && state === 'Current') {
        await updateCredential(tx, known.credential_id, { state })
      }
    },

    makePendingCurrent,

    proves: async (from, deviceId, text) =>
      (await credentialBy(from, deviceId, vault.fingerprint(deviceId, text)))?.state === 'Current',
  }
}
