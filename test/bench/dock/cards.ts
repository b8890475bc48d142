/** Cameras for the dock's benchmark: as folders that are shown by renaming, or as ext4 cards that the kernel reads no faster than asked. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { planCamera } from '../../simulators/plan.ts'
import { type Clips, writeCard } from '../../simulators/card.ts'
import { imagesMissing, writeImage } from '../../simulators/image.ts'

export interface Card {
  readonly name: string
  /** Of recordings. */
  readonly files: number
  readonly bytes: number
  plug(): void
  /** Taken out as a hand takes it: what is on it stays. */
  pull(): void
}

export interface Contents {
  readonly count: number
  readonly files: number
  /** Of each file. */
  readonly bytes: number
  readonly clips: Clips
  readonly seed: string
}

/** No film: two zeros begin no format that the station looks into, so that what is measured is the dock alone. */
export const NOISE: Clips = { mp4: Buffer.alloc(2), avi: Buffer.alloc(2) }

const planned = ({ files, bytes, seed }: Contents, number: number) =>
  planCamera({
    layout: 'manifest',
    number,
    seed,
    recordings: files,
    parts: 1,
    bytes,
    nowMs: Date.now(),
    clockAheadMs: 0,
    faults: [],
  })

/** @param bays where the station looks, on the same filesystem as `aside` */
export async function folderCards(contents: Contents, aside: string, bays: string): Promise<Card[]> {
  mkdirSync(bays, { recursive: true })
  const cards: Card[] = []
  for (let number = 1; number <= contents.count; number++) {
    const card = planned(contents, number)
    const { path: at } = await writeCard(card, aside, contents.clips)
    const shown = path.join(bays, card.name)
    cards.push({
      name: card.name,
      files: contents.files,
      bytes: contents.files * contents.bytes,
      plug: () => renameSync(at, shown),
      pull: () => renameSync(shown, at),
    })
  }
  return cards
}

const BLKIO = '/sys/fs/cgroup/blkio'

/** Why cards cannot be held back here, or null. */
export async function throttleMissing(): Promise<string | null> {
  const images = await imagesMissing('ext4')
  if (images !== null) return images
  return existsSync(`${BLKIO}/blkio.throttle.read_bps_device`)
    ? null
    : 'the kernel’s limit of reading (cgroup v1, blkio) is not there'
}

/** Processes in it read a device no faster than was set for it. */
export interface Throttle {
  limit(device: string, bytesPerSecond: number): void
  /** With all its threads. */
  hold(pid: number): void
  dispose(): void
}

export function openThrottle(name: string): Throttle {
  const group = path.join(BLKIO, name)
  mkdirSync(group, { recursive: true })
  return {
    limit: (device, bytesPerSecond) =>
      writeFileSync(path.join(group, 'blkio.throttle.read_bps_device'), `${device} ${Math.round(bytesPerSecond)}`),
    hold: (pid) => writeFileSync(path.join(group, 'cgroup.procs'), String(pid)),
    // Only once nobody is in it any more.
    dispose: () => rmdirSync(group),
  }
}

export interface SlowCard extends Card {
  /** Half of it cannot be read any more: an error for every sector there. */
  spoil(): void
}

/** @param full so many of them, the last ones, have not one free block */
export async function slowCards(
  contents: Contents & { readonly full: number },
  where: { readonly aside: string; readonly bays: string },
  { throttle, bytesPerSecond }: { throttle: Throttle; bytesPerSecond: number },
): Promise<SlowCard[]> {
  const { aside, bays } = where
  mkdirSync(bays, { recursive: true })
  const cards: SlowCard[] = []
  for (let number = 1; number <= contents.count; number++) {
    const card = planned(contents, number)
    const spare = number > contents.count - contents.full ? 0 : 8 * 2 ** 20
    const image = await writeImage(card, aside, contents.clips, { kind: 'ext4', spare })
    const at = path.join(bays, card.name)
    cards.push({
      name: card.name,
      files: contents.files,
      bytes: contents.files * contents.bytes,
      plug: () => {
        const loop = execFileSync('losetup', ['-f', '--show', image], { encoding: 'utf8' }).trim()
        const device = readFileSync(`/sys/block/${path.basename(loop)}/dev`, 'utf8').trim()
        throttle.limit(device, bytesPerSecond)
        execFileSync('mount', ['-o', 'nosuid,nodev,noexec,X-mount.mkdir', loop, at])
        // Gone with its last user.
        execFileSync('losetup', ['-d', loop])
      },
      pull: () => {
        execFileSync('umount', ['-l', at])
        rmdirSync(at)
      },
      spoil: () => truncateSync(image, Math.floor(Number(execFileSync('stat', ['-c', '%s', image])) / 2)),
    })
  }
  return cards
}
