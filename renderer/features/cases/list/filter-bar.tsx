import { useTranslation } from '../../../client/translate.ts'
import { Filters, OneFilter, TextFilter, WhenFilter } from '../../../ui/filter/filter.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { useCategories, useDepartments } from '../queries.ts'
import { useCaseFields } from '../labels.ts'
import { type CaseSearch, isFiltered, STATES, WHOSE, WITHOUT_FILTERS } from './search.ts'

interface Props {
  readonly search: CaseSearch
  readonly change: (what: Partial<CaseSearch>) => void
}

export function FilterBar({ search, change }: Props) {
  const { t } = useTranslation('cases')
  const { label } = useCaseFields()
  const { data: categories = [] } = useCategories()
  const { data: departments = [] } = useDepartments()
  const onBoard = search.view === 'board'
  return (
    <Filters
      label={t('filters')}
      clear={t('clearAll')}
      onClear={isFiltered(search) ? () => change(WITHOUT_FILTERS) : undefined}
    >
      <TextFilter label={t('searchHere')} value={search.q} onChange={(q) => change({ q })} />
      <OneFilter
        name={t('filterWhose')}
        any={t('anyone')}
        options={WHOSE.map((id) => ({ id, label: t(id) }))}
        chosen={search.whose}
        onChange={(whose) => change({ whose: whose as CaseSearch['whose'] })}
      />
      {!search.bin && !onBoard && (
        <OneFilter
          name={t('columnState')}
          options={STATES.map((id) => ({ id, label: t(id === 'Open' ? 'stateOpen' : 'stateClosed') }))}
          chosen={search.state}
          onChange={(state) => change({ state: state as CaseSearch['state'] })}
        />
      )}
      <WhenFilter name={label('OccurredOn')} from={search.from} to={search.to} onChange={change} />
      {categories.length > 0 && (
        <OneFilter
          name={label('CategoryId')}
          options={categories.map(({ CategoryId, Name }) => ({ id: CategoryId, label: visible(Name) }))}
          chosen={search.category}
          onChange={(category) => change({ category })}
        />
      )}
      {departments.length > 0 && (
        <OneFilter
          name={label('DepartmentId')}
          options={departments.map(({ DepartmentId, Name }) => ({ id: DepartmentId, label: visible(Name) }))}
          chosen={search.department}
          onChange={(department) => change({ department })}
        />
      )}
    </Filters>
  )
}
