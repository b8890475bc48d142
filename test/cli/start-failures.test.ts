/** Every way in which a start can fail ends the process with its reason: `serve` and commands alike. */
// @module-tag merge
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { makePlace, type Place, type Saying, say, type SayOptions, start, succeedIn } from './world.ts'

let place: Place
beforeAll(async () => {
  place = makePlace('start')
  // A station with a past: keys, a ledger and one blob.
  writeFileSync(place.path('film.txt'), 'a recording')
  await succeedIn(place.path('whole'), ['ingest', place.path('film.txt')])
}, 120_000)
afterAll(() => place.remove())

interface Failure {
  readonly name: string
  /** Breaks the copy of the station. */
  readonly breaks: (data: string) => void
  readonly says: RegExp
  readonly options?: SayOptions
}

const key = (name: string, work: (file: string) => void) => (data: string) => work(path.join(data, 'keys', name))
const intoDatabase = (sql: string) => (data: string) => {
  const db = openRaw(path.join(data, 'sallyport.db'))
  db.exec(sql)
  db.close()
}
/** As an ordinary account: the root of a test machine may read and write everything. */
const NOBODY = { under: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] }

const FAILURES: readonly Failure[] = [
  ...['signing.json', 'token.json', 'upload.json', 'secrets.json'].map((name) => ({
    name: `${name} missing`,
    breaks: key(name, rmSync),
    says: new RegExp(`The station's keys are gone: .* lacks ${name}`),
  })),
  {
    name: 'the folder of the keys missing',
    breaks: (data) => rmSync(path.join(data, 'keys'), { recursive: true }),
    says: /The station's keys are gone/,
  },
  {
    name: 'a key that is no JSON',
    breaks: key('signing.json', (file) => writeFileSync(file, '{')),
    says: /signing\.json is damaged\. Put it back from a copy/,
  },
  {
    name: 'a key of another kind',
    breaks: key('token.json', (file) => writeFileSync(file, '{"format":1,"keys":[{"jwk":{"kty":"OKP"}}]}')),
    says: /token\.json is damaged/,
  },
  {
    name: 'a folder in the place of a key',
    breaks: key('secrets.json', (file) => {
      rmSync(file)
      mkdirSync(file)
    }),
    says: /secrets\.json/,
  },
  {
    name: 'the certificate of the LAN broken',
    breaks: key('ca.json', (file) => writeFileSync(file, '{"format":1}', { mode: 0o600 })),
    says: /ca\.json is damaged/,
  },
  {
    name: 'the database of a newer program',
    breaks: intoDatabase('PRAGMA user_version = 999'),
    says: /Use the newer program/,
  },
  {
    name: 'a database that is none',
    breaks: (data) => writeFileSync(path.join(data, 'sallyport.db'), 'no database '.repeat(1000)),
    says: /not a database/,
  },
  {
    name: 'a folder in the place of the database',
    breaks: (data) => {
      rmSync(path.join(data, 'sallyport.db'))
      mkdirSync(path.join(data, 'sallyport.db'))
    },
    says: /unable to open database file/,
  },
  {
    name: 'a file in the place of the blobs',
    breaks: (data) => {
      rmSync(path.join(data, 'blobs'), { recursive: true })
      writeFileSync(path.join(data, 'blobs'), '')
    },
    says: /blobs/,
  },
  {
    name: 'a file in the place of the staging area',
    breaks: (data) => {
      rmSync(path.join(data, 'blobs/.staging'), { recursive: true })
      writeFileSync(path.join(data, 'blobs/.staging'), '')
    },
    says: /\.staging/,
  },
  {
    name: 'a file in the place of the signed checkpoints',
    breaks: (data) => {
      rmSync(path.join(data, 'checkpoints'), { recursive: true })
      writeFileSync(path.join(data, 'checkpoints'), '')
    },
    says: /checkpoints/,
  },
  {
    name: 'a restore that never ended',
    breaks: (data) => writeFileSync(path.join(data, 'restoring'), 'snapshot\n'),
    says: /restor/,
  },
  {
    name: 'a setting that cannot be used',
    breaks: () => {},
    says: /SALLYPORT_INGEST_LANES/,
    options: { env: { SALLYPORT_INGEST_LANES: '0' } },
  },
  {
    name: 'a folder of data that may not be written',
    breaks: () => {},
    says: /cannot be written|permission denied|EACCES/i,
    options: NOBODY,
  },
]

