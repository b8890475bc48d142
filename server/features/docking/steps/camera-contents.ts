import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { FoundFile, FoundFolder, Skipped, WalkEntry } from '../../../platform/files/walk.ts'
import { belowRoot, type Context, type CameraContents, Pulled, volumeOf } from '../session/context.ts'

export const pathKeyOf = (relative: Uint8Array): string => createHash('sha256').update(relative).digest('hex')

/** Reads everything on the volume and identifies the camera; or gives the reason why it is none. */
export async function readCamera(context: Context): Promise<CameraContents | string> {
  const { parts, signal } = context
  const volume = volumeOf(context)
  const entries: (FoundFolder | WalkEntry)[] = []
  for await (const entry of parts.reading.list(volume, { signal })) entries.push(entry)
  const files = entries.filter((entry) => entry.kind === 'file')
  const skipped = entries.filter((entry) => entry.kind === 'skipped')
  // Names that are missing because the card was pulled must not count as lost files.
  if (!(await context.isPresent(volume))) throw new Pulled('The camera was taken out.')
  const camera = await parts.identify({
    volume,
    entries,
    read: (file, most) => parts.reading.readSmall(volume, file, most).catch(() => null),
    pluggedAt: context.pluggedAt,
    now: parts.clock.now,
  })
  signal.throwIfAborted()
  if ('notACamera' in camera) return camera.notACamera
  const keys = new Map<FoundFile | Skipped, string>()
  await eachOf([...files, ...skipped], (entry) => keys.set(entry, pathKeyOf(belowRoot(volume, entry.location))))
  const byKey = new Map<string, FoundFile>()
  await eachOf(files, (file) => byKey.set(keys.get(file) as string, file))
  context.contents = { files, skipped, keys, byKey, camera }
  return context.contents
}

/** The contents as read in this round. @throws where it is no camera any more */
export async function contentsOf(context: Context): Promise<CameraContents> {
  const contents = context.contents ?? (await readCamera(context))
  if (typeof contents === 'string') throw new Error(contents)
  return contents
}

/** An entry that was passed over may contain a recording. One that is foreign by nature, such as a link, does not. */
export const isPassedOver = ({ outcome }: Skipped): boolean => outcome !== 'foreign'

/** After so many entries the event loop gets a turn. */
const BETWEEN_BREATHS = 1_000

export async function eachOf<T>(all: readonly T[], work: (one: T) => unknown): Promise<void> {
  for (let at = 0; at < all.length; at++) {
    work(all[at] as T)
    if (at % BETWEEN_BREATHS === BETWEEN_BREATHS - 1) await breathe()
  }
}
