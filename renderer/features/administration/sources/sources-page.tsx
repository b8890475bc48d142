import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../../shared/contract/retention.ts'
import { call } from '../../../client/api.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { type Asked, useList } from '../data.ts'
import { ListPage } from '../list-page.tsx'
import { NEW, usePlace } from '../search-state.ts'
import { visible } from '../visible.ts'
import { keptWords, type Words } from '../words.ts'
import type { Source } from './draft.ts'
import { SourceForm } from './source-form.tsx'
import { UPLOADER_WORDS } from './words.ts'

const useSources = (): Asked<Source> =>
  useList('sources', (tenantName, signal) => call(contract.listSourcePolicies, { params: { tenantName }, signal }))

/** How long what comes from a source is kept; with its categories the longest wins. */
export function SourcesPage() {
  const { t } = useTranslation('administration')
  const format = useFormat()
  const { search, change } = usePlace()
  const { rows, error, retry } = useSources()
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const open = rows?.find(({ SourcePolicyId }) => SourcePolicyId === search.open) ?? null
  const close = (): void => change({ open: undefined })
  return (
    <ListPage
      title={t('sources')}
      lead={t('sourcesLead')}
      columns={columns}
      rows={rows}
      keyOf={({ SourcePolicyId }) => SourcePolicyId}
      onOpen={({ SourcePolicyId }) => change({ open: SourcePolicyId })}
      error={error}
      onRetry={retry}
      make={{ label: t('sourceNew'), onPress: () => change({ open: NEW }) }}
      empty={<EmptyState title={t('sourcesNone')}>{t('sourcesNoneBody')}</EmptyState>}
    >
      {rows !== null && (open !== null || search.open === NEW) && (
        <SourceForm
          key={open?.SourcePolicyId ?? NEW}
          source={open}
          onClose={close}
          onMade={({ SourcePolicyId }) => change({ open: SourcePolicyId }, true)}
        />
      )}
    </ListPage>
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
  {
    id: 'kept',
    label: t('retention'),
    width: 11,
    cell: ({ RetentionDays }) => keptWords(RetentionDays, t),
    text: ({ RetentionDays }) => keptWords(RetentionDays, t),
  },
  {
    id: 'changed',
    label: t('changed'),
    width: 10,
    priority: 3,
    cell: ({ LastModifiedUtcTime }) => format.day(LastModifiedUtcTime),
    text: ({ LastModifiedUtcTime }) => format.instant(LastModifiedUtcTime),
  },
]

const fitsWords = ({ DeviceType, SourceId, Uploader }: Source, t: Words): string =>
  [DeviceType, SourceId]
    .flatMap((part) => (part === null ? [] : [visible(part)]))
    .concat(Uploader === null ? [] : [t(UPLOADER_WORDS[Uploader])])
    .join(', ')
