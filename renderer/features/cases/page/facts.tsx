import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Tag } from '../../../ui/badge/badge.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { type Case, useCategories, useDepartments } from '../data.ts'
import { positionText } from '../form/fields.ts'
import { type CaseFields, useCaseFields } from '../labels.ts'
import { whenOf } from '../list/columns.tsx'
import { keptWords, nameOf } from '../people-words.ts'
import styles from './facts.module.css'

type Fact = readonly [name: string, value: ReactNode, note?: string]

/** What is known of the case, in the station's own words. */
export function Facts({ record, past }: { readonly record: Case; readonly past: boolean }) {
  const { t } = useTranslation('cases')
  const fields = useCaseFields()
  const facts = [...useDescribed(record, fields), ...customFacts(record, fields, t('fieldRemovedShort'))]
  const kept = useKept(record)
  const said = facts.filter(([, value]) => value !== null && value !== '')
  return (
    <section className={styles['panel']} aria-labelledby="case-facts">
      <h2 id="case-facts" className={styles['title']}>
        {t('facts')}
      </h2>
      {said.length === 0 ? (
        <p className={styles['none']}>{t(past ? 'factsNonePast' : 'factsNone')}</p>
      ) : (
        <List facts={said} />
      )}
      <List facts={kept} quiet />
    </section>
  )
}

function List({ facts, quiet = false }: { readonly facts: readonly Fact[]; readonly quiet?: boolean }) {
  return (
    <dl className={styles['list']} {...(quiet ? { 'data-quiet': '' } : {})}>
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'string' ? <bdi>{visible(value)}</bdi> : value}
              {note !== undefined && note !== '' && <span className={styles['note']}>{note}</span>}
            </dd>
          </div>
        ))}
    </dl>
  )
}

function useDescribed(record: Case, { label }: CaseFields): readonly Fact[] {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { data: categories } = useCategories()
  const { data: departments } = useDepartments()
  const category = categories?.find(({ CategoryId }) => CategoryId === record.CategoryId)
  const department = departments?.find(({ DepartmentId }) => DepartmentId === record.DepartmentId)
  const when = whenOf(record, t, format)
  const position = positionText(record.LocationWKT)
  return [
    [label('Description'), record.Description ?? ''],
    [
      label('OccurredOn'),
      when === '' ? '' : `${when} ${format.zoneLetters(record.OccurredOn ?? record.EndedOn ?? '')}`,
    ],
    [label('LocationText'), record.LocationText ?? record.Location?.Address ?? '', position],
    ...(record.LocationText === null && record.Location?.Address == null
      ? ([[label('Position'), position]] as const)
      : []),
    [t('placeNotes'), record.Location?.Notes ?? ''],
    [label('ExternalReferenceId2'), record.ExternalReferenceId2 ?? '', record.SourceType === 'Cad' ? t('fromCad') : ''],
    [label('ExternalReferenceId1'), record.ExternalReferenceId1 ?? ''],
    [
      label('CategoryId'),
      category?.Name ?? record.CategoryId ?? '',
      category === undefined ? '' : keptWords(category.RetentionDays, t),
    ],
    [label('DepartmentId'), department?.Name ?? record.DepartmentId ?? ''],
    [
      label('Tags'),
      record.Tags.length === 0 ? null : (
        <ul className={styles['tags']}>
          {record.Tags.map((tag) => (
            <li key={tag}>
              <Tag>{visible(tag)}</Tag>
            </li>
          ))}
        </ul>
      ),
    ],
  ]
}

/** In the order of the template; what the case holds of fields that are none any more is said to be so. */
function customFacts({ CustomFields }: Case, { custom, known }: CaseFields, removed: string): readonly Fact[] {
  const names = custom.map(({ name }) => name)
  const rest = Object.keys(CustomFields).filter((name) => !names.includes(name))
  return [...names, ...rest].flatMap((name): Fact[] => {
    const value = Object.hasOwn(CustomFields, name) ? (CustomFields[name] ?? '') : ''
    return value === '' ? [] : [[visible(name), value, known && rest.includes(name) ? removed : '']]
  })
}

/** What the station keeps of it by itself. */
function useKept(record: Case): readonly Fact[] {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const at = (time: string | null): string => (time === null ? '' : format.instant(time, { precision: 'minute' }))
  return [
    [t('madeOn'), at(record.CreatedUtcTime), nameOf(record.Creator, t)],
    [t('changedOn'), at(record.LastModifiedUtcTime), nameOf(record.LastModifiedBy, t)],
    [t('closedOn'), at(record.ClosedOn)],
    [t('deletionOn'), at(record.ScheduledDeletionUtc)],
    [t('protectedUntil'), at(record.ProtectedUntil)],
  ]
}
