/** What a job says of itself: the sentences of its catalogue, filled in, and read again from the message of a job. */
import { jobReasons } from '../jobs/reasons.messages.en.ts'

export type JobReason = keyof typeof jobReasons
type PartsOf<Text> = Text extends `${string}{{${infer Part}}}${infer Rest}` ? Part | PartsOf<Rest> : never
type Fill<Reason extends JobReason> = { readonly [Part in PartsOf<(typeof jobReasons)[Reason]>]: string | number }

const PART = /\{\{(\w+)\}\}/g

/** The message of a job. @param fill for the parts of its sentence, where it has some */
export const jobReason = <Reason extends JobReason>(
  reason: Reason,
  ...[fill]: PartsOf<(typeof jobReasons)[Reason]> extends never ? [] : [fill: Fill<Reason>]
): string =>
  jobReasons[reason].replaceAll(PART, (_, part: string) => String((fill as Readonly<Record<string, unknown>>)[part]))

interface ReadReason {
  readonly reason: JobReason
  readonly fill: Readonly<Record<string, string>>
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const patternOf = (sentence: string): RegExp => {
  const texts = sentence.split(PART)
  return new RegExp(`^${texts.map((text, at) => (at % 2 === 0 ? escaped(text) : `(?<${text}>.*)`)).join('')}$`, 's')
}
const PATTERNS = (Object.entries(jobReasons) as [JobReason, string][])
  .map(([reason, sentence]) => ({ reason, pattern: patternOf(sentence), isWhole: !sentence.includes('{{') }))
  // A sentence without parts is that one, and no other one that happens to fit.
  .sort((one, other) => Number(other.isWhole) - Number(one.isWhole))

/** @returns null for a message that is none of the sentences */
export function readJobReason(message: string): ReadReason | null {
  for (const { reason, pattern } of PATTERNS) {
    // The last part may be nothing, and the space before it is not kept.
    const found = pattern.exec(message) ?? pattern.exec(`${message} `)
    if (found !== null) return { reason, fill: { ...found.groups } }
  }
  return null
}
