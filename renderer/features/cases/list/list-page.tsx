import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import * as exporting from '../../../../shared/kernel/exports.contract.ts'
import { addressOf } from '../../../client/api.ts'
import { useCaseDrop } from '../../../client/case-drop.ts'
import { lazyPart } from '../../../client/load-chunk.ts'
import { type Pages, windowOf } from '../../../client/pages.ts'
import { withWords } from '../../../client/i18n.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useIsMember, useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button, IconButton, ToggleButton } from '../../../ui/button/button.tsx'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { Filters, OneFilter, TextFilter, WhenFilter } from '../../../ui/filter/filter.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { usePhone } from '../../../ui/layout/use-media.ts'
import { ExportMenu, useExportSection } from '../../../ui/popover/export-menu.tsx'
import { Menu, type MenuSection } from '../../../ui/popover/menu.tsx'
import type { MenuPlace } from '../../../ui/popover/context-menu.tsx'
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx'
import { useChosenColumns } from '../../../ui/table/use-columns.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import { useCaseFields } from '../labels.ts'
import { Problem } from '../problem.tsx'
import { type CaseItem, useCategories, useDepartments } from '../queries.ts'
import { useMay } from '../rights.ts'
import { columnsOf, linesOf, USUAL_COLUMNS } from './columns.tsx'
import styles from './list.module.css'
import { type CaseSearch, caseSearch, isFiltered, queryOf, STATES, WHOSE, WITHOUT_FILTERS } from './search.ts'
import { useCases } from './use-cases.ts'

const HandOverDialog = lazyOpened(
  async () => (await withWords(import('../../../client/handover-dialog.tsx'), 'caseWork')).HandOverDialog,
)
const CaseRowMenu = lazyPart(() => import('./row-menu.tsx'))

const keyOf = (item: CaseItem): string => item.CaseId

export function CaseListPage() {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const navigate = useNavigate({ from: '/cases' })
  const said = useSearch({ from: '/cases' })
  const search = useMemo<CaseSearch>(() => caseSearch.read(said), [said])
  const query = useMemo(() => queryOf(search), [search])
  const phone = usePhone()
  const rows = useCases(query)
  const mayMake = useMay('CreateCases')
  const member = useIsMember()
  const change = useCallback(
    (what: Partial<CaseSearch>) => {
      // Whoever went on to a case while the typing paused is not called back.
      if (location.pathname === '/cases')
        void navigate({ search: (now: Partial<CaseSearch>) => ({ ...now, ...what }), replace: 'q' in what })
    },
    [navigate],
  )
  const make = useCallback(() => void navigate({ to: '/cases/new' }), [navigate])
  useShortcuts(
    useMemo(
      () => ({
        f: () => document.querySelector<HTMLInputElement>('[data-filter] input')?.focus(),
        n: mayMake ? make : undefined,
      }),
      [make, mayMake],
    ),
  )
  const [shown, setShown] = useChosenColumns('caseColumns', USUAL_COLUMNS)
  const { tenant } = useSession()
  const title = t(search.bin ? 'bin' : 'title')
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
  const count = rows.rows?.length ?? null
  const turn = (bin: boolean): void => change({ bin, state: '' })
  const exported = (format: 'csv' | 'json'): string =>
    addressOf(exporting.exportCaseList, { params: { tenantId: tenant }, query: { ...query, format } })
  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <h1 className={styles['title']}>{title}</h1>
        {count !== null && (
          <span className="muted" aria-live="polite">
            {t(rows.more ? 'countMore' : isFiltered(search) ? 'countFiltered' : 'count', {
              count,
              shown: format.count(count),
            })}
          </span>
        )}
        <div className={styles['acts']}>
          {!search.bin && !phone && <CaseColumns chosen={shown} onChange={setShown} />}
          {!phone && member && (
            <>
              <ExportMenu label={t('exportList')} address={exported} />
              <ToggleButton icon="trash" on={search.bin} onChange={turn}>
                {t('bin')}
              </ToggleButton>
            </>
          )}
          {member && <MoreOfList rest={phone ? { bin: search.bin, onBin: turn, exported } : null} />}
          {mayMake && (
            <Button kind="main" icon="plus" onPress={make}>
              {t('newCase')}
            </Button>
          )}
        </div>
      </div>
      <FilterBar search={search} change={change} />
      {rows.error !== null && (
        <div className={styles['note']}>
          <Problem error={rows.error} onRetry={rows.retry} />
        </div>
      )}
      <div className={styles['body']}>
        <CaseTable search={search} shown={shown} rows={rows} label={title} onMake={mayMake ? make : null} />
      </div>
    </div>
  )
}

interface MoreProps {
  /** What has no room beside the title on a phone. */
  readonly rest: {
    readonly bin: boolean
    readonly onBin: (bin: boolean) => void
    readonly exported: (format: 'csv' | 'json') => string
  } | null
}

