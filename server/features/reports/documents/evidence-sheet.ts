/** One evidence on paper. */
import { detailOfAct, nameOfActor, wordsOfAct } from '../../../../shared/evidence/custody-acts.ts'
import { kindOfRole, labelOf } from '../../../../shared/media/derivations.ts'
import type { LastCheck } from '../../../kernel/evidence/last-check.ts'
import type { Device } from '../../../kernel/evidence/model.ts'
import type { ResourceRow } from '../../../kernel/evidence/records.store.ts'
import type { CustodyEntry, CustodyPage } from '../../../kernel/ledger/custody-history.ts'
import type { Appended } from '../../../kernel/ledger/ledger.ts'
import type { Cell, Sheet, TableColumn } from '../../../platform/pdf/sheet.ts'
import { type EvidenceFacts, officersText, ordinalOf, typeOf } from './facts.ts'
import { type ActorNames, type DocumentWords, drawProof, drawTop, heading, type Letterhead } from './paper.ts'

export interface SheetInput {
  readonly facts: EvidenceFacts
  readonly tags: readonly string[]
  readonly resources: readonly ResourceRow[]
  readonly checks: ReadonlyMap<number, LastCheck>
  readonly custody: CustodyPage
  readonly people: ActorNames
  readonly head: Letterhead
  readonly address: string
}

/** Acts that stand on the sheet; the rest is in the custody report. */
export const MOST_ACTS = 200

export async function drawEvidenceSheet(
  sheet: Sheet,
  words: DocumentWords,
  input: SheetInput,
  begun: Appended,
): Promise<void> {
  const { facts, head, custody } = input
  const { say } = words
  drawTop(sheet, head, words, {
    title: say('evidenceSheet'),
    name: facts.row.name,
    lines: [say('evidenceId', { id: facts.row.evidence_id })],
    address: input.address,
    scan: say('scan'),
  })
  sheet.facts(factsOfEvidence(input, words))
  await drawFiles(sheet, words, input)
  heading(sheet, say('acts'))
  const views = words.count(custody.counts.all - custody.counts.acts)
  sheet.words(say('actsNote', { count: custody.counts.acts, views }), { size: 8 })
  const shown = custody.entries.slice(0, MOST_ACTS)
  await sheet.table(
    actColumns(sheet, words),
    shown.map((entry) => actCells(entry, words, input.people)),
  )
  const more = custody.counts.acts - shown.length
  if (more > 0) sheet.words(say('actsMore', { count: more }), { bold: true, size: 8 })
  drawProof(sheet, head, words, begun)
}

function factsOfEvidence({ facts, tags }: SheetInput, words: DocumentWords): readonly (readonly [string, string])[] {
  const { row, listed, clock, seconds, category } = facts
  const { say, time } = words
  const { main, below } = words.clock(clock)
  const createdBy = (JSON.parse(row.created_by) as { Username: string }).Username
  const lines: (readonly [string, string | null])[] = [
    [say('recorded'), `${main}\n${below}`],
    [say('recordedEnd'), row.end_utc === null ? null : time(row.end_utc)],
    [say('type'), typeOf(facts, words)],
    [say('length'), seconds === null ? null : words.length(seconds * 1000)],
    [say('size'), words.bytes(listed.length)],
    [say('category'), category ?? say('noCategory')],
    [say('device'), deviceText(facts, words)],
    [say('officer'), officersText(facts, words)],
    [say('added'), say('addedBy', { time: time(row.created_utc), who: createdBy })],
    [say('state'), [words.status(listed.status), protectionOf(facts, words)].filter((part) => part !== '').join(' · ')],
    [say('cases'), casesText(facts, words)],
    [say('tags'), tags.length === 0 ? null : tags.join(', ')],
    [say('place'), row.location_text ?? row.location_wkt],
    [say('description'), row.description],
  ]
  return lines.flatMap(([label, text]) => (text === null || text === '' ? [] : [[label, text] as const]))
}

