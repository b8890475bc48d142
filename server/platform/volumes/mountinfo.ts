import { isUtf8 } from 'node:buffer'
import { displayPath } from '../files/names.ts'

/** A line of `/proc/self/mountinfo` (proc(5)). */
export interface Mount {
  /** `8:17` */
  readonly number: string
  /** The mounted folder within the filesystem: not `/` for a bind mount. */
  readonly root: string
  readonly location: Buffer
  readonly path: string
  readonly readOnly: boolean
  readonly filesystem: string
  /** The mounted device: `/dev/sdb1` */
  readonly source: string
}

/** @param bytes the file as bytes, since mount points may not be UTF-8 */
export function parseMountinfo(bytes: Buffer): Mount[] {
  const mounts: Mount[] = []
  for (const line of bytes.toString('latin1').split('\n')) {
    const fields = line.split(' ')
    // The number of optional fields varies; a single dash ends them.
    const dash = fields.indexOf('-', 6)
    const [, , number, root, point, options] = fields
    const [filesystem, source, own] = dash === -1 ? [] : fields.slice(dash + 1)
    if (number === undefined || root === undefined || point === undefined || options === undefined) continue
    if (filesystem === undefined || source === undefined) continue
    const location = unescaped(point)
    mounts.push({
      number,
      root: text(unescaped(root)),
      location,
      path: displayPath(location),
      readOnly: isReadOnly(options) || isReadOnly(own ?? ''),
      filesystem,
      source: text(unescaped(source)),
    })
  }
  return mounts
}

const isReadOnly = (options: string): boolean => options.split(',').includes('ro')

/** The kernel writes blanks, tabs, line ends and backslashes as octal escapes such as `\040`. */
const unescaped = (field: string): Buffer =>
  Buffer.from(
    field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8) & 0xff)),
    'latin1',
  )

const text = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString('utf8') : displayPath(bytes))
