import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { brokenRules, productFiles } from '../../build/scripts/layers.ts'

const rulesOf = (file: string, text: string) => brokenRules(new Map([[file, text]])).map((line) => line.split(':')[0])

describe('layers', () => {
  it('hold in the whole product', () => {
    expect(brokenRules(productFiles(fileURLToPath(new URL('../..', import.meta.url))))).toEqual([])
  })

  it.each([
    ['shared/contract/x.ts', "import fs from 'node:fs'", 'shared imports zod only'],
    [
      'server/jobs/x.ts',
      "import type { Call } from '../custody/call.ts'",
      'jobs, db and platform import nothing above them',
    ],
    [
      'server/platform/x/y.ts',
      "import { openRaw } from '../../db/raw.ts'",
      'jobs, db and platform import nothing above them',
    ],
    [
      'server/custody/x.ts',
      "import { x } from '../evidence/store/store.ts'",
      'custody imports jobs, db and platform only',
    ],
    [
      'server/evidence/x.ts',
      "export { x } from '../interfaces/handlers.ts'",
      'evidence imports custody, jobs, db and platform only',
    ],
    ['server/interfaces/a/x.ts', "import { y } from '../b/y.ts'", 'interfaces never import each other'],
    [
      'server/interfaces/a/x.ts',
      "const y = await import('../../http/app.ts')",
      'interfaces import correlation, evidence, custody, jobs, db and platform only',
    ],
    ['server/interfaces/a/x.ts', "import Koa from 'koa'", 'koa only in server/http'],
    ['server/interfaces/a/x.service.ts', "import { sql } from 'kysely'", 'kysely only in server/db, *.repository.ts'],
    ['server/evidence/derive/x.ts', "import { spawn } from 'child_process'", 'node'],
    ['server/interfaces/a/x.ts', "import { readFile } from 'node:fs/promises'", 'node'],
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
      rulesOf('server/interfaces/a/x.ts', "import type { Tx } from '../../db/database.ts'\nimport { z } from 'zod'"),
    ).toEqual([])
    expect(rulesOf('server/interfaces/a/x.repository.ts', "import { sql } from 'kysely'")).toEqual([])
    expect(rulesOf('main/server-host.ts', "const x = () => import('../server/index.ts')")).toEqual([])
    expect(rulesOf('main/system/x.ts', "import type { Settings } from '../../server/index.ts'")).toEqual([])
    expect(rulesOf('main/preload/x.ts', "import { CALLS } from '../../shared/desktop/bridge.ts'")).toEqual([])
    expect(rulesOf('server/http/x.ts', "// process.env is read elsewhere\nimport Koa from 'koa'")).toEqual([])
  })
})
