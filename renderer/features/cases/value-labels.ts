/** Values of a case as people read them: times in the station's zone, names for ids. */
import { useCallback } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { useCategories, useDepartments } from './queries.ts'
import type { Part } from './fields.ts'

type Value = string | readonly string[]

export function usePartWords(): (part: Part, value: Value) => string {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { data: categories } = useCategories()
  const { data: departments } = useDepartments()
  return useCallback(
    (part, value) => {
      if (value === '' || value.length === 0) return t('nothing')
      if (typeof value !== 'string') return value.map(visible).join(', ')
      if ('custom' in part) return visible(value)
      switch (part.field) {
        case 'OccurredOn':
        case 'EndedOn':
          return format.instant(value, { precision: 'minute' })
        case 'CategoryId':
          return visible(categories?.find(({ CategoryId }) => CategoryId === value)?.Name ?? value)
        case 'DepartmentId':
          return visible(departments?.find(({ DepartmentId }) => DepartmentId === value)?.Name ?? value)
        default:
          return visible(value)
      }
    },
    [t, format, categories, departments],
  )
}
