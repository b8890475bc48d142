/** A station with bays, people who wear cameras, and one who manages them. */
import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../../server/kernel/database/database.ts'
import { dockWorld } from '../../dock/world.ts'
import { ADMINISTRATOR, type Json } from '../../support/given.ts'

const PASSWORD = 'seven lamps by the harbour'

export interface Wearer {
  readonly id: string
  readonly username: string
  readonly password: string
}

export type DockedStation = Awaited<ReturnType<typeof dockedStation>>

export const fresh = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`

/**
 * How far the page says a camera is behind. The station compares the clocks when it comes to read them, so on a busy machine it measures a
 * second more than the camera was set back by.
 */
export function behindWords(offset: number, set: number): string {
  // A measure that is off by more than a busy machine explains would be a fault.
  if (offset < set || offset > set + 20_000) throw new Error(`${set} ms behind was measured as ${offset} ms`)
  const seconds = Math.round(offset / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s behind the station`
}

export async function dockedStation() {
  const world = await dockWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Berlin', maxActiveDevices: 1_000 })
  const { given, keeper } = world
  const send = (status: number, method: string, place: string, body?: unknown): Promise<Json> =>
    given.expecting(
      status,
      given.call(method, `/api/v1/tenant/station${place}`, { token: keeper, ...(body === undefined ? {} : { body }) }),
    )
  const person = async (name: string, policies: readonly string[]): Promise<Wearer> => {
    const { principalId } = await given.command('user.create', {
      username: name,
      password: PASSWORD,
      policies,
      group: null,
      guest: false,
    })
    return { id: principalId, username: name, password: PASSWORD }
  }
  const device = async (serial: string, since?: string): Promise<Json> => {
    const DeviceIdentification = { SerialNumber: serial, Manufacturer: 'Lantern', Model: 'L2' }
    const added = await given.call('POST', '/api/v1/tenant/station/device', {
      token: keeper,
      body: { DeviceIdentification, DeviceType: 'BodyWornCamera' },
    })
    const record = await send(200, 'POST', `/device/${added.json.Id}/activate`)
    // The station was not there long enough: the device was active for a while.
    if (since !== undefined) {
      const db = await openDatabase({ file: given.file })
      await db.transaction((tx) =>
        tx
          .updateTable('device_activity')
          .set({ from_ticks: BigInt(Date.parse(since)) * 10_000n })
          .where('device_id', '=', record.Id)
          .execute(),
      )
      await db.close()
    }
    return record
  }
  return {
    ...world,
    send,
    device,
    person,
    sergeant: { id: '', username: ADMINISTRATOR.username, password: ADMINISTRATOR.password } satisfies Wearer,
    /** The whole way of a camera, through its bay. */
    docked: async (
      serial: string,
      more: Partial<Parameters<typeof world.camera>[1]> = {},
      bay = fresh('bay'),
    ): Promise<Json> => {
      const camera = world.camera(bay, { serial, ...more })
      camera.plugIn()
      const session = await world.reached(bay, 'released')
      camera.pull()
      return session
    },
  }
}
