/** Links by which somebody without an account looks at evidence (docs/decisions/0037). */
import { join } from 'node:path'
import type { ServeFile } from '../../http/bytes.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Task } from '../../kernel/scheduler.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { COPY_JOB, createCopies, type MakeMarked } from './copies.ts'
import { createGuests, type GuestDeps } from './guests.service.ts'
import { guestCookie, shareLinkRoutes } from './share-links.routes.ts'
import { createShareLinks, type ShareLinkDeps } from './share-links.service.ts'
import type * as rows from './share-links.store.ts'
import type { StandingDeps } from './standing.ts'

interface Needs
  extends Pick<StandingDeps, 'restrictedAmong'>,
    Pick<ShareLinkDeps, 'missingLetters' | 'reach'>,
    Pick<GuestDeps, 'codes' | 'notices'> {
  readonly makeMarked: MakeMarked
  readonly serveFile: ServeFile
}

export interface GuestRequest {
  readonly cookie: string | undefined
  readonly origin: string
  /** The file of the link that is asked for. */
  readonly item: string | undefined
}

const MINUTE = 60_000

export function shareLinksFeature(kernel: Kernel, needs: Needs) {
  const { settings, clock, mode, timeZone } = kernel
  const copies = createCopies({
    ...kernel,
    ...needs,
    folder: join(settings.data, 'share-links'),
    markLines: markOf(settings.stationName, timeZone),
  })
  const links = createShareLinks({ ...kernel, ...needs, copies, hashCode: needs.codes.hash })
  const guests = createGuests({ ...kernel, ...needs, copies, station: { name: settings.stationName, timeZone } })
  return {
    /** For the authorisation. */
    findGuest: async ({ cookie, origin, item }: GuestRequest) => {
      const token = guestCookie.read(cookie, origin)
      const principal = token === null ? null : await guests.find(token)
      return principal === null ? null : { principal, mayGoOn: () => guests.mayGoOn(principal, item) }
    },
    routes: shareLinkRoutes({ ...kernel, links, guests, serveFile: needs.serveFile }),
    handlers: COPY_JOB.handledBy(copies.make),
    tasks: [
      {
        name: 'copies of links that have ended',
        runsOn: 'every node',
        everyMs: MINUTE,
        run: () => copies.removeEnded(isoMillis(clock.now())),
      },
      {
        name: 'sessions of links',
        runsOn: 'one node',
        everyMs: 10 * MINUTE,
        run: async () => {
          if (mode.mayWrite()) await guests.forget()
        },
      },
    ] satisfies Task[],
  }
}

/** Recipient, organisation, and the number, day and station of the link: what a copy that turns up somewhere says of where it comes from. */
const markOf =
  (station: string, timeZone: string) =>
  (link: rows.LinkRow): readonly string[] => [
    link.recipient_name,
    link.recipient_organisation,
    `${link.link_id} · ${dayIn(link.made_utc, timeZone)} · ${station}`,
  ]

/** `2026-11-28`, as in the station's zone. */
const dayIn = (utc: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(utc),
  )
