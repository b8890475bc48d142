/** An item in each state that the list can filter by, and where each screen says it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { Json } from '../../support/given.ts'
import { CASES, type CasesStation, settled } from './cases.ts'
import { media } from './media.ts'

/** `status` as the list of the station has it. */
export interface ItemWithState {
  readonly status: 'verified' | 'working' | 'waiting' | 'attention' | 'differs' | 'danger' | 'open' | 'sealed'
  readonly name: string
  readonly evidenceId: string
}

/** @param station without any tool for media, so that what needs one waits */
export async function itemsWithStates(station: CasesStation, caseId: string): Promise<ItemWithState[]> {
  const { sergeant } = station
  const text = (name: string): Promise<string> => station.evidence(name, {}, caseId)
  const one = async (status: ItemWithState['status'], name: string, make: (name: string) => Promise<string>) => {
    const item = { status, name, evidenceId: await make(name) }
    const { Status } = (await listed(station, item.evidenceId)).Summary
    if (Status !== status) throw new Error(`${name} is ${Status}, not ${status}`)
    return item
  }
  const sealed = async (name: string): Promise<string> => {
    const id = await text(name)
    await sergeant.send('POST', `${placeOf(station, id)}/protect`, { Reason: 'An appeal is announced' })
    return id
  }
  return [
    await one('verified', 'Doorbell whole', text),
    await one('sealed', 'Doorbell protected', sealed),
    await one('open', 'Doorbell half sent', (name) => sent(station, caseId, name, null)),
    await one('attention', 'Doorbell refused', (name) => sent(station, caseId, name, { LengthInBytes: 3 })),
    await one('waiting', 'Doorbell without tools', async (name) => {
      const { old } = await media()
      const id = await sent(station, caseId, name, {}, readFileSync(old))
      await settled(sergeant.send, placeOf(station, id))
      return id
    }),
    await one('working', 'Doorbell at work', async (name) => atWork(station, await text(name))),
    await one('differs', 'Doorbell not as listed', async (name) => notAsListed(station, await text(name))),
    await one('danger', 'Doorbell overwritten', async (name) =>
      harmed(station, await text(name), (file) => writeFileSync(file, 'other bytes')),
    ),
    await one('danger', 'Doorbell gone', async (name) => harmed(station, await text(name), rmSync)),
  ]
}

const placeOf = ({ given }: CasesStation, evidenceId: string): string => `${given.documents}/evidence/${evidenceId}`

async function listed({ given, sergeant }: CasesStation, evidenceId: string): Promise<Json> {
  const { Items } = await sergeant.send('GET', `${given.documents}/evidence?text=${evidenceId}`)
  return Items.find((one: Json) => one.EvidenceId === evidenceId)
}

/** @param claims what is said of the bytes when they are completed; null: they never are */
async function sent(
  station: CasesStation,
  caseId: string,
  name: string,
  claims: Json,
  bytes: Uint8Array = Buffer.from(`what ${name} says\n`),
): Promise<string> {
  const { given, sergeant } = station
  const { EvidenceId } = await sergeant.send('POST', `${given.documents}/evidence`, { Name: name })
  const place = placeOf(station, EvidenceId)
  const file = await sergeant.send('POST', `${place}/resource`, { Name: `${name}.avi` })
  await given.put(file.UploadUri, bytes)
  if (claims !== null) {
    // A wrong claim is refused, and that is what is wanted.
    await sergeant.send('POST', `${place}/resource/${file.ResourceId}/complete`, claims).catch(() => null)
    await sergeant.send('POST', `${place}/complete`, {}).catch(() => null)
  }
  await sergeant.send('POST', `${CASES}/${caseId}/link-evidences`, { Evidences: [{ EvidenceId }] })
  return EvidenceId
}

/** By a row of its own: real work ends while the screens are looked at one after the other. */
async function atWork(station: CasesStation, evidenceId: string): Promise<string> {
  await station.given.meddle((db) =>
    db
      .prepare(
        `INSERT INTO jobs (kind, payload, subject, state, progress, created_utc)
         SELECT 'derive.playable', '{}', 'resource:' || resource_id, 'running', 0.4, '2026-11-20T01:38:00.000Z'
         FROM resources WHERE evidence_id = ?`,
      )
      .run(evidenceId),
  )
  return evidenceId
}

/** By a row of its own: docking a camera takes a wall of bays. The state is written with it, as the station does. */
async function notAsListed(station: CasesStation, evidenceId: string): Promise<string> {
  await station.given.meddle((db) =>
    db
      .prepare('UPDATE resources SET camera_sha256 = ?, state = state WHERE evidence_id = ?')
      .run('a'.repeat(64), evidenceId),
  )
  return evidenceId
}

/** Harms the bytes past the station, and lets it read them again. */
async function harmed(station: CasesStation, evidenceId: string, harm: (file: string) => void): Promise<string> {
  const { given, sergeant } = station
  const [file]: Json[] = await sergeant.send('GET', `${placeOf(station, evidenceId)}/resource`)
  const blobs = path.join(given.data, 'blobs')
  const blob = (readdirSync(blobs, { recursive: true }) as string[]).find((name) => name.endsWith(file.Sha256))
  harm(path.join(blobs, blob ?? 'no blob'))
  await sergeant.send('POST', `${placeOf(station, evidenceId)}/check`, {})
  await settled(sergeant.send, placeOf(station, evidenceId))
  return evidenceId
}

/** How far it is stands behind the word where there is room for it. */
const wordOf = (text: string | null): string => (text ?? '').trim().replace(/,\s*\d+\s*%$/, '')

/** Of each item, by its name, the word of each screen. */
export async function wordsByScreen(
  page: Page,
  url: string,
  caseId: string,
  items: readonly ItemWithState[],
): Promise<Record<string, Record<string, string>>> {
  // Tables draw only the rows that are in sight.
  await page.setViewportSize({ width: 1440, height: 2400 })
  const said = Object.fromEntries(items.map(({ name }) => [name, {} as Record<string, string>]))
  const look = async (screen: string, address: string, word: (name: string) => Promise<string | null>) => {
    await page.goto(`${url}${address}`)
    for (const { name } of items) said[name] = { ...said[name], [screen]: wordOf(await word(name)) }
  }
  const inRow = (name: string): Promise<string> =>
    page.getByRole('row').filter({ hasText: name }).first().getByRole('gridcell').last().innerText()
  await look('list', '/evidence?q=Doorbell', inRow)
  await look('case', `/cases/${caseId}`, inRow)
  await look('search', '/search?q=Doorbell', inRow)
  await look('tile', '/evidence?q=Doorbell&view=grid', (name) =>
    page.getByRole('gridcell').filter({ hasText: name }).locator('span[title]').last().getAttribute('title'),
  )
  for (const item of items) said[item.name] = { ...said[item.name], ...(await wordsOfPage(page, url, item)) }
  return said
}

/** Of these states the file itself cannot be shown: a card stands in its place and says how the file is. */
const WITH_CARD: readonly ItemWithState['status'][] = ['working', 'waiting', 'attention', 'open']

async function wordsOfPage(page: Page, url: string, item: ItemWithState): Promise<Record<string, string>> {
  await page.goto(`${url}/evidence/${item.evidenceId}?tab=details`)
  const title = wordOf(await page.locator('main header > span').first().innerText())
  const facts = page.getByRole('tabpanel').locator('dl').first()
  const details = wordOf(await facts.locator('dd').nth(1).innerText())
  if (!WITH_CARD.includes(item.status)) return { page: title, details }
  const card = page.locator('[data-card] > :last-child > span').first()
  return { page: title, details, card: wordOf(await card.innerText()) }
}
