import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { brokenRules, dialectWords, KNOWN_DIALECT, productFiles } from '../../build/scripts/layers.ts'
import { importCycles } from '../../build/scripts/measure.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const rulesOf = (file: string, text: string) => brokenRules(new Map([[file, text]])).map((line) => line.split(':')[0])

describe('layers', () => {
  const product = productFiles(ROOT)

  it('has no files that import each other in a circle', () => {
    expect(importCycles(product)).toEqual([])
  })

  it('hold in the whole product', () => {
    expect(brokenRules(product)).toEqual([])
  })

  it('SQL that one database alone understands stands in the folders of dialects, but for what is listed', () => {
    expect(dialectWords(product)).toEqual(KNOWN_DIALECT)
  })

  it('finds such SQL, and none in comments, tests and the folders of dialects', () => {
    const text =
      "sql`SELECT json_extract(media) FROM a INDEXED BY b WHERE rowid = 1 AND instr(a, b) OR a LIKE 'b%'`, db.orReplace().where('a', 'not like', 'b%') // json_each\n/** MATCH */"
    const files = [
      'server/features/a/a.store.ts',
      'server/features/a/a.store.test.ts',
      'server/kernel/database/sqlite/a.ts',
    ]
    expect(dialectWords(new Map(files.map((file) => [file, text])))).toEqual({ 'server/features/a/a.store.ts': 7 })
  })

  it.each([
    ['shared/cases/contract.ts', "import fs from 'node:fs'", 'shared imports zod only'],
    [
      'server/kernel/jobs/x.ts',
      "import type { Call } from '../ledger/call.ts'",
      'the database imports platform only, and jobs import the database',
    ],
    [
      'server/kernel/database/x.ts',
      "import type { Job } from '../jobs/types.ts'",
      'the database imports platform only, and jobs import the database',
    ],
    [
      'server/platform/x/y.ts',
      "import { openRaw } from '../../kernel/database/sqlite/raw.ts'",
      'platform imports nothing above it',
    ],
    [
      'server/storage/x.ts',
      "import type { Tx } from '../kernel/database/database.ts'",
      'storage imports platform only',
    ],
    [
      'server/kernel/ledger/x.ts',
      "import { x } from '../../storage/store.ts'",
      'the kernel imports platform, and types of storage; what features are given also names types of config and http',
    ],
    [
      'server/kernel/access/x.ts',
      "export { x } from '../../features/cases/x.ts'",
      'the kernel imports platform, and types of storage; what features are given also names types of config and http',
    ],
    ['server/http/x.ts', "import { x } from '../features/cases/x.ts'", 'http imports no feature'],
    ['server/features/a/x.ts', "import { y } from '../b/y.ts'", 'features never import each other'],
    ['renderer/features/a/x.ts', "import { y } from '../b/y.ts'", 'features never import each other'],
    [
      'server/features/a/x.ts',
      "const y = await import('../../http/app.ts')",
      'features import kernel, storage, platform and the types of http',
    ],
    [
      'server/features/a/x.ts',
      "import { y } from '../../app/tenant.ts'",
      'features import kernel, storage, platform and the types of http',
    ],
    ['server/features/a/x.ts', "import Koa from 'koa'", 'koa only in server/http'],
    [
      'server/features/a/x.service.ts',
      "import { sql } from 'kysely'",
      'kysely only in server/kernel/database, *.store.ts',
    ],
    [
      'server/kernel/database/x.ts',
      "import Database from 'better-sqlite3'",
      'better-sqlite3 only in server/kernel/database/sqlite',
    ],
    ['server/features/media/x.ts', "import { spawn } from 'child_process'", 'node'],
    ['server/features/a/x.ts', "import { readFile } from 'node:fs/promises'", 'node'],
    ['server/http/x.ts', 'const home = process.env.HOME', 'process.env only in server/config and main/index.ts'],
    ['main/window/x.ts', 'const home = process.env.HOME', 'process.env only in server/config and main/index.ts'],
    [
      'main/window/x.ts',
      "import { desktop } from '../../renderer/x.ts'",
      'main imports shared and server/index.ts only',
    ],
    [
      'main/window/x.ts',
      "import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'",
      'main imports shared and server/index.ts only',
    ],
    [
      'main/window/x.ts',
      "import { startServer } from '../../server/index.ts'",
      'the server is reached through main/server-host.ts, by others for its types only',
    ],
    ['main/preload/x.ts', "import { z } from 'zod'", 'the preload imports shared/desktop and electron only'],
    ['main/preload/x.ts', "import { x } from '../window/x.ts'", 'the preload imports shared/desktop and electron only'],
    ['renderer/app/x.ts', "import { ipcRenderer } from 'electron'", 'electron only in main'],
    ['main/window/x.ts', "import { readFileSync } from 'node:fs'", 'node'],
    ['server/index.ts', "import { app } from 'electron'", 'server imports neither electron, renderer nor main'],
  ])('%s: %s breaks "%s"', (file, text, rule) => {
    expect(rulesOf(file, text)).toContain(rule)
  })

  it('lets the ways go that docs/architecture.md draws', () => {
    expect(
      rulesOf(
        'server/features/a/x.ts',
        "import type { Tx } from '../../kernel/database/database.ts'\nimport { z } from 'zod'",
      ),
    ).toEqual([])
    expect(rulesOf('server/features/a/x.store.ts', "import { sql } from 'kysely'")).toEqual([])
    expect(rulesOf('server/features/a/a.routes.ts', "import { json } from '../../http/handlers.ts'")).toEqual([])
    expect(rulesOf('server/kernel/evidence/x.ts', "import type { Blob } from '../../storage/types.ts'")).toEqual([])
    expect(rulesOf('main/server-host.ts', "const x = () => import('../server/index.ts')")).toEqual([])
    expect(rulesOf('main/system/x.ts', "import type { Settings } from '../../server/index.ts'")).toEqual([])
    expect(rulesOf('main/preload/x.ts', "import { CALLS } from '../../shared/desktop/bridge.ts'")).toEqual([])
    expect(rulesOf('server/http/x.ts', "// process.env is read elsewhere\nimport Koa from 'koa'")).toEqual([])
  })
})
