/**
 * Street maps of regions, in the station's folder: they are no evidence, so neither blobs nor backups know of them. Which of them there are
 * is what the ledger says of the folders that are there: an entry and the name of a folder cannot change in one step, so a start
 * settles what an unclean end left between.
 */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { z } from 'zod'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import {
  type findMapPlaces,
  MAP_PART_BYTES,
  type MapModel,
  type MapRefusal,
  MOST_MAP_BYTES,
  MOST_PLACES,
} from '../../../shared/maps/contract.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { MapFolder, NewMapFile, RandomReader } from '../../platform/maps/map-folder.ts'
import { lastActOn } from './maps.store.ts'
import {
  type FindableNames,
  findableNames,
  type NamesReading,
  readNames,
  readWrittenNames,
  writeNames,
} from './names.ts'
import { checkPmtiles, type MapReader, MapRefused, openPmtiles, type Tile } from './pmtiles.ts'

export type MapOut = z.input<typeof MapModel>

type PlacesOut = z.input<(typeof findMapPlaces)['responses'][200]>

interface KeptMap {
  readonly model: MapOut
  readonly file: RandomReader
  readonly reader: MapReader
  /** Null until they are read. */
  names: FindableNames | null
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
/** Milliseconds of each second that reading names may take from a processor. */
const READ_FOR = 300

const gunzipped = promisify(gunzip)
const unzip = (bytes: Buffer, most: number): Promise<Buffer> => gunzipped(bytes, { maxOutputLength: most })

type Needs = Pick<Kernel, 'db' | 'ledger' | 'clock' | 'log' | 'mode'>

export interface Maps {
  list(): MapOut[]
  tile(mapId: string, z: number, x: number, y: number): Promise<{ readonly map: MapOut; readonly tile: Tile | null }>
  /** By name; of the maps whose names are read. */
  places(name: string): PlacesOut
  /** Goes on reading names for a moment. */
  readOn(): Promise<void>
  put(call: HttpCall, importId: string, offset: number, body: Readable): Promise<void>
  complete(call: HttpCall, importId: string, name: string): Promise<MapOut>
  cancel(call: HttpCall, importId: string): Promise<void>
  remove(call: HttpCall, mapId: string): Promise<MapOut>
  catchUp(): Promise<void>
  forgetIdle(): Promise<void>
  stop(): Promise<void>
}

const refused = (refusal: MapRefusal, message: string): Fault =>
  fault('MapImportRefused', message, [{ Path: refusal, Message: message }])

export function createMaps({ db, ledger, clock, log, mode }: Needs, folder: MapFolder): Maps {
  const kept = new Map<string, KeptMap>()
  const imports = new Map<string, Import>()

  const requireMap = (mapId: string): KeptMap => {
    const map = kept.get(mapId)
    if (map === undefined) throw fault('MapNotFound', 'There is no such map.')
    return map
  }

  const load = async (id: string): Promise<void> => {
    const model = JSON.parse(await folder.facts(id)) as MapOut
    const file = await folder.open(id)
    try {
      kept.set(id, { model, file, reader: await openPmtiles(file), names: await keptNames(id, model) })
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Pictures have no names that could be read. */
  const keptNames = async (id: string, { Type }: MapOut): Promise<FindableNames | null> => {
    const text = Type === 'mvt' ? await folder.names(id) : '{}'
    const labels = Type === 'mvt' ? (text === null ? null : readWrittenNames(text)) : []
    return labels === null ? null : findableNames(labels)
  }

  let reading: { readonly id: string; readonly names: NamesReading } | null = null

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
    if (kept.has(importId)) throw refused('order', 'A map has this id already.')
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
    list: () => [...kept.values()].map(({ model }) => model).sort((one, other) => one.Name.localeCompare(other.Name)),

    tile: async (mapId, z, x, y) => {
      const { model, reader } = requireMap(mapId)
      return { map: model, tile: await reader.tile(z, x, y) }
    },

    places: (name) => {
      const maps = [...kept.values()]
      const read = maps.filter(({ names }) => names !== null)
      const found = read.flatMap(({ model, names }) =>
        (names?.find(name, MOST_PLACES) ?? []).map(({ label, town }) => ({
          Name: label.name,
          Kind: label.kind,
          Town: town,
          Latitude: label.latitude,
          Longitude: label.longitude,
          Map: model.Name,
        })),
      )
      return { Places: found.slice(0, MOST_PLACES), Maps: read.length, Reading: maps.length - read.length }
    },

    readOn: async () => {
      const [next] = [...kept].filter(([, { names }]) => names === null)
      if (next === undefined) return
      const [id, map] = next
      if (reading?.id !== id) reading = { id, names: readNames(map.reader.facts, map.reader, unzip) }
      const labels = await reading.names.readFor(READ_FOR)
      if (labels === null) return
      reading = null
      map.names = findableNames(labels)
      if (kept.has(id)) await folder.keepNames(id, writeNames(labels))
    },

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
        await load(importId)
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

    remove: async (call, mapId) => {
      const { model, file } = requireMap(mapId)
      await db.transaction((tx) =>
        ledger.append(tx, call, {
          action: 'map.removed',
          object: { type: 'map', id: mapId, name: model.Name },
          bytes: model.Bytes,
          sha256: model.Sha256,
        }),
      )
      kept.delete(mapId)
      await file.close()
      await folder.remove(mapId)
      return model
    },

    catchUp: async () => {
      for (const { id, state } of await folder.list()) {
        const act = await lastActOn(db.read, id)
        if (state === 'gone' || act === 'map.removed') await folder.remove(id)
        else if (state === 'new' && act === null) await folder.discard(id)
        else if (state === 'new') await folder.complete(id)
      }
      for (const { id, state } of await folder.list())
        if (state === 'complete')
          await load(id).catch((error: unknown) => log.error({ map: id, err: error }, 'a street map cannot be read'))
    },

    forgetIdle: async () => {
      for (const [id, { usedAt, busy }] of imports) if (!busy && clock.now() - usedAt > IDLE) await drop(id)
    },

    stop: async () => {
      for (const id of imports.keys()) await drop(id)
      for (const { file } of kept.values()) await file.close().catch(() => undefined)
      kept.clear()
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
