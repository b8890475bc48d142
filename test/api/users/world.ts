/** A station with an administrator's token, and people who sign in at pages of their own. */
import { randomUUID } from 'node:crypto'
import { type CallOptions, type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { type ConnectionFile, signIn } from '../../support/integrator.ts'
import { newPage, type Page } from '../sessions/page.ts'

export const PASSWORD = 'seven lamps by the harbour'
export const BASE = '/userservice/api/v1/tenant/station'

export interface UsersWorld {
  readonly given: Given
  /** Of an integration among Account Administrators. */
  readonly chief: { readonly id: string; readonly token: string }
  /** By the administrator, below the user service. */
  send(method: string, place: string, body?: unknown, more?: CallOptions): Promise<Reply>
  user(more?: Record<string, unknown>): Promise<Json>
  group(PrincipalIds?: readonly string[], Name?: string): Promise<Json>
  /** With its first token. */
  service(more?: Record<string, unknown>): Promise<{ service: Json; connection: ConnectionFile; token: string }>
  page(): Page
  /** Where the user just signed in. @throws unless they could */
  signedIn(Username: string, password?: string): Promise<Page>
  /** What is kept of one user, group or service. */
  read(place: 'users' | 'groups' | 'services', id: string): Promise<Json>
  refused(reply: Promise<Reply>, status: number, code: string): Promise<Json>
}

/** Nobody else has it. */
export const fresh = (name = 'officer'): string => `${name} ${randomUUID().slice(0, 8)}`

export async function usersWorld(
  settings: Record<string, unknown> = {},
  { fresh: isFresh = false }: { fresh?: boolean } = {},
): Promise<UsersWorld> {
  const given = await givenStation({ settings, fresh: isFresh })
  const made = await given.command('integration.create', {
    name: 'chief',
    policies: [],
    group: 'Account Administrators',
    baseUrl: given.url,
  })
  const chief = { id: made.principalId as string, token: await signIn(made.connection, given.url) }
  const send: UsersWorld['send'] = (method, place, body, more = {}) =>
    given.call(method, `${BASE}${place}`, { token: chief.token, ...(body === undefined ? {} : { body }), ...more })
  const page = (): Page => newPage(given.url)
  return {
    given,
    chief,
    send,
    page,
    user: (more = {}) =>
      given.expecting(
        201,
        send('POST', '/users', { Username: fresh(), Password: PASSWORD, ChangePassword: false, ...more }),
      ),
    group: (PrincipalIds = [], Name = fresh('group')) =>
      given.expecting(201, send('POST', '/groups', { Name, PrincipalIds })),
    service: async (more = {}) => {
      const { Service, Connection } = await given.expecting(
        201,
        send('POST', '/services', { Name: fresh('service'), ...more }),
      )
      return { service: Service, connection: Connection, token: await signIn(Connection, given.url) }
    },
    signedIn: async (Username, password = PASSWORD) => {
      const own = page()
      const { status, text } = await own.signIn(Username, password)
      if (status !== 200) throw new Error(`${Username} could not sign in: ${status} ${text}`)
      return own
    },
    read: (place, id) => given.expecting(200, send('GET', `/${place}/${id}`)),
    refused: async (reply, status, code) => {
      const { status: found, json, text } = await reply
      if (found !== status || json?.ErrorCode !== code)
        throw new Error(`expected ${status} ${code}, was ${found}: ${text.slice(0, 500)}`)
      return json
    },
  }
}
