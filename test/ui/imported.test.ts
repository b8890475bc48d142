/** The custody of imported evidence: where it came from, and what the ledger of that station says of it. */
// @module-tag screen
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DisclosureWorld, disclosureStation } from '../api/disclosure/world.ts'
import { ADMINISTRATOR, type Given, givenStation } from '../support/given.ts'
import { findingsInThemes } from './support/axe.ts'
import { looking } from './support/cases.ts'

let world: DisclosureWorld
let here: Given
let evidence: string
beforeAll(async () => {
  world = await disclosureStation({ fresh: true })
  here = await givenStation({ fresh: true })
  const caseId = await world.newCase('Burglary')
  await world.link(caseId, await world.add('Stop at Quay Road <b>', ['one.txt']))
  const made = await world.make(caseId, { variant: 'court' })
  const { made: ids } = await here.command('import', { path: made.path, fingerprint: made.fingerprint })
  evidence = ids[0] as string
}, 120_000)
afterAll(async () => {
  await world?.given.close()
  await here?.close()
})

const LOOKS = [
  { name: 'en', options: {}, heading: /^Imported from / },
  {
    name: 'fr',
    options: { language: 'fr', theme: 'dark', size: 'small' },
    heading: /^Importé de /,
  },
] as const

describe('C8 the custody of imported evidence', () => {
  it.each(LOOKS)(
    'names its station, and opens to the entries of that station ($name)',
    async ({ name, options, heading }) => {
      const { page, problems, refusals } = await looking(here, ADMINISTRATOR, `/evidence/${evidence}?side=custody`, {
        reducedMotion: true,
        ...options,
      })
      const region = page.getByRole('region', { name: heading })
      await region.waitFor()
      const entries = region.getByRole('list')
      expect(await entries.isVisible()).toBe(false)
      await region.locator('summary').press('Enter')
      await entries.waitFor()
      expect(await entries.getByRole('listitem').count()).toBeGreaterThan(3)
      expect(await region.textContent()).toContain('one.txt')
      await region.scrollIntoViewIfNeeded()
      if (process.env['SHOTS'] !== undefined)
        await page.screenshot({ path: path.join(process.env['SHOTS'], `imported-${name}.png`) })
      expect(await findingsInThemes(page)).toEqual([])
      expect([problems, refusals]).toEqual([[], []])
    },
  )
})
