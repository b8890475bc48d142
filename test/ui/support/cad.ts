/** A station that a dispatch system is connected to: calls that were read, repeated and late ones, and messages of another vendor that were not. */
import type { Json } from '../../support/given.ts'
import { type CasesStation, casesStation } from './cases.ts'

export const EVENTS = '/cadservice/api/v1/events/station'
export const MESSAGES = '/cadservice/api/v1/messages/station'
export const MAPPING = '/cadservice/api/v1/mapping/station'
const SERVICES = '/userservice/api/v1/tenant/station/services'

export interface CadStation extends CasesStation {
  /** The integration that pushes. */
  readonly dispatch: { readonly id: string; readonly name: string }
  push(body: Json, place?: string): Promise<Json>
  raw(text: string | Uint8Array): Promise<void>
}

export async function cadStation(name = 'Harbour dispatch'): Promise<CadStation> {
  const station = await casesStation()
  const { given, sergeant } = station
  const made = await sergeant.send('POST', SERVICES, { Name: name, Policies: [{ Policy: 'PushCadEvents' }] })
  const headers = { 'x-api-key': made.Connection.APIKey as string }
  return {
    ...station,
    dispatch: { id: made.Service.PrincipalId, name },
    push: async (body, place = EVENTS) => (await given.call('POST', place, { token: null, headers, body })).json,
    raw: async (raw) => void (await given.call('POST', EVENTS, { token: null, headers, raw })),
  }
}

/** As another vendor writes them: nothing of it is where the station looks. */
export const foreign = (number: string, more: Json = {}): Json => ({
  Incident: { Number: number, Nature: 'Burglary in progress', Opened: '2026-11-20T01:38:00Z' },
  Where: { Street: '14 Tanner’s Row', Zone: 'North' },
  Crew: [{ Badge: '4417', Car: 'N-12' }],
  Caller: 'Neighbour, second floor',
  ...more,
})
