/** People for whom nothing happened yet, at a station where something can. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { CASES, type CasesStation, type Person } from './cases.ts'

const PASSWORD = 'three blind mice, 1805'

export type Somebody = Omit<Person, 'send'>

/** @param administers in every policy, and told of alarms */
export async function somebody(
  { sergeant, given }: Pick<CasesStation, 'sergeant' | 'given'>,
  { administers = false, names = ['Ada', 'Marsh'] }: { administers?: boolean; names?: readonly [string, string] } = {},
): Promise<Somebody> {
  const username = `marsh-${randomUUID().slice(0, 8)}`
  if (administers) {
    const group = 'Account Administrators'
    await given.command('user.create', { username, password: PASSWORD, group, policies: [], guest: false })
    return { id: '', kId: '', username, password: PASSWORD }
  }
  const user = await sergeant.send('POST', '/userservice/api/v1/tenant/station/users', {
    Username: username,
    Password: PASSWORD,
    ChangePassword: false,
    FirstName: names[0],
    LastName: names[1],
    Policies: [],
  })
  return { id: user.PrincipalId, kId: user.KId, username, password: PASSWORD }
}

/** A case of the sergeant's that this person may change. */
export async function open(station: CasesStation, who: Somebody, title: string): Promise<string> {
  const { CaseId } = await station.made({ Title: title })
  await shareWith(station, CaseId, who, 'Edit')
  return CaseId
}

export async function shareWith(
  { sergeant }: Pick<CasesStation, 'sergeant'>,
  caseId: string,
  who: Somebody,
  level: string,
  message = '',
): Promise<void> {
  const policy = { Permissions: level, PrincipalId: who.id, KId: who.kId, PrincipalType: 'user' }
  await sergeant.send('POST', `${CASES}/${caseId}/share`, { AccessPolicies: [policy], Message: message })
}

export const bell = (page: Page) => page.getByRole('button', { name: /^Notices/ })
export const panel = (page: Page) => page.getByRole('dialog', { name: 'Notices' })

export interface Told {
  readonly title: string
  readonly body: string
}

/** A page on which nobody looks, in a browser that keeps what it was given to show. */
export async function unwatched(page: Page, how: 'browser' | 'desktop', permission = 'granted'): Promise<void> {
  await page.addInitScript(
    ([place, first]) => {
      document.hasFocus = () => false
      const told: Told[] = []
      Object.assign(window, { told, asked: 0, badges: [] })
      const kept = window as unknown as { asked: number; badges: number[] }
      if (place === 'desktop') {
        const notify = async (note: Told): Promise<void> => void told.push(note)
        const badge = async (count: number): Promise<void> => void kept.badges.push(count)
        Object.assign(window, { sallyport: { notify, badge } })
      }
      class Shown {
        static permission = first
        static requestPermission = async (): Promise<string> => {
          kept.asked += 1
          Shown.permission = 'granted'
          return Shown.permission
        }
        onclick: (() => void) | null = null
        constructor(title: string, { body }: { body: string }) {
          told.push({ title, body })
          Object.assign(window, { newest: this })
        }
        close(): void {}
      }
      Object.assign(window, { Notification: Shown })
    },
    [how, permission] as const,
  )
}

export const toldTo = (page: Page): Promise<Told[]> => page.evaluate(() => (window as unknown as { told: Told[] }).told)
