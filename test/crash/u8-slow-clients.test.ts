// @module-tag merge
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, it, onTestFinished } from 'vitest'
import { blockId, type Integrator, openJournal, rebase } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { judge, told } from './judge.ts'
import { openResource, uploadWhole } from './traffic.ts'
import { freshBytes, makeWorld, pause } from './world.ts'

const CONNECTIONS = 200
const SECONDS = scale(10, 60)

it(`U8 ${CONNECTIONS} connections at one byte a second for ${SECONDS} s do not slow others beyond 2x`, {
  timeout: SECONDS * 6_000 + 60_000,
}, async () => {
  const world = await makeWorld('u8')
  onTestFinished(() => world.dispose())
  const { station, integrator } = await world.start({ SALLYPORT_RATE_SERVICE: '600000' })
  const journal = openJournal(path.join(world.folder, 'journal'))
  const sample = await uploadWhole(integrator, journal, freshBytes(30_000, 30_000))
  const others = async (seconds: number): Promise<number[]> => {
    const times: number[] = []
    for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
      times.push(await timed(() => integrator.content(sample.evidenceId, sample.resourceId)))
      times.push(await timed(() => uploadWhole(integrator, journal, freshBytes(30_000, 30_000))))
    }
    return times
  }

  await others(2)
  const before = await others(SECONDS / 2)
  const slow = await openSlow(station.url, integrator, world.folder)
  await pause(1000)
  const during = await others(SECONDS)
  const alive = slow.alive()
  slow.close()
  await pause(500)
  const after = await others(SECONDS / 2)
  // The machine itself gets faster and slower: the calm on both sides is what is compared with.
  const calm = [...before, ...after]
  const ratios = {
    median: quantile(during, 0.5) / quantile(calm, 0.5),
    p95: quantile(during, 0.95) / quantile(calm, 0.95),
  }
  console.info(
    `U8: ${alive} of ${CONNECTIONS} slow connections still open; others: median ×${ratios.median.toFixed(2)}, p95 ×${ratios.p95.toFixed(2)}, ${calm.length} calm and ${during.length} during`,
  )
  expect(ratios.median).toBeLessThan(2)
  expect(ratios.p95).toBeLessThan(2)
  // What was cut off in the middle lies about until the next start.
  await station.stop()
  const second = await world.start({ SALLYPORT_RATE_SERVICE: '600000' })
  const faults = await judge(world, second.integrator, journal.entries())
  expect(faults, told(faults)).toEqual([])
  await second.station.stop()
  journal.close()
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] as number

/** Uploads that trickle: each connection sends a block of 100,000 bytes, one byte each second. */
async function openSlow(
  url: string,
  integrator: Integrator,
  folder: string,
): Promise<{ alive(): number; close(): void }> {
  const journal = openJournal(path.join(folder, 'slow-journal'))
  const targets = await Promise.all(
    Array.from({ length: 40 }, (_, index) => openResource(integrator, journal, `slow-${index}`)),
  )
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let index = 0; index < CONNECTIONS; index++) {
    const { pathname, search, host } = new URL(
      rebase((targets[index % targets.length] as { uploadUri: string }).uploadUri, url),
    )
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.resume()
    const query = `${search}&comp=block&blockid=${encodeURIComponent(blockId(index))}`
    socket.write(
      `PUT ${pathname}${query} HTTP/1.1\r\nhost: ${host}\r\nx-ms-version: 2024-11-04\r\ncontent-length: 100000\r\n\r\n`,
    )
    sockets.push(socket)
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x')
  }, 1000)
  return {
    alive: () => sockets.filter((socket) => !socket.destroyed && socket.readyState === 'open').length,
    close: () => {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      journal.close()
    },
  }
}
