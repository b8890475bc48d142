// @module-tag counted
// @module-tag merge
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { type Journal, openJournal, rebase, sha256 } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { NODE } from '../support/station.ts'
import { judge, told } from './judge.ts'
import { openResource } from './traffic.ts'
import { freshBytes, makeWorld, type World, within } from './world.ts'

const UPLOADS = scale(20, 200, 2)
const BLOCK = 48_000
const IN_FLIGHT = 2
const CUTS = ['client killed', 'connection cut', 'server killed'] as const
type Cut = (typeof CUTS)[number]
type Running = Awaited<ReturnType<World['start']>>

it(`U2 an interruption costs at most the blocks in flight: ${UPLOADS} uploads cut at random`, {
  timeout: 120_000 + UPLOADS * 30_000,
}, async () => {
  const world = await makeWorld('u2')
  onTestFinished(() => world.dispose())
  const journal = openJournal(path.join(world.folder, 'journal'))
  let running = await world.start()
  const proxy = await openProxy()
  onTestFinished(() => proxy.close())
  const done: Record<Cut, number> = { 'client killed': 0, 'connection cut': 0, 'server killed': 0 }
  let again = 0

  for (let upload = 0; upload < UPLOADS; upload++) {
    const cuts = Array.from({ length: randomInt(1, 4) }, (_, index) => CUTS[(upload + index) % CUTS.length] as Cut)
    const outcome = await oneUpload(world, running, proxy, cuts, journal)
    running = outcome.running
    again += outcome.again
    for (const cut of cuts) done[cut]++
  }
  // What was cut off in the middle lies about until the next start.
  await running.station.stop()
  running = await world.start()
  const faults = await judge(world, running.integrator, journal.entries())
  expect(faults, told(faults)).toEqual([])
  await running.station.stop()
  journal.close()
  const total = Object.values(done).reduce((sum, count) => sum + count, 0)
  console.info(
    `U2: ${UPLOADS} uploads, ${total} cuts (${JSON.stringify(done)}), ${again} blocks sent again, never more than ${IN_FLIGHT} a cut`,
  )
})

async function oneUpload(
  world: World,
  first: Running,
  proxy: Proxy,
  cuts: readonly Cut[],
  journal: Journal,
): Promise<{ running: Running; again: number }> {
  let running = first
  const bytes = freshBytes(BLOCK * 6, BLOCK * 16)
  const label = randomUUID()
  const file = path.join(world.folder, label)
  const notes = path.join(world.folder, `${label}.notes`)
  writeFileSync(file, bytes)
  writeFileSync(notes, '')
  const { evidenceId, resourceId, uploadUri } = await openResource(running.integrator, journal, label)
  const start = (): ChildProcess => {
    proxy.to(running.station.url)
    const words = [
      fileURLToPath(new URL('uploader.ts', import.meta.url)),
      rebase(uploadUri, proxy.origin),
      new URL(running.station.url).host,
      file,
      String(BLOCK),
      notes,
    ]
    return spawn(NODE, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  }

  let hit = 0
  for (const cut of cuts) {
    const uploader = start()
    const left = bytes.length - kept(notes).size * BLOCK
    const before = proxy.cutAfter(randomInt(1_000, Math.max(2_000, left)))
    const gone = ended(uploader)
    const how = await within(30_000, 'the uploader', Promise.race([gone.then(() => 'done'), before.then(() => 'cut')]))
    if (how === 'done') break
    hit++
    if (cut === 'client killed') uploader.kill('SIGKILL')
    if (cut === 'server killed') await running.station.kill()
    proxy.drop()
    if (cut === 'server killed') running = await world.start()
    await within(10_000, 'an uploader whose connection was cut', gone)
  }
  proxy.cutAfter(Number.POSITIVE_INFINITY)
  const last = start()
  let said = ''
  last.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  expect(await within(30_000, 'the last uploader', ended(last)), said).toBe(0)

  const lines = readFileSync(notes, 'utf8').split('\n')
  const again = sentAgain(lines)
  expect(again.afterKept, 'a block was sent again though it had been acknowledged').toEqual([])
  expect(again.count).toBeLessThanOrEqual(hit * IN_FLIGHT)
  const place = { evidenceId, resourceId, sha256: sha256(bytes), length: bytes.length }
  const { value, correlationId } = await running.integrator.completeResource(evidenceId, resourceId, {
    Sha256: place.sha256,
    LengthInBytes: bytes.length,
  })
  expect(value).toMatchObject({ State: 'UserCompleted', Sha256: place.sha256, LengthInBytes: bytes.length })
  journal.note({ kind: 'complete', ...place, correlationId })
  return { running, again: again.count }
}

const kept = (notes: string): Set<string> =>
  new Set([...readFileSync(notes, 'utf8').matchAll(/^kept (\d+)$/gm)].map(([, index]) => index as string))

/** Blocks that went out more than once, and those of them that had been acknowledged before. A run after the list went through starts over. */
function sentAgain(lines: readonly string[]): { count: number; afterKept: string[] } {
  const sent = new Set<string>()
  const acknowledged = new Set<string>()
  const afterKept: string[] = []
  let count = 0
  for (const line of lines) {
    const [word, index] = line.split(' ') as [string, string]
    if (word === 'kept') acknowledged.add(index)
    if (word === 'committed') break
    if (word !== 'sent') continue
    if (acknowledged.has(index)) afterKept.push(index)
    if (sent.has(index)) count++
    sent.add(index)
  }
  return { count, afterKept }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', (code) => resolve(code))
  })

interface Proxy {
  readonly origin: string
  to(station: string): void
  /** Resolves when this many bytes have gone towards the station; from then on none go. */
  cutAfter(bytes: number): Promise<void>
  /** Ends every connection at once, as a pulled cable would. */
  drop(): void
  close(): void
}

/** Between uploader and station: a cable that can be cut in the middle of a block. */
async function openProxy(): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let target = new URL('http://127.0.0.1:1')
  let left = Number.POSITIVE_INFINITY
  let reached: () => void = () => {}
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, Math.max(0, Math.min(chunk.length, left)))
      left -= part.length
      if (part.length > 0) far.write(part)
      if (left <= 0) reached()
    })
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
    left = Number.POSITIVE_INFINITY
  }
  return {
    origin: `http://127.0.0.1:${address.port}`,
    to: (station) => {
      target = new URL(station)
    },
    cutAfter: (bytes) => {
      left = bytes
      return new Promise((resolve) => {
        reached = resolve
      })
    },
    drop,
    close: () => {
      drop()
      server.close()
    },
  }
}
