import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/retention/contract.ts'
import { call } from '../../../client/api.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { Column } from '../../../ui/table/columns.ts'
import { changedColumn, keptColumn } from '../columns.tsx'
import { type Asked, useList } from '../queries.ts'
import { RecordsPage } from '../records-page.tsx'
import type { Words } from '../labels.ts'
import type { Source } from './draft.ts'
import { UPLOADER_WORDS } from './uploader-labels.ts'

const SourceForm = lazyOpened(async () => (await import('./source-form.tsx')).SourceForm)

const useSources = (): Asked<Source> =>
  useList('sources', (tenantName, signal) => call(contract.listSourcePolicies, { params: { tenantName }, signal }))

/** How long what comes from a source is kept; with its categories the longest wins. */
export function SourcesPage() {
  const { t } = useTranslation('administration')
  return (
    <RecordsPage
      title={t('sources')}
      lead={t('sourcesLead')}
      make={t('sourceNew')}
      none={t('sourcesNone')}
      noneBody={t('sourcesNoneBody')}
      asked={useSources()}
      idOf={({ SourcePolicyId }) => SourcePolicyId}
      columnsOf={columnsOf}
    >
      {(source, { onClose, onMade }) => (
        <SourceForm source={source} onClose={onClose} onMade={({ SourcePolicyId }) => onMade(SourcePolicyId)} />
      )}
    </RecordsPage>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<Source>[] => [
  {
    id: 'name',
    label: t('name'),
    least: 10,
    cell: ({ Name }) => <bdi>{visible(Name)}</bdi>,
    text: ({ Name }) => visible(Name),
  },
  {
    id: 'fits',
    label: t('sourceFits'),
    least: 12,
    priority: 2,
    cell: (source) => fitsWords(source, t),
    text: (source) => fitsWords(source, t),
  },
  keptColumn(t),
  changedColumn(t, format),
]

const fitsWords = ({ DeviceType, SourceId, Uploader }: Source, t: Words): string =>
  [DeviceType, SourceId]
    .flatMap((part) => (part === null ? [] : [visible(part)]))
    .concat(Uploader === null ? [] : [t(UPLOADER_WORDS[Uploader])])
    .join(', ')
