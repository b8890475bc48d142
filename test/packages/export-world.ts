/** A station with cases, evidence and what belongs to them, and empty stations that take its export in. */
import { createHash, createPrivateKey, createSign } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadSettings, type Settings } from '../../server/config/settings.ts'
import type { ExportReport } from '../../server/features/packages/export/export.service.ts'
import type { ImportReport } from '../../server/features/packages/export/import-report.ts'
import { startServer } from '../../server/index.ts'
import { openRaw, type RawDatabase } from '../../server/kernel/database/sqlite/raw.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { type DisclosureWorld, disclosureStation } from '../api/disclosure/world.ts'
import { OS_USER } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { databaseOnPostgres, WRAPPING_KEY } from '../support/postgres-given.ts'

export interface ExportWorld extends DisclosureWorld {
  readonly cases: readonly string[]
  readonly evidence: {
    readonly inBoth: string
    readonly alone: string
    readonly deleted: string
    readonly restricted: string
  }
  export(to: string): Promise<ExportReport>
}

/** @param more files that are taken in beside, in cases and in none */
export async function exportStation(more = 0): Promise<ExportWorld> {
  const world = await disclosureStation({ fresh: true })
  const { given, ok } = world
  const clerk = await signIn(await given.integration('clerk', ['ManageConfiguration']), given.url)
  const category = await given.expecting(
    201,
    given.call('POST', '/api/v1/category/station', { token: clerk, body: { Name: 'Violence', RetentionDays: 3650 } }),
  )
  const cases = [await world.newCase('Burglary, 14 Tanner’s Row'), await world.newCase('Other matter')]
  const [first, second] = cases as [string, string]
  const evidence = {
    inBoth: await world.add('Stop at Quay Road', ['one.txt', '../../etc/passwd']),
    alone: await world.add('Shop camera'),
    deleted: await world.add('Wrong file'),
    restricted: await world.add('Informant'),
  }
  await given.command('user.create', {
    username: 'reader',
    password: 'nine boats by the harbour',
    group: null,
    policies: [],
    guest: false,
  })
  await world.link(first, evidence.inBoth, evidence.restricted)
  await world.link(second, evidence.inBoth)
  await world.restrict(evidence.restricted)
  await world.disclose(first)
  const edited = `${given.documents}/evidence/${evidence.inBoth}`
  await given.expecting(
    200,
    given.call('PATCH', edited, {
      body: { Description: 'Seen from the quay', CategoryId: category.CategoryId, Tags: ['night'] },
    }),
  )
  await given.expecting(201, given.call('POST', `${edited}/note`, { body: { Text: 'Look at minute four' } }))
  await ok(200, 'DELETE', `${given.documents}/evidence/${evidence.deleted}`)
  if (more > 0) {
    const media = world.folder('media')
    for (let no = 0; no < more; no++)
      writeFileSync(path.join(media, `camera ${no}.txt`), `recording ${no}\n`.repeat(40))
    const half = (name: string, from: number, to: number): string => {
      const at = path.join(media, name)
      mkdirSync(at)
      for (let no = from; no < to; no++) cpSync(path.join(media, `camera ${no}.txt`), path.join(at, `camera ${no}.txt`))
      return at
    }
    const [cased, loose] = [half('cased', 0, more / 2), half('loose', more / 2, more)]
    await given.command('ingest', { paths: [cased], case: second })
    await given.command('ingest', { paths: [loose], case: null })
    rmSync(media, { recursive: true })
  }
  await idle(given.database, 1200 + more)
  return {
    ...world,
    cases,
    evidence,
    export: async (to) => (await given.command('export', { to })) as ExportReport,
  }
}

/** @param most tenths of a second to wait */
async function idle(database: <T>(work: (db: RawDatabase) => T) => T, most: number): Promise<void> {
  for (let tries = 0; tries < most; tries++) {
    const open = database((db) =>
      db.prepare("SELECT count(*) FROM jobs WHERE state IN ('queued', 'running')").pluck().get(),
    )
    if (Number(open) === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the jobs did not end')
}

export interface EmptyStation {
  readonly data: string
  readonly url: string
  command<T = unknown>(name: string, args?: Record<string, unknown>): Promise<T>
  import(from: string, fingerprint: string | null): Promise<ImportReport>
  rows<T>(text: string): T[]
  close(): Promise<void>
}

/** A station in which nobody was ever set up. */
export async function emptyStation(given: Partial<Record<keyof Settings, unknown>> = {}): Promise<EmptyStation> {
  const dir = mkdtempSync(path.join(tmpdir(), 'sallyport-empty-'))
  const data = path.join(dir, 'data')
  mkdirSync(data)
  const file = path.join(data, 'sallyport.db')
  const postgres = await databaseOnPostgres(file, false)
  const station = await startServer(
    loadSettings(
      {},
      {
        data,
        port: 0,
        reserveBytes: 65_536,
        minFreeBytes: 0,
        logLevel: 'silent',
        ...(postgres === null ? {} : { ...postgres.settings, wrappingKey: WRAPPING_KEY }),
        ...given,
      },
    ),
  )
  const command = async <T>(name: string, args: Record<string, unknown> = {}): Promise<T> =>
    (await callControl(data, { command: name, args, user: OS_USER }, () => {}, new AbortController().signal))
      ?.result as T
  return {
    data,
    url: station.url,
    command,
    import: (from, fingerprint) => command<ImportReport>('import', { path: from, fingerprint }),
    rows: <T>(text: string): T[] => {
      if (postgres !== null) return postgres.reader.prepare(text).all() as T[]
      const db = openRaw(file, { readOnly: true })
      try {
        return db.prepare(text).all() as T[]
      } finally {
        db.close()
      }
    },
    close: async () => {
      await station.close()
      await postgres?.drop()
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Makes the lists and the signature of a folder anew, as whoever holds the key of the station could. @param keyFile its key for packages */
export function signAgain(folder: string, keyFile: string): void {
  const line = (file: string): string => `${sha256(readFileSync(path.join(folder, file)))}  ${file}\n`
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .toSorted()
  const payload = files.filter((name) => name.startsWith('data/')).map(line)
  writeFileSync(path.join(folder, 'manifest-sha256.txt'), payload.join(''))
  const tags = files.filter((name) => !name.startsWith('data/') && !name.startsWith('tagmanifest')).map(line)
  const text = tags.join('')
  writeFileSync(path.join(folder, 'tagmanifest-sha256.txt'), text)
  const key = JSON.parse(keyFile) as { current: never }
  const signature = createSign('sha256')
    .update(text)
    .sign(createPrivateKey({ key: key.current, format: 'jwk' }))
  writeFileSync(path.join(folder, 'tagmanifest.sig'), signature)
}

/** Replaces text in a file. @throws Error when it is not there */
export function edit(file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${file} has no ${String(from)}`)
  writeFileSync(file, after)
}
