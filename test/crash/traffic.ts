/** Mixed traffic as a station knows it: whole uploads, uploads by block, folder ingest, reads. Notes every acknowledgement. */
import { randomInt, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type Acknowledged, blocksOf, type Integrator, type Journal, Refused, sha256 } from '../support/integrator.ts'
import { command } from '../support/station.ts'
import { freshBytes, freshSource, pause, type World } from './world.ts'

export type Lane = 'whole' | 'blocks' | 'ingest' | 'reads'

export interface Traffic {
  /** No new operation begins; resolves when the running ones have ended, however. */
  end(): Promise<void>
  /** Answers that a healthy station does not give. */
  readonly surprises: string[]
  readonly counts: Record<Lane, number>
}

/** Uploads one file whole, noting each acknowledgement before the next step. */
export async function uploadWhole(
  integrator: Integrator,
  journal: Journal,
  bytes: Buffer,
  name = `whole-${randomUUID()}`,
): Promise<Acknowledged & { kind: 'complete' }> {
  const { evidenceId, resourceId, uploadUri } = await openResource(integrator, journal, name)
  const digest = sha256(bytes)
  const place = { evidenceId, resourceId, sha256: digest, length: bytes.length }
  await integrator.putBlob(uploadUri, bytes)
  journal.note({ kind: 'committed', ...place })
  return completed(integrator, journal, place)
}

/** Uploads one file in blocks, two at a time. */
export async function uploadBlocks(
  integrator: Integrator,
  journal: Journal,
  bytes: Buffer,
  size: number,
): Promise<Acknowledged & { kind: 'complete' }> {
  const { evidenceId, resourceId, uploadUri } = await openResource(integrator, journal, `blocks-${randomUUID()}`)
  const blocks = blocksOf(bytes, size)
  const waiting = blocks.slice()
  const lane = async (): Promise<void> => {
    for (let block = waiting.shift(); block !== undefined; block = waiting.shift()) {
      await integrator.putBlock(uploadUri, block)
      journal.note({
        kind: 'block',
        evidenceId,
        resourceId,
        uploadUri,
        blockId: block.id,
        sha256: sha256(block.bytes),
        length: block.bytes.length,
      })
    }
  }
  await Promise.all([lane(), lane()])
  const place = { evidenceId, resourceId, sha256: sha256(bytes), length: bytes.length }
  await integrator.putBlockList(
    uploadUri,
    blocks.map(({ id }) => id),
  )
  journal.note({ kind: 'committed', ...place })
  return completed(integrator, journal, place)
}

export async function openResource(
  integrator: Integrator,
  journal: Journal,
  name: string,
): Promise<{ evidenceId: string; resourceId: string; uploadUri: string }> {
  const evidence = await integrator.createEvidence({ Name: name }, randomUUID())
  const { EvidenceId: evidenceId } = evidence.value
  journal.note({ kind: 'evidence', evidenceId, name, correlationId: evidence.correlationId })
  const resource = await integrator.createResource(evidenceId, { Name: `${name}.bin` }, randomUUID())
  const { ResourceId: resourceId, UploadUri: uploadUri } = resource.value
  journal.note({ kind: 'resource', evidenceId, resourceId, uploadUri, correlationId: resource.correlationId })
  return { evidenceId, resourceId, uploadUri }
}

async function completed(
  integrator: Integrator,
  journal: Journal,
  place: { evidenceId: string; resourceId: string; sha256: string; length: number },
): Promise<Acknowledged & { kind: 'complete' }> {
  const { correlationId } = await integrator.completeResource(place.evidenceId, place.resourceId, {
    Sha256: place.sha256,
    LengthInBytes: place.length,
  })
  const entry = { kind: 'complete' as const, ...place, correlationId }
  journal.note(entry)
  return entry
}

export interface TrafficOptions {
  world: World
  integrator: Integrator
  journal: Journal
  lanes: readonly Lane[]
  /** Bytes of a file, at most. */
  largest?: number
}

/** Runs until `end` or until the station is gone. */
export function startTraffic({ world, integrator, journal, lanes, largest = 120_000 }: TrafficOptions): Traffic {
  let ending = false
  const surprises: string[] = []
  const counts: Record<Lane, number> = { whole: 0, blocks: 0, ingest: 0, reads: 0 }
  const readable: (Acknowledged & { kind: 'complete' })[] = []

  const once: Record<Lane, () => Promise<void>> = {
    whole: async () => {
      readable.push(await uploadWhole(integrator, journal, freshBytes(0, largest)))
    },
    blocks: async () => {
      readable.push(await uploadBlocks(integrator, journal, freshBytes(30_000, largest), randomInt(8_000, 40_000)))
    },
    ingest: async () => {
      const source = freshSource(world.folder, 3)
      const { code } = await command(['ingest', source.dir], { data: world.data, env: world.env })
      // One that ended otherwise may have lost its station on the way: nothing was acknowledged.
      if (code === 0) {
        for (const file of source.files)
          journal.note({ kind: 'ingested', path: file.path, sha256: sha256(file.bytes), length: file.bytes.length })
      }
      rmSync(source.dir, { recursive: true, force: true })
    },
    reads: async () => {
      const chosen = readable[randomInt(Math.max(1, readable.length))]
      if (chosen === undefined) return new Promise((resolve) => setTimeout(resolve, 20))
      const { bytes, correlationId } = await integrator.content(chosen.evidenceId, chosen.resourceId)
      if (sha256(bytes) !== chosen.sha256)
        surprises.push(`resource ${chosen.resourceId} was served with other bytes than were uploaded`)
      journal.note({ kind: 'read', resourceId: chosen.resourceId, correlationId })
    },
  }
  const run = async (lane: Lane): Promise<void> => {
    while (!ending) {
      try {
        await once[lane]()
        counts[lane]++
      } catch (error) {
        if (error instanceof Refused && !ending) surprises.push(error.message)
        return
      }
    }
  }
  const all = lanes.map(run)
  return {
    surprises,
    counts,
    end: async () => {
      ending = true
      await Promise.all(all)
    },
  }
}

/** A random moment in the midst of it: after some acknowledgements, however slow the machine is, and then some milliseconds. */
export async function randomMoment(journal: Journal, most: number): Promise<void> {
  const wanted = randomInt(1, most + 1)
  for (const until = Date.now() + 15_000; Date.now() < until && journal.count() < wanted; ) await pause(5)
  await pause(randomInt(0, 60))
}
