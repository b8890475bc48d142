/** Who may import whom (docs/architecture.md): walks every import of the product and names the rule that is broken. */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Import {
  readonly from: string
  readonly to: string
  /** `import type`: gone at run time. */
  readonly typeOnly: boolean
}

interface Rule {
  readonly name: string
  readonly breaks: (found: Import) => boolean
}

const inFolder = (path: string, ...folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
const isLocal = (to: string): boolean => to.endsWith('.ts') || to.endsWith('.tsx')
const owned = (name: string, pattern: RegExp, ...owners: readonly string[]): Rule => ({
  name: `${name} only in ${owners.join(', ')}`,
  breaks: ({ from, to }) =>
    pattern.test(to) &&
    !owners.some((owner) => (owner.startsWith('*') ? from.endsWith(owner.slice(1)) : inFolder(from, owner))),
})
/** Where the parts are joined. */
const COMPOSITION = [
  'server/index.ts',
  'server/app.ts',
  'server/commands.ts',
  'server/openapi.ts',
  'server/body.worker.ts',
  'server/app',
  'server/bin',
]
/** What a feature may use of the HTTP frame: types of routes and answers, and the functions that make them. */
const HTTP_OF_FEATURES = [
  'server/http/bytes.ts',
  'server/http/checked-answer.ts',
  'server/http/event-stream.ts',
  'server/http/exports.ts',
  'server/http/handlers.ts',
]

/** `a ↛ b` for local files. */
const never = (
  name: string,
  from: readonly string[],
  to: readonly string[],
  except: (found: Import) => boolean = () => false,
): Rule => ({
  name,
  breaks: (found) => isLocal(found.to) && inFolder(found.from, ...from) && inFolder(found.to, ...to) && !except(found),
})

/** Whether one feature imports another, in the server or in the pages. */
function crosses({ from, to }: Import): boolean {
  const featureOf = (path: string) => /^(server|renderer)\/features\/([^/]+)\//.exec(path)
  const [, side, name] = featureOf(from) ?? []
  const [, otherSide, other] = featureOf(to) ?? []
  return side !== undefined && side === otherSide && name !== other
}

export const RULES: readonly Rule[] = [
  {
    name: 'shared imports zod only',
    breaks: ({ from, to }) => inFolder(from, 'shared') && !inFolder(to, 'shared') && to !== 'zod',
  },
  {
    name: 'server imports neither electron, renderer nor main',
    breaks: ({ from, to }) => inFolder(from, 'server') && (to === 'electron' || inFolder(to, 'renderer', 'main')),
  },
  {
    name: 'main imports shared and server/index.ts only',
    breaks: ({ from, to }) =>
      inFolder(from, 'main') &&
      isLocal(to) &&
      !inFolder(to, 'main', 'shared', 'server/index.ts') &&
      // The installed program takes the commands of the terminal (decisions 11).
      !(from === 'main/server-host.ts' && to === 'server/bin/sallyport.ts'),
  },
  {
    name: 'the server is reached through main/server-host.ts, by others for its types only',
    breaks: ({ from, to, typeOnly }) =>
      inFolder(from, 'main') && inFolder(to, 'server') && !typeOnly && from !== 'main/server-host.ts',
  },
  {
    name: 'the preload imports shared/desktop and electron only',
    breaks: ({ from, to }) =>
      inFolder(from, 'main/preload') && to !== 'electron' && !inFolder(to, 'main/preload', 'shared/desktop'),
  },
  owned('electron', /^electron(-updater)?$/, 'main'),
  {
    name: 'the product imports neither tests nor build scripts',
    breaks: ({ from, to }) => inFolder(from, 'server', 'shared', 'main') && inFolder(to, 'test', 'build'),
  },
  never('config imports nothing of the server', ['server/config'], ['server'], ({ to }) =>
    inFolder(to, 'server/config'),
  ),
  never('platform imports nothing above it', ['server/platform'], ['server'], ({ to }) =>
    inFolder(to, 'server/platform'),
  ),
  never('storage imports platform only', ['server/storage'], ['server'], ({ to }) =>
    inFolder(to, 'server/storage', 'server/platform'),
  ),
  never(
    'the kernel imports platform, and types of storage; what features are given also names types of config and http',
    ['server/kernel'],
    ['server'],
    ({ from, to, typeOnly }) =>
      inFolder(to, 'server/kernel', 'server/platform') ||
      (typeOnly && inFolder(to, 'server/storage')) ||
      (typeOnly && from === 'server/kernel/kernel.ts' && inFolder(to, 'server/config', 'server/http')),
  ),
  never(
    'the database imports platform only, and jobs import the database',
    ['server/kernel/database', 'server/kernel/jobs'],
    ['server/kernel'],
    ({ from, to }) =>
      inFolder(to, 'server/kernel/database') ||
      (inFolder(from, 'server/kernel/jobs') && inFolder(to, 'server/kernel/jobs')),
  ),
  never('http imports no feature', ['server/http'], ['server/features', 'server/storage', ...COMPOSITION]),
  never(
    'features import kernel, storage, platform and the types of http',
    ['server/features'],
    ['server/http', ...COMPOSITION],
    ({ to }) => HTTP_OF_FEATURES.includes(to),
  ),
  {
    name: 'renderer imports shared only',
    breaks: ({ from, to }) =>
      inFolder(from, 'renderer') && (inFolder(to, 'server', 'main', 'test', 'build') || to.startsWith('node:')),
  },
  { name: 'features never import each other', breaks: crosses },
  never(
    'the parts and the client know no screen',
    ['renderer/ui', 'renderer/client'],
    ['renderer/features', 'renderer/app'],
  ),
  owned(
    'the component library',
    /^(react-aria|react-aria-components|@react-aria|@react-stately|react-stately|@internationalized)(\/|$)/,
    'renderer/ui',
  ),
  owned('koa', /^(koa|@koa\/.*)$/, 'server/http'),
  owned('kysely', /^kysely$/, 'server/kernel/database', '*.store.ts'),
  owned('the S3 client', /^@(aws-sdk|smithy)\//, 'server/storage/s3', 'test'),
  owned('better-sqlite3', /^better-sqlite3$/, 'server/kernel/database/sqlite'),
  owned('pg', /^pg$/, 'server/kernel/database/postgres', 'test'),
  owned('node:child_process', /^node:child_process$/, 'server/platform', 'build', 'test'),
  owned(
    'node:fs',
    /^node:fs(\/promises)?$/,
    'server/platform',
    'server/storage',
    'server/config',
    'main/system/notebook.ts',
    'build',
    'test',
  ),
]

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g

export function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, fixed, lazy, worker]) => {
    const target = fixed ?? lazy ?? worker ?? ''
    const bare = builtinModules.includes(target) ? `node:${target}` : target
    return {
      from: file,
      to: target.startsWith('.') ? normalize(join(dirname(file), target)) : bare,
      typeOnly: type !== undefined,
    }
  })
}

