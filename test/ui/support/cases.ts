/** A station with cases, evidence and people, and somebody who looks at them. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ADMINISTRATOR, type Given, givenStation, type Json } from '../../support/given.ts'
import { type Credentials, look, type Looking, type LookOptions, signIn } from './window.ts'

export const CASES = '/api/v1/case/station'
const PASSWORD = 'three blind mice, 1805'

/** A person through a session of their own, as a window has it. */
export interface Person {
  readonly id: string
  readonly kId: string
  readonly username: string
  readonly password: string
  /** @throws when the answer is a refusal */
  send(method: string, place: string, body?: unknown): Promise<Json>
}

export interface CasesStation {
  readonly given: Given
  readonly sergeant: Person
  /** May make cases and read the audit trail. */
  readonly okafor: Person
  /** In no policy. */
  readonly lindqvist: Person
  made(members?: Record<string, unknown>, by?: Person): Promise<Json>
  /** Evidence of the sergeant's, in the case where one is named. */
  evidence(name: string, members?: Record<string, unknown>, caseId?: string): Promise<string>
  share(caseId: string, who: Person, level: string): Promise<void>
}

async function openSession({ url }: Given, username: string, password: string): Promise<string> {
  const opened = await fetch(`${url}/connect/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ Username: username, Password: password, NoticeId: 'default' }),
  })
  if (!opened.ok) throw new Error(`${username} did not get in: ${await opened.text()}`)
  return opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

/** Signs in with the first request: not everybody sends one, and to verify a password takes a tenth of a second. */
function senderOf(given: Given, username: string, password: string): Person['send'] {
  let session: Promise<string> | null = null
  return async (method, place, body) => {
    session ??= openSession(given, username, password)
    const headers = { cookie: await session, origin: given.url }
    const { status, text, json } = await given.call(method, place, { token: null, headers, body })
    if (status >= 400) throw new Error(`${method} ${place}: ${status} ${text.slice(0, 300)}`)
    return json
  }
}

/** Until nothing is made of it any more. */
export async function settled(send: Person['send'], place: string): Promise<void> {
  for (let tries = 0; tries < 80; tries++) {
    const found: Json[] = await send('GET', `${place}/resource`)
    const states = found.flatMap(({ Processing }) => Processing.map((one: Json) => one.State as string))
    if (states.length > 0 && !states.some((state) => state === 'queued' || state === 'running')) return
    await new Promise((resolve) => setTimeout(resolve, Math.min(500, 50 * 1.2 ** tries)))
  }
  throw new Error(`the jobs of ${place} did not end`)
}

export async function casesStation(settings: Record<string, unknown> = {}): Promise<CasesStation> {
  const given = await givenStation({
    settings: { stationName: 'Harrow Quay', timeZone: 'Europe/Berlin', ...settings },
  })
  const personOf = (user: Json, password: string): Person => ({
    id: user.PrincipalId,
    kId: user.KId,
    username: user.Username,
    password,
    send: senderOf(given, user.Username, password),
  })
  const chief = senderOf(given, ADMINISTRATOR.username, ADMINISTRATOR.password)
  const person = async (username: string, names: readonly [string, string], policies: readonly string[]) => {
    const user = await chief('POST', '/userservice/api/v1/tenant/station/users', {
      Username: username,
      Password: PASSWORD,
      ChangePassword: false,
      FirstName: names[0],
      LastName: names[1],
      Policies: policies.map((Policy) => ({ Policy })),
    })
    return personOf(user, PASSWORD)
  }
  const { User: administrator } = await chief('GET', '/connect/session')
  const sergeant = { ...personOf(administrator, ADMINISTRATOR.password), send: chief }
  const okafor = await person('okafor', ['Dayo', 'Okafor'], ['CreateCases', 'AccessAuditTrail'])
  const lindqvist = await person('lindqvist', ['Mia', 'Lindqvist'], [])
  return {
    given,
    sergeant,
    okafor,
    lindqvist,
    made: (members = {}, by = sergeant) => by.send('POST', CASES, { Title: 'Burglary, 14 Tanner’s Row', ...members }),
    evidence: async (name, members = {}, caseId) => {
      const { EvidenceId } = await chief('POST', `${given.documents}/evidence`, { Name: name, ...members })
      const place = `${given.documents}/evidence/${EvidenceId}`
      const file = await chief('POST', `${place}/resource`, { Name: `${name}.txt` })
      await given.put(file.UploadUri, Buffer.from(`what ${name} says\n`))
      await chief('POST', `${place}/resource/${file.ResourceId}/complete`, {})
      await chief('POST', `${place}/complete`, {})
      await settled(chief, place)
      if (caseId !== undefined)
        await chief('POST', `${CASES}/${caseId}/link-evidences`, { Evidences: [{ EvidenceId }] })
      return EvidenceId
    },
    share: (caseId, who, level) =>
      sergeant.send('POST', `${CASES}/${caseId}/share`, {
        AccessPolicies: [{ Permissions: level, PrincipalId: who.id, KId: who.kId, PrincipalType: 'user' }],
      }),
  }
}

export async function looking(
  given: Pick<Given, 'url'>,
  who: Credentials,
  at: string,
  options: LookOptions = {},
): Promise<Looking> {
  const found = await look(given.url, options)
  await signIn(found.page, given.url, at, who)
  return found
}

/** What a page comes to, on a machine that has other work too. */
export const soon = <T>(of: () => T) => expect.poll(of, { timeout: 10_000, interval: 60 })

/** Takes the last act back by its key, once the message that offers it is there: the station may have changed before the window knows. */
export async function undoByKey(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: /^Undo/ }).last().waitFor()
  await page.keyboard.press('Control+z')
}
