/** Files on their way from a page: pause, a reload in the middle, the wrong file, a lost connection. Whatever was sent is not sent again. */
// @module-tag screen
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation } from '../support/given.ts'
import { signIn as tokenOf } from '../support/integrator.ts'
import { look, signIn } from './support/window.ts'

const MIB = 1024 * 1024
/** A file of 30 MiB is hashed and sent by a browser within this time on a machine that has other things to do. */
const SENT_MS = 90_000

let given: Given
/** Of an integration that sees what the person uploads; it goes on under the lock. */
let token: string
let folder: string
let file: string
let other: string
beforeAll(async () => {
  given = await givenStation()
  token = await tokenOf(await given.integration('looks on', ['AccessUnassociatedFiles:View']), given.url)
  folder = mkdtempSync(path.join(tmpdir(), 'sallyport-uploads-'))
  file = path.join(folder, 'bodycam_0417.mp4')
  other = path.join(folder, 'other', 'bodycam_0417.mp4')
  writeFileSync(file, randomBytes(30 * MIB + 17))
  execFileSync('mkdir', [path.dirname(other)])
  writeFileSync(other, randomBytes(30 * MIB + 17))
})
afterAll(async () => {
  await given.close()
  rmSync(folder, { recursive: true })
})

const sumOf = (name: string): string => createHash('sha256').update(readFileSync(name)).digest('hex')

/** Lets `free` blocks through and holds every further one until it is told. */
async function holdBlocks(page: Page, free: number) {
  const sent: string[] = []
  let open = false
  let left = free
  await page.route(/comp=block&/, async (route) => {
    if (left <= 0 && !open) {
      await new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (!open) return
          clearInterval(timer)
          resolve()
        }, 20)
      })
    }
    left -= 1
    sent.push(new URL(route.request().url()).searchParams.get('blockid') ?? '')
    await route.continue().catch(() => {})
  })
  return {
    sent,
    release: () => {
      open = true
    },
  }
}

async function choose(page: Page, button: RegExp, name: string): Promise<void> {
  await page.evaluate(() => Object.assign(window, { showOpenFilePicker: undefined }))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).first().click()
  await (await chooser).setFiles([name])
}

async function shaOfLast(): Promise<string | null> {
  const { Items } = (await given.call('GET', `${given.documents}/evidence`, { token })).json
  if (Items.length === 0) return null
  const list = (await given.call('GET', `${given.documents}/evidence/${Items[0].EvidenceId}/resource`, { token })).json
  return list[0]?.Sha256 ?? null
}

it('pause and resume: nothing that is safe is sent again; only what was begun asks for its blocks, and nothing is refused', {
  tags: ['journey'],
}, async () => {
  const { page, refusals } = await look(given.url)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('comp=blocklist')) asked.push(request.url())
  })
  await signIn(page, given.url)
  const blocks = await holdBlocks(page, 3)
  await choose(page, /Add/, file)
  await expect.poll(() => blocks.sent.length, { timeout: 20_000 }).toBe(3)
  await page
    .getByText(/12\.\d\sMB of 31\.\d\sMB/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: /Pause bodycam/ }).click()
  await page.getByText('Paused by you').waitFor()
  expect(asked).toEqual([])
  const before = new Set(blocks.sent)
  blocks.release()
  await page
    .getByRole('button', { name: /Resume bodycam|Go on/ })
    .first()
    .click()
  await page.getByText('1 of 1 are safe').waitFor({ timeout: SENT_MS })
  const again = blocks.sent.slice(3).filter((id) => before.has(id))
  expect(again).toEqual([])
  expect(asked).toHaveLength(1)
  expect(refusals).toEqual([])
  expect(await shaOfLast()).toBe(sumOf(file))
})

it('paused before its first block it goes on without a refusal', async () => {
  const { page, refusals } = await look(given.url)
  await signIn(page, given.url)
  const blocks = await holdBlocks(page, 0)
  await choose(page, /Add/, file)
  await page.getByRole('button', { name: /Pause bodycam/ }).click()
  await page.getByText('Paused by you').waitFor()
  blocks.release()
  await page
    .getByRole('button', { name: /Resume bodycam|Go on/ })
    .first()
    .click()
  await page.getByText('1 of 1 are safe').waitFor({ timeout: SENT_MS })
  expect(refusals).toEqual([])
  expect(await shaOfLast()).toBe(sumOf(file))
})

it('a reload in the middle: the same file goes on, another of its name is refused', async () => {
  const { page } = await look(given.url)
  await signIn(page, given.url)
  const blocks = await holdBlocks(page, 3)
  await choose(page, /Add/, file)
  await expect.poll(() => blocks.sent.length, { timeout: 20_000 }).toBe(3)
  await page
    .getByText(/12\.\d\sMB of 31\.\d\sMB/)
    .first()
    .waitFor()
  const before = [...blocks.sent]
  await page.reload()
  await page.getByRole('heading', { name: 'Evidence' }).waitFor()
  await page.getByRole('button', { name: /1 upload/ }).click()
  await page.getByText('Needs the file').waitFor()
  await choose(page, /Resume/, other)
  await page.getByText('This is not the same file.').waitFor()
  blocks.release()
  await choose(page, /Resume/, file)
  await page.getByText('1 of 1 are safe').waitFor({ timeout: SENT_MS })
  expect(blocks.sent.slice(before.length).filter((id) => before.includes(id))).toEqual([])
  expect(await shaOfLast()).toBe(sumOf(file))
})

it('a lost connection is waited for, and said', async () => {
  const { page, context } = await look(given.url)
  await signIn(page, given.url)
  const blocks = await holdBlocks(page, 2)
  await choose(page, /Add/, file)
  await expect.poll(() => blocks.sent.length, { timeout: 20_000 }).toBe(2)
  await context.setOffline(true)
  blocks.release()
  await page.getByText('The upload continues by itself.').first().waitFor()
  await context.setOffline(false)
  await page.getByText('1 of 1 are safe').waitFor({ timeout: 40_000 })
  expect(await shaOfLast()).toBe(sumOf(file))
})

it('an upload goes on under the lock, and its evidence is there after unlocking', async () => {
  const { page } = await look(given.url)
  await signIn(page, given.url)
  const blocks = await holdBlocks(page, 2)
  await choose(page, /Add/, file)
  await expect.poll(() => blocks.sent.length, { timeout: 20_000 }).toBe(2)
  await page.keyboard.press('Control+Shift+L')
  await page.getByText('1 upload continues').waitFor()
  blocks.release()
  await expect.poll(shaOfLast, { timeout: SENT_MS }).toBe(sumOf(file))
  await page.getByText('1 upload continues').waitFor({ state: 'detached' })
})
