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
const SERVER_ROOT = ['server/index.ts', 'server/compose.ts', 'server/commands.ts', 'server/openapi.ts', 'server/bin']

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
  never(
    'jobs, db and platform import nothing above them',
    ['server/jobs', 'server/db', 'server/platform'],
    ['server'],
    ({ from, to }) => {
      const rank = (path: string) =>
        inFolder(path, 'server/jobs') ? 2 : inFolder(path, 'server/db') ? 1 : inFolder(path, 'server/platform') ? 0 : 3
      return rank(to) <= rank(from)
    },
  ),
  never(
    'custody imports jobs, db and platform only',
    ['server/custody'],
    ['server/evidence', 'server/interfaces', 'server/http', 'server/dock', ...SERVER_ROOT],
  ),
  never(
    'evidence imports custody, jobs, db and platform only',
    ['server/evidence'],
    ['server/interfaces', 'server/http', 'server/dock', ...SERVER_ROOT],
  ),
  never(
    'correlation imports evidence, custody, jobs, db and platform only',
    ['server/correlation'],
    ['server/interfaces', 'server/http', 'server/dock', ...SERVER_ROOT],
  ),
  never(
    'notices import evidence, custody, jobs, db and platform only',
    ['server/notices'],
    ['server/correlation', 'server/interfaces', 'server/http', 'server/dock', ...SERVER_ROOT],
  ),
  never(
    'evidence and custody know nothing of correlation and notices',
    ['server/evidence', 'server/custody'],
    ['server/correlation', 'server/notices'],
  ),
  never(
    'interfaces import correlation, evidence, custody, jobs, db and platform only',
    ['server/interfaces'],
    ['server/http', 'server/dock', ...SERVER_ROOT],
  ),
  never(
    'http imports no interface but the types of handlers',
    ['server/http'],
    ['server/interfaces', 'server/evidence', ...SERVER_ROOT],
    ({ to }) => to === 'server/http/handlers.ts',
  ),
  never('config imports nothing of the server', ['server/config'], ['server'], ({ to }) =>
    inFolder(to, 'server/config'),
  ),
  {
    name: 'interfaces never import each other',
    breaks: ({ from, to }) => {
      const room = (path: string) => /^server\/interfaces\/([^/]+)\//.exec(path)?.[1]
      return room(from) !== undefined && room(to) !== undefined && room(from) !== room(to)
    },
  },
  {
    name: 'renderer imports shared only',
    breaks: ({ from, to }) =>
      inFolder(from, 'renderer') && (inFolder(to, 'server', 'main', 'test', 'build') || to.startsWith('node:')),
  },
  {
    name: 'features never import each other',
    breaks: ({ from, to }) => {
      const room = (path: string) => /^renderer\/features\/([^/]+)\//.exec(path)?.[1]
      return room(from) !== undefined && room(to) !== undefined && room(from) !== room(to)
    },
  },
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
  owned('kysely', /^kysely$/, 'server/db', '*.repository.ts'),
  owned('better-sqlite3', /^better-sqlite3$/, 'server/db'),
  owned('node:child_process', /^node:child_process$/, 'server/platform', 'build', 'test'),
  owned(
    'node:fs',
    /^node:fs(\/promises)?$/,
    'server/platform',
    'server/evidence/store',
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
