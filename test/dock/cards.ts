/** Cards as lists of names, for what needs no disk. */
import type { FoundFile, FoundFolder, WalkEntry } from '../../server/platform/files/walk.ts'
import { displayPath } from '../../server/platform/files/names.ts'
import type { Volume } from '../../server/platform/volumes/volumes.ts'
import { cardOf, type CardListing } from '../../server/features/docking/profiles/card.ts'

export const volume = (more: Partial<Volume> = {}): Volume => ({
  id: '0'.repeat(32),
  root: '/media/card',
  location: Buffer.from('/media/card'),
  label: null,
  filesystem: 'vfat',
  uuid: null,
  bytes: null,
  readOnly: false,
  usb: null,
  removable: true,
  device: '/dev/sdb1',
  ...more,
})

export interface Named {
  readonly path: string | Buffer
  readonly at?: string
  readonly length?: number
}

/** @param files in any order; folders are made of their paths */
export function card(files: readonly (string | Named)[], folders: readonly string[] = []): CardListing {
  const root = Buffer.from('/media/card/')
  const found = files.map((given): FoundFile => {
    const {
      path,
      at = '2026-11-20T12:00:00Z',
      length = 1000,
    }: Named = typeof given === 'string' ? { path: given } : given
    const location = Buffer.concat([root, Buffer.from(path)])
    const shown = displayPath(location)
    return {
      kind: 'file',
      path: shown,
      location,
      name: shown.slice(shown.lastIndexOf('/') + 1),
      length,
      allocated: length,
      modifiedNs: BigInt(Date.parse(at)) * 1_000_000n,
      device: 1n,
      twin: false,
    }
  })
  found.sort((a, b) => Buffer.compare(a.location, b.location))
  const made: FoundFolder[] = folders.map((path) => ({
    kind: 'folder',
    path: `/media/card/${path}`,
    location: Buffer.from(`/media/card/${path}`),
  }))
  return cardOf(volume(), [...made, ...found] satisfies (WalkEntry | FoundFolder)[])
}

export const readFiles = (listing: CardListing, texts: Readonly<Record<string, string>>): Map<string, Buffer> =>
  new Map(
    Object.entries(texts).map(([path, text]) => {
      const file = listing.files.find((one) => one.path === path)
      if (file === undefined) throw new Error(`there is no ${path} on this card`)
      return [file.key, Buffer.from(text)]
    }),
  )
