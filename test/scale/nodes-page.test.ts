/** The page Nodes through the load balancer of a headquarters: both nodes, and the one that was killed as lost. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { ADMINISTRATOR } from '../support/given.ts'
import { STARTING } from '../support/s3-server.ts'
import { findingsInThemes } from '../ui/support/axe.ts'
import { look, signInByForm } from '../ui/support/window.ts'
import { type Headquarters, startHeadquarters } from './headquarters.ts'
import { pictures, savePicture } from './pictures.ts'

let headquarters: Headquarters
beforeAll(async () => {
  await ensureRenderer()
  headquarters = await startHeadquarters({ nodes: 2 })
  await headquarters.command(
    ['setup', '--username', ADMINISTRATOR.username, '--password-stdin'],
    ADMINISTRATOR.password,
  )
}, STARTING + 240_000)
afterAll(() => headquarters?.close())

it('shows every node, and one that died as lost, in every theme', { timeout: 300_000 }, async () => {
  await pictures(headquarters.url, '/administration/nodes', 'nodes', (page) =>
    page.getByRole('row', { name: /node-2.*Running/ }).waitFor(),
  )
  const [, second] = headquarters.nodes
  await second?.kill()
  const { page, problems } = await look(headquarters.url)
  await signInByForm(page, headquarters.url, '/administration/nodes')
  await page.getByRole('row', { name: /node-2.*Lost/ }).waitFor({ timeout: 60_000 })
  expect(await page.getByRole('row', { name: /node-1.*Running/ }).count()).toBe(1)
  expect(await findingsInThemes(page)).toEqual([])
  await savePicture(page, 'nodes-lost')
  expect(problems).toEqual([])
})
