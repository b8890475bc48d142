/** A station with people who make cases and people who do not, each through a token of their own. */
import { type CallOptions, type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { type ConnectionFile, signIn } from '../../support/integrator.ts'

export const CASES = '/api/v1/case/station'

export interface Person {
  readonly id: string
  readonly kId: string
  readonly token: string
}

export interface CasesWorld {
  readonly given: Given
  /** In CreateCases, AccessAuditTrail and ManageConfiguration. */
  readonly maker: Person
  /** In no policy. */
  readonly other: Person
  person(name: string, policies?: readonly string[]): Promise<Person>
  send(method: string, place: string, body?: unknown, more?: CallOptions & { as?: Person }): Promise<Reply>
  made(body?: Record<string, unknown>, as?: Person): Promise<Json>
  /** As an AccessPolicyModel. */
  policy(who: Person, level: string): Json
}

const personOf = async (given: Given, connection: ConnectionFile): Promise<Person> => ({
  id: connection.ServicePrincipalId,
  kId: connection.ServicePrincipalKey.kid as string,
  token: await signIn(connection, given.url),
})

export async function casesWorld(
  settings: NonNullable<Parameters<typeof givenStation>[0]>['settings'] = {},
): Promise<CasesWorld> {
  const given = await givenStation({ settings })
  const person = async (name: string, policies: readonly string[] = []): Promise<Person> =>
    personOf(given, await given.integration(name, policies))
  const maker = await person('maker', ['CreateCases', 'AccessAuditTrail', 'ManageConfiguration'])
  const other = await person('other')
  const send: CasesWorld['send'] = (method, place, body, { as = maker, ...more } = {}) =>
    given.call(method, place, { token: as.token, ...(body === undefined ? {} : { body }), ...more })
  return {
    given,
    maker,
    other,
    person,
    send,
    made: (body = {}, as = maker) => given.expecting(201, send('POST', CASES, { Title: 'Burglary', ...body }, { as })),
    policy: (who, level) => ({ Permissions: level, PrincipalId: who.id, KId: who.kId, PrincipalType: 'service' }),
  }
}
