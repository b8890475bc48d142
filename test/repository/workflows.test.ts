import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const FOLDER = fileURLToPath(new URL('../../.github/workflows/', import.meta.url))

it('every action of a workflow is pinned to a commit, with its version in a comment: a tag can be moved to other code', () => {
  const uses = readdirSync(FOLDER).flatMap((name) =>
    readFileSync(`${FOLDER}${name}`, 'utf8')
      .split('\n')
      .filter((line) => /^\s*(?:- )?uses:/.test(line))
      .map((line) => line.trim()),
  )
  expect(uses.length).toBeGreaterThan(0)
  expect(uses.filter((line) => !/uses: [\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})
