import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { DataTable, NOTHING, type Selection } from '../../ui/table/table.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import { certificateColumns, itemColumns } from './columns.tsx'
import { type Certificate, type Item, useCertificates, useItems } from './queries.ts'
import { PageAlone, PageFrame, useDocumentTitle } from '../../ui/layout/page-frame.tsx'
import { TwoPane, WorkPane } from '../../ui/layout/two-pane.tsx'
import styles from './disposition.module.css'
import { useFigures } from './figures.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { Quarantine } from './quarantine.tsx'
import { windowOf } from '../../client/pages.ts'
import { useMay } from '../../client/rights.ts'
import { Failed } from './pages.tsx'
import type { DispositionSearch, View } from './search.ts'
import { Steps } from './steps.tsx'

/** As many as one approval takes. */
const MOST = 100

const TITLES = {
  due: 'dueTitle',
  bin: 'binTitle',
  certificates: 'certificatesTitle',
  quarantine: 'quarantineTitle',
} as const

/** What is due, what lies in the recycle bin before its destruction, and what is left of what was destroyed. */
export function DispositionPage() {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const navigate = useNavigate({ from: '/disposition' })
  const { view = 'due', open } = useSearch({ from: '/disposition' })
  const may = useMay('ApproveDisposition')
  const { data: figures } = useFigures(may)
  const title = `${t('title')} · ${t(TITLES[view])}`
  useDocumentTitle(title)
  const change = (what: DispositionSearch): void => void navigate({ search: (now) => ({ ...now, ...what }) })
  if (!may)
    return (
      <PageAlone>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </PageAlone>
    )
  const shown = (count: number | undefined): string => (count === undefined ? '' : format.count(count))
  const due = figures?.Due.Items ?? 0
  return (
    <PageFrame
      title={t('title')}
      documentTitle={title}
      lead={
        figures !== undefined && (
          <p className="muted">
            {due === 0 ? t('leadNone') : t('lead', { items: shown(due), size: format.bytes(figures.Due.Bytes) })}
          </p>
        )
      }
      acts={
        <>
          <Button icon="calendar" onPress={() => void navigate({ to: '/reports', search: { report: 'calendar' } })}>
            {t('calendar')}
          </Button>
          <Segments<View>
            label={t('view')}
            value={view}
            onChange={(next) => change({ view: next, open: undefined })}
            segments={[
              { id: 'due', label: t('due', { shown: shown(figures?.Due.Items) }) },
              { id: 'bin', label: t('bin', { shown: shown(figures?.RecycleBin) }) },
              { id: 'certificates', label: t('certificates', { shown: shown(figures?.Certificates) }) },
              { id: 'quarantine', label: t('quarantineTitle') },
            ]}
          />
        </>
      }
    >
      {view === 'quarantine' && <Quarantine />}
      {view === 'certificates' && <Certificates open={open} onOpen={(one) => change({ open: one })} />}
      {(view === 'due' || view === 'bin') && (
        <Queue key={view} view={view} hours={figures?.CoolingOffHours ?? 0} days={figures?.RecycleBinDays ?? 0} />
      )}
    </PageFrame>
  )
}

interface QueueProps {
  readonly view: 'due' | 'bin'
  readonly hours: number
  readonly days: number
}

function Queue({ view, hours, days }: QueueProps) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const pages = useItems(view === 'due' ? 'Due' : 'RecycleBin', true)
  const columns = useMemo(() => itemColumns(t, format), [t, format])
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const { rows } = pages
  const selected = useMemo(
    () => (rows ?? []).filter(({ ItemId }) => selection.keys.has(ItemId)).slice(0, MOST),
    [rows, selection],
  )
  const all = (): void =>
    setSelection({ all: false, keys: new Set((rows ?? []).slice(0, MOST).map(({ ItemId }) => ItemId)) })
  return (
    <>
      <Failed pages={pages} />
      <TwoPane className={styles['columns']}>
        <WorkPane label={t(TITLES[view])}>
          <div className={styles['body']}>
            <DataTable<Item>
              label={t(TITLES[view])}
              columns={columns}
              {...windowOf(pages)}
              keyOf={({ ItemId }) => ItemId}
              selection={selection}
              onSelection={setSelection}
              onSelectAll={all}
              onOpen={({ ItemId }) => setSelection({ all: false, keys: new Set([ItemId]) })}
              media
              empty={
                <EmptyState title={t(view === 'due' ? 'emptyDueTitle' : 'emptyBinTitle')}>
                  {t(view === 'due' ? 'emptyDueBody' : 'emptyBinBody')}
                </EmptyState>
              }
            />
          </div>
          <Steps items={selected} hours={hours} days={days} />
        </WorkPane>
        {rows !== null && rows.length > 0 && <PreviewPanel items={selected} onDone={() => setSelection(NOTHING)} />}
      </TwoPane>
    </>
  )
}

interface CertificatesProps {
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

function Certificates({ open, onOpen }: CertificatesProps) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const pages = useCertificates(true)
  const columns = useMemo(() => certificateColumns(t, format), [t, format])
  const one = pages.rows?.find(({ CertificateId }) => CertificateId === open)
  return (
    <>
      <Failed pages={pages} />
      <TwoPane className={styles['columns']}>
        <WorkPane label={t('certificatesTitle')}>
          <div className={styles['body']}>
            <DataTable<Certificate>
              label={t('certificatesTitle')}
              columns={columns}
              {...windowOf(pages)}
              keyOf={({ CertificateId }) => CertificateId}
              onOpen={({ CertificateId }) => onOpen(CertificateId)}
              media
              empty={<EmptyState title={t('emptyCertificatesTitle')}>{t('emptyCertificatesBody')}</EmptyState>}
            />
          </div>
        </WorkPane>
        {one !== undefined && <CertificatePanel one={one} onClose={() => onOpen(undefined)} />}
      </TwoPane>
    </>
  )
}
