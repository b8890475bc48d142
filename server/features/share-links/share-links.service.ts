/** Links for somebody without an account, as officers make, see and recall them (docs/decisions/0037). */
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
import type { CreateShareLinkModel } from '../../../shared/share-links/contract.ts'
import {
  CODE_DIGITS,
  DAY_MS,
  GUEST_PAGE,
  MOST_DAYS,
  type NotShared,
  stateOf,
  USUAL_DAYS,
} from '../../../shared/share-links/rules.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Access } from '../../kernel/access/access.ts'
import { refusalOfLevel } from '../../kernel/access/evidence-level.ts'
import { isGuest } from '../../kernel/access/guests.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { forwardedTo } from '../../kernel/evidence/forwarded.store.ts'
import { evidenceObject, principalThen } from '../../kernel/evidence/objects.ts'
import { evidenceById, evidenceNames } from '../../kernel/evidence/records.store.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { storedEntry } from '../../kernel/ledger/format.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { newToken, tokenHash } from '../../kernel/token-cookie.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { Copies } from './copies.ts'
import {
  type DetailOut,
  linkModel,
  linkObject,
  type LinkOut,
  type MadeOut,
  type PreviewOut,
  type RenewedOut,
} from './share-links.models.ts'
import * as rows from './share-links.store.ts'
import { type Considered, consider, NEEDED, type SharedFile, type StandingDeps, standingFiles } from './standing.ts'

type Given = z.output<typeof CreateShareLinkModel>

export interface ShareLinkDeps extends StandingDeps, Pick<Kernel, 'db'> {
  readonly access: Pick<Access, 'onEvidence' | 'onEvidences'>
  readonly ledger: Pick<Ledger, 'append'>
  readonly copies: Copies
  readonly hashCode: (code: string) => Promise<string>
  /** Letters that the font of the mark does not have. */
  readonly missingLetters: (text: string) => Promise<readonly string[]>
  /** Who can open addresses of the station. @param origin that the caller uses */
  readonly reach: (origin: string) => MadeOut['Reach']
}

export type ShareLinks = ReturnType<typeof createShareLinks>

const MOST_LISTED = 200
const MOST_LOGGED = 500

