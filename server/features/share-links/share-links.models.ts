import type { z } from 'zod'
import type * as contract from '../../../shared/share-links/contract.ts'
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
import { stateOf } from '../../../shared/share-links/rules.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import type { CopyStanding } from './copies.ts'
import type { ItemRow, LinkRow, OpeningsRow } from './share-links.store.ts'

export type LinkOut = z.input<typeof contract.ShareLinkModel>
export type PreviewOut = z.input<(typeof contract.previewShareLink)['responses'][200]>
export type DetailOut = z.input<(typeof contract.getShareLink)['responses'][200]>
export type MadeOut = z.input<(typeof contract.createShareLink)['responses'][201]>
export type RenewedOut = z.input<(typeof contract.renewShareLinkCode)['responses'][200]>
export type GuestOut = z.input<(typeof contract.getGuestLink)['responses'][200]>

export const personThen = (json: string): { PrincipalId: string; Username: string } => {
  const { PrincipalId, Username } = JSON.parse(json) as PrincipalThen
  return { PrincipalId, Username }
}

/** How the ledger names it: number and recipient. */
export const linkObject = (row: Pick<LinkRow, 'link_id' | 'recipient_name'>) => ({
  type: 'shareLink',
  id: String(row.link_id),
  name: `${row.link_id} ${row.recipient_name}`,
})

interface LinkParts {
  readonly row: LinkRow
  readonly items: readonly ItemRow[]
  readonly openings: OpeningsRow | undefined
  readonly copies: ReadonlyMap<number, CopyStanding>
  /** Of the caller, on the evidence of the link. */
  readonly levels: ReadonlyMap<number, Level>
  readonly names: ReadonlyMap<number, string>
  readonly now: number
}

export function linkModel({ row, items, openings, copies, levels, names, now }: LinkParts): LinkOut {
  const ids = [...new Set(items.map((item) => item.evidence_id))]
  const count = (state: CopyStanding['state']): number =>
    [...copies.values()].filter((copy) => copy.state === state).length
  return {
    LinkId: String(row.link_id),
    Mode: row.mode,
    State: stateOf(row, now),
    Recipient: { Name: row.recipient_name, Organisation: row.recipient_organisation },
    Note: row.note,
    MadeTimeUtc: row.made_utc,
    MadeBy: personThen(row.made_by_then),
    ExpiresTimeUtc: row.expires_utc,
    LockedTimeUtc: row.locked_utc,
    RecalledTimeUtc: row.recalled_utc,
    RecalledBy: row.recalled_by === null ? null : personThen(row.recalled_by),
    RecallReason: row.recall_reason,
    WrongCodes: row.wrong_codes,
    OpenedCount: openings?.count ?? 0,
    LastOpenedTimeUtc: openings?.last ?? null,
    Evidence: ids
      .filter((id) => includes(levels.get(id) ?? 'None', 'View') && names.has(id))
      .map((id) => ({ EvidenceId: String(id), Name: names.get(id) as string })),
    EvidenceCount: ids.length,
    Copies: { Making: count('making'), Ready: count('ready'), Failed: count('failed'), None: count('none') },
  }
}
