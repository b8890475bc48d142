/** A station with two who manage devices, one who does not, and officers who sign in at pages of their own. */
import { randomUUID } from 'node:crypto'
import { type CallOptions, type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { newPage, type Page } from '../sessions/page.ts'

export const SHOWN = '/api/v1/tenant/station'
export const PRIVATE = '/api/v1-private/tenant/station'
const PASSWORD = 'seven lamps by the harbour'

export interface Officer {
  readonly id: string
  readonly name: string
  readonly page: Page
}

export interface DevicesWorld {
  readonly given: Given
  /** Of two integrations in ManageDevices, and of one in no policy. */
  readonly manager: { readonly id: string; readonly token: string }
  readonly second: { readonly id: string; readonly token: string }
  readonly nobody: string
  /** By the first of those who manage. */
  send(method: string, place: string, body?: unknown, more?: CallOptions): Promise<Reply>
  /** @throws unless it is answered with the status */
  sent(status: number, method: string, place: string, body?: unknown, more?: CallOptions): Promise<Json>
  /** A device that nobody else has; its record. */
  device(more?: { active?: boolean; type?: string; serial?: string; manufacturer?: string }): Promise<Json>
  /** Signed in; by default nobody but a member. */
  officer(policies?: readonly string[]): Promise<Officer>
  refused(reply: Promise<Pick<Reply, 'status' | 'json' | 'text'>>, status: number, code: string): Promise<Json>
  close(): Promise<void>
}

export const fresh = (name: string): string => `${name} ${randomUUID().slice(0, 8)}`

export async function devicesWorld(settings: Record<string, unknown> = {}): Promise<DevicesWorld> {
  const given = await givenStation({ settings: { maxActiveDevices: 1_000, ...settings } })
  const integration = async (name: string, policies: readonly string[]) => {
    const connection = await given.integration(name, policies)
    return { id: connection.ServicePrincipalId, token: await signIn(connection, given.url) }
  }
  const manager = await integration('devices', ['ManageDevices'])
  const second = await integration('devices too', ['ManageDevices'])
  const send: DevicesWorld['send'] = (method, place, body, more = {}) =>
    given.call(method, place.startsWith('/api') ? place : `${SHOWN}${place}`, {
      token: manager.token,
      ...(body === undefined ? {} : { body }),
      ...more,
    })
  const sent: DevicesWorld['sent'] = (status, ...args) => given.expecting(status, send(...args))
  return {
    given,
    manager,
    second,
    nobody: (await integration('nobody', [])).token,
    send,
    sent,
    device: async ({ active = true, type = 'BodyWornCamera', serial = fresh('S'), manufacturer = 'Acme' } = {}) => {
      const named = { SerialNumber: serial, Manufacturer: manufacturer, Model: 'M1', CommonName: `Camera ${serial}` }
      const record = await sent(201, 'POST', '/device', { DeviceIdentification: named, DeviceType: type })
      return active ? sent(200, 'POST', `/device/${record.Id}/activate`) : record
    },
    officer: async (policies = []) => {
      const name = fresh('officer')
      const { principalId } = await given.command('user.create', {
        username: name,
        password: PASSWORD,
        policies,
        group: null,
        guest: false,
      })
      const page = newPage(given.url)
      const { status, text } = await page.signIn(name, PASSWORD)
      if (status !== 200) throw new Error(`${name} could not sign in: ${status} ${text}`)
      return { id: principalId, name, page }
    },
    refused: async (reply, status, code) => {
      const { status: found, json, text } = await reply
      if (found !== status || json?.ErrorCode !== code)
        throw new Error(`expected ${status} ${code}, was ${found}: ${text.slice(0, 500)}`)
      return json
    },
    close: () => given.close(),
  }
}

/** As a device names itself in a body. */
export const named = (record: Json): Json => ({
  SerialNumber: record.DeviceIdentification.SerialNumber,
  Manufacturer: record.DeviceIdentification.Manufacturer,
})

export const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString()
