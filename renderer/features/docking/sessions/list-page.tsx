import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useMay } from '../../../client/rights.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Problem } from '../../../ui/problem/problem.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import { AssignAction } from '../assign/assign-action.tsx'
import { windowOf } from '../../../client/pages.ts'
import { type Session, useSessions } from './queries.ts'
import { Filters } from './filters.tsx'
import { isFiltered, type SessionsSearch, sessionsSearch } from './search.ts'
import { PageAlone, PageBody, PageFrame, PageNote, useDocumentTitle } from '../../../ui/layout/page-frame.tsx'
import styles from './sessions.module.css'
import { isFolder, cameraOf, serialOf, stateOf, type Words } from './labels.ts'

/** Every camera that was put in, newest first. */
export function DockSessionsPage() {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const navigate = useNavigate({ from: '/dock/sessions' })
  const given = useSearch({ from: '/dock/sessions' })
  const search = useMemo(() => sessionsSearch.read(given), [given])
  const may = useMay('ManageDevices')
  const pages = useSessions(search, may)
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const change = useCallback(
    (what: Partial<SessionsSearch>): void =>
      void navigate({
        search: (now) => sessionsSearch.withoutUsual(sessionsSearch.read({ ...now, ...what })),
        replace: true,
      }),
    [navigate],
  )
  useDocumentTitle(t('title'))
  if (!may)
    return (
      <PageAlone>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </PageAlone>
    )
  return (
    <PageFrame
      title={t('title')}
      lead={<p className={styles['lead']}>{t('lead')}</p>}
      acts={<AssignAction serial={null} />}
      tight
    >
      <Filters search={search} change={change} rows={pages.rows} />
      {pages.error !== null && (
        <PageNote>
          <Problem error={pages.error} onRetry={pages.retry} />
        </PageNote>
      )}
      <PageBody>
        <DataTable<Session>
          label={t('title')}
          columns={columns}
          {...windowOf(pages)}
          keyOf={({ DockSessionId }) => DockSessionId}
          onOpen={({ DockSessionId }) =>
            void navigate({ to: '/dock/sessions/$dockSessionId', params: { dockSessionId: DockSessionId } })
          }
          media
          empty={
            isFiltered(search) ? (
              <EmptyState title={t('noneTitle')}>{t('noneBody')}</EmptyState>
            ) : (
              <EmptyState title={t('emptyTitle')}>{t('emptyBody')}</EmptyState>
            )
          }
        />
      </PageBody>
    </PageFrame>
  )
}

const columnsOf = (t: Words, format: Format): readonly Column<Session>[] => [
  {
    id: 'camera',
    label: t('camera'),
    least: 12,
    cell: (one) => <TwoLines strong first={<bdi>{cameraOf(one, t)}</bdi>} second={secondLine(one, t)} />,
    text: (one) => `${cameraOf(one, t)}, ${secondLine(one, t)}`,
  },
  {
    id: 'state',
    label: t('state'),
    width: 11,
    cell: (one) => {
      const { state, words } = stateOf(one, t)
      return (
        <StateMark state={state} wraps>
          {words}
        </StateMark>
      )
    },
    text: (one) => stateOf(one, t).words,
  },
  {
    id: 'docked',
    label: t('docked'),
    width: 10.5,
    cell: ({ DetectedTimeUtc }) => format.instant(DetectedTimeUtc, { precision: 'minute' }),
    text: ({ DetectedTimeUtc }) => format.instant(DetectedTimeUtc, { precision: 'second', zone: true }),
  },
  {
    id: 'officer',
    label: t('officer'),
    width: 11,
    priority: 2,
    cell: (one) =>
      one.Officers.length === 0 ? (
        <span className={styles['muted']}>{one.Files === 0 ? '' : t('nobody')}</span>
      ) : (
        <bdi>{officers(one)}</bdi>
      ),
    text: officers,
  },
  {
    id: 'files',
    label: t('files'),
    width: 9,
    align: 'end',
    cell: (one) => <TwoLines first={filesOf(one, t, format)} second={leftWords(one, t)} />,
    text: (one) => [filesOf(one, t, format), leftWords(one, t)].filter(Boolean).join(', '),
  },
  {
    id: 'size',
    label: t('size'),
    width: 6,
    align: 'end',
    priority: 3,
    cell: ({ Bytes }) => format.bytes(Bytes),
    text: ({ Bytes }) => format.exactBytes(Bytes),
  },
]

const officers = ({ Officers }: Session): string => Officers.map(({ Username }) => visible(Username)).join(', ')

const secondLine = (one: Session, t: Words): string => {
  const serial = serialOf(one)
  return [
    ...(serial === null ? [] : [t('serial', { serial: visible(serial) })]),
    isFolder(one) ? visible(one.Bay) : t('bay', { bay: visible(one.Bay) }),
  ].join(' · ')
}

const filesOf = ({ Files, FilesDone }: Session, t: Words, format: Format): string =>
  Files === FilesDone ? format.count(Files) : t('filesOf', { done: format.count(FilesDone), all: format.count(Files) })

const leftWords = ({ Problems, Differs, Foreign }: Session, t: Words): string =>
  Problems > Differs
    ? t('problems', { count: Problems - Differs })
    : Differs > 0
      ? t('differs', { count: Differs })
      : Foreign > 0
        ? t('foreign', { count: Foreign })
        : ''
