/** What goes into a package: numbers, names and facts of its items, and where their bytes are. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { PackagePart, WhyLeftOut } from '../../../shared/packages/kinds.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import { parseDuration, shifted } from '../../../shared/kernel/durations.ts'
import { isExhibitField } from '../../../shared/templates/exhibit-field.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { officersOf } from '../../kernel/evidence/attribution.store.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'
import { evidenceRows } from '../../kernel/evidence/list-rows.store.ts'
import type { Device } from '../../kernel/evidence/model.ts'
import { factsOf, isPreview } from '../../kernel/evidence/played.ts'
import type { EvidenceRow, ResourceRow } from '../../kernel/evidence/records.store.ts'
import type { ItemKind } from '../../../shared/packages/kinds.ts'
import type { PackagedItem } from './format/items.ts'
import { copyName, packagedName } from './format/names.ts'
import { categoryNames, filesOf, forwardedAmong, peopleNames } from './packages.store.ts'
import type { AlreadyGiven } from './supplement.ts'

/** Evidence that is asked for and has no bytes that could leave. */
export interface LeftOut {
  readonly evidenceId: number
  readonly title: string
  /** `forwarded`: its bytes are at headquarters only, and have to be fetched back first. `restricted`: it may not leave. */
  readonly why: WhyLeftOut
}

export interface Collected {
  readonly items: readonly PackagedItem[]
  readonly leftOut: readonly LeftOut[]
}

/** Evidence whose rows are in memory at once. */
const AT_ONCE = 200

/**
 * @param ids in the order of the numbers that their files get
 * @param given files that stay out, since an earlier package has them; null where there is none
 */
export async function collectItems(
  from: Tx,
  ids: readonly number[],
  parts: ReadonlySet<PackagePart>,
  given: AlreadyGiven | null = null,
): Promise<Collected> {
  const items: PackagedItem[] = []
  const leftOut: LeftOut[] = []
  const numbered: Numbered[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    // Thousands take a fifth of a second, and others of the station wait meanwhile.
    if (at > 0) await breathe()
    const some = ids.slice(at, at + AT_ONCE)
    const facts = await factsOfEvidence(from, some)
    const rows = await filesOf(from, some)
    const away = await forwardedAmong(
      from,
      rows.map((row) => row.sha256 as string),
    )
    const files = Map.groupBy(rows, (row) => row.evidence_id)
    for (const id of some) {
      const fact = facts.get(id)
      if (fact === undefined) continue
      const chosen = chosenFiles(files.get(id) ?? [], parts)
      if (fact.row.lifecycle_state === 'Deleted' || fact.row.lifecycle_state === 'Destroyed')
        leftOut.push({ evidenceId: id, title: fact.row.name, why: 'deleted' })
      else if (chosen.length === 0) leftOut.push({ evidenceId: id, title: fact.row.name, why: 'incomplete' })
      else if (chosen.some((file) => away.has(file.row.sha256 as string)))
        leftOut.push({ evidenceId: id, title: fact.row.name, why: 'forwarded' })
      else numbered.push(...chosen.map((file) => ({ ...file, fact })))
    }
  }
  const added = numbered.filter(({ row }) => given?.has(row.resource_id, row.sha256 as string) !== true)
  const numbers = new Map(given?.numbers ?? [])
  let highest = given?.highest ?? 0
  for (const { row, kind } of added) if (kind !== 'copy') numbers.set(row.resource_id, ++highest)
  for (const one of added) items.push(itemOf(one, { numbers, highest }))
  return { items, leftOut }
}

interface Chosen {
  readonly row: ResourceRow
  readonly kind: ItemKind
  /** What it was made from. */
  readonly original: ResourceRow | null
}
interface Numbered extends Chosen {
  readonly fact: EvidenceFact
}

/** Each original, behind it its copy to play, then what was taken from it. */
function chosenFiles(rows: readonly ResourceRow[], parts: ReadonlySet<PackagePart>): Chosen[] {
  const originals = rows.filter(({ role }) => role === 'original')
  return originals.flatMap((original) => {
    const children = rows.filter((row) => row.parent_id === original.resource_id)
    const taken = children.flatMap((row): Chosen[] => {
      const kind = takenKind(row)
      return kind !== null && parts.has(kind === 'clip' ? 'clips' : 'stills') ? [{ row, kind, original }] : []
    })
    const copy = parts.has('copies') ? copyOf(original, children) : undefined
    return [
      { row: original, kind: 'original', original: null },
      ...(copy === undefined || copy.sha256 === original.sha256
        ? []
        : [{ row: copy, kind: 'copy', original } as const]),
      ...taken,
    ]
  })
}

function takenKind(row: ResourceRow): 'clip' | 'still' | null {
  const { Clip, Still, Crop } = factsOf(row)
  if (Clip !== undefined) return 'clip'
  return Still !== undefined || Crop !== undefined ? 'still' : null
}

