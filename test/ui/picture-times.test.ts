/** Pictures whose metadata names no time zone, as people see them: each picture by its own time, the list by the evidence's. */
// @module-tag screen
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Given } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { onPage, soon, stationForPages } from './support/evidence.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-picture-times-'))
let given: Given
let several = ''
let single = ''
beforeAll(async () => {
  given = await stationForPages()
  const local = ['-DateTimeOriginal=2026:11:20 14:07:42', '-SubSecTimeOriginal=25']
  const gps = ['-GPSDateStamp=2026:11:20', '-GPSTimeStamp=05:07:40']
  several = await evidenceOf('Yard', {
    'local.jpg': local,
    'gps.jpg': [...local, ...gps],
    'alone.jpg': gps,
    'none.jpg': [],
  })
  single = await evidenceOf('Gate', { 'gate.jpg': local })
}, 120_000)
afterAll(async () => {
  await given?.close()
  rmSync(folder, { recursive: true, force: true })
})

function picture(name: string, tags: readonly string[]): Buffer {
  const file = path.join(folder, name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=640x480', '-frames:v', '1', file])
  execFileSync('exiftool', ['-q', '-overwrite_original', '-n', `-Comment=${name}`, ...tags, file])
  return readFileSync(file)
}

async function evidenceOf(name: string, pictures: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const { EvidenceId: evidenceId } = await given.evidence({ Name: name })
  for (const [file, tags] of Object.entries(pictures)) {
    await given.completed(picture(file, tags), { evidenceId, name: file })
    await given.settled(evidenceId)
  }
  return evidenceId
}

const plain = (text: string): string => text.replaceAll('\u00a0', ' ')
const clock = async (page: Page): Promise<string> => plain(await page.locator('[data-clock]').innerText())

describe('I12: pictures without a time zone', () => {
  it('I12: of several each says its own time: local time, GPS, or that it has none', {
    timeout: 120_000,
  }, async () => {
    const { page, problems } = await onPage(given, several)
    const says = async (name: string, ...words: readonly string[]): Promise<void> => {
      await page
        .getByRole('row', { name: new RegExp(name) })
        .first()
        .click()
      await page.getByRole('region', { name: new RegExp(name) }).waitFor()
      for (const word of words) await soon(() => clock(page)).toContain(word)
    }
    await says('local.jpg', '20 Nov 2026 14:07:42.250', 'time zone not known')
    expect(await clock(page)).not.toContain('CET')
    await says('gps.jpg', '20 Nov 2026 06:07:40.000 CET', 'GPS', '2026-11-20 14:07:42.25')
    await says('alone.jpg', '20 Nov 2026 06:07:40.000 CET', 'GPS')
    await says('none.jpg')
    await soon(() => page.locator('[data-clock]').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('I12: alone it says the same on its page and in the list', { timeout: 120_000 }, async () => {
    const { page, problems } = await onPage(given, single)
    await soon(() => clock(page)).toContain('time zone not known')
    expect(await findingsInThemes(page)).toEqual([])
    await page.goto(`${given.url}/evidence`)
    const row = page.getByRole('row', { name: /Gate/ })
    // Where it is cut off, the mark is what is read first.
    await soon(async () => plain(await row.innerText())).toMatch(/20 Nov 2026 14:07:42\n+time zone not known/)
    expect(problems).toEqual([])
  })
})
