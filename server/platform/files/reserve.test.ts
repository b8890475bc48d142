import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openReserve } from './reserve.ts'

const MIB = 2 ** 20
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-reserve-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('writes the reserve, releases it in parts, and restores it', async () => {
  const path = join(folder, 'reserve')
  const reserve = await openReserve(path, 40 * MIB)
  expect(reserve.left()).toBe(40 * MIB)
  expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(40 * MIB)
  await reserve.release()
  expect([reserve.left(), statSync(path).size]).toEqual([24 * MIB, 24 * MIB])
  await reserve.release()
  await reserve.release()
  expect([reserve.left(), statSync(path).size]).toEqual([0, 0])
  expect(await reserve.restore()).toBe(true)
  expect(statSync(path).size).toBe(40 * MIB)
})

it('completes the reserve of an earlier run', async () => {
  const path = join(folder, 'reserve')
  await (await openReserve(path, 40 * MIB)).release()
  expect((await openReserve(path, 40 * MIB)).left()).toBe(40 * MIB)
})