/** What a browser shows of an original that it cannot show by itself. */
const copyOf = (original: ResourceRow, children: readonly ResourceRow[]): ResourceRow | undefined =>
  children.find(({ role }) => role === 'playable') ??
  (SHOWN_AS_IT_IS.has(original.sniffed_type ?? '')
    ? undefined
    : children.find((row) => isPreview(row, 'audio') || isPreview(row, 'image')))

function itemOf(
  { row, kind, original, fact }: Numbered,
  { numbers, highest }: { readonly numbers: ReadonlyMap<number, number>; readonly highest: number },
): PackagedItem {
  const parent = original === null ? null : (numbers.get(original.resource_id) ?? null)
  const no = kind === 'copy' ? (parent as number) : (numbers.get(row.resource_id) as number)
  const name =
    kind === 'copy'
      ? copyName(no, highest, (original ?? row).name, endingOf(row.mime_type))
      : packagedName(no, highest, nameOf(row))
  return {
    no,
    kind,
    parent,
    path: `data/${name}`,
    evidenceId: String(fact.row.evidence_id),
    resourceId: String(row.resource_id),
    title: fact.row.name,
    exhibit: fact.exhibit,
    originalName: row.name,
    type: row.sniffed_type ?? row.mime_type,
    bytes: row.length ?? 0,
    sha256: row.sha256 as string,
    ...timesOf(row, original, fact.clock),
    device: fact.device,
    officers: fact.officers,
    category: fact.category,
    redacted: false,
  }
}

/** Files whose previews are only smaller. */
const SHOWN_AS_IT_IS = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'audio/mpeg',
  'audio/mp4',
  'audio/wav',
])

/** Names of derived files end as their type does. */
const ENDINGS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
}
const endingOf = (type: string): string => ENDINGS[type] ?? 'bin'

function nameOf(row: ResourceRow): string {
  return /\.[A-Za-z0-9]{1,10}$/.test(row.name) || row.role === 'original'
    ? row.name
    : `${row.name}.${endingOf(row.mime_type)}`
}

/** Times of the file itself where it has its own, else of the recording. The same offset lies between both clocks. */
function timesOf(row: ResourceRow, original: ResourceRow | null, clock: RecordedTime) {
  const own = row.start_utc !== null ? row : (original ?? row)
  const start = own.start_utc ?? clock.recorded
  return {
    recorded: { start, end: own.end_utc },
    corrected: {
      start: own.start_utc === null ? clock.corrected : correctedBy(own.start_utc, clock),
      end: correctedBy(own.end_utc, clock),
    },
    offset: clock.offset,
    uncertaintyMilliseconds: clock.uncertaintyMilliseconds ?? null,
    timeSource: clock.source,
  }
}

function correctedBy(text: string | null, { offset }: RecordedTime): string | null {
  const time = text === null ? null : parseTime(text, { utcMember: true })
  const duration = offset === null ? null : parseDuration(offset)
  if (time === null) return null
  return duration === null ? time.text : (shifted(time, duration)?.text ?? null)
}

interface EvidenceFact {
  readonly row: EvidenceRow
  readonly clock: RecordedTime
  readonly officers: readonly string[]
  readonly category: string | null
  readonly exhibit: string | null
  readonly device: PackagedItem['device']
}

async function factsOfEvidence(from: Tx, ids: readonly number[]): Promise<Map<number, EvidenceFact>> {
  const rows = await evidenceRows(from, ids)
  const clocks = await clocksOf(from, ids)
  const categories = await categoryNames(
    from,
    rows.flatMap((row) => row.category_id ?? []),
  )
  const officers = Map.groupBy(
    (await officersOf(from, ids)).filter(({ waits }) => waits === 0),
    (one) => one.evidence_id,
  )
  const people = await peopleNames(from, new Set([...officers.values()].flat().map((one) => one.principal_id)))
  return new Map(
    rows.map((row) => [
      row.evidence_id,
      {
        row,
        clock: clocks.get(row.evidence_id) as RecordedTime,
        officers: (officers.get(row.evidence_id) ?? []).flatMap((one) => people.get(one.principal_id) ?? []),
        category:
          row.category_id === null ? null : (categories.get(String(row.category_id)) ?? String(row.category_id)),
        exhibit: exhibitOf(row),
        device: deviceOf(row),
      },
    ]),
  )
}

function exhibitOf({ custom_fields }: EvidenceRow): string | null {
  const fields = JSON.parse(custom_fields) as Readonly<Record<string, unknown>>
  const found = Object.entries(fields).find(
    ([name, value]) => isExhibitField(name) && typeof value === 'string' && value !== '',
  )
  return found === undefined ? null : String(found[1])
}

function deviceOf({ device }: EvidenceRow): PackagedItem['device'] {
  const {
    Manufacturer = null,
    Model = null,
    SerialNumber = null,
  } = (device === null ? {} : JSON.parse(device)) as Partial<Device>
  return { make: Manufacturer, model: Model, serial: SerialNumber, firmware: null }
}
