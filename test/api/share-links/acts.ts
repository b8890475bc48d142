/** One good call of each route of links (promise I1). */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Json } from '../../support/given.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'
import { cookieOf, GUEST, LINKS } from './world.ts'

const RECIPIENT = { Name: 'A. Mercer', Organisation: 'Mercer & Cole' }

export const SHARE_LINK_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  previewShareLink: async (world) => {
    const id = await picture(world)
    return {
      call: () => asChief(world, 'GET', `${LINKS}/preview?id=${id}`),
      status: 200,
      actor: 'chief',
      entries: () => [['shareLink.previewed', 'shareLink', '', { detail: { evidence: [id] } }]],
    }
  },
  createShareLink: async (world) => {
    const id = await picture(world)
    return {
      call: () => make(world, id),
      status: 201,
      actor: 'chief',
      entries: ({ json }) => [
        ['shareLink.made', 'shareLink', json.Link.LinkId],
        ['evidence.linkMade', 'evidence', id],
      ],
    }
  },
  listShareLinks: async (world) => {
    await lasting(world)
    return {
      call: () => asChief(world, 'GET', LINKS),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['shareLink.listed', 'shareLink', '', { detail: { returned: json.Items.length } }]],
    }
  },
  listEvidenceShareLinks: async (world) => {
    const { evidenceId } = await lasting(world)
    return {
      call: () => asChief(world, 'GET', `${LINKS}/evidence/${evidenceId}`),
      status: 200,
      actor: 'chief',
      entries: () => [['shareLink.listed', 'evidence', evidenceId, { detail: { returned: 1 } }]],
    }
  },
  getShareLink: async (world) => {
    const { id } = await lasting(world)
    return {
      call: () => asChief(world, 'GET', `${LINKS}/link/${id}`),
      status: 200,
      actor: 'chief',
      entries: () => [['shareLink.read', 'shareLink', id]],
    }
  },
  recallShareLink: async (world) => {
    const { id, evidenceId } = await made(world)
    return {
      call: () => asChief(world, 'POST', `${LINKS}/link/${id}/recall`, { Reason: 'Lost' }),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['shareLink.recalled', 'shareLink', id, { reason: 'Lost' }],
        ['evidence.linkRecalled', 'evidence', evidenceId, { reason: 'Lost' }],
      ],
    }
  },
  renewShareLinkCode: async (world) => {
    const { id } = await made(world)
    return {
      call: () => asChief(world, 'POST', `${LINKS}/link/${id}/code`),
      status: 200,
      actor: 'chief',
      entries: () => [['shareLink.codeRenewed', 'shareLink', id, { detail: { wasLocked: false } }]],
    }
  },
  openShareLink: async (world) => {
    const { id, token, code } = await lasting(world)
    return {
      call: () => open(world, token, code),
      status: 200,
      actor: { kind: 'share-link', id: `link-${id}`, name: 'A. Mercer, Mercer & Cole' },
      entries: () => [['shareLink.opened', 'shareLink', id]],
    }
  },
  getGuestLink: (world) => ofGuest(world, 'GET', '/session', 200, null),
  endGuestSession: (world) =>
    ofGuest(world, 'DELETE', '/session', 204, ({ id }) => ['shareLink.closed', 'shareLink', id]),
  getGuestPoster: (world) => ofGuest(world, 'GET', '/item/1/poster', 200, null),
  getGuestCopy: (world) =>
    ofGuest(world, 'GET', '/item/1/copy', 200, ({ resourceId }) => ['resource.linkViewed', 'resource', resourceId]),
  getGuestOriginal: (world) =>
    ofGuest(world, 'GET', '/item/1/original', 200, ({ resourceId }) => [
      'resource.linkDownloaded',
      'resource',
      resourceId,
    ]),
}

interface Made {
  readonly id: string
  readonly evidenceId: string
  readonly resourceId: string
  readonly token: string
  readonly code: string
}

/** A picture of which a marked copy can be made, managed by the administrator. */
async function picture(world: World): Promise<string> {
  const { given } = world
  const { EvidenceId } = await given.expecting(
    201,
    asChief(world, 'POST', `${given.documents}/evidence`, { Name: 'Yard' }),
  )
  const { ResourceId, UploadUri } = await given.expecting(
    201,
    asChief(world, 'POST', `${given.documents}/evidence/${EvidenceId}/resource`, { Name: 'yard.jpg' }),
  )
  const file = path.join(given.dir, `yard-${EvidenceId}.jpg`)
  const colour = `color=c=0x${Number(EvidenceId).toString(16).padStart(6, '0')}:s=64x64`
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', colour, '-frames:v', '1', file])
  await given.put(UploadUri, readFileSync(file))
  const place = `${given.documents}/evidence/${EvidenceId}`
  await given.expecting(200, asChief(world, 'POST', `${place}/resource/${ResourceId}/complete`, {}))
  for (let tries = 0; tries < 100; tries++) {
    const list: Json[] = await given.expecting(200, asChief(world, 'GET', `${place}/resource`))
    if (list.some(({ Name }) => Name.endsWith('.preview.jpg') || Name === 'yard.preview.jpg')) return EvidenceId
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('no preview was made')
}

const make = (world: World, id: string) =>
  asChief(world, 'POST', LINKS, { EvidenceIds: [id], Recipient: RECIPIENT, Mode: 'download' })

/** Of each world, for acts that leave a link as it is: making the copy of one takes two seconds. */
const links = new WeakMap<World, Promise<Made>>()
function lasting(world: World): Promise<Made> {
  const known = links.get(world) ?? made(world)
  links.set(world, known)
  return known
}

async function made(world: World): Promise<Made> {
  const evidenceId = await picture(world)
  const { Link, Address, Code } = await world.given.expecting(201, make(world, evidenceId))
  for (let tries = 0; tries < 200; tries++) {
    const detail = await world.given.expecting(200, asChief(world, 'GET', `${LINKS}/link/${Link.LinkId}`))
    if (detail.Items[0].Copy === 'ready') break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const resourceId = String(
    world.given.database((db) =>
      db.prepare('SELECT resource_id FROM share_link_items WHERE link_id = ?').pluck().get(Number(Link.LinkId)),
    ),
  )
  return { id: Link.LinkId, evidenceId, resourceId, token: Address.split('#')[1], code: Code }
}

const open = ({ given }: World, Token: string, Code: string) =>
  given.call('POST', `${GUEST}/session`, { token: null, body: { Token, Code } })

async function ofGuest(
  world: World,
  method: string,
  place: string,
  status: number,
  entry: ((made: Made) => readonly [action: string, objectType: string, objectId: string]) | null,
): Promise<Act> {
  const link = await lasting(world)
  const cookie = cookieOf(await open(world, link.token, link.code))
  return {
    call: () =>
      world.given.call(method, `${GUEST}${place}`, {
        token: null,
        headers: { cookie, ...(method === 'GET' ? {} : { origin: world.given.url }) },
      }),
    status,
    actor: { kind: 'share-link', id: `link-${link.id}`, name: 'A. Mercer, Mercer & Cole' },
    entries: () => (entry === null ? [] : [entry(link)]),
  }
}
