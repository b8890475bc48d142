// @module-tag merge
import { once } from 'node:events'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../../server/config/settings.ts'
import { type RunningStation, startServer } from '../../../server/index.ts'
import { callControl } from '../../../server/platform/control/control.ts'
import { ADMINISTRATOR, type Json, OS_USER } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { settingsOfRows } from '../../support/postgres-given.ts'
import { openTestRows } from '../../support/rows.ts'
import { patience } from '../../support/scale.ts'
import { temporaryFolder } from '../../support/station.ts'
import { LAN, overLan } from './world.ts'

/** The LAN over the life of a station: what lasts, and what it does by itself (decisions 10). */
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function aFolder(): Promise<string> {
  const { dir, dispose } = await temporaryFolder('lan')
  ends.push(dispose)
  return path.join(dir, 'data')
}

async function started(data: string, settings: Record<string, unknown> = {}) {
  const station: RunningStation = await startServer(
    loadSettings(
      {},
      {
        data,
        port: 0,
        reserveBytes: 65_536,
        minFreeBytes: 0,
        logLevel: 'silent',
        lanHost: '127.0.0.1',
        lanPort: 0,
        dock: false,
        ...(await settingsOfRows(data)),
        ...settings,
      },
    ),
  )
  let open = true
  const close = async (): Promise<void> => {
    if (open) await station.close()
    open = false
  }
  ends.push(close)
  const command = async (name: string, args: Record<string, unknown>): Promise<Json> =>
    (await callControl(data, { command: name, args, user: OS_USER }, () => {}, new AbortController().signal))?.result
  const chief = async () => {
    const group = 'Account Administrators'
    const made = { name: `desk ${Math.random()}`, policies: [], group, baseUrl: station.url }
    const token = await signIn((await command('integration.create', made)).connection, station.url)
    return async (method: string, place: string, body?: unknown): Promise<Json> => {
      const response = await fetch(`${station.url}${LAN}${place}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return response.json()
    }
  }
  const pairing = async (): Promise<Json> => (await fetch(`${station.url}/api/v1/pairing`)).json()
  const ca = async (): Promise<string> => (await fetch(`${station.url}/pairing/ca.pem`)).text()
  return { station, close, command, chief, pairing, ca }
}

/** Waits for what must come, never for a time. */
async function until<T>(look: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  const last = performance.now() + patience(30_000)
  for (;;) {
    const value = await look()
    if (good(value)) return value
    if (performance.now() > last) throw new Error(`it never came: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const actions = (data: string): string[] => {
  const db = openTestRows(path.join(data, 'sallyport.db'), { readOnly: true })
  try {
    return (db.prepare('SELECT body FROM ledger ORDER BY seq').pluck().all() as Uint8Array[])
      .map((body) => JSON.parse(Buffer.from(body).toString('utf8')) as { action: string; actor: { kind: string } })
      .filter(({ action }) => action.startsWith('lan.') && action !== 'lan.read')
      .map(({ action, actor }) => `${actor.kind} ${action}`)
  } finally {
    db.close()
  }
}

describe('the LAN of a station', () => {
  it('with --lan comes on when the first administrator is made, and not before', async () => {
    const data = await aFolder()
    const { station, command, pairing } = await started(data, { lan: true })
    expect(station.advice.join('\n')).toContain('turned on as soon as there is an administrator')
    expect((await pairing()).Enabled).toBe(false)
    // A look at it by the station itself lies in between: it is seen that it still is off.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await pairing()).toMatchObject({ Enabled: false, Ca: null })
    expect(actions(data)).toEqual([])
    await command('setup', ADMINISTRATOR)
    const { Origins } = await until(pairing, ({ Enabled }) => Enabled)
    expect(Origins.length).toBeGreaterThan(0)
    expect(actions(data)).toEqual(['internal lan.changed', 'internal lan.caMade', 'internal lan.certificateMade'])
  })

  it('stays on over a restart, with the same CA, certificate and choices; off stays off, whatever the first start said', async () => {
    const data = await aFolder()
    const first = await started(data)
    await first.command('setup', ADMINISTRATOR)
    const chosen = { Enabled: true, Names: ['evidence.pd.example'], AllowList: ['10.20.0.0/16'] }
    const before = await (await first.chief())('PATCH', '', chosen)
    expect(before.Listening).toBe(true)
    await first.close()
    expect(statSync(path.join(data, 'keys', 'ca.json')).mode & 0o777).toBe(0o600)

    const second = await started(data)
    const ask = await second.chief()
    const after = await ask('GET', '')
    expect(after).toMatchObject({
      ...chosen,
      Listening: true,
      Problem: null,
      Ca: before.Ca,
      Certificate: before.Certificate,
    })
    expect(second.station.advice.join('\n')).toMatch(
      /Other hosts reach the station at https:\/\/evidence\.pd\.example:\d+/,
    )
    const over = { port: after.Port, ca: await second.ca(), name: 'evidence.pd.example' }
    expect((await overLan(over, 'GET', '/api/v1/pairing')).status).toBe(200)
    expect(await ask('PATCH', '', { Enabled: false })).toMatchObject({ Enabled: false, Listening: false })
    await second.close()

    const third = await started(data)
    expect(await (await third.chief())('GET', '')).toMatchObject({ Enabled: false, Listening: false, Ca: before.Ca })
    expect(actions(data)).toEqual([
      'service lan.changed',
      'service lan.caMade',
      'service lan.certificateMade',
      'service lan.changed',
    ])
  })

  it('whose CA was lost makes another one, and the ledger and the page say that the first is gone', async () => {
    const data = await aFolder()
    const first = await started(data)
    await first.command('setup', ADMINISTRATOR)
    const { Ca } = await (await first.chief())('PATCH', '', { Enabled: true })
    await first.close()
    rmSync(path.join(data, 'keys', 'ca.json'))
    const second = await started(data)
    const after = await (await second.chief())('GET', '')
    expect(after.Listening).toBe(true)
    expect(after.Ca.Sha256Fingerprint).not.toBe(Ca.Sha256Fingerprint)
    expect(after.PreviousCa.Sha256Fingerprint).toBe(Ca.Sha256Fingerprint)
    expect(actions(data).slice(-2)).toEqual(['internal lan.caMade', 'internal lan.certificateMade'])
  })

  it('whose port is taken says so, changes nothing when asked, and comes by itself when it is free', async () => {
    const data = await aFolder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    ends.push(async () => void other.close())
    const { port } = other.address() as { port: number }
    const first = await started(data, { lanPort: undefined })
    await first.command('setup', ADMINISTRATOR)
    const ask = await first.chief()
    expect(await ask('PATCH', '', { Enabled: true, Port: port })).toMatchObject({ ErrorCode: 'LanPortTaken' })
    expect(await ask('GET', '')).toMatchObject({ Enabled: false, Listening: false })
    expect(actions(data)).toEqual([])
    await first.close()

    const second = await started(data, { lanPort: port, lan: true })
    const look = await second.chief()
    const taken = await until(
      () => look('GET', ''),
      ({ Problem }) => Problem !== null,
    )
    expect(taken).toMatchObject({ Enabled: false, Listening: false })
    expect(taken.Problem).toContain('Another program listens')
    other.close()
    await once(other, 'close')
    const after = await until(
      () => look('GET', ''),
      ({ Listening }) => Listening,
    )
    expect(after).toMatchObject({ Enabled: true, Port: port, Problem: null })
    // A port that was given at the start is not chosen here.
    expect(await look('PATCH', '', { Port: port + 1 })).toMatchObject({ ErrorCode: 'InvalidModel' })
  })

  it('keeps its keys in keys/ alone: neither the database nor an answer holds one', async () => {
    const data = await aFolder()
    const { command, chief, ca } = await started(data)
    await command('setup', ADMINISTRATOR)
    const status = await (await chief())('PATCH', '', { Enabled: true })
    expect(JSON.stringify(status) + (await ca())).not.toContain('PRIVATE KEY')
    expect(readdirSync(path.join(data, 'keys'))).toContain('ca.json')
  })
})
