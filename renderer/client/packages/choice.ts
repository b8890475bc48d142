/** What a person chose for the last package that they asked for on this machine. */
import { PACKAGE_LANGUAGES, PACKAGE_PAPERS, PACKAGE_VARIANTS } from '../../../shared/packages/kinds.ts'
import { addressState, list, oneOf } from '../address-state.ts'
import { keep, kept } from '../preferences.ts'
import type { PackageChoice } from './packages.ts'

/** Redacted versions are not made here yet. */
export const OFFERED_PARTS = ['copies', 'clips', 'stills'] as const

/** As it was kept; an earlier version may have kept it otherwise. */
const choice = addressState({
  Variant: oneOf(PACKAGE_VARIANTS),
  Parts: list(oneOf(OFFERED_PARTS), OFFERED_PARTS.length),
  Papers: list(oneOf(PACKAGE_PAPERS), PACKAGE_PAPERS.length),
  Language: oneOf(PACKAGE_LANGUAGES),
})

export function lastChoice(person: string, language: PackageChoice['Language']): PackageChoice {
  const usual: PackageChoice = { Variant: 'prosecution', Parts: ['copies'], Papers: [], Language: language }
  try {
    const { Variant, Parts, Papers, Language } = choice.read(
      JSON.parse(kept('package', person) ?? '{}') as Record<string, unknown>,
    )
    return {
      Variant: Variant ?? usual.Variant,
      Parts: Parts ?? usual.Parts,
      Papers: Papers ?? usual.Papers,
      Language: Language ?? language,
    }
  } catch {
    return usual
  }
}

export const keepChoice = (person: string, choice: PackageChoice): void =>
  keep('package', JSON.stringify(choice), person)
