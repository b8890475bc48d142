import { createHash } from 'node:crypto'
import { z } from 'zod'
import { run } from '../run/run.ts'
import { type Volume, type Volumes, type WatchOptions, watchByPolling } from './volumes.ts'

/**
 * Volumes of macOS, from `system_profiler -json SPUSBDataType SPCardReaderDataType`. Tested with example outputs only, not on a Mac with
 * cameras.
 */
const Text = z.string().nullish()
const Size = z.number().nullish()

const MediaVolume = z.object({
  _name: Text,
  bsd_name: Text,
  mount_point: Text,
  file_system: Text,
  size_in_bytes: Size,
  free_space_in_bytes: Size,
  volume_uuid: Text,
  writable: Text,
})

const Media = z.object({
  ...MediaVolume.shape,
  volumes: z.array(MediaVolume).nullish(),
})

const Item = z.object({
  vendor_id: Text,
  product_id: Text,
  serial_num: Text,
  location_id: Text,
  Media: z.array(Media).nullish(),
  get _items() {
    return z.array(Item).nullish()
  },
})
type Item = z.output<typeof Item>

const Answer = z.object({
  SPUSBDataType: z.array(Item).nullish(),
  SPCardReaderDataType: z.array(Item).nullish(),
})

/** @throws Error for anything but the output of `system_profiler` */
export function parseMacos(json: string, keepOut: readonly string[] = []): Volume[] {
  const answer = Answer.parse(JSON.parse(json))
  const found: Volume[] = []
  const take = (item: Item): void => {
    const usb = usbOf(item)
    for (const media of item.Media ?? []) {
      // A card without a partition table is mounted whole.
      for (const volume of [media, ...(media.volumes ?? [])]) {
        const made = volumeOf(volume, usb)
        if (made !== null) found.push(made)
      }
    }
    for (const child of item._items ?? []) take(child)
  }
  for (const item of [...(answer.SPUSBDataType ?? []), ...(answer.SPCardReaderDataType ?? [])]) take(item)
  const isOwn = ({ root }: Volume): boolean =>
    root === '/' || root.startsWith('/System/') || keepOut.some((path) => path === root || path.startsWith(`${root}/`))
  const ownDisks = new Set(found.filter(isOwn).map(({ device }) => diskOf(device)))
  return found.filter((volume) => !ownDisks.has(diskOf(volume.device)))
}

/** `disk4s1` is a part of `disk4`. */
const diskOf = (device: string): string => /^disk\d+/.exec(device)?.[0] ?? device

function volumeOf(volume: z.output<typeof MediaVolume>, usb: Volume['usb']): Volume | null {
  const root = volume.mount_point
  const device = volume.bsd_name
  if (root === null || root === undefined || root === '' || device === null || device === undefined) return null
  const { size_in_bytes: total, free_space_in_bytes: free } = volume
  const identity = [root, device, volume.volume_uuid, usb?.busPath, usb?.serial]
  return {
    id: createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32),
    root,
    location: Buffer.from(root),
    label: volume._name ?? null,
    filesystem: volume.file_system ?? '',
    uuid: volume.volume_uuid ?? null,
    bytes: typeof total === 'number' && typeof free === 'number' ? { total, free } : null,
    readOnly: volume.writable === 'no',
    usb,
    removable: true,
    device,
  }
}

/** `vendor_id` is like `0x0781  (SanDisk Corporation)`, or a word for Apple. `location_id` is like `0x14200000 / 7`; its first part is the port. */
function usbOf(item: Item): Volume['usb'] {
  const hex = (text: string | null | undefined): string | null =>
    /^0x([0-9a-f]{4})\b/i.exec(text ?? '')?.[1]?.toLowerCase() ?? null
  const vendorId = item.vendor_id === 'apple_vendor_id' ? '05ac' : hex(item.vendor_id)
  const productId = hex(item.product_id)
  const place = /^0x([0-9a-f]{8})/i.exec(item.location_id ?? '')?.[1]
  if (vendorId === null || productId === null || place === undefined) return null
  return { vendorId, productId, serial: item.serial_num ?? null, busPath: place.toLowerCase() }
}

export const askMacos = async (): Promise<string> => {
  const { end, stdout, stderr } = await run({
    file: '/usr/sbin/system_profiler',
    args: ['-json', 'SPUSBDataType', 'SPCardReaderDataType'],
    timeoutMs: 20_000,
    maxStdout: 8 * 1024 * 1024,
  })
  if (end !== 'ok') throw new Error(`macOS gives no list of disks (${end}): ${stderr.slice(0, 200)}`)
  return stdout.toString('utf8')
}

export function macosVolumes(
  ask: () => Promise<string> = askMacos,
  { keepOut = [], ...watching }: WatchOptions & { readonly keepOut?: readonly string[] } = {},
): Volumes {
  const list = async (): Promise<Volume[]> => parseMacos(await ask(), keepOut)
  return { list, watch: (onChange, signal) => watchByPolling(list, onChange, signal, watching) }
}
