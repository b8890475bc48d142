import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

/** The filters by people, cameras, categories, sizes and notes, and what is counted beside their values (window review B17). */
let given: Given
let viewer: string
let stranger: string
const ids: Record<string, string> = {}
let theft: string
let traffic: string
const DEVICE = { SerialNumber: 'BW-0410', Manufacturer: 'Halden', DeviceType: 'BodyWornCamera' }

beforeAll(async () => {
  given = await givenStation()
  const policies = ['ManageConfiguration', 'CreateCases', 'ProtectFromDeletion', 'AccessUnassociatedFiles:Manage']
  const token = await signIn(await given.integration('keeper', policies), given.url)
  const category = async (Name: string): Promise<string> =>
    (await given.expecting(201, given.call('POST', `${given.url}/api/v1/category/station`, { token, body: { Name } })))
      .CategoryId
  ;[theft, traffic] = [await category('Theft'), await category('Traffic')]
  const make = async (key: string, body: Record<string, unknown> = {}): Promise<void> => {
    const { EvidenceId: evidenceId } = await given.evidence({ Name: key, ...body })
    await given.completed(Buffer.from(`${key} `.repeat(key === 'large' ? 5000 : 5)), { evidenceId })
    await given.settled(evidenceId)
    ids[key] = evidenceId
  }
  await make('one', { CategoryId: theft, Tags: ['Night'], Device: DEVICE, StartTimeUtc: '2026-11-20T06:00:00Z' })
  await make('two', { CategoryId: theft, Tags: ['night', 'Door'] })
  await make('large', { CategoryId: traffic })
  await make('plain')
  await given.expecting(
    201,
    given.call('POST', `${given.documents}/evidence/${ids['two']}/note`, { body: { Text: 'A witness called.' } }),
  )
  await given.expecting(
    200,
    given.call('POST', `${given.documents}/evidence/${ids['plain']}/protect`, { token, body: { Reason: 'Appeal' } }),
  )
  await given.expecting(
    201,
    given.call('POST', `${given.url}/api/v1/case/station`, {
      token,
      body: { Title: 'A case', EvidenceIds: [ids['large']] },
    }),
  )
  viewer = await signIn(await given.integration('sees two', []), given.url)
  stranger = await signIn(await given.integration('sees nothing', []), given.url)
  await given.meddle((db) => {
    for (const key of ['one', 'large'])
      db.prepare(
        "INSERT INTO evidence_policies (evidence_id, principal_id, level) SELECT ?, principal_id, 'View' FROM principals WHERE name = 'sees two'",
      ).run(Number(ids[key]))
  })
})
afterAll(() => given.close())

const get = (place: string, token?: string): Promise<Json> =>
  given.expecting(200, given.call('GET', `${given.documents}/evidence${place}`, token === undefined ? {} : { token }))
const found = async (query: string, token?: string): Promise<string[]> => {
  const names = new Map(Object.entries(ids).map(([key, id]) => [id, key]))
  return (await get(`?${query}`, token)).Items.map(({ EvidenceId }: Json) => names.get(EvidenceId)).toSorted()
}
const facet = async (name: string, query = '', token?: string): Promise<Record<string, number>> => {
  const { Values, AreAtLeast } = await given.expecting(
    200,
    given.call('GET', `${given.documents}/facet/${name}?${query}`, token === undefined ? {} : { token }),
  )
  expect(AreAtLeast).toBe(false)
  return Object.fromEntries(Values.map(({ Value, Name, Count }: Json) => [Name ?? Value, Count]))
}
const deviceId = async (): Promise<string> => {
  const { Device } = await get(`/${ids['one']}`)
  return Device.ExternalId
}

