import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../../ui/badge/badge.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { InUse } from '../in-use.tsx'
import { ListPage } from '../list-page.tsx'
import { type ServiceItem, useServices } from '../people-data.ts'
import { NEW, usePlace } from '../search-state.ts'
import { TextFilter } from '../text-filter.tsx'
import { visible } from '../visible.ts'
import type { Words } from '../words.ts'
import { ServiceForm } from './service-form.tsx'
import { ServicePanel } from './service-panel.tsx'

export function ServicesPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const place = usePlace()
  const { search, change } = place
  const { rows, more, next, error, retry } = useServices(search.q ?? '')
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const close = (): void => change({ open: undefined })
  return (
    <ListPage
      title={t('services')}
      lead={t('servicesLead')}
      columns={columns}
      rows={rows}
      more={more}
      onMore={next}
      keyOf={({ PrincipalId }) => PrincipalId}
      onOpen={({ PrincipalId }) => change({ open: PrincipalId })}
      error={error}
      onRetry={retry}
      make={{ label: t('serviceNew'), onPress: () => change({ open: NEW }) }}
      filters={<TextFilter label={t('serviceFilter')} place={place} />}
      empty={<EmptyState title={t('servicesNone')}>{t('servicesNoneBody')}</EmptyState>}
    >
      {search.open === NEW && <ServiceForm onClose={close} onDone={(id) => change({ open: id }, true)} />}
      {search.open !== undefined && search.open !== NEW && (
        <ServicePanel key={search.open} serviceId={search.open} onClose={close} />
      )}
    </ListPage>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<ServiceItem>[] => [
  {
    id: 'name',
    label: t('name'),
    least: 12,
    cell: ({ Name, BaseUrl, Administrator }) => (
      <TwoLines
        strong
        first={
          <>
            <bdi>{visible(Name)}</bdi> {Administrator && <Badge>{t('roleAdministrator')}</Badge>}
          </>
        }
        second={visible(BaseUrl ?? '')}
      />
    ),
    text: ({ Name }) => visible(Name),
  },
  {
    id: 'state',
    label: t('state'),
    width: 9,
    cell: ({ Enabled }) => <InUse enabled={Enabled} />,
    text: ({ Enabled }) => t(Enabled ? 'inUse' : 'disabled'),
  },
  {
    id: 'made',
    label: t('made'),
    width: 10,
    priority: 3,
    cell: ({ CreatedUtcTime }) => format.day(CreatedUtcTime),
    text: ({ CreatedUtcTime }) => format.instant(CreatedUtcTime),
  },
]
