/** Receipts on paper, and what was docked found again. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiptPdf } from '../../server/features/docking/wall/receipt-pdf.ts'
import { receiptWords } from '../../server/features/docking/wall/receipt-text.ts'
import { DockReceipt, receiptCommands } from '../../shared/docking/receipt.contract.ts'
import { type Json, sha256Of } from '../support/given.ts'
import { DOCK, dockWorld } from './world.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
let session: Json
beforeAll(async () => {
  world = await dockWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Berlin' })
  const camera = world.camera('bay-1', {
    serial: 'PDF-1',
    behind: 72_000,
    extra: { 'notes/Łódź \u202e.txt': 'a note', 'notes/é.txt': 'another' },
  })
  camera.plugIn()
  session = await world.reached('bay-1', 'released')
}, 120_000)
afterAll(() => world?.close())

const part = (name: string, query = '') => world.get(`/session/${session.DockSessionId}/receipt/${name}${query}`)

/** What a document says, page by page, as a program of somebody else reads it; and what that takes out of it. */
async function read(bytes: Uint8Array) {
  const folder = mkdtempSync(path.join(world.given.dir, 'paper-'))
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  writeFileSync(path.join(folder, 'receipt.pdf'), bytes)
  run('pdfdetach', '-saveall', 'receipt.pdf')
  const size = /Page size:\s+([\d.]+) x ([\d.]+)/.exec(run('pdfinfo', 'receipt.pdf'))
  return {
    folder,
    run,
    pages: run('pdftotext', '-raw', 'receipt.pdf', '-').split('\f').slice(0, -1),
    size: [Math.round(Number(size?.[1])), Math.round(Number(size?.[2]))],
  }
}
const tight = (text: string): string => text.replaceAll(/\s/g, '')

