import * as contract from '../../../shared/share-links/contract.ts'
import type { ServeFile, ServedFile } from '../../http/bytes.ts'
import { answer, type BoundRoute, bytes, json } from '../../http/handlers.ts'
import { tokenCookie } from '../../kernel/token-cookie.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { CopyFile } from './copies.ts'
import type { Guests } from './guests.service.ts'
import { linkObject } from './share-links.models.ts'
import type { ShareLinks } from './share-links.service.ts'

/** Its name differs from that of people's sessions: neither is taken for the other. */
export const guestCookie = tokenCookie('sallyport_link')

interface Deps {
  readonly links: ShareLinks
  readonly guests: Guests
  readonly store: Pick<BlobStore, 'open'>
  readonly serveFile: ServeFile
}

export function shareLinkRoutes({ links, guests, store, serveFile }: Deps): BoundRoute[] {
  return [
    json(contract.previewShareLink, async ({ query, call, origin }) => {
      const out = await links.preview(call, query.id, origin)
      call.describeRead({ detail: { evidence: query.id } })
      return out
    }),
    json(contract.createShareLink, async ({ body, call, origin }) => {
      const made = await links.create(call, body, origin)
      return answer(201, made)
    }),
    json(contract.listShareLinks, async ({ call }) => {
      const Items = await links.listMine(call)
      call.describeRead({ detail: { returned: Items.length } })
      return { Items }
    }),
    json(contract.listEvidenceShareLinks, async ({ params, call }) => {
      const Items = await links.listOfEvidence(call, params.evidenceId)
      call.describeRead({ detail: { returned: Items.length } })
      return { Items }
    }),
    json(contract.getShareLink, async ({ params, call }) => {
      const out = await links.get(call, params.linkId)
      const { LinkId, Recipient } = out.Link
      call.describeRead({ name: linkObject({ link_id: Number(LinkId), recipient_name: Recipient.Name }).name })
      return out
    }),
    json(contract.recallShareLink, ({ params, body, call }) => links.recall(call, params.linkId, body.Reason)),
    json(contract.renewShareLinkCode, ({ params, call }) => links.renewCode(call, params.linkId)),
    json(contract.openShareLink, async ({ body, call, origin }) => {
      const { token, out } = await guests.open(call, body)
      return answer(200, out, { 'Set-Cookie': guestCookie.set(token, origin) })
    }),
    json(contract.getGuestLink, ({ call }) => guests.describe(call)),
    json(contract.endGuestSession, async ({ call, origin }) => {
      await guests.close(call)
      return answer(204, undefined, { 'Set-Cookie': guestCookie.clear(origin) })
    }),
    bytes(contract.getGuestPoster, async (request, call) =>
      serveFile(request, servedCopy(await guests.poster(call, itemOf(request)), 'poster')),
    ),
    bytes(contract.getGuestCopy, async (request, call) => {
      const { copy, of } = await guests.copy(call, itemOf(request))
      return serveFile(request, servedCopy(copy, `${of.link.link_id}-${of.item.item}`))
    }),
    bytes(contract.getGuestOriginal, async (request, call) => {
      const of = await guests.original(call, itemOf(request))
      const { original } = of.file
      const blob = await store.open(original.sha256)
      await guests.recordDownload(call, of, request.headers.range ?? null)
      return serveFile(request, {
        size: blob.size,
        sha256: original.sha256,
        type: original.sniffed_type ?? 'application/octet-stream',
        name: original.name,
        inline: false,
        open: async (start, end) => blob.stream(start, end),
      })
    }),
  ]
}

const itemOf = (request: { readonly params: Readonly<Record<string, string>> }): string => request.params['item'] ?? ''

const servedCopy = (copy: CopyFile, name: string): ServedFile => ({
  size: copy.size,
  sha256: copy.sha256,
  type: copy.type,
  name: `${name}${copy.type === 'video/mp4' ? '.mp4' : '.jpg'}`,
  inline: true,
  open: async (start, end) => copy.open(start, end),
})
