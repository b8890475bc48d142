/** The page Nodes through the load balancer of a headquarters: both nodes, and the one that was killed as lost. Pictures lie in test/.work/shots. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { STARTING } from '../support/s3-server.ts'
import { findingsInThemes } from '../ui/support/axe.ts'
import { look, shotsFolder, SIZES, signInByForm } from '../ui/support/window.ts'
import { type Headquarters, startHeadquarters } from './headquarters.ts'

const SHOTS = process.env['SALLYPORT_TEST_SHOTS'] ?? shotsFolder()

let headquarters: Headquarters
beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true })
  await ensureRenderer()
  headquarters = await startHeadquarters({ nodes: 2 })
  await headquarters.command(
    ['setup', '--username', ADMINISTRATOR.username, '--password-stdin'],
    ADMINISTRATOR.password,
  )
}, STARTING + 240_000)
afterAll(() => headquarters?.close())

it('shows every node, and one that died as lost, in every theme', { timeout: 300_000 }, async () => {
  await pictures('nodes', async (page) => {
    await page.getByRole('row', { name: /node-2.*Running/ }).waitFor()
  })
  const [, second] = headquarters.nodes
  await second?.kill()
  const { page, problems } = await look(headquarters.url)
  await signInByForm(page, headquarters.url, '/administration/nodes')
  await page.getByRole('row', { name: /node-2.*Lost/ }).waitFor({ timeout: 60_000 })
  expect(await page.getByRole('row', { name: /node-1.*Running/ }).count()).toBe(1)
  expect(await findingsInThemes(page)).toEqual([])
  await save(page, 'nodes-lost')
  expect(problems).toEqual([])
})

/** In both sizes, light and dark. */
async function pictures(name: string, ready: (page: Page) => Promise<void>): Promise<void> {
  for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[])
    for (const theme of ['light', 'dark'] as const) {
      const { page, close } = await look(headquarters.url, { size, theme })
      await signInByForm(page, headquarters.url, '/administration/nodes')
      await ready(page)
      await save(page, `${name}-${size}-${theme}`)
      await close()
    }
}

const save = (page: Page, name: string): Promise<unknown> =>
  page.screenshot({ path: path.join(SHOTS, `headquarters-${name}.png`) })