/** Words of SQL that only one database understands, and `LIKE`, which ignores case on one of them. */
const DIALECT =
  /\b(?:json_(?:each|tree|extract|valid|array|object)|jsonb_\w+|group_concat|string_agg|octet_length|unixepoch|rowid|INDEXED BY|MATCH|INSERT OR|sqlite_(?:schema|sequence)|fts5|instr|strpos|ifnull|last_insert_rowid|pragma_\w+|GLOB|orReplace|orIgnore|replaceInto|to_tsvector|to_tsquery|iif|LIKE)\b|'(?:not )?like'/g
/** Where they stand by right: the seam of dialects, the migrations, and the tools that check a database file of SQLite. */
const DIALECT_FOLDERS = [
  'server/kernel/database/sqlite',
  'server/kernel/database/postgres',
  'server/kernel/database/migrations',
  'server/features/integrity/verification',
]

/**
 * SQL of one dialect that still stands in stores: so many words a file. The numbers may only fall: a word that is gone, or a new one, fails
 * test/repository/layers.test.ts.
 */
export const KNOWN_DIALECT: Readonly<Record<string, number>> = {
  // The name of a table.
  'server/kernel/database/row-coverage.ts': 1,
}

/** How many words of one dialect stand in each file outside the folders of dialects. Comments do not count. */
export function dialectWords(files: ReadonlyMap<string, string>): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [file, text] of files) {
    if (!inFolder(file, 'server') || file.endsWith('.test.ts') || inFolder(file, ...DIALECT_FOLDERS)) continue
    const count = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, '').match(DIALECT)?.length ?? 0
    if (count > 0) found[file] = count
  }
  return found
}

/** Every broken rule as one line: rule, file, import. `process.env` is looked for too. */
export function brokenRules(files: ReadonlyMap<string, string>): string[] {
  const broken: string[] = []
  for (const [file, text] of files) {
    if (file.endsWith('.test.ts')) continue
    for (const found of importsOf(file, text)) {
      for (const rule of RULES) if (rule.breaks(found)) broken.push(`${rule.name}: ${file} imports ${found.to}`)
    }
    if (
      /\bprocess\.env\b/.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')) &&
      inFolder(file, 'server', 'shared', 'main') &&
      !inFolder(file, 'server/config', 'main/index.ts')
    ) {
      broken.push(`process.env only in server/config and main/index.ts: ${file}`)
    }
  }
  return broken
}

export function productFiles(root: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const top of ['shared', 'server', 'main', 'renderer']) {
    let names: string[]
    try {
      names = readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
    } catch {
      continue
    }
    for (const name of names)
      if (/\.tsx?$/.test(name)) files.set(join(top, name), readFileSync(join(root, top, name), 'utf8'))
  }
  return files
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const broken = brokenRules(productFiles(relative('.', '.') || '.'))
  for (const line of broken) process.stdout.write(`${line}\n`)
  process.exitCode = broken.length === 0 ? 0 : 1
}
