import type { z } from 'zod'
import type { AttachCaptionsModel, CaptionsModel } from '../../../shared/evidence/captions.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { MOST_CAPTION_BYTES, readCaptions, writeVtt } from '../../../shared/evidence/captions.ts'
import type { Database } from '../../kernel/database/database.ts'
import { placeAndCommit } from '../../kernel/evidence/place-and-commit.ts'
import { FACTS_VERSION } from '../../kernel/evidence/model.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import { type ResourceRow, resourceById, resourcesOf } from '../../kernel/evidence/records.store.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { Scratch } from '../../platform/run/scratch.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { type ResourceOut, resourceModel } from '../../kernel/evidence/resource-model.ts'
import type { ReachEvidence, ReachRows } from '../../kernel/evidence/reach.ts'
import { factsOf, originalOf, playedOf } from '../../kernel/evidence/played.ts'

export type CaptionsOut = z.input<typeof CaptionsModel>
type Given = z.output<typeof AttachCaptionsModel>

/** Captions of recordings, made from a file that was taken in like any other (decisions 6, "Derivation"). */
export interface Captions {
  /** Whether the caller may attach some now. @throws Fault as `ReachEvidence` */
  judge(call: HttpCall, tenant: string, evidenceId: string): Promise<unknown>
  /** @throws Fault ResourceNotFound, ResourceNotCompleted, NotARecording, CaptionsNotReadable */
  attach(call: HttpCall, tenant: string, evidenceId: string, resourceId: string, given: Given): Promise<ResourceOut>
  /** Takes them from their recording, or gives them back. @throws Fault CaptionsNotFound, CaptionsDetached, CaptionsNotDetached */
  setAttached(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
    attached: boolean,
  ): Promise<ResourceOut>
  /** @throws Fault CaptionsNotFound */
  read(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
  ): Promise<{ row: ResourceRow; out: CaptionsOut }>
}

interface Deps {
  readonly db: Database
  readonly reachRows: ReachRows
  readonly reach: ReachEvidence
  readonly store: BlobStore
  readonly scratch: Pick<Scratch, 'write'>
  readonly records: Pick<Records, 'addCaptions' | 'setCaptions'>
  /** @throws Fault when the station takes no writes now, or no further bytes. */
  readonly requireBytes: (bytes: number) => Promise<void>
}

/** Of the reader and writer in shared/evidence/captions.ts; another one gives other bytes. */
const VERSION = '1'
const FILE = 'captions.vtt'