/** What is done with one's own cases as a whole. */
function MoreOfList({ rest }: MoreProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { session } = useSession()
  const [open, setOpen] = useState(false)
  const user = session.User
  const exports = useExportSection(rest?.exported ?? (() => ''), t('exportList'))
  const sections: MenuSection[] = [
    ...(rest === null
      ? []
      : [
          {
            items: [{ id: 'bin', label: t('bin'), icon: 'trash' as const }],
            selected: rest.bin ? ['bin'] : [],
            onSelectMany: (chosen: readonly string[]) => rest.onBin(chosen.length > 0),
          },
          exports,
        ]),
    {
      items: [{ id: 'hand-over', label: t('handOverOwn'), icon: 'share' as const, onAction: () => setOpen(true) }],
    },
  ]
  return (
    <>
      <Menu
        label={t('more')}
        sections={sections}
        trigger={<IconButton icon="more" kind="plain" label={t('more')} tooltip={false} />}
      />
      {open && user !== null && (
        <HandOverDialog from={{ id: user.PrincipalId, name: format.person(user) }} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

/** Something can be put into an open case that one may edit. */
const caseOf = ({ CaseId, Title, State, LifecycleState, AccessorPermissions }: CaseItem) =>
  State === 'Open' && LifecycleState !== 'Deleted' && AccessorPermissions.includes('Edit')
    ? { caseId: CaseId, title: Title }
    : null

/** Which columns there are is said by the list itself. */
function CaseColumns({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[]
  readonly onChange: (next: readonly string[]) => void
}) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { label } = useCaseFields()
  const columns = useMemo(() => columnsOf({ t, format, label, categories: [], bin: false }), [t, format, label])
  return <ColumnsMenu columns={columns} chosen={chosen} standard={USUAL_COLUMNS} onChange={onChange} />
}

interface TableProps {
  readonly search: CaseSearch
  readonly shown: readonly string[]
  readonly rows: Pages<CaseItem>
  readonly label: string
  /** null where the person may not. */
  readonly onMake: (() => void) | null
}

function CaseTable({ search, shown, rows, label, onMake }: TableProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const navigate = useNavigate()
  const fields = useCaseFields()
  const { data: categories } = useCategories()
  const phone = usePhone()
  const columns = useMemo(
    () =>
      (phone ? linesOf : columnsOf)({ t, format, label: fields.label, categories: categories ?? [], bin: search.bin }),
    [t, format, fields, categories, search.bin, phone],
  )
  const open = useCallback(
    (item: CaseItem) => void navigate({ to: '/cases/$caseId', params: { caseId: item.CaseId } }),
    [navigate],
  )
  const drop = useCaseDrop(caseOf)
  const [menu, setMenu] = useState<{ readonly item: CaseItem; readonly place: MenuPlace | null } | null>(null)
  const openMenu = useCallback((item: CaseItem, place: MenuPlace) => setMenu({ item, place }), [])
  const closeMenu = useCallback(() => setMenu((open) => (open === null ? null : { ...open, place: null })), [])
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        shown={search.bin || phone ? undefined : shown}
        {...windowOf(rows)}
        keyOf={keyOf}
        onOpen={open}
        onDrop={drop}
        onMenu={openMenu}
        media
        empty={<NoCases search={search} onMake={onMake} />}
      />
      {menu !== null && (
        <Suspense fallback={null}>
          <CaseRowMenu key={menu.item.CaseId} item={menu.item} place={menu.place} onClose={closeMenu} />
        </Suspense>
      )}
    </>
  )
}

/** What will stand here, and the one way to begin. */
function NoCases({ search, onMake }: Pick<TableProps, 'search' | 'onMake'>) {
  const { t } = useTranslation('cases')
  if (isFiltered(search)) return <EmptyState title={t('nothingTitle')}>{t('nothingBody')}</EmptyState>
  if (search.bin) return <EmptyState title={t('binEmptyTitle')}>{t('binEmptyBody')}</EmptyState>
  return (
    <EmptyState
      title={t('emptyTitle')}
      action={
        onMake === null ? undefined : (
          <Button kind="main" icon="plus" onPress={onMake}>
            {t('makeFirst')}
          </Button>
        )
      }
    >
      {t(onMake === null ? 'emptyBodyAsk' : 'emptyBody')}
    </EmptyState>
  )
}

interface Props {
  readonly search: CaseSearch
  readonly change: (what: Partial<CaseSearch>) => void
}

function FilterBar({ search, change }: Props) {
  const { t } = useTranslation('cases')
  const { label } = useCaseFields()
  const { data: categories = [] } = useCategories()
  const { data: departments = [] } = useDepartments()
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
      {!search.bin && (
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
