import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openNodeIdentity } from './identity.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'sallyport-node-'))
})
afterEach(() => rmSync(data, { recursive: true }))

it('a data folder keeps one id, which only its owner can read', async () => {
  const first = await openNodeIdentity({ data, port: 7460 }, true)
  const again = await openNodeIdentity({ data, port: 7460, nodeName: 'East' }, true)
  expect(again).toEqual({ id: first.id, name: 'East' })
  expect(first.name).toMatch(/^[a-z0-9.-]+:7460$/)
  expect(readdirSync(data)).toEqual(['node-id'])
  expect(readFileSync(join(data, 'node-id'), 'utf8')).toBe(`${first.id}\n`)
  expect(statSync(join(data, 'node-id')).mode & 0o777).toBe(0o600)
})

it('nothing is written where nothing may be written', async () => {
  await openNodeIdentity({ data, port: 0 }, false)
  expect(readdirSync(data)).toEqual([])
})

it('a file with something else is refused', async () => {
  writeFileSync(join(data, 'node-id'), '')
  await expect(openNodeIdentity({ data, port: 0 }, true)).rejects.toThrow('does not hold the id of a node')
})
