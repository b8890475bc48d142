/**
 * Counts what the structure of the product is judged by, and prints one line for each figure:
 * lines and files of the product, composition, long functions, import cycles, citations of documents that are not in the repository, the
 * files that name an existing field and derivation, the files of a list page, and what one PATCH of a case runs through.
 *   node build/scripts/measure.ts [--json] [--list]
 * `--list` also names the longest functions, the cycles, the citations and the files.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { readCited, unresolvedCitations } from './citations.ts'
import { importsOf, productFiles } from './layers.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LONG_FUNCTION = 60

/** What stands for a change of its kind: product files that name it are the files that such a change touches. */
const EXAMPLES: Readonly<Record<string, RegExp>> = {
  'files that name a case field (ExternalReferenceId2)': /external_?reference_?id_?2/i,
  'files that name a derivation (waveform)': /waveform/i,
}

/** Calls and footage: of its folders what the server and the page of a list are made of, and everything that announces it by folder or address. */
const LIST_PAGE = {
  own: /^(?:(?:server|renderer)\/features|shared)\/calls-board\/(?:[\w-]+[.-])?(?:contract|messages\.\w\w|routes|service|models|store|index|page|queries|search)\.tsx?$/,
  folder: /\/calls-board\//,
  announced: /\/calls-board\/|['"]\/calls['"]/,
}

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)
const linesOf = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

interface LongFunction {
  readonly file: string
  readonly name: string
  readonly lines: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Functions of more than 60 lines, with the name that their declaration, variable or member gives them. */
export function longFunctions(file: string, text: string): LongFunction[] {
  const found: LongFunction[] = []
  const visit = (node: Node, name: string): void => {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const id = node['id']
      const own = isNode(id) ? String(id['name']) : name
      const lines = linesOf(text.slice(node.start, node.end))
      if (lines > LONG_FUNCTION) found.push({ file, name: own, lines })
    }
    for (const [member, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) visit(child, nameOfValue(node, member) ?? name)
      }
    }
  }
  visit(parseSync(file, text).program as unknown as Node, '(module)')
  return found
}

/** The name that a declaration, member or method gives to the function that is its value. */
function nameOfValue(node: Node, member: string): string | null {
  const named = member === 'init' ? node['id'] : member === 'value' ? node['key'] : null
  return isNode(named) && typeof named['name'] === 'string' ? named['name'] : null
}

/** Files that import each other in a circle, types included. Each circle is one strongly connected set of files (Tarjan). */
export function importCycles(files: ReadonlyMap<string, string>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const path: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    low.set(file, index.get(file) as number)
    path.push(file)
    for (const { to } of importsOf(file, files.get(file) ?? '')) {
      if (!files.has(to)) continue
      if (!index.has(to)) visit(to)
      if (path.includes(to)) low.set(file, Math.min(low.get(file) as number, low.get(to) as number))
    }
    if (low.get(file) !== index.get(file)) return
    const circle = path.splice(path.indexOf(file))
    if (circle.length > 1) cycles.push(circle)
  }
  for (const file of files.keys()) if (!index.has(file)) visit(file)
  return cycles
}

/** Fixtures, and the test of citations: it cites what is not there, to see it found. */
const APART = /^test\/(?:fixtures\/|repository\/citations\.test\.ts$)/

/** Every text of the repository by its name. */
export function trackedTexts(): Map<string, string> {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  return new Map(
    names
      .filter((name) => /\.(tsx?|css|md|ya?ml|json|html)$/.test(name) && !APART.test(name))
      .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  )
}

interface Figure {
  readonly name: string
  readonly value: number
  /** What was counted, for `--list`. */
  readonly of?: readonly string[]
}

function figures(): Figure[] {
  const all = productFiles(root)
  const product = new Map([...all].filter(([file]) => !isTest(file)))
  const own = (pattern: RegExp): [string, string][] => [...product].filter(([file]) => pattern.test(file))
  const long = [...product].flatMap(([file, text]) => longFunctions(file, text)).sort((a, b) => b.lines - a.lines)
  const cycles = importCycles(product)
  const texts = trackedTexts()
  const cited = readCited(texts)
  const citations = [...texts].flatMap(([file, text]) => unresolvedCitations(file, text, cited))
  const composition = own(/^server\/(app|compose)\.ts$/)
  return [
    { name: 'product lines', value: [...product.values()].reduce((sum, text) => sum + linesOf(text), 0) },
    { name: 'product files', value: product.size },
    { name: 'composition, lines', value: composition.reduce((sum, [, text]) => sum + linesOf(text), 0) },
    { name: 'composition, other files (server/app)', value: own(/^server\/app\//).length },
    { name: 'longest function, lines', value: long[0]?.lines ?? 0 },
    {
      name: `functions over ${LONG_FUNCTION} lines`,
      value: long.length,
      of: long.slice(0, 40).map(({ file, name, lines }) => `${lines} ${name} ${file}`),
    },
    { name: 'import cycles', value: cycles.length, of: cycles.map((circle) => circle.join(' → ')) },
    { name: 'unresolved citations', value: citations.length, of: citations },
    ...Object.entries(EXAMPLES).map(([name, pattern]) => {
      const files = [...product]
        .filter(([file, text]) => pattern.test(file) || pattern.test(text))
        .map(([file]) => file)
      return { name, value: files.length, of: files }
    }),
    ofListPage(product),
    ...ofOnePatch(),
  ]
}

function ofListPage(product: ReadonlyMap<string, string>): Figure {
  const { own, folder, announced } = LIST_PAGE
  const files = [...product]
    .filter(([file, text]) => (folder.test(file) ? own.test(file) : announced.test(text)))
    .map(([file]) => file)
  return { name: 'files of a list page (calls board)', value: files.length, of: files }
}

/** Measured on a running station, by the benchmark of that name. */
function ofOnePatch(): Figure[] {
  const told = execFileSync(process.execPath, [join(root, 'test/bench/request.bench.ts')], { encoding: 'utf8' })
  const { files, statements } = JSON.parse(told) as { files: string[]; statements: string[] }
  return [
    { name: 'PATCH of a case title: own files', value: files.length, of: files },
    { name: 'PATCH of a case title: statements', value: statements.length, of: statements },
  ]
}

function print(found: readonly Figure[], asJson: boolean, lists: boolean): void {
  if (asJson) return void process.stdout.write(`${JSON.stringify(found)}\n`)
  for (const { name, value, of = [] } of found) {
    process.stdout.write(`${String(value).padStart(8)}  ${name}\n`)
    if (lists) for (const one of of) process.stdout.write(`            ${one}\n`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  print(figures(), process.argv.includes('--json'), process.argv.includes('--list'))
