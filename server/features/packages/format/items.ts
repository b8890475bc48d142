/** What is in a package: `meta/items.csv` and `items.json`, and the list of what is withheld. */
import { csvLine, CSV_MARK } from '../../../../shared/kernel/csv.ts'
import type { ItemKind, PackageVariant } from '../../../../shared/packages/kinds.ts'
import { escapedName, numberOf } from './names.ts'

export interface ItemTimes {
  readonly start: string | null
  readonly end: string | null
}

export interface PackagedItem {
  readonly no: number
  readonly kind: ItemKind
  /** Number of the item that it was made from; null for originals, and where that one is not here. */
  readonly parent: number | null
  /** Below the package. */
  readonly path: string
  readonly evidenceId: string
  readonly resourceId: string
  readonly title: string
  readonly exhibit: string | null
  /** As the file came in. */
  readonly originalName: string
  readonly type: string
  readonly bytes: number
  readonly sha256: string
  /** By the clock of the device, and by true time. */
  readonly recorded: ItemTimes
  readonly corrected: ItemTimes
  /** ISO 8601 duration that was added to the device's time; null where no clock was compared. */
  readonly offset: string | null
  readonly uncertaintyMilliseconds: number | null
  readonly timeSource: string
  readonly device: {
    readonly make: string | null
    readonly model: string | null
    readonly serial: string | null
    readonly firmware: string | null
  }
  readonly officers: readonly string[]
  readonly category: string | null
  readonly redacted: boolean
}

const COLUMNS = [
  'No',
  'Name',
  'OriginalName',
  'Bytes',
  'Sha256',
  'Kind',
  'ParentNo',
  'Title',
  'Exhibit',
  'RecordedStart',
  'RecordedEnd',
  'CorrectedStart',
  'CorrectedEnd',
  'ClockOffset',
  'UncertaintyMs',
  'TimeSource',
  'DeviceMake',
  'DeviceModel',
  'DeviceSerial',
  'DeviceFirmware',
  'Officer',
  'Category',
  'Redacted',
  'Type',
  'EvidenceId',
  'ResourceId',
] as const

export const highestNumber = (items: readonly { readonly no: number }[]): number =>
  items.reduce((most, { no }) => Math.max(most, no), 0)

export function itemsCsv(items: readonly PackagedItem[]): string {
  const highest = highestNumber(items)
  return (
    CSV_MARK +
    [
      csvLine(COLUMNS),
      ...items.map((item) =>
        csvLine([
          numberOf(item.no, highest),
          nameIn(item),
          escapedName(item.originalName),
          item.bytes,
          item.sha256,
          item.kind,
          item.parent === null ? null : numberOf(item.parent, highest),
          escapedName(item.title),
          item.exhibit === null ? null : escapedName(item.exhibit),
          item.recorded.start,
          item.recorded.end,
          item.corrected.start,
          item.corrected.end,
          item.offset,
          item.uncertaintyMilliseconds,
          item.timeSource,
          item.device.make,
          item.device.model,
          item.device.serial,
          item.device.firmware,
          item.officers.join('; '),
          item.category,
          item.redacted ? 'y' : 'n',
          item.type,
          item.evidenceId,
          item.resourceId,
        ]),
      ),
    ].join('')
  )
}

export const itemsJson = (items: readonly PackagedItem[]): string =>
  `[\n${items.map((item) => JSON.stringify({ ...item, originalName: escapedName(item.originalName), title: escapedName(item.title) })).join(',\n')}\n]\n`

/** `data/0000_contents.txt`: for whoever looks into the folder, and so that the list of payload is never empty. */
export function contentsText(items: readonly PackagedItem[]): string {
  const highest = highestNumber(items)
  return [
    `${items.length} ${items.length === 1 ? 'file' : 'files'}. README.html shows them; meta/items.csv has all facts.\n`,
    ...items.map((item) => `${numberOf(item.no, highest)}  ${nameIn(item)}  ${escapedName(item.originalName)}\n`),
  ].join('')
}

export const nameIn = ({ path }: Pick<PackagedItem, 'path'>): string => path.slice('data/'.length)

/** Something that exists and is not in the package. */
export interface WithheldItem {
  readonly no: number
  /** Enough for a prosecutor to decide without looking. */
  readonly description: string
  readonly ground: string
  readonly decidedBy: string
  /** On the schedule of sensitive material: no line of a package for the defence. */
  readonly sensitive: boolean
}

/** The lines of those that this recipient may know of. */
export function withheldCsv(items: readonly WithheldItem[], variant: PackageVariant): string {
  const known = variant === 'defence' ? items.filter(({ sensitive }) => !sensitive) : items
  return (
    CSV_MARK +
    [
      csvLine(['No', 'Description', 'Ground', 'DecidedBy']),
      ...known.map(({ no, description, ground, decidedBy }) =>
        csvLine([no, escapedName(description), escapedName(ground), escapedName(decidedBy)]),
      ),
    ].join('')
  )
}