describe('filters', () => {
  it('by category, device, size, notes, protection and case; of several values of one any', async () => {
    expect(await found(`category=${theft}`)).toEqual(['one', 'two'])
    expect(await found(`category=${theft}&category=${traffic}`)).toEqual(['large', 'one', 'two'])
    expect(await found(`device=${await deviceId()}`)).toEqual(['one'])
    expect(await found('minLength=1000')).toEqual(['large'])
    expect(await found('maxLength=999')).toEqual(['one', 'plain', 'two'])
    expect(await found('notes=true')).toEqual(['two'])
    expect(await found('marks=true')).toEqual([])
    expect(await found('protected=true')).toEqual(['plain'])
    expect(await found('noCase=true')).toEqual(['one', 'plain', 'two'])
    expect(await found(`category=${theft}&notes=true&tag=door`)).toEqual(['two'])
  })

  it('by an officer who had the camera when it recorded, and no other time', async () => {
    const [device] = [await deviceId()]
    const officer = Number((await given.integration('Officer', [])).ServicePrincipalId)
    const ticks = BigInt(Date.UTC(2026, 10, 20, 6)) * 10_000n
    await given.meddle((db) => {
      db.prepare(
        `INSERT INTO devices (device_id, tenant_id, serial_number, manufacturer, device_type, active, search_key, created_utc)
         VALUES (?, 'station', 'BW-0410', 'Halden', 'BodyWornCamera', 1, '', '2026-01-01T00:00:00Z')`,
      ).run(device)
      db.prepare('INSERT INTO evidence_recordings (evidence_id, device_id, recorded_ticks) VALUES (?, ?, ?)').run(
        Number(ids['one']),
        device,
        ticks,
      )
      const add = db.prepare(
        `INSERT INTO device_associations (device_id, principal_id, from_utc, from_ticks, to_utc, to_ticks, makers, created_utc, created_by)
         VALUES (?, ?, '', ?, '', ?, '[]', '2026-01-01T00:00:00Z', '{}')`,
      )
      add.run(device, officer, ticks - 10n, ticks + 10n)
      add.run(device, 1, ticks + 10n, ticks + 20n)
    })
    expect(await found(`officer=${officer}`)).toEqual(['one'])
    expect(await found('officer=1')).toEqual([])
    expect(Object.values(await facet('officer'))).toEqual([1])
    expect(await facet('device')).toEqual({ 'BWC 0410': 1 })
    const { Items } = await get(`?officer=${officer}`)
    expect(Items[0].Summary).toMatchObject({
      Camera: { DeviceId: device, Name: 'BWC 0410' },
      Officers: [{ PrincipalId: String(officer) }],
      CategoryName: 'Theft',
    })
  })
})

describe('shifts of a page', () => {
  it('S4: say with which row each begins, and how many of the list the caller can view began in it', async () => {
    const shifts = async (query: string, token?: string) =>
      (await get(`?${query}&sort=recorded&direction=asc`, token)).Shifts
    const all = await shifts('shifts=true')
    expect(all[0]).toMatchObject({ Name: '', First: 0, Count: 1, DurationSeconds: 0 })
    expect(all.at(-1)).toMatchObject({ Count: 3, First: 1 })
    expect(Date.parse(all[0].ToUtc) - Date.parse(all[0].FromUtc)).toBe(8 * 3_600_000)
    expect((await shifts('shifts=true', viewer)).map(({ Count }: Json) => Count)).toEqual([1, 1])
    expect(await shifts('shifts=true', stranger)).toEqual([])
    expect(await shifts('notes=true&shifts=true')).toMatchObject([{ Count: 1 }])
    expect(await shifts('notes=true')).toBeUndefined()
  })
})

describe('counts beside the values', () => {
  it('say what choosing the value would show', async () => {
    expect(await facet('category')).toEqual({ Theft: 2, Traffic: 1 })
    // The filter of the same name is left out: one more may be chosen.
    expect(await facet('category', `category=${traffic}`)).toEqual({ Theft: 2, Traffic: 1 })
    expect(await facet('category', 'notes=true')).toEqual({ Theft: 1 })
    expect(await facet('has')).toEqual({ noCase: 3, notes: 1, protected: 1 })
    expect(await facet('tag')).toEqual({ Night: 1, night: 1, Door: 1 })
    for (const [value, count] of Object.entries(await facet('type')))
      expect(await found(`type=${value}`)).toHaveLength(count)
    for (const [value, count] of Object.entries(await facet('status')))
      expect(await found(`status=${value}`)).toHaveLength(count)
  })

  it('S4: count what the caller can view, and name nothing else', async () => {
    expect(await facet('category', '', viewer)).toEqual({ Theft: 1, Traffic: 1 })
    expect(await facet('tag', '', viewer)).toEqual({ Night: 1 })
    expect(await facet('has', '', viewer)).toEqual({ noCase: 1 })
    expect(await facet('device', '', viewer)).toEqual({ 'BWC 0410': 1 })
    for (const name of ['type', 'status', 'category', 'device', 'officer', 'tag', 'has'])
      expect(await facet(name, '', stranger)).toEqual({})
    expect(await found(`category=${theft}`, viewer)).toEqual(['one'])
    expect(await found(`device=${await deviceId()}`, stranger)).toEqual([])
  })
})
