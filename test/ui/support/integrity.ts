/** A station whose keeping has something to show: read blobs, alarms, checkpoints and snapshots elsewhere. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { signCheckpoint } from '../../../server/kernel/ledger/signed-note.ts'
import type { Given, Json } from '../../support/given.ts'
import { type CasesStation, casesStation } from './cases.ts'

export const KEEPING = '/api/v1/tenant/station/keeping'

export interface IntegrityStation extends CasesStation {
  /** An empty folder beside the station. */
  drive(name: string): string
  /** Changes one bit of the bytes of an evidence on the disk. */
  damage(evidenceId: string): Promise<string>
  read(): Promise<Json>
  /** Reads everything, or waits for whatever else is under way. */
  run(): Promise<void>
  rest(): Promise<void>
}

export async function integrityStation(): Promise<IntegrityStation> {
  const station = await casesStation()
  const { given, sergeant } = station
  const read = (): Promise<Json> => sergeant.send('GET', KEEPING)
  const rest = async (): Promise<void> => {
    for (let tries = 0; tries < 400; tries++) {
      const { Fixity, Backups } = await read()
      if (Fixity.Run === null && Backups.Doing === null && !Backups.Targets.some((one: Json) => one.Last === null))
        return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the station is never at rest')
  }
  return {
    ...station,
    read,
    rest,
    drive: (name) => {
      const folder = path.join(given.dir, name)
      mkdirSync(folder, { recursive: true })
      return folder
    },
    damage: async (evidenceId) => {
      const [one] = await sergeant.send('GET', `${given.documents}/evidence/${evidenceId}/resource`)
      const file = path.join(given.data, 'blobs', one.Sha256.slice(0, 2), one.Sha256.slice(2, 4), one.Sha256)
      const bytes = readFileSync(file)
      bytes[3] = (bytes[3] as number) ^ 1
      writeFileSync(path.join(given.dir, 'damaged'), bytes)
      renameSync(path.join(given.dir, 'damaged'), file)
      return one.Sha256
    },
    run: async () => {
      await sergeant.send('POST', `${KEEPING}/run`)
      await rest()
    },
  }
}

/** A station with a key of its own that presents heads of its ledger. */
export function presentingStation(given: Given, origin = 'tanners-row.example/ledger') {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')
  const signer = { publicKey: new Uint8Array(raw), sign: (bytes: Uint8Array) => sign(null, bytes, privateKey) }
  return async (size: number): Promise<number> => {
    const Checkpoint = signCheckpoint(
      { origin, size, root: new Uint8Array(createHash('sha256').update(`${size}`).digest()) },
      signer,
    )
    const body = { Checkpoint, PublicKey: raw.toString('base64') }
    return (await given.call('POST', '/api/v1/tenant/station/checkpoint', { body })).status
  }
}