describe('the receipt as a document', () => {
  it('has the content of receipt.json on one page, and contains the three signed parts', async () => {
    const { status, bytes, headers } = await part('receipt.pdf')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const { pages, size, folder, run } = await read(bytes)
    expect([pages.length, size]).toEqual([1, [595, 842]])
    const said = tight(pages.join(''))
    const receipt = (await part('receipt.json')).json
    for (const { path, sha256 } of receipt.files) {
      if (/^[\x20-\x7e]*$/.test(path)) expect(said).toContain(tight(path))
      if (sha256 !== null) expect(said).toContain(sha256)
    }
    for (const words of [
      'All 12 files of this camera’s recordings are stored here, read back and in the ledger.',
      'Lantern L2 · serial PDF-1',
      'No officer known when it recorded',
      'Harrow Quay',
      'Nothing was removed from the camera · rule: never',
      // What the font cannot write and what nobody could see is written out.
      'notes/‹U+0141›ód‹U+017A› ‹U+202E›.txt',
      'notes/é.txt',
      receipt.ledgerHead.hash,
      session.ReceiptSha256,
      `openssl pkeyutl -verify -pubin -inkey ${session.DockSessionId}-key.pem`,
      'Page 1 of 1',
    ])
      expect(said).toContain(tight(words))
    // The camera's clock is read at the station some seconds after it was set.
    expect(said).toMatch(/1\s*min\s*[12]\d\s*s\s*behind\s*the\s*station/)
    // I12: of every recording what its camera wrote, and by what it was put right.
    for (const { startUtc, offsetMilliseconds } of receipt.recordings)
      expect([typeof startUtc, typeof offsetMilliseconds]).toEqual(['string', 'number'])
    expect(said.match(/;recorded\d\d:\d\d:\d\d/g)).toHaveLength(receipt.recordings.length)
    const id = session.DockSessionId
    for (const name of ['receipt.json', 'receipt.sig', 'key.pem'])
      expect([
        name,
        Buffer.compare(readFileSync(path.join(folder, `${id}-${name}`)), (await part(name)).bytes),
      ]).toEqual([name, 0])
    // The commands that stand on it do what it says.
    const commands = receiptCommands(id).map((line) => line.split(' '))
    const [sum, verified] = commands.map(([program = '', ...args]) => run(program, ...args))
    expect([sum?.slice(0, 64), verified]).toEqual([
      session.ReceiptSha256,
      expect.stringContaining('Signature Verified Successfully'),
    ])
    // The same receipt is the same document, whoever prints it and when.
    expect(Buffer.compare((await part('receipt.pdf')).bytes, bytes)).toBe(0)
  })

  it('in French, on Letter; other languages and papers are refused', async () => {
    const { pages, size } = await read((await part('receipt.pdf', '?language=fr&paper=letter')).bytes)
    expect([pages.length, size]).toEqual([1, [612, 792]])
    expect(tight(pages[0] ?? '')).toContain(tight('Comment le vérifier'))
    for (const query of ['?language=de', '?paper=a0'])
      expect((await part('receipt.pdf', query)).json.ErrorCode).toBe('InvalidModel')
  })

  it('a long list flows over pages, each with its head and its number; a longer one says where the rest is', {
    timeout: 120_000,
  }, async () => {
    const receipt = DockReceipt.parse((await part('receipt.json')).json)
    const [first] = receipt.files.filter(({ sha256 }) => sha256 !== null)
    const parts = { 'receipt.json': Buffer.from('{}'), 'receipt.sig': Buffer.alloc(64), 'key.pem': Buffer.from('key') }
    const printed = async (count: number) => {
      const files = Array.from({ length: count }, (_, at) => ({
        ...(first as DockReceipt['files'][number]),
        sha256: sha256Of(Buffer.from(String(at))),
      }))
      const about = { parts, entry: 7, origin: 'http://127.0.0.1:7460', stationName: 'Harrow Quay' }
      const words = receiptWords('en', 'Europe/Berlin')
      return read(await receiptPdf({ ...about, receipt: { ...receipt, files }, paper: 'a4', words }))
    }
    const { pages } = await printed(300)
    expect(pages.length).toBeGreaterThan(3)
    for (const [index, text] of pages.entries()) {
      expect(tight(text)).toContain(tight(`Page ${index + 1} of ${pages.length}`))
      if (index < pages.length - 1) expect(tight(text)).toContain(tight('What became of it'))
    }
    const said = tight(pages.join(''))
    for (let at = 0; at < 300; at++) expect(said).toContain(sha256Of(Buffer.from(String(at))))
    expect(said).not.toContain(tight('in receipt.json'))
    const longer = tight((await printed(5_003)).pages.join(''))
    expect(longer).toContain(tight('and 3 more files, in receipt.json'))
    expect(longer).not.toContain(sha256Of(Buffer.from('5000')))
  })

  it('the session names the entry of the ledger that holds its hash', async () => {
    const { ReceiptLedgerSeq } = await world.given.expecting(200, world.get(`/session/${session.DockSessionId}`))
    const entry = world.given.ledger().find(({ seq }) => seq === ReceiptLedgerSeq)
    expect(entry).toMatchObject({ action: 'dock.released', sha256: session.ReceiptSha256 })
  })
})

describe('what was docked', () => {
  const listed = async (query: string): Promise<string[]> =>
    (await world.given.expecting(200, world.get(`/session?${query}`))).Items.map(
      ({ Device }: Json) => Device?.SerialNumber ?? '',
    )

  it('is found by state, serial number, device and time', async () => {
    world.camera('bay-3', { serial: 'find-ME-%_', recordings: [1] }).plugIn()
    const found = await world.reached('bay-3', 'released')
    expect(await listed('serial=nd-me')).toEqual(['find-ME-%_'])
    // Signs that mean something to SQL mean themselves.
    expect(await listed('serial=%25_')).toEqual(['find-ME-%_'])
    expect(await listed('serial=x%25')).toEqual([])
    expect(await listed(`deviceId=${found.DeviceId}`)).toEqual(['find-ME-%_'])
    expect(await listed('state=pulled')).toEqual([])
    expect(await listed('state=released')).toContain('PDF-1')
    expect(await listed(`from=${found.DetectedTimeUtc}`)).toEqual(['find-ME-%_'])
    expect(await listed(`to=${found.DetectedTimeUtc}`)).not.toContain('find-ME-%_')
    expect(await listed('officer=999999')).toEqual([])
    for (const query of ['state=gone', 'from=yesterday', 'officer=x'])
      expect((await world.given.call('GET', `${DOCK}/session?${query}`, { token: world.keeper })).status).toBe(400)
  })
})
