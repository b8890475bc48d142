/** The still sheet of a package: each still and crop as a picture, with where it comes from and the entry that says so. */
// @module-tag merge
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StoredEntry } from '../../server/kernel/ledger/format.ts'
import type { Json } from '../support/given.ts'
import { type PackagesWorld, packagesStation } from './world.ts'

let world: PackagesWorld
let still: Json
let crop: Json
beforeAll(async () => {
  world = await packagesStation()
  const { given, evidence } = world
  const originalOf = async (id: string): Promise<string> => {
    const files: readonly Json[] = await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence/${id}/resource`),
    )
    const original = files.find((one) => one.Parent === null) as Json
    return `${given.documents}/evidence/${id}/resource/${original.ResourceId}`
  }
  still = await given.expecting(
    201,
    given.call('POST', `${await originalOf(evidence.camera)}/still`, { body: { Seconds: 0.5 } }),
  )
  const body = { Left: 3, Top: 5, Width: 40, Height: 30 }
  crop = await given.expecting(201, given.call('POST', `${await originalOf(evidence.photo)}/crop`, { body }))
}, 120_000)
afterAll(() => world?.given.close())

const textOf = (folder: string, name: string): string => readFileSync(path.join(folder, name), 'utf8')

it('has each as a picture, its file, its hash, and the entries that say so', async () => {
  const { path: folder } = await world.make(world.folder('stills'))
  const text = textOf(folder, 'forms/stills.txt').replaceAll(/\s+/g, ' ')
  const entries = new Map(
    textOf(folder, 'meta/custody.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as StoredEntry)
      .map((entry) => [entry.seq, entry]),
  )
  for (const [action, made, words] of [
    ['still.taken', still, /Taken at 00:00\.\d{3} of the recording by/],
    ['picture.cropped', crop, /40 × 30 pixels, 3 from the left and 5 from the top/],
  ] as const) {
    const entry = [...entries.values()].find((one) => one.action === action)
    expect(entry?.sha256).toBe(made.Sha256)
    expect(text).toMatch(words)
    expect(text).toContain(`${made.Sha256} [${entry?.seq}]`)
  }
  const [, taken] = /Taken at 00:00\.(\d{3})/.exec(text) ?? []
  const frame = [...entries.values()].find(({ action }) => action === 'still.taken')?.detail?.['frameSeconds']
  expect(Number(taken) / 1000).toBeCloseTo(Number(frame), 3)
  expect(text).toContain('From no. 0001, 0001_bwc_0412.mp4')
  const pdf = path.join(folder, 'forms/stills.pdf')
  const [, , ...pictures] = execFileSync('pdfimages', ['-list', pdf], { encoding: 'utf8' }).trimEnd().split('\n')
  expect(pictures).toHaveLength(2)
  for (const one of pictures) expect(one).toMatch(/ jpeg /)
  expect(execFileSync('pdftotext', ['-raw', pdf, '-'], { encoding: 'utf8' }).replaceAll(/\s/g, '')).toContain(
    still.Sha256,
  )
  // Found from the index of the package.
  expect(textOf(folder, 'README.html')).toContain('forms/stills.pdf')
}, 60_000)

it('is in the language of the package, and in none without a still', async () => {
  const french = await world.make(world.folder('images'), { language: 'fr' })
  expect(textOf(french.path, 'forms/stills.txt')).toMatch(/PLANCHE D’IMAGES FIXES[^]*Prise à 00:00/)
  const without = await world.make(world.folder('without'), { parts: ['copies'] })
  expect(existsSync(path.join(without.path, 'forms/stills.pdf'))).toBe(false)
}, 60_000)