let made = 0
function broken({ breaks }: Pick<Failure, 'breaks'>): string {
  const data = place.path(`broken-${made++}`)
  cpSync(place.path('whole'), data, { recursive: true })
  breaks(data)
  return data
}

/** Neither a signal of the test's own patience nor a stack. */
function endedWith(ended: Saying, says: RegExp): void {
  expect({ code: ended.code, signal: ended.signal, stdout: ended.stdout }).toEqual({
    code: 1,
    signal: null,
    stdout: '',
  })
  expect(ended.stderr).toMatch(says)
  expect(ended.stderr).not.toMatch(/ at .*\.ts/)
}

describe('a start that fails ends with 1 and its reason', () => {
  // A command opens the station as `serve` does: some of the ways show that.
  it.each(FAILURES.map((failure, index) => ({ ...failure, commands: index % 5 === 0 })))(
    '$name',
    { tags: ['merge'] },
    async ({ commands, says, options, ...failure }) => {
      const data = broken(failure)
      const words = [['serve', '--port', '0'], ...(commands ? [['alarms']] : [])]
      for (const some of words) endedWith(await say(some, { data, ...options }), says)
    },
  )

  it('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const ended = await say(['serve', '--port', String(port)], { data: broken({ breaks: () => {} }) })
    other.close()
    endedWith(ended, new RegExp(`port ${port}`))
  })

  it('a folder of data below a file', async () => {
    for (const words of [
      ['serve', '--port', '0'],
      ['ingest', place.path('film.txt')],
    ])
      endedWith(await say(words, { data: path.join(place.path('film.txt'), 'station') }), /film\.txt/)
  })

  it('a folder where no station is', async () => {
    endedWith(await say(['verify'], { data: place.path('nowhere') }), /There is no station in/)
  })
})

describe('media tools that do not run', () => {
  it('do not keep a station from starting: it reports what it cannot do', async () => {
    const tools = place.folder('tools')
    for (const name of ['ffmpeg', 'ffprobe', 'bwrap', 'prlimit'])
      writeFileSync(path.join(tools, name), '#!/bin/sh\nexit 127\n', { mode: 0o755 })
    const data = broken({ breaks: () => {} })
    const serving = start(['serve', '--port', '0'], { data, env: { SALLYPORT_TOOL_FOLDERS: tools } })
    await serving.says(/^listening /m)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0, signal: null })
  })
})

describe('SIGTERM during a start', () => {
  it('ends it at whatever moment it comes', async () => {
    for (const millis of [100, 700, 1500]) {
      const data = broken({ breaks: () => {} })
      const serving = start(['serve', '--port', '0'], { data })
      await new Promise((resolve) => setTimeout(resolve, millis))
      serving.child.kill('SIGTERM')
      const { code, signal } = await serving.ended
      // Before the program has said how it takes a signal, the system ends it.
      expect([
        { code: 0, signal: null },
        { code: null, signal: 'SIGTERM' },
      ]).toContainEqual({ code, signal })
      // Nothing holds the folder any more, and the station starts.
      expect(readdirSync(data)).toContain('sallyport.db')
      expect(await say(['verify', '--fast'], { data })).toMatchObject({ code: 0 })
    }
  })

  it('does not wait for a start that hangs', async () => {
    const data = broken({ breaks: () => {} })
    // Another program holds the database, and the start waits for it.
    const other = openRaw(path.join(data, 'sallyport.db'))
    other.exec('BEGIN IMMEDIATE')
    try {
      const serving = start(['serve', '--port', '0'], { data })
      await new Promise((resolve) => setTimeout(resolve, 1500))
      serving.child.kill('SIGTERM')
      const { code, signal } = await serving.ended
      expect({ ended: [0, 1, 143].includes(code ?? -1) || signal === 'SIGTERM', code, signal }).toMatchObject({
        ended: true,
      })
    } finally {
      other.close()
    }
  })
})
