/** What a self-validation says about the machine: host, system, processor, runtime, and the disks below folders. */
import { stat } from 'node:fs/promises'
import { arch, cpus, hostname, release, totalmem, type as systemType, version } from 'node:os'
import { z } from 'zod'
import { run } from '../run/run.ts'

export interface MachineFacts {
  readonly host: string
  readonly system: string
  readonly architecture: string
  readonly processor: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
}

export const machineFacts = (): MachineFacts => ({
  host: hostname(),
  system: `${systemType()} ${release()} ${version()}`,
  architecture: arch(),
  processor: cpus()[0]?.model.trim() ?? UNKNOWN,
  cores: cpus().length,
  memoryBytes: totalmem(),
  node: process.version,
})

/** A disk, and `unknown` for what the machine does not say. */
export interface Disk {
  readonly device: string
  readonly model: string
  readonly serial: string
}

const UNKNOWN = 'unknown'
const LSBLK = '/usr/bin/lsblk'

const Text = z.string().nullish()
const Row = z.object({
  name: z.string(),
  type: Text,
  model: Text,
  serial: Text,
  get children() {
    return z.array(Row).nullish()
  },
})
type Row = z.output<typeof Row>

/** The disks that a folder lies on, below partitions, encryption and volumes that span disks. Never rejects; one unknown disk where nothing says. */
export async function disksBelow(folder: string): Promise<Disk[]> {
  try {
    const { dev } = await stat(folder)
    const { end, stdout } = await run({
      file: LSBLK,
      args: ['--inverse', '--json', '--output', 'NAME,TYPE,MODEL,SERIAL', `/dev/block/${major(dev)}:${minor(dev)}`],
      timeoutMs: 5000,
    })
    const found = end === 'ok' ? parseDisks(stdout.toString('utf8')) : []
    if (found.length > 0) return found
  } catch {
    // Another system, a folder of the network or of a container.
  }
  return [{ device: UNKNOWN, model: UNKNOWN, serial: UNKNOWN }]
}

/** The lowest devices of the tree. @throws Error for anything but the output of `lsblk --inverse --json` */
export function parseDisks(json: string): Disk[] {
  const { blockdevices } = z.object({ blockdevices: z.array(Row) }).parse(JSON.parse(json))
  const lowest = (row: Row): Row[] =>
    (row.children ?? []).length === 0 ? [row] : (row.children as Row[]).flatMap(lowest)
  const found = new Map(blockdevices.flatMap(lowest).map((row) => [row.name, row]))
  return [...found.values()].map(({ name, model, serial }) => ({
    device: `/dev/${name}`,
    model: told(model),
    serial: told(serial),
  }))
}

const told = (text: string | null | undefined): string => (text ?? '').trim() || UNKNOWN

/** As makedev of Linux. */
const major = (device: number): number =>
  Number(((BigInt(device) >> 8n) & 0xfffn) | ((BigInt(device) >> 32n) & 0xfffff000n))
const minor = (device: number): number => Number((BigInt(device) & 0xffn) | ((BigInt(device) >> 12n) & 0xffffff00n))