export function createShareLinks(deps: ShareLinkDeps) {
  const { db, ledger, clock, copies } = deps
  return {
    preview: async (call: HttpCall, ids: readonly string[], origin: string): Promise<PreviewOut> => {
      const wanted = [...new Set(ids)]
      const found = await consider(deps, db.read, {
        principal: call.principal,
        tenant: call.tenant,
        evidenceIds: wanted.map(Number),
      })
      const items = await Promise.all(wanted.map((id) => previewed(db.read, id, found.get(Number(id)))))
      return { Reach: deps.reach(origin), Items: items }
    },
    create: (call: HttpCall, given: Given, origin: string): Promise<MadeOut> => create(deps, call, given, origin),
    listMine: async (call: HttpCall): Promise<LinkOut[]> =>
      modelsOf(deps, call, await rows.linksOfMaker(db.read, call.tenant, Number(call.principal?.id), MOST_LISTED)),
    listOfEvidence: async (call: HttpCall, evidenceId: string): Promise<LinkOut[]> => {
      const row = await evidenceById(db.read, call.tenant, Number(evidenceId))
      const level = await deps.access.onEvidence(db.read, call.principal, Number(evidenceId))
      call.reportDecision({ on: 'evidence', id: evidenceId, held: level })
      const found =
        row === undefined || String(row.evidence_id) !== evidenceId
          ? null
          : { level, deleted: row.lifecycle_state === 'Deleted' }
      const refusal = refusalOfLevel(evidenceId, found, NEEDED)
      if (refusal !== null) throw refusal
      // A guest's Manage lets them share; what the station gave to others is not for them (decisions 13).
      if (await isGuest(db.read, call.principal))
        throw new Fault('Forbidden', 'Guests see no links of others.', { reason: 'GuestCannotShareByLink' })
      return modelsOf(deps, call, await rows.linksOfEvidence(db.read, Number(evidenceId), MOST_LISTED))
    },
    get: async (call: HttpCall, linkId: string): Promise<DetailOut> => {
      const { row, items, levels } = await reachLink(deps, db.read, call, linkId)
      const files = await standingFiles(deps, db.read, row, items)
      const isOpen = stateOf(row, clock.now()) === 'open'
      const standing = isOpen ? await copies.standing(row.link_id, files) : new Map()
      const [model] = await modelsOf(deps, call, [row])
      const names = await evidenceNames(db.read, [...levels.keys()])
      const resources = items.map((item) => item.resource_id)
      const log = await rows.logOf(db.read, row.link_id, resources, MOST_LOGGED)
      return {
        Link: model as LinkOut,
        Items: items.map((item) => {
          const sees = includes(levels.get(item.evidence_id) ?? 'None', 'View')
          const copy = standing.get(item.item)
          return {
            No: item.item,
            EvidenceId: sees ? String(item.evidence_id) : '',
            Evidence: sees ? (names.get(item.evidence_id) ?? '') : '',
            Name: sees ? (files.get(item.item)?.original.name ?? '') : '',
            Copy: copy?.state ?? 'none',
            Progress: copy?.progress ?? null,
            Message: copy?.message ?? '',
            Withheld: !files.has(item.item),
          }
        }),
        Log: log
          .map(({ body }) => storedEntry(body))
          .filter(({ object, detail }) => object.type === 'shareLink' || detail?.['linkId'] === linkId)
          .map((entry) => ({
            TimeUtc: entry.timeUtc,
            Action: entry.action,
            Outcome: entry.outcome,
            Source: entry.source,
            Actor: entry.actor.name,
            Object: entry.object.type === 'resource' ? entry.object.name : '',
          })),
      }
    },
    renewCode: (call: HttpCall, linkId: string): Promise<RenewedOut> => renewCode(deps, call, linkId),
    recall: async (call: HttpCall, linkId: string, reason: string): Promise<LinkOut> => {
      const id = await db.transaction(async (tx) => {
        const { row, items } = await reachLink(deps, tx, call, linkId)
        const state = stateOf(row, clock.now())
        if (state !== 'open') throw fault('ShareLinkEnded', `Link ${linkId} opens nothing any more: it is ${state}.`)
        await rows.setLink(tx, row.link_id, {
          recalled_utc: isoMillis(clock.now()),
          recalled_by: JSON.stringify(principalThen(call.actor)),
          recall_reason: reason,
        })
        await rows.endSessions(tx, await rows.sessionTokens(tx, { link: row.link_id }))
        const why = reason === '' ? {} : { reason }
        await ledger.append(tx, call, { action: 'shareLink.recalled', object: linkObject(row), ...why })
        const names = await evidenceNames(tx, [...new Set(items.map((item) => item.evidence_id))])
        for (const [evidenceId, name] of names)
          await ledger.append(tx, call, {
            action: 'evidence.linkRecalled',
            object: evidenceObject({ evidence_id: evidenceId, name }),
            ...why,
            detail: { linkId, recipient: row.recipient_name },
          })
        return row.link_id
      })
      await copies.remove(id)
      const [model] = await modelsOf(deps, call, [(await rows.linkById(db.read, id)) as rows.LinkRow])
      return model as LinkOut
    },
  }
}

const newCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')

/** A link works by the rights of its maker, so nobody else lets anybody in by it. @throws Fault ShareLinkNotFound, ShareLinkEnded, Forbidden */
async function renewCode(deps: ShareLinkDeps, call: HttpCall, linkId: string): Promise<RenewedOut> {
  const { db, ledger, clock } = deps
  const code = newCode()
  const code_hash = await deps.hashCode(code)
  const id = await db.transaction(async (tx) => {
    const { row } = await reachLink(deps, tx, call, linkId)
    if (String(row.made_by) !== call.principal?.id)
      throw new Fault('Forbidden', 'Only the person who created a link gives it another code.', {
        reason: 'NotItsMaker',
      })
    const state = stateOf({ ...row, locked_utc: null }, clock.now())
    if (state !== 'open') throw fault('ShareLinkEnded', `Link ${linkId} opens nothing any more: it is ${state}.`)
    await rows.setLink(tx, row.link_id, { code_hash, wrong_codes: 0, locked_utc: null })
    await rows.endSessions(tx, await rows.sessionTokens(tx, { link: row.link_id }))
    await ledger.append(tx, call, {
      action: 'shareLink.codeRenewed',
      object: linkObject(row),
      detail: { wasLocked: row.locked_utc !== null },
    })
    return row.link_id
  })
  const [Link] = await modelsOf(deps, call, [(await rows.linkById(db.read, id)) as rows.LinkRow])
  return { Link: Link as LinkOut, Code: code }
}

