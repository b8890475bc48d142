import type { z } from 'zod'
import type { BoardTally, CallsBoardModel } from '../../../shared/calls-board/contract.ts'
import type { OfficerRow } from './board.store.ts'
import type { Board, NumberGap, Pair } from './board.ts'
import type { Column } from '../../http/exports.ts'
import { isoMillis } from '../../platform/clock/clock.ts'

export type BoardOut = z.input<typeof CallsBoardModel>
export type TallyOut = z.input<typeof BoardTally>
type RowOut = BoardOut['Rows'][number]
type CallOut = BoardOut['Calls'][number]

const SECOND = 1000
const isoOrNull = (millis: number | null): string | null => (millis === null ? null : isoMillis(millis))

export const officerModel = (row: OfficerRow): RowOut['Officer'] => ({
  PrincipalId: String(row.principal_id),
  Username: row.name,
  FirstName: row.first_name,
  LastName: row.last_name,
  Badge: row.badge,
})

export const callModel = (call: Pair['call'], officers: number): CallOut => ({
  CaseId: String(call.case_id),
  Number: call.event_id,
  Title: call.title,
  FromUtc: isoMillis(call.from_ms),
  ToUtc: isoOrNull(call.to_ms),
  Officers: officers,
})

export const footageModel = ({ sent, footage }: Pair) => ({
  FromUtc: isoMillis(sent.from),
  ToUtc: isoOrNull(sent.to),
  State: footage.state,
  Reason: footage.reason,
  DispatchedSeconds: footage.dispatched / SECOND,
  CoveredSeconds: footage.covered / SECOND,
  Recorded: footage.recorded.map(({ from, to }) => ({ FromUtc: isoMillis(from), ToUtc: isoMillis(to) })),
})

export function tallyOf(pairs: readonly Pair[]): TallyOut {
  const tally = { Covered: 0, Partly: 0, None: 0, NotDocked: 0, CameraFailed: 0 }
  let [dispatched, covered] = [0, 0]
  for (const { footage } of pairs) {
    tally[footage.state]++
    dispatched += footage.dispatched
    covered += footage.covered
  }
  return { ...tally, DispatchedSeconds: dispatched / SECOND, CoveredSeconds: covered / SECOND }
}

export const addedTallies = (one: TallyOut, other: TallyOut): TallyOut => ({
  Covered: one.Covered + other.Covered,
  Partly: one.Partly + other.Partly,
  None: one.None + other.None,
  NotDocked: one.NotDocked + other.NotDocked,
  CameraFailed: one.CameraFailed + other.CameraFailed,
  DispatchedSeconds: one.DispatchedSeconds + other.DispatchedSeconds,
  CoveredSeconds: one.CoveredSeconds + other.CoveredSeconds,
})

const gapModel = (gap: NumberGap): RowOut['Gaps'][number] => ({
  PrincipalId: String(gap.principalId),
  Camera: gap.camera,
  Missing: [...gap.missing],
  FromUtc: isoMillis(gap.from),
  ToUtc: isoMillis(gap.to),
  BeforeEvidenceId: String(gap.before),
  AfterEvidenceId: String(gap.after),
  Sure: gap.sure,
})

const nameOf = ({ last_name: last, first_name: first, name }: OfficerRow): string => `${last} ${first} ${name}`

