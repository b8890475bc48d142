import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { type Pages, windowOf } from '../../../client/pages.ts'
import { useMay } from '../../../client/rights.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { DataTable } from '../../../ui/table/table.tsx'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { Barred, usePageTitle } from '../barred.tsx'
import styles from '../devices.module.css'
import { Problem } from '../problem.tsx'
import { type DeviceItem, type DevicesAsked, useDevices } from '../queries.ts'
import type { DevicesSearch } from '../search-state.ts'
import { columnsOf } from './columns.tsx'
import { Filters } from './filters.tsx'

const AddDialog = lazyOpened(async () => (await import('../add-dialog.tsx')).AddDialog)

/** Every camera of the station: whose it is, whether it has what it should, and what needs somebody. */
export function DevicesPage() {
  const { t } = useTranslation('devices')
  usePageTitle(t('title'))
  return useMay('ManageDevices') ? <List /> : <Barred />
}

const idOf = ({ Id }: DeviceItem): string => Id

function List() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate({ from: '/devices' })
  const search = useSearch({ from: '/devices' })
  const [adding, setAdding] = useState(false)
  const { list, newest } = useDevices(useAsked(search))
  const { rows, error, retry } = list
  const change = useCallback(
    (what: Partial<DevicesSearch>, replace = false) =>
      void navigate({ search: (now: DevicesSearch) => ({ ...now, ...what }), replace }),
    [navigate],
  )
  const open = useCallback(
    (deviceId: string) => void navigate({ to: '/devices/$deviceId', params: { deviceId } }),
    [navigate],
  )
  useShortcuts(
    useMemo(() => ({ f: () => document.querySelector<HTMLInputElement>('[data-filter] input')?.focus() }), []),
  )
  const filtered = Object.values(search).some((said) => said !== undefined)
  return (
    <div className={styles['list']}>
      <header className={styles['head']}>
        <h1 className={styles['title']}>{t('title')}</h1>
        {newest !== null && <Licence active={newest.ActiveDevices} most={newest.MaxActiveDevices} />}
        <div className={styles['acts']}>
          <Link to="/devices/types" className={styles['link']}>
            {t('types')}
          </Link>
          <Button kind="main" icon="plus" onPress={() => setAdding(true)}>
            {t('add')}
          </Button>
        </div>
      </header>
      <Filters
        search={search}
        types={newest?.Types.map(({ DeviceType }) => DeviceType) ?? []}
        change={change}
        onReset={filtered ? () => void navigate({ search: {} }) : undefined}
      />
      {error !== null && (
        <div className={styles['note']}>
          <Problem error={error} onRetry={retry} />
        </div>
      )}
      {(error === null || rows !== null) && <Rows list={list} filtered={filtered} onOpen={open} />}
      {adding && <AddDialog onClose={() => setAdding(false)} onAdded={open} />}
    </div>
  )
}

interface RowsProps {
  readonly list: Pages<DeviceItem>
  readonly filtered: boolean
  readonly onOpen: (deviceId: string) => void
}

function Rows({ list, filtered, onOpen }: RowsProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  // Days are counted from when the rows came.
  const { rows } = list
  const columns = useMemo(() => columnsOf(t, format, rows === null ? 0 : Date.now()), [t, format, rows])
  return (
    <div className={styles['body']}>
      <DataTable
        label={t('title')}
        columns={columns}
        {...windowOf(list)}
        keyOf={idOf}
        onOpen={({ Id }) => onOpen(Id)}
        media
        empty={
          filtered ? (
            <EmptyState title={t('noneFiltered')}>{t('noneFilteredBody')}</EmptyState>
          ) : (
            <EmptyState title={t('none')}>{t('noneBody')}</EmptyState>
          )
        }
      />
    </div>
  )
}

/** As the station takes it; the same object as long as it asks the same. */
function useAsked({ q, state, type, officer }: DevicesSearch): DevicesAsked {
  return useMemo(
    () => ({
      ...(q === undefined ? {} : { text: q }),
      ...(state === undefined ? {} : { state }),
      ...(type === undefined ? {} : { type }),
      ...(officer === undefined ? {} : { assignedTo: officer }),
    }),
    [q, state, type, officer],
  )
}

interface LicenceProps {
  readonly active: number
  readonly most: number
}

/** How many may be active, and how many are. */
function Licence({ active, most }: LicenceProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const full = active >= most
  return (
    <div className={styles['licence']}>
      <span className={styles['licenceWords']}>
        {t('licence', { active: format.count(active), most: format.count(most) })}
      </span>
      <span
        className={styles['meter']}
        role="meter"
        aria-label={t('licenceOf')}
        aria-valuemin={0}
        aria-valuemax={Math.max(most, 1)}
        aria-valuenow={Math.min(active, Math.max(most, 1))}
        aria-valuetext={t('licence', { active: format.count(active), most: format.count(most) })}
        data-full={full || undefined}
      >
        <span style={{ inlineSize: `${most === 0 ? 100 : Math.min(100, (active / most) * 100)}%` }} />
      </span>
      {full && (
        <StateMark state="attention" small>
          {t('licenceFull')}
        </StateMark>
      )}
    </div>
  )
}
