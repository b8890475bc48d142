/** Clients of several nodes that go on when one of them dies, and note what was acknowledged. */
import { randomInt } from 'node:crypto'
import { uploadBlocks, uploadWhole } from '../crash/traffic.ts'
import { freshBytes, pause } from '../crash/world.ts'
import { type Acknowledged, type Integrator, type Journal, Refused, sha256 } from '../support/integrator.ts'

export interface ClusterTraffic {
  /** Operations that ended well. */
  readonly done: () => number
  /** Operations that a death or an absence broke off. */
  readonly brokenOff: () => number
  /** Answers that nobody should get, whatever dies. */
  readonly surprises: readonly string[]
  end(): Promise<void>
}

/** What a load balancer and a node say while something is away. */
const AWAY = [502, 503, 504]

/** @param pictures a real picture: bytes behind its end make each upload another one, so that jobs have something to do */
export function startClusterTraffic(
  integrator: Integrator,
  journal: Journal,
  lanes: number,
  picture: Buffer,
): ClusterTraffic {
  let ending = false
  let done = 0
  let brokenOff = 0
  const surprises: string[] = []
  const readable: (Acknowledged & { kind: 'complete' })[] = []
  /** False while there is nothing to read. */
  const read = async (): Promise<boolean> => {
    const chosen = readable[randomInt(Math.max(1, readable.length))]
    if (chosen === undefined) {
      await pause(20)
      return false
    }
    const { bytes, correlationId } = await integrator.content(chosen.evidenceId, chosen.resourceId)
    if (sha256(bytes) !== chosen.sha256) surprises.push(`resource ${chosen.resourceId} was served with other bytes`)
    journal.note({ kind: 'read', resourceId: chosen.resourceId, correlationId })
    return true
  }
  const works = [
    async () => void readable.push(await uploadWhole(integrator, journal, freshBytes(0, 120_000))),
    async () => void readable.push(await uploadBlocks(integrator, journal, freshBytes(30_000, 200_000), 30_000)),
    async () =>
      void readable.push(await uploadWhole(integrator, journal, Buffer.concat([picture, freshBytes(8, 64)]), 'p.png')),
    read,
  ]
  const lane = async (at: number): Promise<void> => {
    while (!ending)
      try {
        if ((await works[at % works.length]?.()) !== false) done++
      } catch (error) {
        brokenOff++
        if (error instanceof Refused && !AWAY.includes(error.status)) surprises.push(error.message)
        await pause(200)
      }
  }
  const all = Array.from({ length: lanes }, (_, at) => lane(at))
  return {
    done: () => done,
    brokenOff: () => brokenOff,
    surprises,
    end: async () => {
      ending = true
      await Promise.all(all)
    },
  }
}
