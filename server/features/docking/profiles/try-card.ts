import type { FoundFile, FoundFolder, WalkEntry } from '../../../platform/files/walk.ts'
import type { VolumeReading } from '../../../platform/volumes/volume-reader.ts'
import type { Volume } from '../../../platform/volumes/volumes.ts'
import { type CardFile, type CardListing, cardOf } from './card.ts'
import {
  type Camera,
  identify,
  MANIFEST_BYTES,
  manifestsIn,
  matches,
  type NotACamera,
  SIDECAR_BYTES,
} from './identify.ts'
import type { Profile } from './profile.ts'
import { type CardContents, clearable, recordingsOf, sidecarsIn } from './recordings.ts'

/** What the profiles find on one card, for the author of a profile. */
export interface CardTrial {
  /** Profiles that match, the one that is taken first; names of others follow in the order in which they would be. */
  readonly matching: readonly Profile[]
  readonly camera: Camera | NotACamera
  /** Null where it is no camera. */
  readonly contents: CardContents | null
  /** Keys of the files that the profile lets the station remove. */
  readonly clearable: ReadonlySet<string>
  /** Entries that the walk left out, each with its reason. */
  readonly skipped: CardListing['skipped']
}

interface Deps {
  readonly reading: Pick<VolumeReading, 'list' | 'readSmall'>
  /** In the order in which they are asked (`profilesFrom`). */
  readonly profiles: readonly Profile[]
  /** For cameras that show local time: an IANA name. */
  readonly timeZone: string
}

/** Reads names, manifests and sidecars, as a docking does, and writes nothing. @throws what the volume throws when it cannot be listed */
export async function tryCard(volume: Volume, { reading, profiles, timeZone }: Deps): Promise<CardTrial> {
  const entries: (FoundFolder | WalkEntry)[] = []
  for await (const entry of reading.list(volume)) entries.push(entry)
  const card = cardOf(volume, entries)
  const read = async (files: readonly CardFile[], most: number): Promise<ReadonlyMap<string, Buffer>> => {
    const texts = new Map<string, Buffer>()
    for (const { key, found } of files) {
      const bytes = await readOrNull(volume, found, most)
      if (bytes !== null) texts.set(key, bytes)
    }
    return texts
  }
  const readOrNull = (from: Volume, file: FoundFile, most: number): Promise<Buffer | null> =>
    reading.readSmall(from, file, most).catch(() => null)

  const camera = identify(profiles, volume, card, await read(manifestsIn(profiles, card), MANIFEST_BYTES))
  const fitting = profiles.filter((profile) => matches(profile, volume, card))
  if ('notACamera' in camera)
    return { matching: fitting, camera, contents: null, clearable: new Set(), skipped: card.skipped }
  const { profile } = camera
  const sidecars = await read(sidecarsIn(profile, card), SIDECAR_BYTES)
  const contents = recordingsOf(camera, card, sidecars, timeZone)
  return {
    matching: [profile, ...fitting.filter(({ id }) => id !== profile.id)],
    camera,
    contents,
    clearable: clearable(profile, contents),
    skipped: card.skipped,
  }
}
