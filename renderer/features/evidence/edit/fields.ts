/** What the parts of an evidence are called at this station, and their values as people read them. */
import { useCallback, useMemo } from 'react'
import type { CustomField } from '../../../../shared/templates/custom-fields.ts'
import { keptFor, useCategories } from '../../../client/categories.ts'
import { useTemplate } from '../../../client/templates.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../page/text/visible.ts'
import { customName, OFFICER, type Part } from './parts.ts'

const LABELS = {
  Name: 'name',
  Description: 'description',
  Tags: 'tags',
  CategoryId: 'category',
  StartTimeUtc: 'began',
  EndTimeUtc: 'endSaid',
  LocationText: 'locationText',
  Position: 'position',
} as const

/** The ids under which a template may name a part; the first that it names counts. */
const TEMPLATE_IDS: Readonly<Record<keyof typeof LABELS, readonly string[]>> = {
  Name: ['Name'],
  Description: ['Description', 'DescriptionTitle'],
  Tags: ['TagsTitle'],
  CategoryId: ['Category'],
  StartTimeUtc: ['StartTime'],
  EndTimeUtc: ['EndTime'],
  LocationText: ['Location'],
  Position: [],
}

export interface Fields {
  readonly label: (part: Part) => string
  /** Of the template, in its order. */
  readonly custom: readonly CustomField[]
  /** Whether the template is known: until then no field counts as removed from it. */
  readonly known: boolean
}

export function useFields(): Fields {
  const { t } = useTranslation('evidencePage')
  const { named, custom, known } = useTemplate('Evidence')
  return useMemo(
    () => ({
      label: (part) => {
        const name = customName(part)
        if (name === null) {
          const field = part as keyof typeof LABELS
          return named(TEMPLATE_IDS[field]) ?? t(LABELS[field])
        }
        return name === OFFICER && !custom.some((one) => one.name === OFFICER) ? t('officer') : visible(name)
      },
      custom,
      known,
    }),
    [named, custom, known, t],
  )
}

/** A value in words: a time in the station's zone, a category by its name. */
export function useValueWords(fields: Pick<Fields, 'custom'>): (part: Part, value: string) => string {
  const { t } = useTranslation('evidencePage')
  const ui = useTranslation('uiLater')
  const format = useFormat()
  const { data: categories } = useCategories()
  return useCallback(
    (part, value) => {
      if (value === '') return t('editNothing')
      const name = customName(part)
      const type = fields.custom.find((one) => one.name === name)?.type
      if (type === 'Boolean' && (value === 'true' || value === 'false')) return ui.t(value === 'true' ? 'yes' : 'no')
      if (part === 'StartTimeUtc' || part === 'EndTimeUtc')
        return format.instant(value, { precision: 'second', zone: true })
      if (part !== 'CategoryId') return visible(value)
      return visible(categories?.find(({ CategoryId }) => CategoryId === value)?.Name ?? value)
    },
    [t, ui, format, categories, fields.custom],
  )
}

/** How long a category keeps what is in it: whole years as years. */
export function useKeptWords(): (days: number | null) => string {
  const { t } = useTranslation('evidencePage')
  return useCallback(
    (days) => {
      return keptFor(days, t)
    },
    [t],
  )
}
