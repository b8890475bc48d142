/** A category as it is typed, and back to what the station takes. Pure. */
import { CreateCategoryModel } from '../../../../shared/cases/categories.contract.ts'
import { nameProblem, wrongMembers } from '../editing/wrong-members.ts'
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

export type WrongCategory = ReturnType<typeof wrongInCategory>

/** What can be told before the station is asked. */
export const wrongInCategory = (draft: CategoryDraft) =>
  wrongMembers(CreateCategoryModel, categoryMembers(draft), {
    Name: nameProblem(draft.Name),
    Description: 'notStorable',
    Color: 'notStorable',
    RetentionDays: 'daysMissing',
  } as const)

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export const categoryMembers = ({ Name, Description, Color, RetentionDays, Enabled }: CategoryDraft) => ({
  Name: Name.trim(),
  Description: orNull(Description),
  Color: orNull(Color),
  RetentionDays,
  Enabled,
})