function deviceText({ row }: EvidenceFacts, { say }: DocumentWords): string {
  if (row.device === null) return say('noDevice')
  const { Manufacturer, Model, SerialNumber } = JSON.parse(row.device) as Device
  return [
    [Manufacturer, Model].filter(Boolean).join(' '),
    SerialNumber === null || SerialNumber === '' ? '' : say('serial', { serial: SerialNumber }),
    row.device_identity === 'Claimed' ? say('claimed') : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function protectionOf({ row }: EvidenceFacts, { say, day }: DocumentWords): string {
  if (row.lifecycle_state !== 'Protected') return ''
  return row.protected_until === null ? say('protected') : say('protectedUntil', { day: day(row.protected_until) })
}

function casesText({ cases }: EvidenceFacts, { say }: DocumentWords): string {
  if (cases.length === 0) return say('noCases')
  return cases
    .map((one) => {
      const named = `${ordinalOf(one)} ${one.title}`
      return one.settled === 1 ? named : say('caseUnconfirmed', { case: named })
    })
    .join('\n')
}

async function drawFiles(sheet: Sheet, words: DocumentWords, { resources, checks }: SheetInput): Promise<void> {
  const { say, bytes } = words
  const hashes = 222
  const rest = sheet.width - hashes - 46
  const originals = resources.filter(({ role }) => role === 'original')
  heading(sheet, say('files'))
  if (originals.length === 0) sheet.words(say('noFiles'), { size: 8 })
  else
    await sheet.table(
      [
        { label: say('file'), width: rest * 0.55 },
        { label: say('size'), width: 46, end: true },
        { label: say('check'), width: rest * 0.45 },
        { label: say('sha256'), width: hashes },
      ],
      originals.map((row): readonly Cell[] => [
        { text: row.name },
        { text: row.length === null ? '–' : bytes(row.length) },
        { text: checkText(checks.get(row.resource_id), row, words), strong: isBad(checks.get(row.resource_id)) },
        { text: row.sha256 ?? '–', mono: true },
      ]),
    )
  const derived = resources.filter(({ role, sha256 }) => role !== 'original' && sha256 !== null)
  if (derived.length === 0) return
  heading(sheet, say('derived'))
  await sheet.table(
    [
      { label: say('derivedWhat'), width: rest * 0.55 },
      { label: say('size'), width: 46, end: true },
      { label: say('derivedTool'), width: rest * 0.45 },
      { label: say('sha256'), width: hashes },
    ],
    derived.map((row): readonly Cell[] => [
      { text: `${kindText(row, words)} · ${row.name}` },
      { text: row.length === null ? '–' : bytes(row.length) },
      { text: toolText(row) },
      { text: row.sha256 ?? '–', mono: true },
    ]),
  )
}

const isBad = (check: LastCheck | undefined): boolean => check !== undefined && check.result !== 'matches'
const CHECKS = { matches: 'checkMatches', changed: 'checkChanged', missing: 'checkMissing' } as const

function checkText(check: LastCheck | undefined, row: ResourceRow, { say, time }: DocumentWords): string {
  const said = check === undefined ? '–' : say(CHECKS[check.result], { time: time(check.timeUtc) })
  const differs = row.camera_sha256 !== null && row.camera_sha256 !== row.sha256
  return differs ? `${said} ${say('differs', { sha256: row.camera_sha256 ?? '' })}` : said
}

function kindText({ role }: ResourceRow, { acts }: DocumentWords): string {
  const kind = kindOfRole(role)
  return kind === null ? role : acts.say(labelOf(kind))
}

function toolText({ derivation }: ResourceRow): string {
  if (derivation === null) return '–'
  const { Tool, Version } = JSON.parse(derivation) as Readonly<Record<string, unknown>>
  return [Tool, Version].filter((part) => typeof part === 'string').join(' ')
}

export function actColumns(sheet: Sheet, { say }: DocumentWords): readonly TableColumn[] {
  const [entry, time] = [46, 112]
  const rest = sheet.width - entry - time
  return [
    { label: say('entry'), width: entry },
    { label: say('time'), width: time },
    { label: say('act'), width: rest * 0.36 },
    { label: say('by'), width: rest * 0.24 },
    { label: say('detail'), width: rest * 0.4 },
  ]
}

export function actCells({ seq, entry }: CustodyEntry, words: DocumentWords, people: ActorNames): readonly Cell[] {
  if (entry === null) return [{ text: String(seq) }, { text: '–' }, { text: '–' }, { text: '–' }, { text: '–' }]
  const act = {
    Action: entry.action,
    Outcome: entry.outcome,
    Reason: entry.reason,
    Bytes: entry.bytes,
    Object: { Type: entry.object.type, Name: entry.object.name },
    Detail: entry.detail,
  }
  return [
    { text: String(seq) },
    { text: words.time(entry.timeUtc) },
    { text: wordsOfAct(act, words.acts), strong: entry.outcome !== 'ok' },
    { text: actorText(entry.actor, words, people) },
    { text: detailOfAct(act, words.acts) },
  ]
}

export const actorText = (
  actor: { readonly kind: string; readonly id: string; readonly name: string },
  { acts }: DocumentWords,
  people: ActorNames,
): string => {
  const today = actor.kind === 'user' ? people.get(actor.id) : undefined
  // The account stands beside the name: the ledger holds the account alone.
  const named = today === undefined || today === actor.name ? actor.name : `${today} (${actor.name})`
  return nameOfActor({ Actor: { Kind: actor.kind, Name: actor.name } }, named, acts)
}
