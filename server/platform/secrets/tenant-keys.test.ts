import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { manualClock } from '../clock/manual-clock.ts'
import { openKeys } from './keys.ts'

const DAY = 86_400_000
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-tenant-'))
const dir = path.join(folder, 'keys')
const clock = manualClock()
const again = (established = true) => openKeys(dir, { clock, established })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('keys of encrypted uploads: created at first use, kept while they are needed and a week longer', async () => {
  const { tenant, created } = await again(false)
  expect([tenant.current(), created.includes('tenant.json')]).toEqual([null, false])
  const [one, same] = await Promise.all([tenant.ensure(), tenant.ensure()])
  expect(same).toEqual(one)
  expect(Object.keys(one).sort()).toEqual(['e', 'kid', 'kty', 'n'])
  if (process.platform !== 'win32') expect(statSync(path.join(dir, 'tenant.json')).mode & 0o777).toBe(0o600)
  const two = await tenant.rotate()
  expect([two.kid === one.kid, tenant.current()]).toEqual([false, two])
  const { tenant: reopened } = await again()
  expect([reopened.current(), (await reopened.privateKey(one.kid))?.asymmetricKeyType]).toEqual([two, 'rsa'])
  expect(await reopened.privateKey('nobody')).toBe(null)
  expect(await reopened.forget(new Set())).toEqual([])
  clock.advance(8 * DAY)
  expect(await reopened.forget(new Set([one.kid]))).toEqual([])
  expect(await reopened.forget(new Set())).toEqual([one.kid])
  expect([await reopened.privateKey(one.kid), reopened.current()]).toEqual([null, two])
  expect(readFileSync(path.join(dir, 'tenant.json'), 'utf8')).not.toContain(one.kid)
})

it('the error for a damaged file does not quote its content', async () => {
  writeFileSync(path.join(dir, 'tenant.json'), '{"format":1,"keys":[{"kid":"x","jwk":{"d":"sEcReT"}}]}', {
    mode: 0o600,
  })
  await expect(again()).rejects.toThrow(/tenant\.json is damaged/)
  await expect(again()).rejects.not.toThrow(/sEcReT/)
})
