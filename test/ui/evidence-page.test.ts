/** The page of one evidence: viewers for each kind, what there is, where it was, custody in front of whoever reads. */
// @module-tag screen
// @module-tag merge
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Given } from '../support/given.ts'
import { findings, findingsInThemes } from './support/axe.ts'
import { added, onPage, soon, stationForPages } from './support/evidence.ts'
import { heic, jpeg2000, pdf, picture, scratch } from './support/files.ts'
import { media } from './support/media.ts'
import { numberedVideo } from './support/numbered.ts'

const folder = scratch()
let given: Given
beforeAll(async () => {
  given = await stationForPages()
}, 120_000)
afterAll(() => given?.close())

const plain = (text: string | null): string => (text ?? '').replaceAll('\u00a0', ' ')

describe('pictures', () => {
  it('zoom, pan and turn change the view alone; Exif is closed, then six facts, then all of it to search', {
    timeout: 60_000,
  }, async () => {
    const file = await picture(folder, {
      name: 'Latch.jpg',
      size: '1200x800',
      tags: [
        'Make=Corvid',
        'Model=C3',
        'GPSLatitude=52.3728',
        'GPSLatitudeRef=N',
        'GPSLongitude=4.8936',
        'GPSLongitudeRef=E',
      ],
    })
    const before = createHash('sha256').update(readFileSync(file)).digest('hex')
    const { evidenceId, resourceId } = await added(given, file)
    const { page, problems } = await onPage(given, evidenceId)
    const shown = page.getByRole('img', { name: 'Latch.jpg' })
    await shown.waitFor()
    const scale = (): Promise<number> =>
      shown.evaluate((element) => element.getBoundingClientRect().width / (element as HTMLImageElement).naturalWidth)
    await soon(scale).toBeGreaterThan(0)
    const frame = page.getByRole('application', { name: 'Picture to zoom and move' })
    await frame.focus()
    await page.keyboard.press('1')
    await soon(scale).toBeCloseTo(1, 3)
    await page.keyboard.press('+')
    await soon(scale).toBeCloseTo(1.25, 3)
    const left = await shown.evaluate((element) => element.getBoundingClientRect().left)
    await page.keyboard.press('ArrowRight')
    await soon(() => shown.evaluate((element) => element.getBoundingClientRect().left)).toBeCloseTo(left - 60, 0)
    await page.keyboard.press('0')
    await page.getByRole('button', { name: 'Turn right' }).click()
    await page.getByText('turned 90°').waitFor()
    const { wide, high } = await shown.evaluate((element) => {
      const { width, height } = element.getBoundingClientRect()
      return { wide: width, high: height }
    })
    expect(high).toBeGreaterThan(wide)
    const exif = page.getByRole('region', { name: 'What the file says of itself' })
    expect(await exif.count()).toBe(0)
    await page.keyboard.press('x')
    const main = exif.locator('[data-main-facts]')
    await main.getByText('Corvid C3').waitFor()
    await main.getByText('52.37280, 4.89360').waitFor()
    expect(plain(await main.innerText()).match(/not in the file/g)?.length).toBe(3)
    await exif.getByRole('button', { name: /^All \d+ entries/ }).click()
    await exif.getByRole('searchbox').fill('gpslat')
    await soon(() => exif.getByText('Corvid', { exact: true }).count()).toBe(0)
    await exif.getByText('GPSLatitude', { exact: true }).first().waitFor()
    // The original is what it was.
    const content = await given.call('GET', `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/content`)
    expect(createHash('sha256').update(content.bytes).digest('hex')).toBe(before)
    // Where: from the file's own GPS, and in words.
    await page.getByText('52.37280° N, 4.89360° E').waitFor()
    await page.getByText('GPS, from the file').waitFor()
    await page.locator('[data-map] path').nth(1).waitFor({ state: 'attached' })
    expect(problems).toEqual([])
  })

  it('levels, loupe and measuring are views by keys; one reset ends them, and nothing of them is sent', {
    timeout: 60_000,
  }, async () => {
    const file = await picture(folder, { name: 'Scale.png', size: '1000x500' })
    const { evidenceId } = await added(given, file)
    const { page, problems } = await onPage(given, evidenceId)
    const shown = page.getByRole('img', { name: 'Scale.png' })
    await shown.waitFor()
    await page.getByText(/change the view only and are never saved into the evidence/).waitFor()
    // No time is known: nothing says so, and nothing lies over the picture.
    expect(await page.locator('[data-clock]').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Hide the times' }).count()).toBe(0)
    const writes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`)
    })
    const frame = page.getByRole('application', { name: 'Picture to zoom and move' })
    await frame.focus()
    await page.keyboard.press('v')
    const brightness = page.getByRole('slider', { name: 'Brightness' })
    await soon(() => brightness.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowRight')
    const gamma = page.getByRole('slider', { name: 'Gamma' })
    await gamma.focus()
    await page.keyboard.press('ArrowRight')
    const filter = (): Promise<string> => shown.evaluate((element) => getComputedStyle(element).filter)
    await soon(filter).toMatch(/brightness\(1\.05\) contrast\(1\) url\(/)
    await frame.focus()
    await page.keyboard.press('l')
    await page.locator('[data-loupe]').waitFor()
    await page.keyboard.press('l')
    await soon(() => page.locator('[data-loupe]').count()).toBe(0)
    // A line between two places of the picture is as long turned and zoomed as it was before.
    await page.keyboard.press('1')
    await page.keyboard.press('m')
    await page.getByText('Draw a line on the picture.').waitFor()
    await page.keyboard.press('Enter')
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    const length = page.locator('[data-length]')
    await soon(() => length.innerText()).toBe('120 pixels')
    await page.keyboard.press('+')
    await page.keyboard.press('r')
    expect(await length.innerText()).toBe('120 pixels')
    const known = page.getByRole('textbox', { name: 'Known length of this line' })
    await known.fill('none')
    await page.keyboard.press('Enter')
    await page.getByText('Write a number above 0, such as 10 or 2.5.').waitFor()
    await known.fill('6')
    await page.keyboard.press('Enter')
    await soon(() => length.innerText()).toBe('120 pixels, about 6 cm')
    await page.mouse.move(0, 0)
    const box = (await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(box.x + box.width / 2, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 40 + 75, { steps: 3 })
    await page.mouse.up()
    await soon(() => length.innerText()).toBe('60 pixels, about 3 cm')
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await frame.focus()
    await page.keyboard.press('z')
    await soon(filter).toBe('none')
    await soon(() => page.locator('[data-measured]').count()).toBe(0)
    expect(await page.getByText('turned 90°').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Reset view' }).count()).toBe(0)
    // The page itself verifies the chain and says that somebody is at work; nothing else was sent.
    expect(writes.filter((one) => !/\/(custody\/verify|session\/activity)$/.test(one))).toEqual([])
    expect(problems).toEqual([])
  })

  it.each(['heic', 'tiff'] as const)('%s is seen through its preview', { timeout: 60_000 }, async (kind) => {
    const file =
      kind === 'heic' ? await heic(folder, 'Phone.heic') : await picture(folder, { name: 'Scan.tiff', size: '640x480' })
    const { evidenceId } = await added(given, file)
    const { page, problems } = await onPage(given, evidenceId)
    const shown = page.getByRole('img', { name: path.basename(file) })
    await soon(() => shown.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(640)
    await page.getByText('seen through a preview').waitFor()
    expect(problems).toEqual([])
  })
})

describe('sound', () => {
  it('plays with its waveform as the timeline', { timeout: 60_000 }, async () => {
    const { evidenceId } = await added(given, (await media()).sound)
    const { page, problems } = await onPage(given, evidenceId)
    await page.locator('[data-waveform]').waitFor({ state: 'attached' })
    const slider = page.getByRole('slider', { name: 'Position in the recording' })
    await slider.click({ position: { x: 400, y: 40 } })
    await soon(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThan(1)
    await page.keyboard.press('l')
    const before = Number(await slider.getAttribute('aria-valuenow'))
    await soon(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeGreaterThan(before)
    await page.keyboard.press('k')
    for (const name of ['Still', 'Clip']) expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(problems).toEqual([])
  })
})

describe('documents', () => {
  const TEXT = 'BT /F1 20 Tf 40 500 Td (Statement of I. Marchetti) Tj ET'

  it('a PDF shows its pages and words, loads nothing from elsewhere and runs nothing', {
    timeout: 60_000,
  }, async () => {
    const scan = await jpeg2000(folder)
    const bytes = pdf({
      pages: [`${TEXT} q 100 0 0 100 40 300 cm /Scan Do Q`, 'BT /F1 20 Tf 40 500 Td (Second page) Tj ET'],
      resources: '/XObject << /Scan 100 0 R >>',
      objects: [
        {
          head: `<< /Type /XObject /Subtype /Image /Width 64 /Height 64 /Filter /JPXDecode /Length ${scan.length} >>`,
          data: scan,
        },
        { head: '<< /S /JavaScript /JS (app.alert\\(1\\); window.ran = true) >>' },
      ],
      catalogue: '/OpenAction 101 0 R',
    })
    const { evidenceId } = await added(given, { name: 'Statement.pdf', bytes })
    const { page, problems } = await onPage(given, evidenceId)
    await page.locator('canvas[data-drawn="1"]').waitFor()
    await page.getByText('Statement of I. Marchetti').waitFor()
    // The scanned picture came through the decoder that needs no compiled code.
    const red = await page.locator('canvas[data-drawn]').evaluate((element) => {
      const canvas = element as HTMLCanvasElement
      const context = canvas.getContext('2d') as CanvasRenderingContext2D
      const [r = 0, g = 0, b = 0] = context.getImageData(
        (90 / 420) * canvas.width,
        ((595 - 350) / 595) * canvas.height,
        1,
        1,
      ).data
      return r > 200 && g < 80 && b < 80
    })
    expect(red).toBe(true)
    await page.getByRole('button', { name: 'Page after' }).click()
    await page.locator('canvas[data-drawn="2"]').waitFor()
    await page.getByText('Second page').waitFor()
    await page.getByRole('document', { name: 'Page 2 of 2' }).waitFor()
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(problems).toEqual([])
  })

  it('a PDF in characters it did not bring the table for', { timeout: 60_000 }, async () => {
    const bytes = pdf({
      pages: ['BT /F2 20 Tf 40 500 Td <D6D0B9FA> Tj ET'],
      resources: '/Font /F2 100 0 R',
      objects: [
        {
          head: '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [101 0 R] >>',
        },
        {
          head: '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 102 0 R >>',
        },
        {
          head: '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 /CapHeight 700 >>',
        },
      ],
    })
    const { evidenceId } = await added(given, { name: 'Report.pdf', bytes })
    const { page, problems } = await onPage(given, evidenceId)
    await page.getByText('中国').waitFor()
    expect(problems).toEqual([])
  })

  it('text is shown to the letter, the rest by download, and what cannot be seen is written out', {
    timeout: 60_000,
  }, async () => {
    const line = 'Entry \u202Ethis is turned round\n'
    const bytes = Buffer.from(`Maße <b>bold</b>\n${line.repeat(90_000)}`)
    expect(bytes.length).toBeGreaterThan(2 * 1024 * 1024)
    const { evidenceId } = await added(given, { name: 'Log.txt', bytes })
    const { page, problems } = await onPage(given, evidenceId)
    await page.getByText('Maße <b>bold</b>').waitFor()
    await page.getByText('U+202E').first().waitFor()
    await page.getByText('Read as UTF-8').waitFor()
    expect(plain(await page.getByText(/The first/).innerText())).toContain('The first 2.10 MB of')
    expect(problems).toEqual([])
  })

  it('anything else is an honest card', { timeout: 60_000 }, async () => {
    const { evidenceId } = await added(given, { name: 'Archive.bin', bytes: Buffer.alloc(4096, 7) })
    const { page } = await onPage(given, evidenceId)
    await page.getByRole('heading', { name: 'No preview for this file type' }).waitFor()
    const download = page.waitForEvent('download')
    await page.locator('[data-card]').getByRole('link', { name: 'Download the original' }).click()
    expect((await download).suggestedFilename()).toBe('Archive.bin')
  })
})

describe('what is not there yet', () => {
  it('a card says what is being made, and becomes the player by itself', {
    tags: ['journey'],
    timeout: 120_000,
  }, async () => {
    const { evidenceId } = await added(given, { name: 'Wait.bin', bytes: Buffer.alloc(64, 1) })
    const looking = await onPage(given, evidenceId)
    const file = await numberedVideo('Late.avi', { frames: 900, rate: '30' }).then((made) => made)
    const late = await added(given, file)
    await looking.page.goto(`${given.url}/evidence/${late.evidenceId}`)
    await looking.page
      .getByText(/Creating: Playable copy|Identifying the file type|Waiting for its turn/)
      .or(looking.page.locator('[data-frame]'))
      .first()
      .waitFor()
    await looking.page.locator('[data-frame]').waitFor({ timeout: 90_000 })
  })

  it('a derivation that failed says so, and that the original is whole', { timeout: 60_000 }, async () => {
    const { video } = await media()
    // The index is gone: it begins as an MP4 and cannot be read.
    const whole = readFileSync(video)
    const bytes = Buffer.concat([whole.subarray(0, 48), Buffer.alloc(4096, 3)])
    const { evidenceId } = await added(given, { name: 'Broken.mp4', bytes })
    const { page } = await onPage(given, evidenceId)
    await page.getByText('Needs a look').first().waitFor()
    await page.getByText('The original is whole and can be downloaded.').waitFor()
    await page.locator('[data-card]').getByRole('link', { name: 'Download the original' }).waitFor()
  })
})

describe('what there is', () => {
  it('each file with its hash, what it was made with, and a check in front of you', {
    timeout: 90_000,
  }, async () => {
    const { evidenceId } = await added(given, (await media()).old)
    const { page, problems } = await onPage(given, evidenceId)
    await page.locator('[data-frame]').waitFor()
    const rows = page.getByRole('treegrid').getByRole('row')
    await rows.filter({ hasText: 'Vehicle 12.avi' }).waitFor()
    const copy = rows.filter({ hasText: 'Playable copy' })
    await copy.getByText(/ffmpeg .* from /).waitFor()
    await copy.getByRole('button', { name: 'Show the command' }).click()
    await copy.getByText(/libx264/).waitFor()
    await rows.filter({ hasText: 'Thumbnails of the timeline' }).getByText('rebuilt when needed').waitFor()
    // H checks what is looked at.
    await page.keyboard.press('h')
    const original = rows.filter({ hasText: 'Vehicle 12.avi' })
    await original.getByText('Matches: read back from the disk just now').waitFor({ timeout: 20_000 })
    await original
      .getByText(/^Matches \d\d:\d\d/)
      .first()
      .waitFor()
    // The second is asked with the button.
    await copy.getByRole('button', { name: /^Check now/ }).click()
    await copy.getByText('Matches: read back from the disk just now').waitFor({ timeout: 20_000 })
    expect(problems).toEqual([])
  })

  it('I5: bytes that were changed on the disk are found and said', { tags: ['journey'], timeout: 90_000 }, async () => {
    const bytes = Buffer.from('the very bytes that were taken in')
    const { evidenceId } = await added(given, { name: 'Note.txt', bytes })
    const { page } = await onPage(given, evidenceId)
    await page.getByText('the very bytes').waitFor()
    const hash = createHash('sha256').update(bytes).digest('hex')
    const blob = (readdirSync(path.join(given.data, 'blobs'), { recursive: true }) as string[]).find((name) =>
      name.endsWith(hash),
    )
    writeFileSync(path.join(given.data, 'blobs', blob ?? ''), 'other bytes')
    await page.keyboard.press('h')
    await page.getByText(/The bytes on the disk are not those that were taken in/).waitFor({ timeout: 20_000 })
    await page.getByRole('banner').or(page.locator('header')).getByText('Changed or missing').first().waitFor()
  })
})

describe('custody', () => {
  it('is recomputed on the page, filtered, and opens to every fact', {
    timeout: 90_000,
  }, async () => {
    const { evidenceId } = await added(given, (await media()).picture)
    const { page, problems } = await onPage(given, evidenceId)
    const seal = page.locator('[data-seal="ok"]')
    await seal.waitFor({ timeout: 20_000 })
    const said = plain(await seal.innerText())
    expect(said).toContain('Chain verified in front of you')
    expect(said).toMatch(/\d+ entries, [\d,]+ to [\d,]+\./)
    expect(said).toMatch(/The hashes of the \d+ shown were recomputed on this page just now/)
    // Acts come first, and what is not listed is counted.
    await page.getByRole('button', { name: 'Evidence created' }).waitFor()
    expect(await page.getByRole('button', { name: /viewed it|^Thumbnail|^Files listed/ }).count()).toBe(0)
    await page
      .locator('[data-folded]')
      .getByText(/^\d+ entries of viewing are not listed here/)
      .waitFor()
    await page.getByRole('button', { name: 'Stored, hashed and read back' }).click()
    const facts = page.getByRole('list', { name: 'Custody' }).locator('dl')
    await facts.getByText('resource.completed').waitFor()
    await facts.getByRole('button', { name: /Copy the hash of entry/ }).waitFor()
    await page.getByRole('button', { name: 'Verify again' }).click()
    await page.locator('[data-seal="ok"]').waitFor({ timeout: 20_000 })
    // Shift D from anywhere.
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByText('Device record').or(page.getByText('Not known')).first().waitFor()
    await page.keyboard.press('Shift+D')
    await soon(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Custody')
    expect(problems).toEqual([])
  })

  it('I3: what a station shows and did not hash is named, whoever serves it', {
    timeout: 90_000,
  }, async () => {
    const { evidenceId } = await added(given, (await media()).picture)
    const { page } = await onPage(given, evidenceId, { at: '?tab=details' })
    await page.getByRole('tab', { name: 'Custody' }).waitFor()
    let seq = 0
    // Somebody between station and page changes one name in one entry.
    await page.route('**/custody?*', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      const entry = body.Entries.find(({ Action }: { Action: string }) => Action === 'evidence.created')
      if (entry !== undefined) {
        seq = entry.Seq
        entry.Actor.Name = 'nobody'
      }
      await route.fulfill({ response: answer, json: body })
    })
    await page.getByRole('tab', { name: 'Custody' }).click()
    const seal = page.locator('[data-seal="danger"]')
    await seal.waitFor({ timeout: 20_000 })
    expect(plain(await seal.innerText())).toContain(`Entry ${seq}: what is shown is not what was hashed.`)
    await page.getByText('not as it was written').waitFor()
  })

  it('I1: one line a visit, by name, which opens to each entry and its number; downloads are acts', {
    timeout: 90_000,
  }, async () => {
    const { evidenceId, resourceId } = await added(given, { name: 'Often.txt', bytes: Buffer.from('often') })
    await given.settled(evidenceId)
    for (let time = 0; time < 230; time++)
      await given.expecting(200, given.call('GET', `${given.documents}/evidence/${evidenceId}`))
    await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/content`),
    )
    const { page, problems } = await onPage(given, evidenceId)
    await page.getByRole('button', { name: 'Downloaded' }).first().waitFor()
    await page.getByRole('button', { name: /^Everything/ }).click()
    await soon(() => page.url()).toContain('kind=all')
    // More entries than one page: the visit says that it is cut, and how many entries are folded.
    await page
      .getByText(/begins in older entries/)
      .first()
      .waitFor()
    await page.getByText(/^\d+ of these \d+ entries are folded into \d+ lines?, one for each visit/).waitFor()
    const visits = page.getByRole('button', { name: /(viewed|read) it$/ })
    const before = await visits.count()
    expect(before).toBeLessThan(5)
    await page.getByRole('button', { name: 'Show older' }).click()
    await page.getByRole('button', { name: 'Evidence created' }).waitFor()
    await soon(() => page.getByText(/begins in older entries/).count()).toBe(0)
    expect(await visits.count()).toBe(before)
    // Every entry of the ledger is there once.
    for (const visit of await visits.all()) await visit.click()
    const numbers = await page
      .getByRole('list', { name: 'Entries of this visit' })
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => item.firstElementChild?.textContent ?? ''))
    expect(numbers.length).toBeGreaterThan(230)
    expect(new Set(numbers).size).toBe(numbers.length)
    const last = page.getByRole('list', { name: 'Entries of this visit' }).last()
    await last.getByRole('button', { name: 'Viewed' }).first().click()
    await last.getByText('evidence.read').first().waitFor()
    await page.locator('[data-seal="ok"]').waitFor({ timeout: 20_000 })
    expect(await findings(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('older entries come although the evidence changes while they are asked for', { timeout: 90_000 }, async () => {
    const { evidenceId } = await added(given, { name: 'Changed.txt', bytes: Buffer.from('changed') })
    await given.settled(evidenceId)
    for (let time = 0; time < 230; time++)
      await given.expecting(200, given.call('GET', `${given.documents}/evidence/${evidenceId}`))
    const { page } = await onPage(given, evidenceId)
    await page.getByRole('button', { name: /^Everything/ }).click()
    const older = page.getByRole('button', { name: 'Show older' })
    await older.waitFor()
    // The answer is held back until the page has read its entries again.
    const asked = Promise.withResolvers<void>()
    const again = Promise.withResolvers<void>()
    await page.route(/custody\?.*before=/, async (route) => {
      asked.resolve()
      await again.promise
      await route.continue().catch(() => {})
    })
    await older.click()
    await asked.promise
    const read = page.waitForResponse((response) => /custody\?(?!.*before=)/.test(response.url()))
    await given.expecting(
      200,
      given.call('PATCH', `${given.documents}/evidence/${evidenceId}`, { body: { Name: 'Changed meanwhile' } }),
    )
    await read
    again.resolve()
    await page.getByRole('button', { name: 'Evidence created' }).waitFor()
  })
})

describe('details and place', () => {
  it('every member of the record; a place that was typed says so', { timeout: 60_000 }, async () => {
    const { evidenceId } = await added(
      given,
      { name: 'Clip.txt', bytes: Buffer.from('x') },
      {
        evidence: {
          Description: 'Two lines',
          Tags: ['burglary', 'entry'],
          LocationText: '14 Tanner’s Row',
          LocationWKT: 'LINESTRING (4.89 52.37, 4.90 52.38, 4.91 52.38)',
          Device: { DeviceType: 'BWC', Manufacturer: 'Corvid', SerialNumber: '0417', Model: 'C3' },
          CustomFields: { Shift: 'B' },
        },
      },
    )
    const { page, problems } = await onPage(given, evidenceId)
    await page.getByText('Track of 3 points, 52.37000° N, 4.89000° E to 52.38000° N, 4.91000° E').waitFor()
    await page.getByText('given when it was added').waitFor()
    await page.getByRole('tab', { name: 'Details' }).click()
    await soon(() => page.url()).toContain('tab=details')
    const panel = page.getByRole('tabpanel', { name: 'Details' })
    for (const words of [
      'Two lines',
      'Corvid',
      '0417',
      'C3',
      'Shift',
      'burglary',
      '14 Tanner’s Row',
      'Clip.txt',
      '1 byte',
    ])
      await panel.getByText(words, { exact: true }).first().waitFor()
    // The map moves by keys and has words beside it.
    const map = page.getByRole('application', { name: 'Map of the position' })
    await map.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('+')
    expect(problems).toEqual([])
  })

  it('no position, no evidence: each said in words', { timeout: 60_000 }, async () => {
    const { evidenceId } = await added(given, { name: 'Clip.txt', bytes: Buffer.from('x') })
    const { page } = await onPage(given, evidenceId)
    await page.getByText('No location.').waitFor()
    await page.goto(`${given.url}/evidence/999999`)
    await page.getByText('There is no such evidence').waitFor()
    await page.getByRole('link', { name: 'To the list of evidence' }).click()
    await page.getByRole('heading', { name: 'Evidence' }).waitFor()
  })
})
