/** Rows that nobody recorded: the same for the same index, so that a list of any length needs no memory. */
import type { State } from '../../renderer/ui/state/state.tsx'

export interface Row {
  readonly id: string
  readonly name: string
  readonly recorded: string
  readonly offset: number
  readonly seconds: number
  readonly bytes: number
  readonly officer: string
  readonly device: string
  readonly state: State
  readonly word: string
}

const PLACES = [
  'Tanner’s Row',
  'Ferry Street',
  'Linden House 3rd floor',
  'Orchard Close',
  'Quay Road checkpoint',
  'Mill Lane playing field',
]
const OFFICERS = [
  'Okafor, D.',
  'Lindqvist, M.',
  'Sørensen, K.',
  'Nakamura, R.',
  'Achterberg, J.',
  'Duval, C.',
  'Ferreira, A.',
]
const STATES: readonly (readonly [State, string])[] = [
  ['ok', 'Verified'],
  ['ok', 'Verified'],
  ['sealed', 'Protected'],
  ['working', 'Converting, 62 %'],
  ['ok', 'Verified'],
  ['attention', 'Two cases fit'],
  ['waiting', 'To be converted'],
]
const NEWEST = Date.parse('2026-11-20T01:41:07Z')

const pick = <Item>(items: readonly [Item, ...Item[]] | readonly Item[], at: number): Item =>
  items[at % items.length] as Item

export function inventedRow(index: number): Row {
  const device = 380 + ((index * 7) % 60)
  const [state, word] = pick(STATES, index * 3 + (index >> 3))
  return {
    id: `EV-${104_882 + 100_000 - index}`,
    name: `BWC 0${device}, ${pick(PLACES, index * 5 + (index >> 2))}`,
    recorded: new Date(NEWEST - index * 1_847_000).toISOString(),
    offset: (index * 13) % 80,
    seconds: 120 + ((index * 379) % 3_000),
    bytes: 120_000_000 + ((index * 7_919_113) % 4_000_000_000),
    officer: pick(OFFICERS, index),
    device: `BW-0${device}`,
    state,
    word,
  }
}
