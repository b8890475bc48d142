import * as exporting from '../../../../shared/kernel/exports.contract.ts'
import { addressOf } from '../../../client/api.ts'
import { useIsMember, useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button, IconButton, ToggleButton } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { usePhone } from '../../../ui/layout/use-media.ts'
import { ExportMenu, useExportSection } from '../../../ui/popover/export-menu.tsx'
import { Menu } from '../../../ui/popover/menu.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import { ColumnsMenu } from '../../../ui/table/columns-menu.tsx'
import { USUAL_COLUMNS } from './columns.tsx'
import styles from './list.module.css'
import { isFiltered, type ListSearch, queryOf } from './search.ts'
import type { ListColumns } from './use-list-columns.ts'
import type { ListWindow } from './use-window.ts'
import { ViewsMenu } from './views-menu.tsx'

interface HeadProps {
  readonly title: string
  readonly search: ListSearch
  readonly change: (what: Partial<ListSearch>) => void
  readonly rows: ListWindow
  readonly columns: ListColumns
  readonly byShift: boolean
  readonly setByShift: (on: boolean) => void
  readonly onBin: (bin: boolean) => void
  readonly onAdd: () => void
}

/** What the list is, how many are in it, and what can be done with all of it. */
export function ListHead({ title, search, change, rows, columns, byShift, setByShift, onBin, onAdd }: HeadProps) {
  const { t } = useTranslation('evidenceList')
  const member = useIsMember()
  const phone = usePhone()
  return (
    <div className={styles['head']}>
      <h1 className={styles['title']}>{title}</h1>
      <Total rows={rows} search={search} />
      <div className={styles['acts']}>
        {!phone && (
          <Segments
            label={t('view')}
            value={search.view}
            onChange={(view) => change({ view })}
            segments={[
              { id: 'list', label: t('list'), icon: 'list' },
              { id: 'grid', label: t('grid'), icon: 'grid' },
            ]}
          />
        )}
        {member && !phone && (
          <ToggleButton icon="trash" on={search.bin} onChange={onBin}>
            {t('bin')}
          </ToggleButton>
        )}
        {!search.bin && (
          <span data-views>
            <ViewsMenu search={search} columns={columns.shown} />
          </span>
        )}
        {search.view === 'list' && !search.bin && (
          <ColumnsMenu
            columns={columns.choices}
            chosen={columns.shown}
            standard={USUAL_COLUMNS}
            onChange={columns.setShown}
            choices={[{ id: 'shifts', label: t('groupByShift'), on: byShift, onChange: setByShift }]}
          />
        )}
        {/* Guests look at what is shared with them: they add nothing, and take no lists along. */}
        {member && <MemberActs search={search} onBin={onBin} onAdd={onAdd} />}
      </div>
    </div>
  )
}

function Total({ rows, search }: Pick<HeadProps, 'rows' | 'search'>) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  if (rows.total === null) return null
  const shown = format.count(rows.total)
  return (
    <span className="muted" aria-live="polite">
      {t(isFiltered(search) ? 'countFiltered' : 'count', {
        count: rows.total,
        shown: rows.counting ? t('atLeast', { shown }) : shown,
      })}
    </span>
  )
}

function MemberActs({ search, onBin, onAdd }: Pick<HeadProps, 'search' | 'onBin' | 'onAdd'>) {
  const { t } = useTranslation('evidenceList')
  const { tenant } = useSession()
  const phone = usePhone()
  const exported = (format: 'csv' | 'json'): string =>
    addressOf(exporting.exportEvidenceList, {
      params: { tenantName: tenant },
      query: { ...queryOf(search), format },
    })
  return phone ? (
    <>
      <MoreOfList bin={search.bin} onBin={onBin} exported={exported} />
      <IconButton kind="main" icon="upload" label={t('add')} tooltip={false} onPress={onAdd} />
    </>
  ) : (
    <>
      <ExportMenu label={t('exportList')} address={exported} />
      <Button kind="main" icon="upload" onPress={onAdd}>
        {t('add')}
      </Button>
    </>
  )
}

interface MoreProps {
  readonly bin: boolean
  readonly onBin: (bin: boolean) => void
  readonly exported: (format: 'csv' | 'json') => string
}

/** On a phone, what has no room beside the title. */
function MoreOfList({ bin, onBin, exported }: MoreProps) {
  const { t } = useTranslation('evidenceList')
  const exports = useExportSection(exported, t('exportList'))
  return (
    <Menu
      label={t('more')}
      trigger={<IconButton icon="more" kind="plain" label={t('more')} tooltip={false} />}
      sections={[
        {
          items: [{ id: 'bin', label: t('bin'), icon: 'trash' }],
          selected: bin ? ['bin'] : [],
          onSelectMany: (chosen) => onBin(chosen.length > 0),
        },
        exports,
      ]}
    />
  )
}
