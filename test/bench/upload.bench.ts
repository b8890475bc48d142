/**
 * An upload with the public client library against `cp` and `sha256sum` of the same bytes, in one run (promises.md, Load: compare ratios).
 *   node test/bench/upload.bench.ts [GiB = 5] [rounds = 1]
 * Prints one line of JSON a round: seconds of each step, the ratio, growth of memory, event-loop delay of the station.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { removeStation, startStation } from '../api/blobs/harness.ts'

const [gib = '5', rounds = '1'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
const source = join(folder, 'source')

function makeSource(bytes: number): void {
  const fd = openSync(source, 'w')
  const block = randomBytes(16 * 2 ** 20)
  for (let at = 0; at < bytes; at += block.length) {
    block.writeDoubleLE(at, 0)
    writeSync(fd, block, 0, Math.min(block.length, bytes - at))
  }
  closeSync(fd)
}

async function seconds(work: () => Promise<unknown> | unknown): Promise<number> {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1000
}

const send = async (uri: string): Promise<void> => {
  const client = spawn(
    process.execPath,
    [join(dirname(fileURLToPath(import.meta.url)), 'upload-client.ts'), uri, source],
    { stdio: 'inherit' },
  )
  const [code] = (await once(client, 'exit')) as [number]
  if (code !== 0) throw new Error(`The sender ended with ${code}`)
}

try {
  makeSource(Number(gib) * 2 ** 30)
  execFileSync('sync')
  const copy = join(folder, 'copy')
  for (let round = 0; round < Number(rounds); round++) {
    let plainSum = ''
    const copied = await seconds(() => execFileSync('cp', ['--reflink=never', source, copy]))
    const synced = await seconds(() => execFileSync('sync', ['-d', copy]))
    const summed = await seconds(() => {
      plainSum = execFileSync('sha256sum', [copy], { encoding: 'utf8' }).slice(0, 64)
    })
    rmSync(copy)

    const station = await startStation()
    const resource = await station.newResource()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const before = process.memoryUsage().rss
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 50)
    delay.enable()
    const used = process.cpuUsage()
    const uploaded = await seconds(() => send(station.uploadUri(resource)))
    const cpu = process.cpuUsage(used)
    delay.disable()
    let sum = ''
    const assembled = await seconds(async () => {
      sum = (await station.uploads.assemble(Number(resource), station.store))?.staged.sha256 ?? ''
    })
    clearInterval(watch)
    await removeStation(station)
    if (sum !== plainSum) throw new Error('The sums differ')

    const plain = copied + summed
    const ours = uploaded + assembled
    const round2 = (n: number): number => Math.round(n * 100) / 100
    process.stdout.write(
      `${JSON.stringify({
        gib: Number(gib),
        cp: round2(copied),
        sync: round2(synced),
        sha256sum: round2(summed),
        upload: round2(uploaded),
        assemble: round2(assembled),
        ratio: round2(plain / ours),
        ratioWithSync: round2((plain + synced) / ours),
        stationCpuSeconds: round2((cpu.user + cpu.system) / 1e6),
        memoryGrowthMiB: Math.round((most - before) / 2 ** 20),
        loopDelayP99Ms: round2(delay.percentile(99) / 1e6),
        loopDelayMaxMs: round2(delay.max / 1e6),
      })}\n`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
