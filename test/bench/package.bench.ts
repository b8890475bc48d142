/**
 * Promise C3: a package as a folder at 0.8 or more of the pace of `cp`, `sync` and `sha256sum` of the same bytes in the same run, with 300 MB or less.
 *   node test/bench/package.bench.ts [GiB = 20] [items = 20] [form = folder]
 * Prints one line of JSON. The package is made by a running station, as it is shipped; its memory is the most that the system saw since its start (VmHWM), before and afterwards.
 */
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureApp } from '../../build/scripts/app.ts'
import { PACKAGE_FORMS } from '../../shared/packages/kinds.ts'
import { callControl } from '../../server/platform/control/control.ts'
import { startStation } from '../support/station.ts'

const [gib = '20', items = '20', form = 'folder'] = process.argv.slice(2)
if (!PACKAGE_FORMS.some((one) => one === form)) throw new Error(`The form is one of ${PACKAGE_FORMS.join(', ')}.`)
const PROGRAM = fileURLToPath(new URL('../../dist/app/server/bin/sallyport.js', import.meta.url))
const SLICE = 16 * 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
const [source, data, out] = ['source', 'data', 'out'].map((name) => join(folder, name)) as [string, string, string]

const seconds = async (work: () => unknown): Promise<number> => {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1000
}
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

const each = Math.ceil((Number(gib) * 2 ** 30) / Number(items))

function fill(): void {
  const bytes = Buffer.alloc(SLICE)
  for (let no = 0; no < Number(items); no++) {
    const fd = openSync(join(source, `camera ${no}.bin`), 'wx')
    randomFillSync(bytes)
    for (let done = 0; done < each; done += SLICE) {
      // Another slice each time, without the cost of random bytes for all.
      bytes.writeUInt32LE(done / SLICE)
      writeSync(fd, bytes, 0, Math.min(SLICE, each - done))
    }
    closeSync(fd)
  }
}

/** Neither may profit from what the other one left in memory. */
function coldCache(): void {
  execFileSync('sync')
  if (process.getuid?.() === 0) execFileSync('sh', ['-c', 'echo 3 > /proc/sys/vm/drop_caches'])
}

try {
  await ensureApp()
  for (const one of [source, data, out]) mkdirSync(one)
  fill()
  const env = { SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RESERVE_BYTES: '1048576' }
  const first = await startStation({ data, env, program: PROGRAM })
  const ask = async (command: string, args: Record<string, unknown>) =>
    (await callControl(data, { command, args, user: 'bench' }, () => {}, new AbortController().signal))?.result
  await ask('ingest', { paths: [source], case: null })
  // What took the files in is no part of the memory.
  await first.stop()
  const station = await startStation({ data, env, program: PROGRAM })
  // Of what the files are made in the station: they are read there by both.
  const files = execFileSync('find', [join(data, 'blobs'), '-type', 'f'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .trim()
    .split('\n')
    .filter((file) => statSync(file).size === each)
  if (files.length !== Number(items)) throw new Error(`${files.length} files were taken in, of ${items}.`)
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  rmSync(source, { recursive: true })
  const ids = Array.from({ length: Number(items) }, (_, at) => String(at + 1))
  const plain = async (): Promise<number> => {
    const copies = join(folder, 'plain')
    mkdirSync(copies)
    coldCache()
    const took = await seconds(() => {
      execFileSync('xargs', ['cp', '--target-directory', copies], { input: files.join('\n') })
      execFileSync('sync')
      execFileSync('sh', ['-c', `cd '${copies}' && find . -type f -print0 | xargs -0 sha256sum > /dev/null`])
    })
    rmSync(copies, { recursive: true })
    return took
  }
  const ending = form === 'folder' ? '' : `/package.${form}`
  const before = await plain()
  const atRest = peakOf(station.pid)
  coldCache()
  const made = await seconds(() =>
    ask('package.create', {
      of: { evidenceIds: ids },
      form,
      target: `${out}${ending}`,
      variant: 'court',
      parts: [],
      papers: [],
      language: 'en',
    }),
  )
  const peak = peakOf(station.pid)
  rmSync(out, { recursive: true })
  const after = await plain()
  await station.stop()
  const least = (before + after) / 2
  const line = {
    form,
    bytes,
    items: files.length,
    packageSeconds: made,
    plainSeconds: [before, after],
    ratio: least / made,
    memoryAtRest: atRest,
    memoryPeak: peak,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
