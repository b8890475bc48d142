/**
 * Two stations and one headquarters: a week without a network, everything arrives, an original is fetched back on demand, and its custody
 * verifies at headquarters. What people see meanwhile is kept as pictures (pictures.ts).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ensureRenderer } from '../../build/scripts/renderer.ts'
import { openCustodyRecord } from '../../server/features/forwarding/custody.ts'
import { sourceIdOf } from '../../server/features/forwarding/rules.ts'
import { givenProxy } from '../forwarding/proxy.ts'
import { administratorOf, HEADQUARTERS, importInto, itemsOf, until } from '../forwarding/world.ts'
import { type Given, givenStation, type Json, sha256Of } from '../support/given.ts'
import { signIn as tokenOf } from '../support/integrator.ts'
import { temporaryFolder } from '../support/station.ts'
import { look, signInByForm } from '../ui/support/window.ts'
import { pictures, savePicture } from './pictures.ts'

const DAY = 86_400_000
const DAYS = 7
const STATIONS = ['Harrow Quay', 'Mill Lane'] as const
const PLACES = [
  'Tanner’s Row',
  'Canal Street',
  'Market Square',
  'North Gate',
  'Weaver’s Yard',
  'Old Bridge',
  'Foundry Lane',
]

interface ForwardingStation {
  readonly given: Given
  readonly administrator: Awaited<ReturnType<typeof administratorOf>>
  readonly connection: Json
  readonly recordings: { evidenceId: string; name: string; bytes: Buffer }[]
}

let proxy: Awaited<ReturnType<typeof givenProxy>>
let headquarters: Given
let stations: ForwardingStation[]
let films: Buffer[]
let dispose: () => Promise<void>

beforeAll(async () => {
  await ensureRenderer()
  const folder = await temporaryFolder('story')
  dispose = folder.dispose
  films = Array.from({ length: DAYS }, (_, day) => film(path.join(folder.dir, `${day}.mp4`), day))
  proxy = await givenProxy()
  headquarters = await givenStation({
    fresh: true,
    settings: { stationName: 'County headquarters', timeZone: 'Europe/Berlin', publicUrl: proxy.url },
  })
  proxy.to(headquarters.url)
  stations = []
  for (const stationName of STATIONS) {
    const given = await givenStation({ fresh: true, settings: { stationName, timeZone: 'Europe/Berlin' } })
    const connection = await headquarters.integration(stationName, ['CreateCases'])
    stations.push({
      given,
      connection: JSON.parse(JSON.stringify(connection).replaceAll(headquarters.url, proxy.url)),
      administrator: await administratorOf(given),
      recordings: [],
    })
  }
}, 240_000)
afterAll(async () => {
  for (const { given } of stations ?? []) await given.close()
  await headquarters?.close()
  await proxy?.close()
  await dispose?.()
})

it('a week without a network: everything arrives, an original is fetched back, and its custody verifies', {
  timeout: 900_000,
}, async () => {
  // Both clocks advance: where only that of the wall does, the station takes it for a jump, and clears nothing for a day.
  const realNow = Date.now
  const realMonotonic = performance.now.bind(performance)
  let shift = 0
  Date.now = () => realNow() + shift
  performance.now = () => realMonotonic() + shift
  onTestFinished(() => {
    Date.now = realNow
    performance.now = realMonotonic
  })
  for (const station of stations) await importInto(station, { Everything: true, ClearAfterDays: 2 })
  const [quay] = stations as [ForwardingStation, ForwardingStation]
  await record(quay, 0)
  await arrived(quay)
  await pictures(quay.given.url, '/headquarters', 'connected', (page) =>
    page.getByText('Connected', { exact: true }).waitFor(),
  )

  // The line is cut. Both stations go on taking in recordings.
  proxy.troubled(() => 'away')
  for (let day = 1; day < DAYS; day++) {
    shift += DAY
    for (const station of stations) await record(station, day)
  }
  shift += DAY
  await until('the lost connection', async () => (await shown(quay)).State === 'away', 120_000)
  // The newest one joins the backlog a moment after it was completed.
  await until('the whole backlog', async () => (await shown(quay)).Backlog.Waiting >= DAYS - 1)
  expect((await shown(quay)).Backlog.Waiting).toBe(DAYS - 1)
  expect(await itemsOf(quay, 'failed')).toEqual([])
  await pictures(quay.given.url, '/headquarters', 'week-away', (page) =>
    page.getByText('Headquarters does not answer').waitFor(),
  )
  await pictures(quay.given.url, '/headquarters/backlog', 'week-backlog', (page) =>
    page.getByRole('link', { name: /Old Bridge/ }).waitFor(),
  )

  // It is back: everything arrives once, with the hash that it had here.
  proxy.troubled(() => null)
  for (const station of stations) {
    await station.administrator('POST', `${HEADQUARTERS}/test`)
    await arrived(station)
  }
  const there = headquarters.database((db) =>
    db
      .prepare("SELECT sha256 FROM resources WHERE role = 'original' AND name LIKE 'BW%' ORDER BY resource_id")
      .pluck()
      .all(),
  ) as string[]
  const sent = stations.flatMap(({ recordings }) => recordings.map(({ bytes }) => sha256Of(bytes)))
  expect(there.toSorted()).toEqual(sent.toSorted())
  await pictures(quay.given.url, '/headquarters/backlog?show=done', 'arrived', (page) =>
    page.getByRole('link', { name: /Old Bridge/ }).waitFor(),
  )

  // Two days after the receipt the local copy goes, and comes back when somebody needs it.
  const last = quay.recordings.at(-1) as ForwardingStation['recordings'][number]
  const file = blobOf(quay.given, sha256Of(last.bytes))
  expect(existsSync(file)).toBe(true)
  shift += 3 * DAY
  await until('the clearing', async () => {
    await quay.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true, ClearAfterDays: 2 })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    return !existsSync(file)
  })
  await pictures(quay.given.url, `/evidence/${last.evidenceId}`, 'cleared', (page) =>
    page.getByText(/are at headquarters only/).waitFor(),
  )
  const { page } = await open(quay, `/evidence/${last.evidenceId}`)
  await page.getByRole('button', { name: 'Fetch original' }).click()
  await until('the fetched original', () => existsSync(file))
  expect(sha256Of(readFileSync(file))).toBe(sha256Of(last.bytes))
  await page.reload()
  await page.getByText(/Hash confirmed .* by http/).waitFor()
  expect(await page.getByText(/are at headquarters only/).count()).toBe(0)
  await savePicture(page, 'fetched')

  await custodyVerifies(quay, last.evidenceId)
})

const shown = ({ administrator }: ForwardingStation): Promise<Json> => administrator('GET', HEADQUARTERS)

const arrived = (station: ForwardingStation): Promise<unknown> =>
  until(
    'the arrival of everything',
    async () => {
      const failed = await itemsOf(station, 'failed')
      if (failed.length > 0) throw new Error(JSON.stringify(failed))
      const { Backlog } = await shown(station)
      return Backlog.Waiting === 0 && Backlog.Done === station.recordings.length
    },
    240_000,
  )

/** A camera's film, which is another one at each station. */
async function record({ given, recordings }: ForwardingStation, day: number): Promise<void> {
  const token = await tokenOf(given.connection, given.url)
  const post = (status: number, place: string, body: object): Promise<Json> =>
    given.expecting(status, given.call('POST', `${given.documents}${place}`, { token, body }))
  const bytes = Buffer.concat([films[day] as Buffer, Buffer.from(given.url)])
  const name = `BWC 0417, ${PLACES[day]}`
  const { EvidenceId } = await post(201, '/evidence', { Name: name, Tags: ['patrol'] })
  const { ResourceId, UploadUri } = await post(201, `/evidence/${EvidenceId}/resource`, {
    Name: `BW0417_${day}.mp4`,
    MimeType: 'video/mp4',
  })
  await given.put(UploadUri, bytes)
  await post(200, `/evidence/${EvidenceId}/resource/${ResourceId}/complete`, {})
  await post(200, `/evidence/${EvidenceId}/complete`, {})
  recordings.push({ evidenceId: EvidenceId, name, bytes })
}

