/** Files of street maps on their way in: parts that are sent one after the other, and the check of the whole. */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { type Fault, fault } from '../../../shared/kernel/errors.ts'
import { MAP_PART_BYTES, type MapModel, type MapRefusal, MOST_MAP_BYTES } from '../../../shared/maps/contract.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { MapFolder, NewMapFile, RandomReader } from '../../platform/maps/map-folder.ts'
import { checkPmtiles, MapRefused } from './pmtiles.ts'

export type MapOut = z.input<typeof MapModel>

export interface MapImports {
  put(call: HttpCall, importId: string, offset: number, body: Readable): Promise<void>
  complete(call: HttpCall, importId: string, name: string): Promise<MapOut>
  cancel(call: HttpCall, importId: string): Promise<void>
  forgetIdle(): Promise<void>
  /** Discards all of them. */
  stop(): Promise<void>
}

interface Kept {
  /** Whether a map has the id already. */
  isKept(id: string): boolean
  onImported(id: string): Promise<void>
}

interface Import {
  readonly file: NewMapFile
  readonly hash: Hash
  readonly by: string
  bytes: number
  usedAt: number
  /** A part is being written, or the file is being checked. */
  busy: boolean
}

/** Milliseconds after which an import that nobody goes on with is removed. */
const IDLE = 60 * 60_000
const MOST_IMPORTS = 4
type Needs = Pick<Kernel, 'db' | 'ledger' | 'clock' | 'mode'>

const refused = (refusal: MapRefusal, message: string): Fault =>
  fault('MapImportRefused', message, [{ Path: refusal, Message: message }])

export function createMapImports({ db, ledger, clock, mode }: Needs, folder: MapFolder, maps: Kept): MapImports {
  const imports = new Map<string, Import>()

  const drop = async (importId: string): Promise<void> => {
    const one = imports.get(importId)
    imports.delete(importId)
    await one?.file.close().catch(() => undefined)
    await folder.discard(importId)
  }

  /** Another person's import is as good as none. */
  const own = (call: HttpCall, importId: string): Import | undefined => {
    const one = imports.get(importId)
    if (one !== undefined && one.by !== call.actor.id) throw refused('order', 'Somebody else sends this file.')
    if (one?.busy === true) throw refused('order', 'An earlier part of this file is still being written.')
    return one
  }

  const begin = async (call: HttpCall, importId: string): Promise<Import> => {
    if (imports.size >= MOST_IMPORTS)
      throw refused('order', 'Other maps are being imported. Wait until one of them is done.')
    if (maps.isKept(importId)) throw refused('order', 'A map has this id already.')
    const made: Import = {
      file: await folder.begin(importId),
      hash: createHash('sha256'),
      by: call.actor.id,
      bytes: 0,
      usedAt: clock.now(),
      busy: false,
    }
    imports.set(importId, made)
    return made
  }

  const write = async (to: Import, body: Readable): Promise<void> => {
    let bytes = 0
    // The connection stays for the answer when the loop ends early.
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > MAP_PART_BYTES) throw fault('BodyTooLarge', `A part may have ${MAP_PART_BYTES} bytes.`)
      if (to.bytes + chunk.length > MOST_MAP_BYTES) throw refused('cut', 'The file is too large for a map.')
      await to.file.append(chunk)
      to.hash.update(chunk)
      to.bytes += chunk.length
    }
  }

  return {
    put: async (call, importId, offset, body) => {
      // A part that is sent again after a lost answer would be in the file twice; from the start it begins anew.
      if (offset === 0 && own(call, importId) !== undefined) await drop(importId)
      await mode.requireBytes(MAP_PART_BYTES)
      const to = own(call, importId) ?? (offset === 0 ? await begin(call, importId) : undefined)
      if (to === undefined || to.bytes !== offset)
        throw refused('order', 'Parts of the file are missing. Begin the import again.')
      to.busy = true
      to.usedAt = clock.now()
      try {
        await write(to, body)
      } catch (error) {
        await drop(importId)
        throw error
      } finally {
        to.busy = false
      }
    },

    complete: async (call, importId, name) => {
      const one = own(call, importId)
      if (one === undefined) throw refused('order', 'Nothing of this file is here. Begin the import again.')
      one.busy = true
      try {
        await one.file.sync()
        const facts = await withReader(folder.openNew(importId), checkPmtiles)
        const model: MapOut = {
          MapId: importId,
          Name: name,
          Type: facts.type,
          Bounds: [...facts.bounds],
          MinZoom: facts.minZoom,
          MaxZoom: facts.maxZoom,
          Attribution: facts.attribution,
          Bytes: one.bytes,
          Sha256: one.hash.digest('hex'),
          ImportedUtcTime: isoMillis(clock.now()),
          ImportedBy: call.actor.name,
        }
        await folder.describe(importId, JSON.stringify(model))
        await db.transaction((tx) =>
          ledger.append(tx, call, {
            action: 'map.imported',
            object: { type: 'map', id: importId, name },
            bytes: model.Bytes,
            sha256: model.Sha256,
            detail: { bounds: model.Bounds, minZoom: model.MinZoom, maxZoom: model.MaxZoom, type: model.Type },
          }),
        )
        imports.delete(importId)
        await one.file.close()
        await folder.complete(importId)
        await maps.onImported(importId)
        return model
      } catch (error) {
        if (imports.has(importId)) await drop(importId)
        if (error instanceof MapRefused) throw refused(error.refusal, error.message)
        throw error
      }
    },

    cancel: async (call, importId) => {
      if (own(call, importId) !== undefined) await drop(importId)
    },

    forgetIdle: async () => {
      for (const [id, { usedAt, busy }] of imports) if (!busy && clock.now() - usedAt > IDLE) await drop(id)
    },

    stop: async () => {
      for (const id of imports.keys()) await drop(id)
    },
  }
}

async function withReader<T>(opening: Promise<RandomReader>, work: (file: RandomReader) => Promise<T>): Promise<T> {
  const file = await opening
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
