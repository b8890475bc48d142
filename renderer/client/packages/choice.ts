/** What a person chose for the last package that they asked for on this machine. */
import { z } from 'zod'
import { PACKAGE_LANGUAGES, PACKAGE_PAPERS, PACKAGE_VARIANTS } from '../../../shared/packages/kinds.ts'
import { keep, kept } from '../preferences.ts'
import type { PackageChoice } from './packages.ts'

/** Redacted versions are not made here yet. */
export const OFFERED_PARTS = ['copies', 'clips', 'stills'] as const

const Choice = z.object({
  Variant: z.enum(PACKAGE_VARIANTS),
  Parts: z.array(z.enum(OFFERED_PARTS)),
  Papers: z.array(z.enum(PACKAGE_PAPERS)),
  Language: z.enum(PACKAGE_LANGUAGES),
})

export function lastChoice(person: string, language: PackageChoice['Language']): PackageChoice {
  const usual: PackageChoice = { Variant: 'prosecution', Parts: ['copies'], Papers: [], Language: language }
  try {
    const found = Choice.safeParse(JSON.parse(kept('package', person) ?? 'null'))
    return found.success ? found.data : usual
  } catch {
    return usual
  }
}

export const keepChoice = (person: string, choice: PackageChoice): void =>
  keep('package', JSON.stringify(choice), person)
