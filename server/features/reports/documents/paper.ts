/** The words of documents, and the parts that all of them have. */
import type { StoredEntry } from '../../../kernel/ledger/format.ts'
import { documents as en } from '../../../../shared/reports/documents.messages.en.ts'
import { documents as fr } from '../../../../shared/reports/documents.messages.fr.ts'
import { evidencePage as pageEn } from '../../../../shared/evidence/page.messages.en.ts'
import { evidencePage as pageFr } from '../../../../shared/evidence/page.messages.fr.ts'
import { common as commonEn } from '../../../../shared/window/common.messages.en.ts'
import { common as commonFr } from '../../../../shared/window/common.messages.fr.ts'
import { ui as uiEn } from '../../../../shared/window/ui.messages.en.ts'
import { ui as uiFr } from '../../../../shared/window/ui.messages.fr.ts'
import type { ActWords } from '../../../../shared/evidence/custody-acts.ts'
import { clockLines, shownClock } from '../../../../shared/evidence/clock-lines.ts'
import { clockModel } from '../../../../shared/evidence/recorded-clock.contract.ts'
import type { RecordedTime } from '../../../../shared/evidence/recorded-time.ts'
import type { Appended } from '../../../kernel/ledger/ledger.ts'
import { shownKey } from '../../../kernel/ledger/signed-note.ts'
import type { EvidenceStatus } from './documents.models.ts'
import { drawQr } from '../../../platform/pdf/qr.ts'
import { FONT, INK, MARGIN, type Sheet } from '../../../platform/pdf/sheet.ts'
import { type Language, type PaperWords, paperWords } from '../../../platform/pdf/paper-words.ts'

type Plain<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key
export type DocumentWord = Plain<keyof typeof en>

export interface DocumentWords extends PaperWords<DocumentWord> {
  /** When a recording began, with how that is known below it. */
  readonly clock: (clock: RecordedTime) => { readonly main: string; readonly below: string }
  readonly acts: ActWords
  readonly status: (status: EvidenceStatus) => string
}

/** @param zone IANA name of the station's time zone */
export function documentWords(language: Language, zone: string): DocumentWords {
  const french = language === 'fr'
  const words = paperWords<DocumentWord>(french ? fr : en, language, zone)
  const page = paperWords(french ? pageFr : pageEn, language, zone)
  const ui = paperWords(french ? uiFr : uiEn, language, zone)
  const common = paperWords(french ? commonFr : commonEn, language, zone)
  const duration = (seconds: number): string => words.length(seconds * 1000)
  const format = { instant: (at: string) => words.time(at), day: words.day, offset: words.offset, duration }
  return {
    ...words,
    clock: (clock) => clockLines(shownClock(clockModel(clock)), ui.say, format),
    acts: {
      say: page.say,
      position: words.position,
      duration,
      bytes: words.bytes,
      // What cannot be seen is written out where the sheet writes.
      visible: (text) => text,
    },
    status: (status) => common.say(STATUS_WORDS[status]),
  }
}

const STATUS_WORDS = {
  danger: 'evidenceDanger',
  differs: 'evidenceDiffers',
  attention: 'evidenceAttention',
  deleted: 'evidenceDeleted',
  open: 'evidenceOpen',
  working: 'evidenceWorking',
  waiting: 'evidenceWaiting',
  sealed: 'evidenceSealed',
  verified: 'evidenceVerified',
} as const satisfies Readonly<Record<EvidenceStatus, string>>

export interface Letterhead {
  readonly stationName: string
  /** Under which the station signs. */
  readonly origin: string
  /** Raw, 32 bytes. */
  readonly publicKey: Uint8Array
  /** Who made the document, and when. */
  readonly by: string
  readonly at: string
}

const QR_SIDE = 84

interface Top {
  readonly title: string
  /** What it is about. */
  readonly name: string
  readonly lines: readonly string[]
  readonly address: string
  readonly scan: string
}

export function drawTop(sheet: Sheet, head: Letterhead, words: DocumentWords, top: Top): void {
  const width = sheet.width - QR_SIDE - 12
  drawQr(sheet, top.address, { x: sheet.left + sheet.width - QR_SIDE, y: MARGIN, side: QR_SIDE })
  sheet.words(top.title, { size: 18, bold: true, width })
  sheet.words(top.name, { size: 11, bold: true, width, gap: 3 })
  for (const line of top.lines) sheet.words(line, { width })
  sheet.words([head.stationName, words.say('madeBy', { time: words.time(head.at), who: head.by })].join(' · '), {
    second: true,
    width,
  })
  sheet.words(top.scan, { size: 7.5, second: true, width })
  sheet.y = Math.max(sheet.y, MARGIN + QR_SIDE) + 4
  sheet.rule()
}

export function heading(sheet: Sheet, text: string, room = 60): void {
  sheet.y += 4
  sheet.room(room)
  sheet.words(text, { size: 9.5, bold: true, gap: 3 })
}

/** By what the document can be checked; on one page, for it is read together. */
export function drawProof(sheet: Sheet, head: Letterhead, words: DocumentWords, begun: Appended): void {
  const { say } = words
  const { key, fingerprint } = shownKey(head.origin, head.publicKey)
  sheet.room(110)
  sheet.y += 4
  sheet.rule()
  heading(sheet, say('proof'))
  sheet.words(say('proofBody'), { size: 8 })
  if (sheet.lacked) sheet.words(say('lacked'), { size: 8 })
  sheet.y += 3
  for (const [label, value] of [
    [say('head'), say('headOf', { seq: begun.seq, hash: begun.hash })],
    [say('key'), key],
    [say('fingerprint'), fingerprint],
    [say('origin'), head.origin],
  ] as const) {
    const { y } = sheet
    sheet.pdf.font(FONT.plain).fontSize(7.5).fillColor(INK.second).text(label, sheet.left, y, { width: 110 })
    sheet.words(value, { size: 7, mono: true, x: sheet.left + 116, width: sheet.width - 116 })
  }
  sheet.y += 4
  sheet.words(say('end', { seq: begun.seq }), { size: 8, second: true })
}

/** What the people among the actors are called today, by id. */
export type ActorNames = ReadonlyMap<string, string>

export const nameOf = (one: {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly name: string
}): string => [one.first_name, one.last_name].filter((part) => part !== null && part !== '').join(' ') || one.name

export const isUser = ({ actor }: Pick<StoredEntry, 'actor'>): boolean =>
  actor.kind === 'user' && /^\d{1,15}$/.test(actor.id)
