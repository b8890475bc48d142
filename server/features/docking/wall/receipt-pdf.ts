/**
 * A receipt as a document: what receipt.json says, and the three signed parts inside it as attachments. The document itself is signed by
 * nobody; whoever doubts it takes the parts out. The same receipt, paper and language give the same bytes.
 */
import { hash } from 'node:crypto'
import { type DockReceipt, receiptAddress, receiptCommands } from '../../../../shared/docking/receipt.contract.ts'
import {
  commonReason,
  factsOf,
  outcomeOf,
  type ReceiptWords,
  recordedWords,
  verdictOf,
} from '../../../../shared/docking/receipt-text.ts'
import { drawQr } from '../../../platform/pdf/qr.ts'
import { type Cell, FONT, INK, MARGIN, type Paper, PAPERS, Sheet, writable } from '../../../platform/pdf/sheet.ts'

export interface PrintedReceipt {
  readonly receipt: DockReceipt
  readonly parts: Readonly<Record<'receipt.json' | 'receipt.sig' | 'key.pem', Buffer>>
  /** Of the ledger, with the receipt's hash; null where it cannot be found. */
  readonly entry: number | null
  /** Where the page of the receipt is reached. */
  readonly origin: string
  readonly stationName: string
  readonly paper: Paper
  readonly words: ReceiptWords
}

/** More would hold the station up: the rest stands in receipt.json, and the document says so. */
const MOST_FILES = 5_000
const QR_SIDE = 84

