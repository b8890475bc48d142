// @module-tag merge
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { isLong, patience } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { dockWorld } from './world.ts'

/** Ten thousand in the long run; the gate has 25 minutes for everything. */
const FILES = isLong ? 10_000 : 120
const FOLDERS = 20

let place: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string
let world: Awaited<ReturnType<typeof dockWorld>>
beforeAll(async () => {
  place = await temporaryFolder('watched-many')
  folder = path.join(place.dir, 'incoming')
  for (let at = 0; at < FILES; at++) {
    const into = path.join(folder, `room ${at % FOLDERS}`, 'day', String(at % 7))
    mkdirSync(into, { recursive: true })
    const bytes = randomBytes(600)
    bytes.fill(0, 0, 2)
    writeFileSync(path.join(into, `${at}.bin`), bytes)
  }
  world = await dockWorld({ dockSync: JSON.stringify([{ folder, stillSeconds: 1 }]) })
}, patience(180_000))
afterAll(async () => {
  await world?.close()
  await place?.dispose()
})

describe('a folder of many files', () => {
  it(`takes ${FILES} in one run, and a run after that lists what is new and nothing else`, {
    timeout: patience(FILES * 60 + 500_000),
  }, async () => {
    const released = async (count: number): Promise<Json> => {
      const end = Date.now() + patience(FILES * 60 + 240_000)
      for (;;) {
        const all = await world.sessions()
        if (all.length === count && all.every(({ State }) => State === 'released')) return all[0] as Json
        if (Date.now() > end) throw new Error(JSON.stringify(all))
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    }
    const from = performance.now()
    expect(await released(1)).toMatchObject({ Files: FILES, FilesDone: FILES, Problems: 0 })
    console.info(`a watched folder of ${FILES}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
    writeFileSync(path.join(folder, 'room 3', 'late.bin'), randomBytes(700))
    expect(await released(2)).toMatchObject({ Files: 1, FilesDone: 1 })
    const [, first] = await world.sessions()
    expect(first).toMatchObject({ Files: FILES })
  })
})
