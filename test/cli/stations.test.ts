/** Stations that headquarters knows, from its terminal: what was refused, and the act that accepts one that was restored. */
// @module-tag merge
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signCheckpoint } from '../../server/kernel/ledger/signed-note.ts'
import { signIn } from '../support/integrator.ts'
import type { Station } from '../support/station.ts'
import { ledger, makePlace, type Place, running, say, sayJson } from './world.ts'

const ORIGIN = 'tanners-row.example/ledger'
let place: Place
let station: Station
let token: string
beforeAll(async () => {
  place = makePlace('stations')
  station = await running(place.data)
  const file = join(place.data, '..', 'station.json')
  await say(['integration', 'create', 'station', '--base-url', station.url, '--out', file], at())
  token = await signIn(JSON.parse(readFileSync(file, 'utf8')), station.url)
})
afterAll(async () => {
  await station?.stop()
  place?.remove()
})
const at = () => ({ data: place.data })
const rootOf = (size: number): string => createHash('sha256').update(`${size}`).digest('base64')

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url')
async function present(size: number): Promise<number> {
  const head = { origin: ORIGIN, size, root: new Uint8Array(Buffer.from(rootOf(size), 'base64')) }
  const Checkpoint = signCheckpoint(head, { publicKey: raw, sign: (bytes) => sign(null, bytes, privateKey) })
  const response = await fetch(`${station.url}/api/v1/tenant/station/checkpoint`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ Checkpoint, PublicKey: raw.toString('base64') }),
  })
  return response.status
}

it('B7 lists known stations with both heads, and accepts a restored one by the root that it presented', async () => {
  expect(await say(['stations'], at())).toMatchObject({ code: 0, stdout: expect.stringContaining('No checkpoint of') })
  expect(await present(120)).toBe(200)
  expect((await say(['stations'], at())).code).toBe(0)
  expect(await present(70)).toBe(409)
  const listed = await say(['stations'], at())
  expect(listed.code).toBe(1)
  for (const text of [ORIGIN, `120 entries, root ${rootOf(120)}`, `70 entries, root ${rootOf(70)}`, 'from 127.0.0.1'])
    expect(listed.stdout).toContain(text)

  // Without the root it shows both and does nothing.
  const shown = await say(['stations', 'accept', ORIGIN], at())
  expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining('Nothing was accepted')])
  expect(shown.stdout).toContain(rootOf(70))
  const accept = (root: string, ...more: string[]) =>
    say(['stations', 'accept', ORIGIN, '--presented', root, ...more], at())
  expect((await accept(rootOf(70))).stderr).toContain('--reason TEXT')
  expect((await accept(rootOf(71), '--reason', 'A disk failed')).stderr).toContain('did not present this head last')
  expect((await say(['stations', 'accept', 'nobody.example', '--presented', 'x', '--reason', 'x'], at())).code).toBe(1)

  const done = await accept(rootOf(70), '--reason', 'A disk failed')
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('goes on from 70 entries, on branch 2')])
  expect(ledger(place.data).find(({ action }) => action === 'checkpoint.accepted')).toMatchObject({
    actor: { kind: 'cli' },
    reason: 'A disk failed',
  })
  const again = await say(['stations'], at())
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('branch 1 ended at 120 entries')])
  expect(await sayJson(['stations', 'verify', '--json'], at())).toEqual([])
})
