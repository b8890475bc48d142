/** A station with evidence to share, who may share it, and guests with the cookie of a link. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { ffmpeg } from '../../pipeline/tools.ts'

export const LINKS = '/api/v1/tenant/station/share-links'
export const GUEST = '/api/v1/share-link'
export const RECIPIENT = { Name: 'Zoë Łukasik-Ørsted', Organisation: 'Mercer & Cole' }

export interface Guest {
  readonly cookie: string
  call(method: string, place: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
}

export interface MadeLink {
  readonly id: string
  readonly token: string
  readonly code: string
  readonly json: Json
}

export interface ShareWorld {
  readonly given: Given
  /** Manages what is in no case. */
  readonly token: string
  /** Of the account with that token. */
  readonly makerId: string
  call(method: string, place: string, body?: unknown, token?: string): Promise<Reply>
  ok(status: number, method: string, place: string, body?: unknown, token?: string): Promise<Json>
  /** An evidence with files, whose jobs have ended. */
  add(name: string, files: Readonly<Record<string, Uint8Array>>): Promise<string>
  share(ids: readonly string[], more?: Record<string, unknown>): Promise<MadeLink>
  /** Until every copy is made or has failed. */
  copied(link: MadeLink): Promise<Json>
  tryCode(token: string, code: string): Promise<Reply>
  open(link: MadeLink): Promise<Guest>
  restrict(evidenceId: string): Promise<void>
  lift(evidenceId: string): Promise<void>
  entries(action: string): Json[]
}

const POLICIES = ['CreateCases', 'AccessUnassociatedFiles:Manage', 'DeleteCasesAndFiles', 'RestoreFromRecycleBin']

export async function shareStation(options: Parameters<typeof givenStation>[0] = {}): Promise<ShareWorld> {
  const given = await givenStation(options)
  const connection = await given.integration('sharer', POLICIES)
  const token = await signIn(connection, given.url)
  const call: ShareWorld['call'] = (method, place, body, own = token) =>
    given.call(method, place, { token: own, ...(body === undefined ? {} : { body }) })
  const ok: ShareWorld['ok'] = (status, method, place, body, own) =>
    given.expecting(status, call(method, place, body, own))
  const restriction = '/api/v1/tenant/station/disclosures/evidence'
  const world: ShareWorld = {
    given,
    token,
    makerId: connection.ServicePrincipalId,
    call,
    ok,
    add: async (Name, files) => {
      const { EvidenceId } = await given.evidence({ Name })
      for (const [name, bytes] of Object.entries(files)) await given.completed(bytes, { name, evidenceId: EvidenceId })
      await given.expecting(200, given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`))
      await given.settled(EvidenceId)
      return EvidenceId
    },
    share: async (ids, more = {}) => {
      const json = await ok(201, 'POST', LINKS, { EvidenceIds: ids, Recipient: RECIPIENT, Mode: 'view', ...more })
      return { id: json.Link.LinkId, token: json.Address.split('#')[1], code: json.Code, json }
    },
    copied: async ({ id }) => {
      for (let tries = 0; tries < 300; tries++) {
        const detail = await ok(200, 'GET', `${LINKS}/link/${id}`)
        if (detail.Items.every(({ Copy }: Json) => Copy !== 'making')) return detail
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`the copies of link ${id} were not made`)
    },
    tryCode: (Token, Code) => given.call('POST', `${GUEST}/session`, { token: null, body: { Token, Code } }),
    open: async (link) => {
      const reply = await world.tryCode(link.token, link.code)
      if (reply.status !== 200) throw new Error(`the link did not open: ${reply.status} ${reply.text}`)
      return guestWith(given, (reply.headers.get('set-cookie') ?? '').split(';')[0] as string)
    },
    restrict: async (id) =>
      void (await ok(201, 'POST', `${restriction}/${id}/restriction`, { Kind: 'privileged', Reason: 'Counsel' })),
    lift: async (id) =>
      void (await ok(200, 'POST', `${restriction}/${id}/restriction/lift`, { Kind: 'privileged', Reason: 'Settled' })),
    entries: (action) => given.ledger().filter((entry) => entry.action === action) as Json[],
  }
  return world
}

export const guestWith = (given: Given, cookie: string): Guest => ({
  cookie,
  call: (method, place, headers = {}) =>
    given.call(method, `${GUEST}${place}`, {
      token: null,
      headers: { cookie, ...(method === 'GET' || method === 'HEAD' ? {} : { origin: given.url }), ...headers },
    }),
})

export const cookieOf = (reply: Reply): string => (reply.headers.get('set-cookie') ?? '').split(';')[0] as string

/** A second of a grey picture that does not move, with a tone. */
export async function videoIn(dir: string, seconds = 1): Promise<Uint8Array> {
  const grey = `color=c=gray:s=640x360:r=10:d=${seconds}`
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
  const how = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  await ffmpeg(dir, '-f', 'lavfi', '-i', grey, ...sound, ...how, '-movflags', '+faststart', 'grey.mp4')
  return readFile(path.join(dir, 'grey.mp4'))
}

export async function pictureIn(dir: string): Promise<Uint8Array> {
  await ffmpeg(dir, '-f', 'lavfi', '-i', 'color=c=gray:s=800x600', '-frames:v', '1', '-q:v', '2', 'grey.jpg')
  return readFile(path.join(dir, 'grey.jpg'))
}
