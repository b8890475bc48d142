/** Takes single appends to the ledger out of a copy of the product, to see whether any test misses them (promise I1). */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE } from '../support/station.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPIED = [
  'server',
  'shared',
  'test',
  'build',
  'package.json',
  'vitest.config.ts',
  'tsconfig.json',
  'tsconfig.base.json',
]

export interface CallSite {
  /** Relative to the product's folder. */
  readonly file: string
  readonly line: number
  readonly start: number
  /** Behind the opening bracket. */
  readonly end: number
  readonly text: string
  /** What the entry says happened; empty where that is not written beside the call. */
  readonly action: string
}

const CALL = /(?:\b\w+\.)?\bledger\s*\.\s*(?:append|record|tally)\s*\(/g
/** Takes what the append took, and writes nothing. */
const NOTHING = '((..._: unknown[]) => Promise.resolve({ seq: 0, hash: "" }))('

/** Every place of the server that appends, in the order of files and lines. */
export function callSites(root = ROOT): CallSite[] {
  const files = (readdirSync(path.join(root, 'server'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join('server', name))
    .sort()
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    return [...text.matchAll(CALL)].map((match) => ({
      file,
      line: text.slice(0, match.index).split('\n').length,
      start: match.index,
      end: match.index + match[0].length,
      text: match[0].replaceAll(/\s+/g, ''),
      action: /^[^;]{0,160}?action:[^;']{0,60}'(\w+\.[\w.]+)'/.exec(text.slice(match.index))?.[1] ?? '',
    }))
  })
}

/** Text of the product that is replaced, unless said by a call that writes nothing. */
export interface Mutation extends Pick<CallSite, 'file' | 'start' | 'end'> {
  readonly instead?: string
}

/** A check given by its text. */
export interface Check {
  readonly name: string
  readonly file: string
  /** Stands once in the file, or `at` says which one is meant, from 1. */
  readonly text: string
  readonly at?: number
  readonly instead: string
}

/** @param root of the product that is mutated: the one it was copied from may have gone on */
export function mutationOf({ file, text, at = 1, instead }: Check, root: string): Mutation {
  const whole = readFileSync(path.join(root, file), 'utf8')
  const places: number[] = []
  for (let from = whole.indexOf(text); from !== -1; from = whole.indexOf(text, from + 1)) {
    // Whole lines are meant with what stands before them.
    if (!text.startsWith(' ') || whole[from - 1] === '\n') places.push(from)
  }
  const place = places[at - 1]
  if (place === undefined) throw new Error(`${file} holds no ${at === 1 ? '' : `${at}nd `}${text}`)
  return { file, start: place, end: place + text.length, instead }
}

export interface Outcome {
  readonly passed: number
  readonly failed: readonly string[]
}

export interface Copy {
  /** Runs the test files with these appends gone, or with all in place. `bail`: the first failure is enough. */
  run(files: readonly string[], without?: readonly Mutation[], bail?: 'bail'): Promise<Outcome>
  dispose(): void
}

/** Copies the product without its golden databases into a folder, on the same `node_modules`. @param more files and folders beside those that every copy has */
export function copyProduct(dir: string, more: readonly string[] = []): void {
  mkdirSync(dir, { recursive: true })
  for (const name of [...COPIED, ...more])
    cpSync(path.join(ROOT, name), path.join(dir, name), {
      recursive: true,
      filter: (from) => !from.includes('/fixtures/golden/'),
    })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(dir, 'node_modules'))
}

export function copyOfProduct(dir: string): Copy {
  copyProduct(dir)
  return {
    run: async (files, without = [], bail) => {
      const before = new Map(without.map(({ file }) => [file, readFileSync(path.join(dir, file), 'utf8')] as const))
      // From the end, so that places before it stay where they are.
      for (const { file, start, end, instead = NOTHING } of without.toSorted((a, b) => b.start - a.start)) {
        const text = readFileSync(path.join(dir, file), 'utf8')
        writeFileSync(path.join(dir, file), text.slice(0, start) + instead + text.slice(end))
      }
      try {
        return await vitest(dir, bail === undefined ? files : ['--bail=1', ...files])
      } finally {
        for (const [file, text] of before) writeFileSync(path.join(dir, file), text)
      }
    },
    dispose: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  }
}

async function vitest(dir: string, given: readonly string[]): Promise<Outcome> {
  const report = path.join(dir, 'report.json')
  rmSync(report, { force: true })
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('VITEST') && !name.startsWith('SALLYPORT_') && name !== 'NODE_OPTIONS',
    ),
  )
  let said = ''
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(
      NODE,
      ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`, ...given],
      { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const keep = (chunk: Buffer): void => {
      said = (said + chunk.toString('utf8')).slice(-4000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('close', resolve)
  })
  let results: {
    testResults: {
      name: string
      status: string
      message?: string
      assertionResults: { status: string; fullName: string }[]
    }[]
  }
  try {
    results = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    throw new Error(`The suites ended with ${code} and without a report:\n${said}`)
  }
  const tests = results.testResults.flatMap((file) => file.assertionResults)
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: [
      ...tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      // A file whose preparations fail has no failed test; the station not coming up counts.
      ...results.testResults
        .filter((file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'))
        .map(({ name, message }) => `${path.basename(name)}: ${message ?? ''}`),
    ],
  }
}
