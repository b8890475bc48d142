import { createHash } from 'node:crypto'
import { z } from 'zod'
import { run } from '../run/run.ts'
import { type Volume, type Volumes, type WatchOptions, watchByPolling } from './volumes.ts'

/**
 * Volumes of Windows, from its management tables (Win32_* of CIMv2) in one query. Tested with example outputs only, not on Windows with
 * cameras.
 */
const SCRIPT = `
$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
$usb = Get-PnpDevice -PresentOnly -InstanceId 'USB\\VID_*' -ErrorAction SilentlyContinue | ForEach-Object {
  @{ id = $_.InstanceId; places = @((Get-PnpDeviceProperty -InstanceId $_.InstanceId -KeyName 'DEVPKEY_Device_LocationPaths' -ErrorAction SilentlyContinue).Data) }
}
@{
  system = $env:SystemDrive
  disks = @(Get-CimInstance Win32_DiskDrive | ForEach-Object { @{ index = $_.Index; interface = $_.InterfaceType; media = $_.MediaType; pnp = $_.PNPDeviceID } })
  parts = @(Get-CimInstance Win32_LogicalDiskToPartition | ForEach-Object { @{ part = $_.Antecedent.DeviceID; letter = $_.Dependent.DeviceID } })
  letters = @(Get-CimInstance Win32_LogicalDisk | ForEach-Object { @{ letter = $_.DeviceID; type = $_.DriveType; filesystem = $_.FileSystem; label = $_.VolumeName; serial = $_.VolumeSerialNumber; total = "$($_.Size)"; free = "$($_.FreeSpace)"; access = $_.Access } })
  usb = @($usb)
} | ConvertTo-Json -Depth 5 -Compress
`

const Text = z.string().nullish()
const Number_ = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => (value === null || value === undefined || value === '' ? null : Number(value)))

const Answer = z.object({
  system: Text,
  disks: z.array(z.object({ index: z.number(), interface: Text, media: Text, pnp: Text })),
  parts: z.array(z.object({ part: z.string(), letter: z.string() })),
  letters: z.array(
    z.object({
      letter: z.string(),
      type: z.number().nullish(),
      filesystem: Text,
      label: Text,
      serial: Text,
      total: Number_,
      free: Number_,
      access: z.number().nullish(),
    }),
  ),
  usb: z.array(z.object({ id: z.string(), places: z.array(Text).nullish() })).nullish(),
})
type Disk = z.output<typeof Answer>['disks'][number]
type Letter = z.output<typeof Answer>['letters'][number]

/** DriveType: 2 is removable, 3 a fixed disk (which a USB enclosure is), 4 the network, 5 a disc. */
const REMOVABLE = 2
const FIXED = 3
/** Access 1 is "readable" only; unmounted readers say 0. */
const READABLE = 1

/** @throws Error for anything but the output of the script */
export function parseWindows(json: string, keepOut: readonly string[] = []): Volume[] {
  const answer = Answer.parse(JSON.parse(json))
  const ownLetters = new Set(
    [answer.system, ...keepOut.map((path) => path.slice(0, 2))].map((letter) => letter?.toUpperCase()),
  )
  const diskOf = new Map<string, Disk>()
  for (const { part, letter } of answer.parts) {
    const index = /^Disk #(\d+),/.exec(part)?.[1]
    const disk = answer.disks.find((one) => String(one.index) === index)
    if (disk !== undefined) diskOf.set(letter.toUpperCase(), disk)
  }
  const ownDisks = new Set([...diskOf].filter(([letter]) => ownLetters.has(letter)).map(([, disk]) => disk))
  return answer.letters
    .filter((letter) => isCandidate(letter, diskOf.get(letter.letter.toUpperCase()), ownDisks))
    .map((letter) => volumeOf(letter, diskOf.get(letter.letter.toUpperCase()), answer.usb ?? []))
}

function isCandidate(letter: Letter, disk: Disk | undefined, own: ReadonlySet<Disk>): boolean {
  if (disk !== undefined && own.has(disk)) return false
  // A reader without a card has a letter but no filesystem.
  if (letter.filesystem === null || letter.filesystem === undefined || letter.filesystem === '') return false
  return letter.type === REMOVABLE || (letter.type === FIXED && disk?.interface === 'USB')
}

function volumeOf(
  letter: Letter,
  disk: Disk | undefined,
  devices: readonly { id: string; places?: unknown }[],
): Volume {
  const usb = usbOf(disk, devices)
  const root = `${letter.letter}\\`
  const identity = [letter.letter, letter.serial, disk?.pnp, usb?.busPath]
  return {
    id: createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32),
    root,
    location: Buffer.from(root),
    label: letter.label === '' ? null : (letter.label ?? null),
    filesystem: letter.filesystem ?? '',
    uuid: letter.serial ?? null,
    bytes: letter.total === null || letter.free === null ? null : { total: letter.total, free: letter.free },
    readOnly: letter.access === READABLE,
    usb,
    removable: true,
    device: letter.letter,
  }
}

/**
 * `USBSTOR\DISK&VEN_…&PROD_…\SERIAL&0` is the disk, `USB\VID_0781&PID_5567\SERIAL` the device it is in: they share the middle of their last
 * part. A device that says no serial number gets one with an `&` in second place from Windows: that one is none.
 */
function usbOf(disk: Disk | undefined, devices: readonly { id: string; places?: unknown }[]): Volume['usb'] {
  const name = disk?.pnp?.split('\\').at(-1)?.replace(/&\d+$/, '').toUpperCase()
  if (name === undefined || disk?.interface !== 'USB') return null
  const device = devices.find(({ id }) => {
    const serial = id.split('\\').at(-1)?.toUpperCase() ?? ''
    return serial === name || (name.includes('&') && serial.startsWith(name))
  })
  const ids = /VID_([0-9A-F]{4})&PID_([0-9A-F]{4})/i.exec(device?.id ?? '')
  if (device === undefined || ids === null) return null
  const serial = device.id.split('\\').at(-1) ?? ''
  const places = Array.isArray(device.places) ? device.places : []
  const place: unknown = places[0]
  return {
    vendorId: (ids[1] as string).toLowerCase(),
    productId: (ids[2] as string).toLowerCase(),
    serial: serial[1] === '&' || serial === '' ? null : serial,
    busPath: typeof place === 'string' ? place : device.id,
  }
}

const POWERSHELL = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'

export const askWindows = async (): Promise<string> => {
  const script = Buffer.from(SCRIPT, 'utf16le').toString('base64')
  const { end, stdout, stderr } = await run({
    file: POWERSHELL,
    args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', script],
    timeoutMs: 20_000,
  })
  if (end !== 'ok') throw new Error(`Windows gives no list of disks (${end}): ${stderr.slice(0, 200)}`)
  return stdout.toString('utf8')
}

export function windowsVolumes(
  ask: () => Promise<string> = askWindows,
  { keepOut = [], ...watching }: WatchOptions & { readonly keepOut?: readonly string[] } = {},
): Volumes {
  const list = async (): Promise<Volume[]> => parseWindows(await ask(), keepOut)
  return { list, watch: (onChange, signal) => watchByPolling(list, onChange, signal, watching) }
}
