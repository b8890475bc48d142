/** A station that is pushed calls, with officers who wear cameras and administrators who look after both. */
import { randomUUID } from 'node:crypto'
import { type CallOptions, type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { type ConnectionFile, signIn } from '../../support/integrator.ts'

export const EVENTS = '/cadservice/api/v1/events/station'
export const MESSAGES = '/cadservice/api/v1/messages/station'
export const MAPPING = '/cadservice/api/v1/mapping/station'
export const OVERVIEW = '/cadservice/api/v1/overview/station'
export const CASES = '/api/v1/case/station'
const DEVICES = '/api/v1/tenant/station/device'

export interface Program {
  readonly id: string
  readonly kId: string
  readonly token: string
  readonly apiKey: string
}

export interface CadWorld {
  readonly given: Given
  /** In PushCadEvents. */
  readonly dispatch: Program
  /** An administrator, in every policy. */
  readonly chief: Program
  /** In ManageDevices. */
  readonly second: Program
  /** In no policy. */
  readonly nobody: Program
  program(name: string, policies?: readonly string[]): Promise<Program>
  as(who: Program, method: string, place: string, body?: unknown, more?: CallOptions): Promise<Reply>
  push(event: Json, more?: CallOptions & { as?: Program }): Promise<Reply>
  /** @returns the result of an event that must be taken */
  pushed(event: Json): Promise<Json>
  /** A case as the administrators see it. */
  caseOf(caseId: string): Promise<Json>
  officer(badge?: string): Promise<{ id: string; name: string; badge: string }>
  /** An active camera of this officer for the time. */
  camera(officer: string, from: string, to?: string | null): Promise<Camera>
  /** What the camera recorded, sent with its credential. */
  recording(camera: Camera, from: string, to: string, offset?: string): Promise<string>
  /** Until what is asked is there; else the last answer. */
  eventually<T>(look: () => Promise<T>, there: (found: T) => boolean): Promise<T>
}

export interface Camera {
  readonly id: string
  readonly serial: string
  readonly credential: string
}

export const fresh = (name: string): string => `${name} ${randomUUID().slice(0, 8)}`

const programOf = async (given: Given, connection: ConnectionFile): Promise<Program> => ({
  id: connection.ServicePrincipalId,
  kId: connection.ServicePrincipalKey.kid as string,
  token: await signIn(connection, given.url),
  apiKey: String(connection['APIKey']),
})

export async function cadWorld(settings: Record<string, unknown> = {}): Promise<CadWorld> {
  const given = await givenStation({ settings: { maxActiveDevices: 1_000, ...settings } })
  const program = async (name: string, policies: readonly string[] = []): Promise<Program> =>
    programOf(given, await given.integration(name, policies))
  const dispatch = await program('dispatch', ['PushCadEvents'])
  const chief = await programOf(
    given,
    (
      await given.command('integration.create', {
        name: 'chief',
        policies: [],
        group: 'Account Administrators',
        baseUrl: given.url,
      })
    ).connection as ConnectionFile,
  )
  const second = await program('second', ['ManageDevices'])
  const nobody = await program('nobody')
  const as: CadWorld['as'] = (who, method, place, body, more = {}) =>
    given.call(method, place, { token: who.token, ...(body === undefined ? {} : { body }), ...more })
  const push: CadWorld['push'] = (event, { as: who = dispatch, ...more } = {}) => as(who, 'POST', EVENTS, event, more)
  const expecting = given.expecting
  return {
    given,
    dispatch,
    chief,
    second,
    nobody,
    program,
    as,
    push,
    pushed: async (event) => {
      const { status, json, text } = await push(event)
      if (status !== 200 && status !== 201) throw new Error(`the event was answered ${status}: ${text.slice(0, 500)}`)
      return json
    },
    caseOf: (caseId) => expecting(200, as(chief, 'GET', `${CASES}/${caseId}`)),
    officer: async (badge = randomUUID().slice(0, 8)) => {
      const name = fresh('officer')
      const { principalId } = await given.command('user.create', {
        username: name,
        password: 'seven lamps by the harbour',
        policies: [],
        group: null,
        guest: false,
      })
      const place = `/userservice/api/v1/tenant/station/users/${principalId}`
      await expecting(200, as(chief, 'PATCH', place, { FirstName: 'Anna', LastName: name, Badge: badge }))
      return { id: principalId, name, badge }
    },
    camera: async (officer, from, to = null) => {
      const serial = fresh('S')
      const DeviceIdentification = { SerialNumber: serial, Manufacturer: 'Acme', Model: 'M', CommonName: serial }
      const device = await expecting(
        201,
        as(chief, 'POST', DEVICES, { DeviceIdentification, DeviceType: 'BodyWornCamera' }),
      )
      await expecting(200, as(chief, 'POST', `${DEVICES}/${device.Id}/activate`))
      await associate(device.Id, officer, from, to)
      const credential = randomUUID()
      const negotiation = {
        DeviceId: DeviceIdentification,
        DeviceType: 'BodyWornCamera',
        Capabilities: {},
        Configuration: {},
        Credential: { DeviceCredential: credential },
      }
      const configuration = '/api/v1/tenant/station/configuration'
      const { TransactionId } = await expecting(200, as(chief, 'POST', `${configuration}/negociate`, negotiation))
      await expecting(
        204,
        as(chief, 'POST', `${configuration}/commit`, { DeviceId: DeviceIdentification, TransactionId }),
      )
      return { id: device.Id, serial, credential }
    },
    recording: async (camera, from, to, offset) => {
      const evidence = await expecting(
        201,
        as(chief, 'POST', `${given.documents}/evidence`, {
          Name: fresh('clip'),
          StartTimeUtc: from,
          EndTimeUtc: to,
          Device: { SerialNumber: camera.serial, Manufacturer: 'Acme', DeviceType: 'BodyWornCamera' },
          DeviceCredential: camera.credential,
        }),
      )
      await expecting(
        201,
        as(chief, 'POST', `${given.documents}/evidence/${evidence.EvidenceId}/resource`, {
          Name: 'clip.mp4',
          StartTimeUtc: from,
          EndTimeUtc: to,
          ...(offset === undefined ? {} : { TimeOffset: offset }),
        }),
      )
      return evidence.EvidenceId as string
    },
    eventually: async (look, there) => {
      for (let tries = 0; ; tries++) {
        const found = await look()
        if (there(found) || tries === 1200) return found
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }

  async function associate(device: string, officer: string, from: string, to: string | null): Promise<void> {
    // Activity begins with now, so what a camera recorded before cannot have been anybody's.
    await expecting(
      201,
      as(chief, 'POST', `${DEVICES}/${device}/association`, { PrincipalId: officer, FromUtc: from, ToUtc: to }),
    )
  }
}