export async function receiptPdf(printed: PrintedReceipt): Promise<Buffer> {
  const { receipt, parts, paper, words } = printed
  // Fetched with the first receipt that is printed: its fonts are not small.
  const { default: PDFDocument } = await import('pdfkit')
  const made = new Date(receipt.releasedUtc)
  const pdf = new PDFDocument({
    size: PAPERS[paper],
    margin: MARGIN,
    bufferPages: true,
    lang: words.language,
    info: {
      Title: writable(words.say('titleOf', { id: receipt.dockSessionId })),
      Author: writable(printed.stationName),
      Producer: 'Sallyport',
      Creator: 'Sallyport',
      CreationDate: made,
      ModDate: made,
    },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => pdf.once('end', resolve).once('error', reject))
  const id = receipt.dockSessionId
  for (const [name, bytes] of Object.entries(parts))
    pdf.file(bytes, { name: `${id}-${name}`, creationDate: made, modifiedDate: made })
  const sheet = new Sheet(pdf)
  const sha256 = hash('sha256', parts['receipt.json'])
  const stayed = commonReason(receipt)
  top(sheet, printed, sha256)
  sheet.facts(factsOf(receipt, stayed, words).map(([label, text]) => [words.say(label), text]))
  sheet.y += 3
  await recordings(sheet, printed)
  await files(sheet, printed, stayed)
  proof(sheet, printed, sha256)
  sheet.feet((page, pages) => `${words.say('titleOf', { id })} · ${words.say('page', { page, pages })}`)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

function top(sheet: Sheet, { receipt, entry, origin, stationName, words }: PrintedReceipt, sha256: string): void {
  const { say } = words
  const beside = sheet.width - QR_SIDE - 12
  const x = sheet.left + sheet.width - QR_SIDE
  const address = receiptAddress(origin, { id: receipt.dockSessionId, entry, sha256 })
  drawQr(sheet, address, { x, y: MARGIN, side: QR_SIDE })
  sheet.words(say('title'), { size: 18, bold: true, width: beside })
  sheet.words(
    [stationName, say('session', { id: receipt.dockSessionId }), words.time(receipt.releasedUtc)].join(' · '),
    {
      second: true,
      width: beside,
      gap: 6,
    },
  )
  sheet.words(verdictOf(receipt, words), { size: 11, bold: true, width: beside, gap: 4 })
  sheet.words(totals(receipt, words), { width: beside, gap: 2 })
  sheet.words(say('scan'), { size: 7.5, second: true, width: beside })
  sheet.y = Math.max(sheet.y, MARGIN + QR_SIDE) + 4
  sheet.rule()
}

/** Five figures, always all five: a nought says that it was looked at. */
export function totals({ totals: of }: DockReceipt, { say, bytes, count }: ReceiptWords): string {
  return [
    `${say('onCamera')} ${say('files', { count: of.files })}`,
    `${say('taken')} ${count(of.taken)} (${bytes(of.bytesTaken)})`,
    `${say('hereAlready')} ${count(of.hereAlready)}`,
    `${say('foreign')} ${count(of.foreign)}`,
    `${say('notTaken')} ${count(of.failed)}`,
    `${say('cleared')} ${count(of.cleared)}`,
  ].join('  ·  ')
}

async function recordings(sheet: Sheet, { receipt, words }: PrintedReceipt): Promise<void> {
  if (receipt.recordings.length === 0) return
  const { say, time } = words
  const rest = sheet.width - 310
  // The facts say the correction once, where it is the same for all.
  const offsets = new Set(receipt.recordings.map((one) => `${one.offsetMilliseconds} ${one.uncertaintyMilliseconds}`))
  const shown = offsets.size === 1 ? 'recorded' : 'both'
  heading(sheet, say('recordings'))
  await sheet.table(
    [
      { label: say('recording'), width: rest * 0.45 },
      { label: say('start'), width: 190 },
      { label: say('end'), width: 120 },
      { label: say('officer'), width: rest * 0.3 },
      { label: say('evidence'), width: rest * 0.25, end: true },
    ],
    receipt.recordings.slice(0, MOST_FILES).map((one): readonly Cell[] => [
      { text: one.name },
      {
        text: [time(one.correctedStartUtc), recordedWords(one, words, shown)].filter((text) => text !== '').join('; '),
      },
      { text: time(one.correctedEndUtc) },
      { text: one.officer?.Username ?? '–' },
      { text: one.evidenceId ?? '–' },
    ]),
  )
  sheet.y += 4
}

async function files(sheet: Sheet, { receipt, words }: PrintedReceipt, stayed: string | null): Promise<void> {
  if (receipt.files.length === 0) return
  const { say, bytes } = words
  const hashes = 222
  const rest = sheet.width - hashes - 46
  heading(sheet, say('fileList'))
  const rows = receipt.files.slice(0, MOST_FILES).map((file): readonly Cell[] => {
    const { outcome, reason } = outcomeOf(file, stayed, words)
    return [
      { text: file.path },
      { text: bytes(file.bytes) },
      { text: reason === '' ? outcome : `${outcome}. ${reason}`, strong: file.outcome === 'failed' },
      { text: file.sha256 ?? '–', mono: true },
    ]
  })
  await sheet.table(
    [
      { label: say('file'), width: rest * 0.55 },
      { label: say('size'), width: 46, end: true },
      { label: say('outcome'), width: rest * 0.45 },
      { label: say('sha256'), width: hashes },
    ],
    rows,
  )
  const more = receipt.files.length - MOST_FILES
  if (more > 0) sheet.words(say('moreFiles', { count: more }), { bold: true })
  sheet.y += 4
}

function heading(sheet: Sheet, text: string): void {
  sheet.room(50)
  sheet.words(text, { size: 9.5, bold: true, gap: 3 })
}

/** Kept on one page: it is read together. */
function proof(sheet: Sheet, { receipt, parts, entry, words }: PrintedReceipt, sha256: string): void {
  const { say } = words
  sheet.room(150)
  sheet.rule()
  heading(sheet, say('check'))
  sheet.words(`${say('checkBody', { seq: entry ?? '–' })} ${say('checkAttached')} ${say('checkFiles')}`, { size: 8 })
  for (const line of receiptCommands(receipt.dockSessionId)) sheet.words(line, { size: 7, mono: true })
  sheet.y += 3
  const keyed = parts['key.pem'].toString('utf8').replaceAll(/-----[^-]+-----|\s/g, '')
  for (const [label, value] of [
    [say('receiptHash'), sha256],
    [say('signature'), parts['receipt.sig'].toString('base64')],
    [say('key'), keyed],
    [say('head'), `${say('entryOf', { seq: receipt.ledgerHead.seq })} ${receipt.ledgerHead.hash}`],
    [say('station'), receipt.station],
  ] as const) {
    const y = sheet.y
    sheet.pdf.font(FONT.plain).fontSize(7.5).fillColor(INK.second).text(writable(label), sheet.left, y, { width: 110 })
    sheet.words(value, { size: 7, mono: true, x: sheet.left + 116, width: sheet.width - 116 })
  }
}