/** Its maker reaches a link, and who manages an evidence in it. @throws Fault ShareLinkNotFound */
async function reachLink(
  { access }: Pick<ShareLinkDeps, 'access'>,
  from: Tx,
  call: HttpCall,
  linkId: string,
): Promise<{
  readonly row: rows.LinkRow
  readonly items: readonly rows.ItemRow[]
  readonly levels: ReadonlyMap<number, Level>
}> {
  const row = Number.isSafeInteger(Number(linkId)) ? await rows.linkById(from, Number(linkId)) : undefined
  if (row !== undefined && row.tenant_id === call.tenant) {
    const items = await rows.itemsOf(from, [row.link_id])
    const ids = [...new Set(items.map((item) => item.evidence_id))]
    const levels = await access.onEvidences(from, call.principal, ids)
    const manages = [...levels.values()].some((level) => includes(level, NEEDED))
    if (String(row.made_by) === call.principal?.id || manages) return { row, items, levels }
  }
  throw fault('ShareLinkNotFound', `There is no link ${linkId}.`)
}

async function modelsOf(deps: ShareLinkDeps, call: HttpCall, links: readonly rows.LinkRow[]): Promise<LinkOut[]> {
  const { db, access, clock, copies } = deps
  const ids = links.map((row) => row.link_id)
  const items = Map.groupBy(await rows.itemsOf(db.read, ids), (item) => item.link_id)
  const openings = await rows.openingsOf(db.read, ids)
  const evidence = [...new Set([...items.values()].flat().map((item) => item.evidence_id))]
  const levels = await access.onEvidences(db.read, call.principal, evidence)
  const names = await evidenceNames(db.read, evidence)
  const now = clock.now()
  const models: LinkOut[] = []
  for (const row of links) {
    const own = items.get(row.link_id) ?? []
    const standing =
      stateOf(row, now) === 'open'
        ? await copies.standing(row.link_id, await standingFiles(deps, db.read, row, own))
        : new Map()
    models.push(
      linkModel({ row, items: own, openings: openings.get(row.link_id), copies: standing, levels, names, now }),
    )
  }
  return models
}

async function previewed(from: Tx, id: string, of: Considered | undefined): Promise<PreviewOut['Items'][number]> {
  const files = of?.files ?? []
  const away = await Promise.all(files.map(({ original }) => forwardedTo(from, original.sha256)))
  const refused: NotShared | null = of === undefined ? 'not-found' : of.refused
  return {
    EvidenceId: id,
    Name: of?.evidence?.name ?? '',
    Refused: refused ?? (away.some((address) => address !== null) ? 'at-headquarters' : null),
    Files: files.length,
    Marked: files.filter(({ shows }) => shows !== 'nothing').length,
  }
}

async function create(deps: ShareLinkDeps, call: HttpCall, given: Given, origin: string): Promise<MadeOut> {
  const { db, ledger, clock, copies } = deps
  const recipient = { Name: given.Recipient.Name.trim(), Organisation: given.Recipient.Organisation.trim() }
  await requireDrawable(deps, recipient)
  const expires = expiryOf(given, clock.now())
  const token = newToken()
  const code = newCode()
  const codeHash = await deps.hashCode(code)
  const reach = deps.reach(origin)
  const made = await db.transaction(async (tx) => {
    if (await isGuest(tx, call.principal))
      throw new Fault('Forbidden', 'Guests make no links.', { reason: 'GuestCannotShareByLink' })
    const files = await filesToShare(deps, tx, call, given)
    const then = principalThen(call.actor)
    const row = {
      tenant_id: call.tenant,
      mode: given.Mode,
      recipient_name: recipient.Name,
      recipient_organisation: recipient.Organisation,
      note: given.Note,
      made_utc: isoMillis(clock.now()),
      made_by: Number(call.principal?.id),
      made_by_then: JSON.stringify(then),
      expires_utc: isoMillis(expires),
      token_sha256: tokenHash(token),
      code_hash: codeHash,
      wrong_codes: 0,
      locked_utc: null,
      recalled_utc: null,
      recalled_by: null,
      recall_reason: '',
    } as const
    const id = await rows.insertLink(tx, row)
    const items = files.map(({ evidence, original }, at) => ({
      link_id: id,
      item: at + 1,
      evidence_id: evidence.evidence_id,
      resource_id: original.resource_id,
    }))
    await rows.insertItems(tx, items)
    await append(ledger, tx, call, { ...row, link_id: id }, files)
    await copies.enqueue(
      tx,
      id,
      items.filter((_item, at) => files[at]?.shows !== 'nothing').map(({ item }) => item),
    )
    const names = new Map(files.map(({ evidence }) => [evidence.evidence_id, evidence.name]))
    const Link = linkModel({
      row: { ...row, link_id: id },
      items,
      openings: undefined,
      copies: new Map(
        files.map(({ shows }, at) => [
          at + 1,
          { state: shows === 'nothing' ? 'none' : 'making', progress: null, message: '' } as const,
        ]),
      ),
      levels: new Map([...names.keys()].map((one) => [one, NEEDED])),
      names,
      now: clock.now(),
    })
    // Token and code are kept nowhere, not even for a repeated call.
    return call.rememberAnswer(tx, { Link, Address: null, Code: null, Reach: reach } as MadeOut)
  })
  copies.kick()
  return { ...made, Address: `${reach.Origin}${GUEST_PAGE}#${token}`, Code: code }
}

