// @module-tag merge
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scale } from '../support/scale.ts'
import { makeShim, type ShimRule, shimMissing } from '../support/shim.ts'

const ingester = fileURLToPath(new URL('./ingester.ts', import.meta.url))
const noStrace = spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0 ? null : 'strace is not installed'
const noShim = shimMissing()

interface Place {
  readonly folder: string
  readonly root: string
  file(size: number): string
}

async function place(): Promise<Place> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sallyport-faults-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  let files = 0
  mkdirSync(path.join(folder, 'source'))
  return {
    folder,
    root: path.join(folder, 'blobs'),
    file: (size) => {
      const file = path.join(folder, 'source', String(++files))
      writeFileSync(file, randomBytes(size))
      return file
    },
  }
}

const ingest = (
  env: Readonly<Record<string, string>>,
  root: string,
  files: string[],
): Promise<Record<string, string>[]> =>
  new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [ingester, root, ...files],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        if (error !== null) return reject(new Error(stderr, { cause: error }))
        resolve(
          stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, string>),
        )
      },
    )
  })

const temporaries = (root: string): string[] => readdirSync(path.join(root, '.staging'))

describe.skipIf(noStrace !== null)(
  noStrace === null ? 'D5 order in the store' : `D5 order in the store (skipped: ${noStrace})`,
  () => {
    it(`D5 fsync(file) < fsync(intents) < rename < fsync(folder) < fsync(new parents) < done, ${scale(8, 60)} files`, async () => {
      const { folder, root, file } = await place()
      const files = Array.from({ length: scale(8, 60) }, (_, i) => file(i % 2 === 0 ? 5000 + i : 3 * 2 ** 20 + i))
      const out = path.join(folder, 'trace')
      const calls = 'trace=fsync,fdatasync,rename,renameat,renameat2,write'
      execFileSync('strace', [
        '-f',
        '-y',
        '-s',
        '300',
        '-e',
        calls,
        '-o',
        out,
        process.execPath,
        ingester,
        root,
        ...files,
      ])
      const lines = readFileSync(out, 'utf8').split('\n')
      const at = (pattern: RegExp, from = 0): number => {
        const found = lines.findIndex((line, index) => index >= from && pattern.test(line))
        return found === -1 ? Number.POSITIVE_INFINITY : found
      }
      const renames = lines.flatMap((line, index) => {
        const found = /rename\w*\(.*"([^"]*\.staging\/[^"]+)".*"([^"]*\/([0-9a-f]{64}))"/.exec(line)
        return found === null
          ? []
          : [{ index, from: found[1] as string, to: found[2] as string, sha256: found[3] as string }]
      })
      expect(renames).toHaveLength(files.length)
      let previous = 0
      for (const { index, from, to, sha256 } of renames) {
        const inner = path.dirname(to)
        const file = at(new RegExp(`fsync\\(\\d+<${from}>`))
        const intents = at(new RegExp(`fsync\\(\\d+<${root}/.intents>`), file)
        const folderSync = at(new RegExp(`fsync\\(\\d+<${inner}>`), index)
        const parent = at(new RegExp(`fsync\\(\\d+<${path.dirname(inner)}>`), previous)
        const done = at(new RegExp(`write\\(1<.*${sha256}`))
        const order = [file, intents, index, folderSync, done]
        expect(order, `${sha256} ${lines.slice(previous, index + 8).join('\n')}`).toEqual(
          [...order].sort((a, b) => a - b),
        )
        expect(parent).toBeLessThan(done)
        previous = index
      }
    })
  },
)

describe.skipIf(noShim !== null)(
  noShim === null ? 'D3 the disk fails the store' : `D3 the disk fails the store (skipped: ${noShim})`,
  () => {
    const failing: { name: string; rule: (root: string) => ShimRule; expected: Record<string, string>[] }[] = [
      {
        name: 'EIO from the fsync of a temporary is an unknown outcome; nothing is written after it',
        rule: (root) => ({ call: 'sync', on: 'file', path: `${root}/.staging/*`, action: 'EIO' }),
        expected: [{ unknown: 'EIO' }, { failed: 'IoUnknown' }, { failed: 'IoUnknown' }],
      },
      {
        name: 'ENOSPC from the fsync of a folder of blobs likewise',
        rule: (root) => ({ call: 'sync', on: 'folder', path: `${root}/??/??`, action: 'ENOSPC' }),
        expected: [{ unknown: 'ENOSPC' }, { failed: 'IoUnknown' }, { failed: 'IoUnknown' }],
      },
      {
        name: 'EIO from the rename likewise',
        rule: (root) => ({ call: 'rename', path: `${root}/??/??/*`, action: 'EIO' }),
        expected: [{ unknown: 'EIO' }, { failed: 'IoUnknown' }, { failed: 'IoUnknown' }],
      },
      {
        name: 'ENOSPC from a write is no more than a full disk',
        rule: (root) => ({ call: 'write', path: `${root}/.staging/*`, action: 'ENOSPC' }),
        expected: [{ failed: 'NoSpace' }, { placed: '' }],
      },
      {
        name: 'EIO from the opening of a temporary fails that file alone',
        rule: (root) => ({ call: 'open', path: `${root}/.staging/copy-*`, action: 'EIO' }),
        expected: [{ failed: 'StoreFailed' }, { placed: '' }],
      },
    ]
    it.each(failing)('D3 $name', async ({ rule, expected }) => {
      for (const size of [3000, 2 * 2 ** 20 + 5]) {
        const { folder, root, file } = await place()
        const shim = makeShim(folder, [rule(root)])
        const told = await ingest(shim.env, root, [file(size), file(size)])
        shim.close()
        expect(told.map((line) => ('placed' in line ? { placed: '' } : line))).toEqual(expected)
        if (expected[0]?.['unknown'] === undefined) expect(temporaries(root)).toEqual([])
      }
    })

    it.each([3000, 3 * 2 ** 20])(
      'a byte that the disk changed between fsync and read-back is found (%i bytes)',
      async (size) => {
        const { folder, root, file } = await place()
        const shim = makeShim(folder, [{ call: 'sync', on: 'file', path: `${root}/.staging/*`, action: 'hold' }])
        const result = ingest(shim.env, root, [file(size)])
        while (shim.acted() === 0) await sleep(10)
        const [name = ''] = temporaries(root)
        const copy = openSync(path.join(root, '.staging', name), 'r+')
        writeSync(copy, Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), 0, 8, size - 100)
        closeSync(copy)
        shim.release()
        expect(await result).toEqual([{ failed: 'ReadBackMismatch' }])
        expect(temporaries(root)).toEqual([])
        shim.close()
      },
    )
  },
)
