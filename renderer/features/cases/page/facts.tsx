import type { ReactNode } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { namesIn } from '../../../../shared/cases/fields.ts'
import { Tag } from '../../../ui/badge/badge.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { type Case, useCategories } from '../queries.ts'
import { positionText } from '../../../client/position.ts'
import { type CaseFields, useCaseFields } from '../labels.ts'
import { whenOf } from '../list/columns.tsx'
import { keptWords } from '../people-labels.ts'
import { useNames } from '../people-names.tsx'
import styles from './facts.module.css'

type Fact = readonly [name: string, value: ReactNode, note?: string]

/** What is known of the case, in the station's own words. */
export function Facts({ record, past }: { readonly record: Case; readonly past: boolean }) {
  const { t } = useTranslation('cases')
  const fields = useCaseFields()
  const { own, others } = customFacts(record, fields)
  const ofCall = record.SourceType === 'Cad'
  const facts = [...useDescribed(record, fields), ...own, ...(ofCall ? [] : others)]
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
      {ofCall && others.length > 0 && (
        <div role="group" aria-labelledby="case-call">
          <h3 id="case-call" className={styles['group']}>
            {t('factsCall')}
          </h3>
          <List facts={others} />
        </div>
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
  const category = categories?.find(({ CategoryId }) => CategoryId === record.CategoryId)
  const when = whenOf(record, t, format)
  const position = positionText(record.LocationWKT)
  const texts = (section: 'about' | 'incident' | 'references', note = ''): readonly Fact[] =>
    namesIn(section).map((name) => [label(name), record[name] ?? '', note])
  return [
    ...texts('about'),
    [
      label('OccurredOn'),
      when === '' ? '' : `${when} ${format.zoneLetters(record.OccurredOn ?? record.EndedOn ?? '')}`,
    ],
    [label('LocationText'), record.LocationText ?? record.Location?.Address ?? '', position],
    ...(record.LocationText === null && record.Location?.Address == null
      ? ([[label('Position'), position]] as const)
      : []),
    [t('placeNotes'), record.Location?.Notes ?? ''],
    ...texts('incident', record.SourceType === 'Cad' ? t('fromCad') : ''),
    ...texts('references'),
    [
      label('CategoryId'),
      record.CategoryName ?? category?.Name ?? '',
      category === undefined ? '' : keptWords(category.RetentionDays, t),
    ],
    [label('DepartmentId'), record.DepartmentName ?? ''],
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

/**
 * `own`: fields of the template, in its order. `others` carry names that the template does not have: what dispatch or a program says by a
 * name of its own (decisions 8). Whether the template ever had them nobody knows, so nothing is claimed of that.
 */
function customFacts(
  { CustomFields }: Case,
  { custom }: CaseFields,
): { readonly own: readonly Fact[]; readonly others: readonly Fact[] } {
  const names = custom.map(({ name }) => name)
  const factOf = (name: string): Fact[] => {
    const value = Object.hasOwn(CustomFields, name) ? (CustomFields[name] ?? '') : ''
    return value === '' ? [] : [[visible(name), value]]
  }
  const others = Object.keys(CustomFields).filter((name) => !names.includes(name))
  return { own: names.flatMap(factOf), others: others.flatMap(factOf) }
}

/** What the station keeps of it by itself. */
function useKept(record: Case): readonly Fact[] {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { nameOf } = useNames()
  const at = (time: string | null): string => (time === null ? '' : format.instant(time, { precision: 'minute' }))
  return [
    [t('madeOn'), at(record.CreatedUtcTime), nameOf(record.Creator)],
    [t('changedOn'), at(record.LastModifiedUtcTime), nameOf(record.LastModifiedBy)],
    [t('closedOn'), at(record.ClosedOn)],
    [t('deletionOn'), at(record.ScheduledDeletionUtc)],
    [t('protectedUntil'), at(record.ProtectedUntil)],
  ]
}
