/** docs/operate/headquarters.md names every scheduled task, and where it runs. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const TASK = /\bname: '([^']+)',\s+runsOn: '(one node|every node)'/g

it('the table of scheduled tasks is that of the code', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT, exclude: ['server/**/*.test.ts'] })
  const built = files.flatMap((file) => [...read(file).matchAll(TASK)].map(([, name, where]) => `${name}: ${where}`))
  const documented = [...read('docs/operate/headquarters.md').matchAll(/^\| ([^|`]+) \| (one node|every node) \|/gm)]
  expect(built.length).toBeGreaterThan(20)
  expect(documented.map(([, name, where]) => `${name}: ${where}`).toSorted()).toEqual(built.toSorted())
})