function film(file: string, seed: number): Buffer {
  const lines = `gradients=s=1280x720:r=25:d=4:seed=${seed}:c0=0x060b18:c1=0x27365c:c2=0x6b4a1f:c3=0x0a0f1d:n=4:speed=0.02`
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart']
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', lines, ...codec, file])
  return readFileSync(file)
}

const blobOf = (given: Given, sha256: string): string =>
  path.join(given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)

/** What headquarters keeps of an item: its ledger lines, signed by the key that it knows of the station. */
async function custodyVerifies({ connection, given }: ForwardingStation, evidenceId: string): Promise<void> {
  const origin = given.database((db) =>
    db.prepare("SELECT value FROM station WHERE name = 'origin'").pluck().get(),
  ) as string
  const key = headquarters.database((db) =>
    db.prepare('SELECT public_key FROM received_checkpoints WHERE origin = ?').pluck().get(origin),
  ) as string
  const created = given.database((db) =>
    db.prepare('SELECT created_utc FROM evidence WHERE evidence_id = ?').pluck().get(Number(evidenceId)),
  ) as string
  const sourceId = sourceIdOf(origin, Number(evidenceId), created)
  const id = headquarters.database((db) =>
    db.prepare('SELECT evidence_id FROM evidence WHERE source_id = ?').pluck().get(sourceId),
  ) as number
  const token = await tokenOf(connection, headquarters.url)
  const place = `${headquarters.documents}/evidence/${id}`
  const list: Json[] = await headquarters.expecting(200, headquarters.call('GET', `${place}/resource`, { token }))
  const record = list.findLast(({ Name }) => Name.startsWith('custody '))
  const content = await headquarters.call('GET', `${place}/resource/${record.ResourceId}/content`, { token })
  const custody = openCustodyRecord(content.text, Buffer.from(key, 'base64'))
  expect(custody).toMatchObject({ origin, isProved: true })
  expect(custody.lines.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['evidence.created', 'resource.completed', 'resource.forwarded']),
  )
  const forged = content.text.replace('evidence.created', 'evidence.changed')
  expect(() => openCustodyRecord(forged, Buffer.from(key, 'base64'))).toThrow('signature')
  const { page } = await look(headquarters.url)
  await signInByForm(page, headquarters.url, `/evidence/${id}`)
  await page.getByText('Chain verified in front of you').waitFor()
  await page
    .getByRole('row', { name: /custody / })
    .first()
    .waitFor()
  await savePicture(page, 'at-headquarters')
}

async function open({ given }: ForwardingStation, place: string) {
  const looking = await look(given.url)
  await signInByForm(looking.page, given.url, place)
  return looking
}
