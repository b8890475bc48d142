/**
 * S7: files and names that would run something, look like something else or split a header, uploaded as strangers upload them, opened on
 * their page, opened by themselves and downloaded, in real Chromium.
 */
// @module-tag screen
import { deflateSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Given } from '../support/given.ts'
import { isLong } from '../support/scale.ts'
import { added, stationForPages } from './support/evidence.ts'
import { pdf, picture, scratch } from './support/files.ts'
import { numberedVideo } from './support/numbered.ts'
import { look, signIn } from './support/window.ts'

/** Each tells by itself that it ran, and asks somewhere else. */
const RUN = `window.ran=true;document.title='ran';fetch('http://elsewhere.invalid/ran')`
const SCRIPT = `<script>${RUN}</script>`
const IMAGE = `<img src=x onerror="${RUN}">`
const LINK = `<link rel=stylesheet href="http://elsewhere.invalid/a.css"><meta http-equiv=refresh content="0;url=javascript:${RUN}">`

const NAMES: readonly string[] = [
  `${SCRIPT}.jpg`,
  `"><svg onload="${RUN.slice(0, 40)}">.png`,
  "'; alert(1); '.txt",
  'javascript:alert(1)',
  'harmless\u202Egpj.exe',
  'a\u2066b\u2069c.mp4',
  'x\r\nSet-Cookie: ran=1\r\n\r\n<script>ran=1</script>',
  'x\nContent-Type: text/html',
  '../../../etc/passwd',
  '..\\..\\boot.ini',
  'CON.mp4',
  'a"; filename="b.html',
  "a%0d%0aX-Ran: 1'*=.txt",
  '\u00e9\u0065\u0301 twin.txt',
  '{{constructor.constructor("ran=1")()}}',
  '\u200b\u200d\ufeff.html',
]

interface Hostile {
  readonly what: string
  readonly bytes: Uint8Array
  readonly types: readonly string[]
}

function png(text: string): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    let crc = ~0
    for (const byte of body) {
      crc ^= byte
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
    }
    const framed = Buffer.alloc(body.length + 8)
    framed.writeUInt32BE(data.length)
    body.copy(framed, 4)
    framed.writeUInt32BE(~crc >>> 0, body.length + 4)
    return framed
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    chunk('tEXt', Buffer.from(`Comment\0${text}`)),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

async function hostileFiles(): Promise<Hostile[]> {
  const folder = scratch()
  const jpeg = readFileSync(
    await picture(folder, { name: 'h.jpg', size: '64x48', tags: [`ImageDescription=${SCRIPT}`, `Artist=${IMAGE}`] }),
  )
  const video = readFileSync(await numberedVideo('H.mp4', { frames: 5, rate: '25' }))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" onload="${RUN}"><script>${RUN}</script><image x:href="http://elsewhere.invalid/i.png"/><foreignObject>${IMAGE}</foreignObject></svg>`
  const html = `<!doctype html><title>page</title>${LINK}${SCRIPT}${IMAGE}<iframe srcdoc="${SCRIPT}"></iframe>`
  const gif = Buffer.concat([Buffer.from('GIF89a/*'), Buffer.alloc(8), Buffer.from(`*/=1;${RUN}//`)])
  const file = (what: string, bytes: string | Uint8Array, ...types: string[]): Hostile => ({
    what,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    types,
  })
  return [
    file('SVG', svg, 'image/svg+xml', 'image/png', 'text/html'),
    file(
      'SVG behind a declaration',
      `\ufeff<?xml version="1.0"?><!DOCTYPE svg>\n${svg}`,
      'image/svg+xml',
      'application/xml',
    ),
    file('HTML', html, 'text/html', 'image/jpeg', 'video/mp4'),
    file('XHTML', `<html xmlns="http://www.w3.org/1999/xhtml"><script>${RUN}</script></html>`, 'application/xhtml+xml'),
    file('XML with a style sheet', `<?xml-stylesheet href="http://elsewhere.invalid/s.xsl"?><a/>`, 'text/xml'),
    file('script in Exif', jpeg, 'image/jpeg', 'text/html'),
    file('JPEG with a page behind it', Buffer.concat([jpeg, Buffer.from(html)]), 'image/jpeg', 'text/html'),
    file('PNG with a page in its comment', png(html), 'image/png', 'text/html'),
    file('GIF that is a script too', gif, 'image/gif', 'text/javascript'),
    file('MP4 with a page behind it', Buffer.concat([video, Buffer.from(html)]), 'video/mp4', 'text/html'),
    file('PDF with a script', pdf({ pages: [`BT (${SCRIPT}) Tj ET`] }), 'application/pdf', 'text/html'),
    file('PDF that begins as a page', Buffer.concat([Buffer.from(html), pdf({ pages: [''] })]), 'application/pdf'),
    file('text', `${SCRIPT}\n${IMAGE}\u202E\u0000\u001b]0;ran\u0007`, 'text/plain', 'text/html'),
    file('MHTML', `MIME-Version: 1.0\nContent-Type: text/html\n\n${html}`, 'multipart/related', 'message/rfc822'),
    file('UTF-7', '+ADw-script+AD4-ran=1+ADw-/script+AD4-', 'text/html; charset=utf-7'),
    file('a script', RUN, 'text/javascript', 'application/wasm'),
  ]
}

