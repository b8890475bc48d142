/** A station whose keeping has something to show: read blobs, alarms, checkpoints and snapshots elsewhere. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Json } from '../../support/given.ts'
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