async function append(
  ledger: Pick<Ledger, 'append'>,
  tx: Tx,
  call: HttpCall,
  row: rows.LinkRow,
  files: readonly SharedFile[],
): Promise<void> {
  const evidence = new Map(files.map((file) => [file.evidence.evidence_id, file.evidence]))
  const detail = {
    recipient: row.recipient_name,
    organisation: row.recipient_organisation,
    mode: row.mode,
    expiresUtc: row.expires_utc,
  }
  await ledger.append(tx, call, {
    action: 'shareLink.made',
    object: linkObject(row),
    detail: { ...detail, evidence: [...evidence.keys()].map(String), files: files.length },
  })
  for (const one of evidence.values())
    await ledger.append(tx, call, {
      action: 'evidence.linkMade',
      object: evidenceObject(one),
      detail: { ...detail, linkId: String(row.link_id) },
    })
}

/** Judged in the transaction that makes the link: the first evidence that may not go into it refuses all. @throws Fault */
async function filesToShare(deps: ShareLinkDeps, tx: Tx, call: HttpCall, given: Given): Promise<SharedFile[]> {
  const ids = [...new Set(given.EvidenceIds)]
  const found = await consider(deps, tx, {
    principal: call.principal,
    tenant: call.tenant,
    evidenceIds: ids.map(Number),
  })
  const levels = await deps.access.onEvidences(tx, call.principal, ids.map(Number))
  const files: SharedFile[] = []
  for (const id of ids) {
    const held = levels.get(Number(id)) ?? 'None'
    call.reportDecision({ on: 'evidence', id, held })
    const of = found.get(Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    const evidence = of?.evidence != null && String(of.evidence.evidence_id) === id ? of.evidence : null
    const refusal = refusalOfLevel(
      id,
      evidence === null ? null : { level: held, deleted: evidence.lifecycle_state === 'Deleted' },
      NEEDED,
    )
    if (refusal !== null) throw refusal
    if (of?.refused === 'restricted')
      throw fault('EvidenceRestricted', `Evidence ${id} may not leave the station: it is restricted.`)
    const shared = (of?.files ?? []).filter(({ shows }) => given.Mode === 'download' || shows !== 'nothing')
    if (given.Mode === 'download')
      for (const { original } of shared)
        if ((await forwardedTo(tx, original.sha256)) !== null)
          throw fault('OriginalForwarded', `The original of evidence ${id} is at headquarters. Fetch it first.`)
    files.push(...shared)
  }
  if (files.length === 0)
    throw fault(
      'NothingToShare',
      'None of this can be shown with a mark. Only video and pictures can; share the others for downloading.',
    )
  return files
}

/** @throws Fault InvalidModel */
function expiryOf({ ExpiresTimeUtc }: Given, now: number): number {
  if (ExpiresTimeUtc == null) return now + USUAL_DAYS * DAY_MS
  const at = Date.parse(ExpiresTimeUtc.text)
  const Message =
    at <= now ? 'must lie in the future' : at > now + MOST_DAYS * DAY_MS ? `must lie within ${MOST_DAYS} days` : null
  if (Message === null) return at
  throw fault('InvalidModel', 'The end of the link cannot be used.', [{ Path: 'ExpiresTimeUtc', Message }])
}

/** A mark that cannot name its recipient would be worth nothing. @throws Fault InvalidModel */
async function requireDrawable(
  { missingLetters }: ShareLinkDeps,
  recipient: Readonly<Record<'Name' | 'Organisation', string>>,
): Promise<void> {
  for (const member of ['Name', 'Organisation'] as const) {
    const missing = await missingLetters(recipient[member])
    if (missing.length === 0) continue
    const Message = `holds letters that the font of the mark does not have: ${missing.slice(0, 5).join(' ')}. Write it in another script.`
    throw fault('InvalidModel', 'The recipient cannot be drawn into the copies.', [
      { Path: `Recipient.${member}`, Message },
    ])
  }
}