/** Few of a kind by default, 80 in the long run: every file, and every name, with every type it may claim. */
async function chosen() {
  const files = await hostileFiles()
  const all = files.flatMap(({ types, ...file }) => types.map((type) => ({ ...file, type })))
  const count = isLong ? 80 : 18
  return Array.from({ length: count }, (_, at) => ({
    ...(all[isLong ? at % all.length : Math.floor((at * all.length) / count)] as (typeof all)[number]),
    name: NAMES[at % NAMES.length] as string,
  }))
}

let given: Given
beforeAll(async () => {
  given = await stationForPages()
}, 120_000)
afterAll(() => given?.close())

describe('S7 hostile files and names run nowhere', () => {
  it(`${isLong ? 80 : 18} of them: opened, opened alone, downloaded`, {
    timeout: isLong ? 900_000 : 240_000,
  }, async () => {
    const { page, problems, context } = await look(given.url)
    await signIn(page, given.url)
    const alone = await context.newPage()
    const tried = await chosen()
    let kept = 0
    for (const { what, bytes, type, name } of tried) {
      const label = `${what} as ${type}, named ${JSON.stringify(name)}`
      const told = await added(
        given,
        { name, bytes },
        {
          evidence: { Name: name.replaceAll(/\p{Cc}/gu, ' '), Tags: [SCRIPT.slice(0, 60)], LocationText: IMAGE },
          resource: { MimeType: type },
        },
      ).catch((error: Error) => error)
      if (told instanceof Error) {
        // Refused by its name or type, in words: nothing of it is there.
        expect(told.message, label).toMatch(/\b400\b/)
        continue
      }
      kept += 1
      await given.settled(told.evidenceId)
      await page.goto(`${given.url}/evidence/${told.evidenceId}`)
      await page.locator('[data-seal="ok"]').waitFor()
      await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByRole('tabpanel', { name: 'Details' }).getByText('SHA-256').waitFor()
      await page.waitForTimeout(150)
      expect(await page.evaluate(() => 'ran' in window || document.title === 'ran'), label).toBe(false)
      for (const { ResourceId } of (await given.settled(told.evidenceId)) as { ResourceId: string }[]) {
        for (const purpose of ['', '?purpose=play']) {
          const address = `${given.documents}/evidence/${told.evidenceId}/resource/${ResourceId}/content${purpose}`
          const answer = await page.evaluate(async (to) => {
            const { headers, status } = await fetch(to)
            return { status, headers: Object.fromEntries(headers) as Record<string, string> }
          }, address)
          // Not everything can be played.
          expect(answer.status, label).toBeOneOf(purpose === '' ? [200] : [200, 404])
          expect(answer.headers['x-content-type-options'], label).toBe('nosniff')
          expect(Object.keys(answer.headers).join(), label).not.toMatch(/x-ran|set-cookie/i)
          expect(answer.headers['content-disposition'] ?? '', label).not.toMatch(/[\r\n]/)
          // By itself, in a tab of the station's own origin.
          await alone.goto(address).catch(() => {
            // A download ends the navigation.
          })
          expect(await alone.evaluate(() => 'ran' in window || document.title === 'ran'), label).toBe(false)
        }
      }
      expect(problems, label).toEqual([])
      expect((await context.cookies()).map(({ name }) => name).join(), label).not.toContain('ran')
    }
    console.info(`S7: ${tried.length} hostile files and names, ${kept} kept and opened, ${tried.length - kept} refused`)
    expect(kept).toBeGreaterThan(tried.length / 2)
  })
})