/** By unit, those without one last, then by name. An officer's gaps stand in the first of their rows. */
export function rowsOf(pairs: readonly Pair[], gaps: readonly NumberGap[]): RowOut[] {
  const groups = Map.groupBy(pairs, ({ sent, officer }) => JSON.stringify([sent.unit, officer.principal_id]))
  const sorted = [...groups.values()].sort((one, other) => {
    const [a, b] = [one[0] as Pair, other[0] as Pair]
    if ((a.sent.unit === '') !== (b.sent.unit === '')) return a.sent.unit === '' ? 1 : -1
    return (
      a.sent.unit.localeCompare(b.sent.unit, 'en', { numeric: true }) ||
      nameOf(a.officer).localeCompare(nameOf(b.officer), 'en') ||
      a.officer.principal_id - b.officer.principal_id
    )
  })
  const named = new Set<number>()
  return sorted.map((own) => {
    const { sent, officer } = own[0] as Pair
    const first = !named.has(officer.principal_id)
    named.add(officer.principal_id)
    return {
      Unit: sent.unit,
      Officer: officerModel(officer),
      Cameras: [...new Set(own.flatMap(({ cameras }) => cameras.map(({ name }) => name)))],
      Items: own
        .toSorted((a, b) => a.sent.from - b.sent.from || a.call.case_id - b.call.case_id)
        .map((pair) => ({ CaseId: String(pair.call.case_id), ...footageModel(pair) })),
      Gaps: first ? gaps.filter((gap) => gap.principalId === officer.principal_id).map(gapModel) : [],
    }
  })
}

/** A line of the file: a call and an officer, or numbers that are missing. */
export interface BoardLine {
  readonly Kind: 'Call' | 'MissingNumbers'
  readonly Date: string
  readonly Unit: string
  readonly Officer: string
  readonly Username: string
  readonly Badge: string
  readonly CallNumber: string
  readonly CaseId: string
  readonly Title: string
  readonly FromUtc: string
  readonly ToUtc: string | null
  readonly State: string
  readonly Reason: string
  readonly DispatchedSeconds: number | null
  readonly CoveredSeconds: number | null
  readonly Cameras: readonly string[]
  readonly Missing: readonly string[]
}

const whole = ({ first_name: first, last_name: last }: OfficerRow): string => `${first} ${last}`.trim()

export function linesOf(date: string, { pairs, gaps }: Pick<Board, 'pairs' | 'gaps'>): BoardLine[] {
  const people = new Map(pairs.map(({ officer }) => [officer.principal_id, officer]))
  const who = (officer: OfficerRow) => ({ Officer: whole(officer), Username: officer.name, Badge: officer.badge })
  return [
    ...pairs.map((pair): BoardLine => {
      const { Recorded: _spans, ...footage } = footageModel(pair)
      return {
        Kind: 'Call',
        Date: date,
        Unit: pair.sent.unit,
        ...who(pair.officer),
        CallNumber: pair.call.event_id,
        CaseId: String(pair.call.case_id),
        Title: pair.call.title,
        ...footage,
        Cameras: pair.cameras.map(({ name }) => name),
        Missing: [],
      }
    }),
    ...gaps.flatMap((gap): BoardLine[] => {
      const officer = people.get(gap.principalId)
      if (officer === undefined) return []
      return [
        {
          Kind: 'MissingNumbers',
          Date: date,
          Unit: '',
          ...who(officer),
          CallNumber: '',
          CaseId: '',
          Title: '',
          FromUtc: isoMillis(gap.from),
          ToUtc: isoMillis(gap.to),
          State: '',
          Reason: gap.sure ? 'NeverCame' : 'NotAmongWhatIsSeen',
          DispatchedSeconds: null,
          CoveredSeconds: null,
          Cameras: [gap.camera],
          Missing: gap.missing,
        },
      ]
    }),
  ]
}

export const LINE_COLUMNS: readonly Column<BoardLine>[] = [
  ['Kind', (line) => line.Kind],
  ['Date', (line) => line.Date],
  ['Unit', (line) => line.Unit],
  ['Officer', (line) => line.Officer],
  ['Username', (line) => line.Username],
  ['Badge', (line) => line.Badge],
  ['CallNumber', (line) => line.CallNumber],
  ['CaseId', (line) => line.CaseId],
  ['Title', (line) => line.Title],
  ['FromUtc', (line) => line.FromUtc],
  ['ToUtc', (line) => line.ToUtc],
  ['State', (line) => line.State],
  ['Reason', (line) => line.Reason],
  ['DispatchedSeconds', (line) => line.DispatchedSeconds],
  ['CoveredSeconds', (line) => line.CoveredSeconds],
  ['Cameras', (line) => line.Cameras.join(', ')],
  ['Missing', (line) => line.Missing.join(', ')],
]