export function createCaptions({ db, reachRows, reach, store, scratch, records, requireBytes }: Deps): Captions {
  return {
    judge: (call, tenant, evidenceId) => reach(db.read, call, tenant, evidenceId, 'Edit'),

    attach: async (call, tenant, evidenceId, resourceId, given) => {
      const { evidence, resource } = await reachRows(call, 'Edit', { tenant, evidenceId, resourceId })
      const rows = await resourcesOf(db.read, evidence.evidence_id)
      const original = originalOf(resource as ResourceRow, rows)
      refuseNoRecording(original, rows)
      const source = rows.find((row) => String(row.resource_id) === given.FileResourceId)
      if (source === undefined)
        throw fault('ResourceNotFound', `Evidence ${evidenceId} has no resource ${given.FileResourceId}.`)
      if (source.sha256 === null || source.state !== 'UserCompleted')
        throw fault('ResourceNotCompleted', 'The file with the captions has no bytes yet.')
      const { format, cues } = understood(decoded(await bytesOf(store, source.sha256, MOST_CAPTION_BYTES)))
      const vtt = writeVtt(cues)
      await requireBytes(vtt.length)
      const folder = await store.temporary('captions')
      try {
        const staged = await store.adopt(await scratch.write(folder.dir, FILE, vtt))
        return await placeAndCommit({ db, store }, staged, async (tx, blob) => {
          // The file was read meanwhile: a right that went is gone.
          await reach(tx, call, tenant, evidenceId, 'Edit')
          const parent = (await resourceById(tx, original.resource_id)) as ResourceRow
          const row = await records.addCaptions(tx, call, parent, {
            name: `${stemOf(parent.name)}.${given.Language}.vtt`,
            mimeType: 'text/vtt',
            blob,
            derivation: {
              Tool: 'captions',
              Version: VERSION,
              Arguments: [format, `resource ${source.resource_id}`],
              InputSha256: source.sha256 as string,
            },
            media: {
              Captions: { Language: given.Language, Label: given.Label ?? given.Language, Count: cues.length },
              Version: FACTS_VERSION,
            },
          })
          return call.rememberAnswer(tx, resourceModel(evidence.tenant_id, row, []))
        })
      } finally {
        await folder.dispose()
      }
    },

    setAttached: async (call, tenant, evidenceId, resourceId, attached) => {
      const { evidence, resource } = await reachRows(call, 'Edit', { tenant, evidenceId, resourceId })
      return db.transaction(async (tx) => {
        await reach(tx, call, tenant, evidenceId, 'Edit')
        // As it stands in the transaction: of two who take them away one is told that they are gone.
        const row = (await resourceById(tx, (resource as ResourceRow).resource_id)) as ResourceRow
        const { Detached = false } = captionsOf(row)
        if (attached && !Detached) throw fault('CaptionsNotDetached', 'These captions are with their recording.')
        if (!attached && Detached) throw fault('CaptionsDetached', 'These captions were taken away already.')
        return resourceModel(evidence.tenant_id, await records.setCaptions(tx, call, row, attached), [])
      })
    },

    read: async (call, tenant, evidenceId, resourceId) => {
      const { resource } = await reachRows(call, 'View', { tenant, evidenceId, resourceId })
      const row = resource as ResourceRow
      const about = captionsOf(row)
      const { cues } = understood(decoded(await bytesOf(store, row.sha256 as string)), Number.POSITIVE_INFINITY)
      return {
        row,
        out: {
          ResourceId: String(row.resource_id),
          Language: about.Language,
          Label: about.Label,
          Cues: cues.map(({ start, end, text }) => ({ StartSeconds: start, EndSeconds: end, Text: text })),
        },
      }
    },
  }
}

/** What a resource says of the captions that it is, taken away or not. @throws Fault CaptionsNotFound */
function captionsOf(row: ResourceRow): NonNullable<ReturnType<typeof factsOf>['Captions']> {
  const { Captions: about } = factsOf(row)
  if (about === undefined || row.sha256 === null)
    throw fault('CaptionsNotFound', `Resource ${row.resource_id} is no captions.`)
  return about
}

function refuseNoRecording(original: ResourceRow, rows: readonly ResourceRow[]): void {
  const played = playedOf(original, rows)
  if ((played === undefined ? undefined : factsOf(played).DurationSeconds) === undefined)
    throw fault(
      'NotARecording',
      `Resource ${original.resource_id} is no recording that is played, so nothing is said in it.`,
    )
}

/** @throws Fault CaptionsNotReadable, with every problem by its line */
function understood(text: string, longestLine?: number) {
  const read = readCaptions(text, longestLine)
  if ('problems' in read)
    throw fault(
      'CaptionsNotReadable',
      'The file is neither WebVTT nor SubRip as they are written. It is kept as it came; nothing was attached.',
      read.problems.map(({ line, message }) => ({ Path: `line ${line}`, Message: message })),
    )
  return read
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw fault('CaptionsNotReadable', 'The file is not written in UTF-8. Save it as UTF-8 and upload it again.')
  }
}

async function bytesOf(store: BlobStore, sha256: string, most = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const opened = await store.open(sha256)
  if (opened.size > most)
    throw fault('CaptionsNotReadable', `The file has ${opened.size} bytes; captions have at most ${most}.`)
  const chunks: Buffer[] = []
  for await (const chunk of opened.stream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Without its ending, where it has one. */
const stemOf = (name: string): string => name.replace(/(?!^)\.[^.]{1,16}$/, '').slice(0, 900)
