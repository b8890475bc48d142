/** What is wrong with a case as it is typed. Pure. */
import { type CaseFieldName, fieldOf, namesIn } from '../../../../shared/cases/fields.ts'
import { isLine, isOffsetTime, isTag, isText, LONGEST_TAG } from '../../../../shared/kernel/fields.ts'
import { positionWkt } from '../../../client/position.ts'
import type { Draft, DraftField } from '../fields.ts'

/** Those that can be wrong, in the order of the form. */
const CHECKED = [
  ...namesIn('title', 'about', 'tags', 'times', 'place'),
  'Position',
  ...namesIn('incident', 'references'),
] as const satisfies readonly DraftField[]

type Problem =
  | 'titleMissing'
  | 'titleLong'
  | 'tooLong'
  | 'tagsMany'
  | 'tagLong'
  | 'notStorable'
  | 'endBefore'
  | 'positionWrong'
export type Wrong = Readonly<Partial<Record<DraftField, Problem>>>

/**
 * What is wrong before the station is asked, by field: what CreateCaseModel refuses (a test compares both), an end before the start, a position
 * that is none.
 */
export function wrongIn(draft: Draft): Wrong {
  return Object.fromEntries(
    CHECKED.flatMap((name) => {
      const problem = name === 'Position' ? wrongPosition(draft) : problemOf(draft, name)
      return problem === null ? [] : [[name, problem]]
    }),
  )
}

const wrongPosition = ({ Position }: Draft): Problem | null =>
  Position.trim() !== '' && positionWkt(Position) === null ? 'positionWrong' : null

function problemOf(draft: Draft, name: Exclude<(typeof CHECKED)[number], 'Position'>): Problem | null {
  const { kind, most = 0 } = fieldOf(name)
  const value = draft[name]
  if (typeof value !== 'string') return wrongTags(value, most)
  if (kind !== 'title' && value.trim() === '') return null
  if (kind === 'time') return wrongTime(draft, name, value)
  if (kind === 'text') return value.length > most ? 'tooLong' : isText(value, most) ? null : 'notStorable'
  const line = value.trim()
  if (kind === 'title' && line === '') return 'titleMissing'
  if (line.length > most) return kind === 'title' ? 'titleLong' : 'tooLong'
  return isLine(line, most) ? null : 'notStorable'
}

function wrongTags(tags: readonly string[], most: number): Problem | null {
  if (tags.length > most) return 'tagsMany'
  if (tags.some((tag) => tag.length > LONGEST_TAG)) return 'tagLong'
  return tags.every(isTag) ? null : 'notStorable'
}

function wrongTime({ OccurredOn }: Draft, name: DraftField, value: string): Problem | null {
  if (!isOffsetTime(value)) return 'notStorable'
  const ended = name === 'EndedOn' && OccurredOn !== '' && Date.parse(value) < Date.parse(OccurredOn)
  return ended ? 'endBefore' : null
}

/** The limit that a problem is about. */
export const mostOf = (name: CaseFieldName | 'Position', problem: Problem): number =>
  problem === 'tagLong' ? LONGEST_TAG : ((name === 'Position' ? undefined : fieldOf(name).most) ?? 0)
