/** A category as it is typed, and back to what the station takes. Pure. */
import { unusableName } from '../../../../shared/kernel/names.ts'
import type { Category } from '../queries.ts'

export interface CategoryDraft {
  readonly Name: string
  readonly Description: string
  readonly Color: string
  /** Whole days, at least 1; 0 while the number is missing; null: kept. */
  readonly RetentionDays: number | null
  readonly Enabled: boolean
}

/** @param category null for a new one */
export const categoryDraft = (category: Category | null): CategoryDraft => ({
  Name: category?.Name ?? '',
  Description: category?.Description ?? '',
  Color: category?.Color ?? '',
  RetentionDays: category?.RetentionDays ?? null,
  Enabled: category?.Enabled ?? true,
})

export type WrongCategory = Readonly<Partial<{ Name: 'nameMissing' | 'nameWrong'; RetentionDays: 'daysMissing' }>>

export const wrongName = (name: string): 'nameMissing' | 'nameWrong' | null =>
  name.trim() === '' ? 'nameMissing' : unusableName(name.trim()) === null ? null : 'nameWrong'

/** What can be told before the station is asked. */
export function wrongInCategory({ Name, RetentionDays }: CategoryDraft): WrongCategory {
  const name = wrongName(Name)
  return {
    ...(name === null ? {} : { Name: name }),
    ...(RetentionDays === 0 ? { RetentionDays: 'daysMissing' as const } : {}),
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export const categoryMembers = ({ Name, Description, Color, RetentionDays, Enabled }: CategoryDraft) => ({
  Name: Name.trim(),
  Description: orNull(Description),
  Color: orNull(Color),
  RetentionDays,
  Enabled,
})
