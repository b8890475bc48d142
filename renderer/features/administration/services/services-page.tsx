import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { madeColumn, stateColumn } from '../columns.tsx'
import { type ServiceItem, useServices } from '../people-queries.ts'
import { PrincipalsPage } from '../records-page.tsx'
import type { Words } from '../labels.ts'

const ServiceForm = lazyOpened(async () => (await import('./service-form.tsx')).ServiceForm)
const ServicePanel = lazyOpened(async () => (await import('./service-panel.tsx')).ServicePanel)

export function ServicesPage() {
  const { t } = useTranslation('administration')
  return (
    <PrincipalsPage
      title={t('services')}
      lead={t('servicesLead')}
      make={t('serviceNew')}
      filter={t('serviceFilter')}
      none={t('servicesNone')}
      noneBody={t('servicesNoneBody')}
      ask={useServices}
      idOf={({ PrincipalId }) => PrincipalId}
      columnsOf={columnsOf}
      form={({ onClose, onMade }) => <ServiceForm onClose={onClose} onDone={onMade} />}
      panel={(id, onClose) => <ServicePanel serviceId={id} onClose={onClose} />}
    />
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
  stateColumn(t),
  madeColumn(t, format),
]
