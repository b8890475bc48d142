/**
 * Street maps of regions, in the station's folder: they are no evidence, so neither blobs nor backups know of them. Which of them there are
 * is what the ledger says of the folders that are there: an entry and the name of a folder cannot change in one step, so a start
 * settles what an unclean end left between.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import { type findMapPlaces, MOST_PLACES } from '../../../shared/maps/contract.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { MapFolder, RandomReader } from '../../platform/maps/map-folder.ts'
import { createMapImports, type MapImports, type MapOut } from './map-imports.ts'
import { lastActOn } from './maps.store.ts'
import {
  type FindableNames,
  findableNames,
  type NamesReading,
  readNames,
  readWrittenNames,
  writeNames,
} from './names.ts'
import { type MapReader, openPmtiles, type Tile } from './pmtiles.ts'

type PlacesOut = z.input<(typeof findMapPlaces)['responses'][200]>

interface KeptMap {
  readonly model: MapOut
  readonly file: RandomReader
  readonly reader: MapReader
  /** Null until they are read. */
  names: FindableNames | null
}

/** Milliseconds of each second that reading names may take from a processor. */
const READ_FOR = 300

const gunzipped = promisify(gunzip)
const unzip = (bytes: Buffer, most: number): Promise<Buffer> => gunzipped(bytes, { maxOutputLength: most })

type Needs = Pick<Kernel, 'db' | 'ledger' | 'clock' | 'log' | 'mode'>

export interface Maps extends Omit<MapImports, 'stop'> {
  list(): MapOut[]
  tile(mapId: string, z: number, x: number, y: number): Promise<{ readonly map: MapOut; readonly tile: Tile | null }>
  /** By name; of the maps whose names are read. */
  places(name: string): PlacesOut
  /** Goes on reading names for a moment. */
  readOn(): Promise<void>
  remove(call: HttpCall, mapId: string): Promise<MapOut>
  catchUp(): Promise<void>
  stop(): Promise<void>
}

export function createMaps({ db, ledger, clock, log, mode }: Needs, folder: MapFolder): Maps {
  const kept = new Map<string, KeptMap>()

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

  const imports = createMapImports({ db, ledger, clock, mode }, folder, {
    isKept: (id) => kept.has(id),
    onImported: load,
  })

  return {
    ...imports,
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

    stop: async () => {
      await imports.stop()
      for (const { file } of kept.values()) await file.close().catch(() => undefined)
      kept.clear()
    },
  }
}
