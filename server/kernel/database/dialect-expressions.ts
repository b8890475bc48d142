/** What each dialect writes in its own words; expressions.ts says what each of them means. */
import type { RawBuilder } from 'kysely'

type Part = RawBuilder<unknown>
/** Names of members, and numbers of elements, from the outermost on. */
export type Path = readonly (string | number)[]

/** The expressions of one dialect. Texts are SQL; `Part` is SQL with its parameters. */
export interface Expressions {
  jsonMember(column: string, path: Path): Part
  jsonNumber(column: string, path: Path): Part
  entryMember(body: string, member: string): Part
  entryMemberIfJson(body: string, member: string): Part
  jsonArray(values: readonly Part[]): Part
  joinedTexts(text: Part, separator: string): Part
  joinedValues(json: Part, separator: string): Part
  jsonPairs(json: Part): Part
  membersOf(list: Part): Part
  secondsOf(time: string): Part
  asNumber(text: string): Part
  leastOf(values: readonly Part[]): Part
  greatestOf(values: readonly Part[]): Part
  positionOf(text: Part, part: Part): Part
  sixDigits(number: string): Part
  withoutIndex(expression: Part): Part
  sortedAside(expression: Part): Part
  byIndex(index: string): Part
  eachTime(): Part
  onceOr(condition: Part): Part
  notAmong(id: Part, key: Part, from: Part): Part
  joinInOrder(): Part
  jsonOfTexts(text: string): Part
  notDistinct(left: Part, right: Part): Part
  rowHasWords(id: Part, words: string): Part
  hasWordsByRow(index: string, words: string): Part
  inSetOr(set: Part, each: Part): Part
  hasWords(index: string, words: string): Part
  rowNumber(alias: string): Part
  wordsRow(alias?: string): Part
  ledgerActor(): Part
  ledgerRefused(): Part
  ledgerAccountActs(): Part
  databaseNow(): Part
  toldToNodes(text: string): Part
  counterAt(table: string, key: string, id: Part): Part
}
