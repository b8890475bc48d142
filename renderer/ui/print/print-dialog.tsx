import { useState } from 'react'
import { LABEL_SHEETS, LABEL_SIZES, type LabelSize } from '../../../shared/reports/labels.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button, LinkButton } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { NumberField } from '../field/number-field.tsx'
import { RadioGroup } from '../field/radio-group.tsx'
import { useFormat } from '../format/use-format.tsx'
import { visible } from '../format/visible.ts'
import { Problem } from '../problem/problem.tsx'
import { Spinner } from '../progress/progress.tsx'
import { Segments } from '../segments/segments.tsx'
import { Select } from '../select/select.tsx'
import { StateMark } from '../state/state.tsx'
import { LabelPreview } from './label-preview.tsx'
import type { PrintChoice, PrintDialogProps, PrintDocument } from './print-props.ts'
import styles from './print.module.css'
import { type Making, useDocument } from './use-document.ts'

const WORDS = {
  sheet: ['printSheet', 'printSheetAbout'],
  acts: ['printActs', 'printActsAbout'],
  all: ['printAll', 'printAllAbout'],
  summary: ['printSummary', 'printSummaryAbout'],
  labels: ['printLabels', 'printLabelsAbout'],
} as const satisfies Readonly<Record<PrintDocument, readonly [string, string]>>

/** What to print, on what; then how far it is, and the file. */
export function PrintSurface({ name, choices, onClose }: PrintDialogProps) {
  const { t, language } = useTranslation('reports')
  const { making, make, stop, forget } = useDocument()
  const [id, setId] = useState<PrintDocument>(choices[0]?.id ?? 'sheet')
  const [paper, setPaper] = useState<'a4' | 'letter'>('a4')
  const [size, setSize] = useState<LabelSize>('a4-24')
  const [skip, setSkip] = useState(0)
  const chosen = choices.find((one) => one.id === id)
  const places = LABEL_SHEETS[size].columns * LABEL_SHEETS[size].rows
  const options = { language, paper, size, skip: Math.min(Math.max(0, Math.trunc(skip) || 0), places - 1) }
  /** What was made is not what is chosen any more. */
  const change = <T,>(set: (value: T) => void) => {
    return (value: T): void => {
      if (making.state !== 'idle') forget()
      set(value)
    }
  }
  return (
    <Dialog
      title={t('printTitle', { name: visible(name) })}
      onClose={onClose}
      size="wide"
      note={<Progress making={making} />}
      actions={
        making.state === 'busy' ? (
          <Button onPress={stop}>{t('stopMaking')}</Button>
        ) : making.state === 'ready' ? (
          <>
            <Button onPress={onClose}>{t('done')}</Button>
            <LinkButton kind="main" icon="download" href={making.url} download={making.name}>
              {t('save')}
            </LinkButton>
          </>
        ) : (
          <>
            <Button onPress={onClose}>{t('cancelPrint')}</Button>
            <Button kind="main" icon="print" onPress={() => chosen !== undefined && make(chosen.address(options))}>
              {t('make')}
            </Button>
          </>
        )
      }
    >
      <div className={styles['body']} inert={making.state === 'busy'}>
        {choices.length > 1 && (
          <RadioGroup<PrintDocument>
            label={t('printDocument')}
            value={id}
            onChange={change(setId)}
            options={choices.map((one) => ({
              id: one.id,
              label: t(WORDS[one.id][0]),
              description: t(WORDS[one.id][1]),
            }))}
          />
        )}
        {chosen?.id === 'labels' ? (
          <Labels {...{ chosen, size, skip, places }} onSize={change(setSize)} onSkip={change(setSkip)} />
        ) : (
          <div className={styles['option']}>
            <span className={styles['label']}>{t('paper')}</span>
            <Segments
              label={t('paper')}
              value={paper}
              onChange={change(setPaper)}
              segments={[
                { id: 'a4', label: t('paper_a4') },
                { id: 'letter', label: t('paper_letter') },
              ]}
            />
          </div>
        )}
        {making.state === 'failed' && <Problem error={making.error} title={t('notMade')} />}
      </div>
    </Dialog>
  )
}

function Progress({ making }: { readonly making: Making }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  return (
    <span role="status" className={styles['progress']}>
      {making.state === 'busy' && (
        <Spinner>{making.bytes === 0 ? t('makingFirst') : t('making', { bytes: format.bytes(making.bytes) })}</Spinner>
      )}
      {making.state === 'ready' && (
        <StateMark state="ok">{t('ready', { bytes: format.bytes(making.bytes) })}</StateMark>
      )}
      {making.state === 'stopped' && t('stopped')}
    </span>
  )
}

interface LabelsProps {
  readonly chosen: PrintChoice
  readonly size: LabelSize
  readonly skip: number
  readonly places: number
  readonly onSize: (size: LabelSize) => void
  readonly onSkip: (skip: number) => void
}

function Labels({ chosen, size, skip, places, onSize, onSkip }: LabelsProps) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const items = chosen.items ?? []
  return (
    <div className={styles['labels']}>
      <div className={styles['settings']}>
        <Select<LabelSize>
          label={t('labelSize')}
          value={size}
          onChange={onSize}
          options={LABEL_SIZES.map((id) => ({ id, label: t(`label_${id}`) }))}
        />
        {places > 1 && (
          <NumberField
            label={t('labelSkip')}
            description={t('labelSkipHelp')}
            value={skip}
            onChange={onSkip}
            min={0}
            max={places - 1}
          />
        )}
        <p className={styles['second']}>
          {t('labelCount', { count: items.length, shown: format.count(items.length) })} · {t('labelScale')}
        </p>
      </div>
      <LabelPreview size={size} skip={Number.isFinite(skip) ? skip : 0} items={items} ordinal={chosen.ordinal} />
    </div>
  )
}
