/** What can be done with one record: its papers, that it was acknowledged, a supplement to it, another one in its place. */
import { useState } from 'react'
import type { Disclosures, Due, Summary } from '../../client/disclosure/disclosure.ts'
import { useDisclosure } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { Menu } from '../../ui/popover/menu.tsx'
import { type Paper, papersFor, savePaper, saveRecordSheet } from './papers.ts'
import styles from './disclosure.module.css'

export const DiscloseDialog = lazyOpened(async () => (await import('./disclose-dialog.tsx')).DiscloseDialog)
const AcknowledgeDialog = lazyOpened(async () => (await import('./acknowledge-dialog.tsx')).AcknowledgeDialog)

interface ActsProps {
  readonly one: Summary
  readonly known: Disclosures
}

export function RecordActs({ one, known }: ActsProps) {
  const { t } = useTranslation('disclosure')
  const [open, setOpen] = useState<'acknowledge' | 'supplement' | 'supersede' | null>(null)
  const close = (): void => setOpen(null)
  const stands = one.SupersededBy === null
  const isLast = !known.Items.some((other) => other.Chain === one.Chain && other.No > one.No)
  const due = known.Due.find(({ Chain }) => Chain === one.Chain) ?? null
  return (
    <>
      <div className={styles['acts']}>
        <Papers one={one} />
        {stands && one.Acknowledged === null && (
          <Button size="small" icon="check" onPress={() => setOpen('acknowledge')}>
            {t('acknowledgeDots')}
          </Button>
        )}
        {stands && isLast && (
          <Button size="small" icon="plus" onPress={() => setOpen('supplement')}>
            {t('supplementDots')}
          </Button>
        )}
        {stands && (
          <Button size="small" icon="undo" onPress={() => setOpen('supersede')}>
            {t('supersedeDots')}
          </Button>
        )}
      </div>
      {open === 'acknowledge' && <AcknowledgeDialog one={one} onClose={close} />}
      {open === 'supplement' && <SupplementDialog one={one} due={due} known={known} onClose={close} />}
      {open === 'supersede' && <SupersedeDialog one={one} known={known} onClose={close} />}
    </>
  )
}

interface SupplementProps extends ActsProps {
  readonly due: Due | null
  readonly onClose: () => void
}

export const SupplementDialog = ({ one, due, known, onClose }: SupplementProps) => (
  <DiscloseDialog caseId={one.CaseId} mode={{ kind: 'supplement', last: one, due }} known={known} onClose={onClose} />
)

/** The whole of the record that was wrong is asked for first: it is what the other one begins with. */
function SupersedeDialog({ one, known, onClose }: ActsProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('disclosure')
  const { data, error } = useDisclosure(one.CaseId, one.No)
  if (error !== null) return <Refusal error={error} title={t('notRead')} />
  if (data === undefined) return null
  return (
    <DiscloseDialog caseId={one.CaseId} mode={{ kind: 'supersede', wrong: data }} known={known} onClose={onClose} />
  )
}

/** The record sheet of a case, as PDF or CSV. */
export function RecordSheet({ caseId }: { readonly caseId: string }) {
  const { t, language } = useTranslation('disclosure')
  const { tenant } = useSession()
  const { busy, error, run } = useAct()
  return (
    <>
      <Menu
        label={t('recordSheet')}
        trigger={
          <Button icon="print" busy={busy}>
            {t('recordSheet')}
          </Button>
        }
        sections={[
          {
            items: (['pdf', 'csv'] as const).map((format) => ({
              id: format,
              label: t(format === 'pdf' ? 'recordSheetPdf' : 'recordSheetCsv'),
              icon: 'download' as const,
              onAction: () => run(() => saveRecordSheet(tenant, caseId, format, language)),
            })),
          },
        ]}
      />
      {error !== null && <Refusal error={error} title={t('noPaper')} />}
    </>
  )
}

function Papers({ one }: { readonly one: Summary }) {
  const { t, language } = useTranslation('disclosure')
  const { tenant } = useSession()
  const { busy, error, run } = useAct()
  const nameOf = (paper: Paper): string =>
    paper.kind === 'receipt'
      ? t('receipt')
      : `${t(`paper-${paper.schedule}`)} (${paper.format === 'pdf' ? 'PDF' : 'CSV'})`
  return (
    <>
      <Menu
        label={`${t('papers')}, ${t('no', { no: one.No })}`}
        trigger={
          <Button size="small" icon="print" busy={busy}>
            {t('papers')}
          </Button>
        }
        sections={[
          {
            items: papersFor(one).map((paper) => ({
              id: paper.kind === 'receipt' ? 'receipt' : `${paper.schedule} ${paper.format}`,
              label: nameOf(paper),
              icon: 'download' as const,
              onAction: () => run(() => savePaper(tenant, one, paper, language)),
            })),
          },
        ]}
      />
      {error !== null && <Refusal error={error} title={t('noPaper')} />}
    </>
  )
}
