import { z } from 'zod'

/** A block device of `lsblk`, without the tree of devices on it. */
export interface BlockDevice {
  readonly name: string
  /** `/dev/sdb1` */
  readonly path: string
  /** `8:17` */
  readonly number: string
  /** `disk`, `part`, `rom`, `loop`, `crypt` … */
  readonly type: string
  readonly removable: boolean
  readonly readOnly: boolean
  readonly transport: string | null
  readonly filesystem: string | null
  readonly label: string | null
  readonly uuid: string | null
  readonly total: number | null
  readonly free: number | null
  /** Names of all disks below it, including itself when it is one. Several for a device that spans disks. */
  readonly disks: readonly string[]
}

/** Columns by name, since `-O` differs between versions. */
export const COLUMNS = 'KNAME,PATH,MAJ:MIN,TYPE,RM,HOTPLUG,RO,TRAN,FSTYPE,LABEL,UUID,SIZE'
/** Columns that read every mounted filesystem, and wait for one that does not answer. */
export const SPACE_COLUMNS = 'FSSIZE,FSAVAIL'

// Up to util-linux 2.32 everything is text, `0` and `1` included.
const Flag = z.union([z.boolean(), z.enum(['0', '1']).transform((text) => text === '1')]).nullish()
const Count = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).nullish()
const Text = z.string().nullish()

const Row = z.object({
  kname: z.string(),
  path: Text,
  'maj:min': z.string(),
  type: Text,
  rm: Flag,
  hotplug: Flag,
  ro: Flag,
  tran: Text,
  fstype: Text,
  label: Text,
  uuid: Text,
  size: Count,
  fssize: Count,
  fsavail: Count,
  get children() {
    return z.array(Row).nullish()
  },
})
type Row = z.output<typeof Row>

const Answer = z.object({ blockdevices: z.array(Row) })

/** @throws Error for anything but the output of `lsblk -J -b -o …` */
export function parseLsblk(json: string): BlockDevice[] {
  const found = new Map<string, BlockDevice>()
  const take = (row: Row, above: Inherited): void => {
    const isDisk = above.disks.length === 0
    const here: Inherited = {
      disks: isDisk ? [row.kname] : above.disks,
      // A partition of a card reader has `rm: false` in some versions, and never has a transport of its own.
      removable: above.removable || row.rm === true || row.hotplug === true || row.tran === 'usb',
      transport: row.tran ?? above.transport,
      readOnly: above.readOnly || row.ro === true,
    }
    const before = found.get(row.kname)
    // A device that spans disks is listed under each of them.
    const disks = [...new Set([...(before?.disks ?? []), ...here.disks])]
    found.set(row.kname, {
      name: row.kname,
      path: row.path ?? `/dev/${row.kname}`,
      number: row['maj:min'].trim(),
      type: row.type ?? '',
      removable: here.removable,
      readOnly: here.readOnly,
      transport: here.transport,
      filesystem: row.fstype ?? null,
      label: row.label ?? null,
      uuid: row.uuid ?? null,
      total: row.fssize ?? row.size ?? null,
      free: row.fsavail ?? null,
      disks,
    })
    for (const child of row.children ?? []) take(child, here)
  }
  const nothing: Inherited = { disks: [], removable: false, transport: null, readOnly: false }
  for (const row of Answer.parse(JSON.parse(json)).blockdevices) take(row, nothing)
  return [...found.values()]
}

interface Inherited {
  readonly disks: readonly string[]
  readonly removable: boolean
  readonly transport: string | null
  readonly readOnly: boolean
}
