import { useState } from 'react'
import { CLIP_KINDS, type ClipKind, LONGEST_CLIP, MOST_CLIPS } from '../../../../../../shared/media/clips.contract.ts'
import { useTranslation } from '../../../../../client/translate.ts'
import { Button, IconButton } from '../../../../../ui/button/button.tsx'
import { Dialog } from '../../../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../../../ui/field/field.tsx'
import { NumberField } from '../../../../../ui/field/number-field.tsx'
import { RadioGroup } from '../../../../../ui/field/radio-group.tsx'
import { useFormat } from '../../../../../ui/format/use-format.tsx'
import { Segments } from '../../../../../ui/segments/segments.tsx'
import { toasts } from '../../../../../ui/toast/toast.tsx'
import { Problem } from '../../stage/problem.tsx'
import styles from './clips.module.css'
import { around, type Marked, ofPairs, ofSelection, type Range, type Source } from './ranges.ts'
import { useClipBounds, useMakeClips } from './use-clips.ts'

export interface ClipDialogProps {
  readonly evidenceId: string
  /** Of the recording. */
  readonly resourceId: string
  readonly selection: { readonly from: number | null; readonly to: number | null }
  readonly marks: readonly Marked[]
  readonly duration: number
  readonly onAsked: (jobIds: readonly string[]) => void
  readonly onClose: () => void
}

const SECONDS = { before: 10, after: 20 }
const MOST_SECONDS = 3600

/** Which parts of a recording become files of their own, and of which kind: all of them with one button. */
export function ClipDialog(props: ClipDialogProps) {
  const { evidenceId, resourceId, selection, marks, duration, onAsked, onClose } = props
  const { t } = useTranslation('evidencePage')
  const { t: ui } = useTranslation('ui')
  const format = useFormat()
  const chosen = ofSelection(selection.from, selection.to, duration)
  const [source, setSource] = useState<Source>(chosen.length === 0 && marks.length > 0 ? 'around' : 'selection')
  const [seconds, setSeconds] = useState(SECONDS)
  const [kind, setKind] = useState<ClipKind>('exact')
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const found = {
    selection: chosen,
    pairs: ofPairs(marks),
    around: around(marks, numberOf(seconds.before), numberOf(seconds.after), duration),
  }[source]
  // A title stays with its line, also where the seconds around the marks change.
  const ranges = found
    .map((range, at) => ({ ...range, key: `${source}:${at}` }))
    .filter(({ key }) => !without.has(key))
    .map((range) => ({ ...range, name: names.get(range.key) ?? range.name }))
  const bounds = useClipBounds(evidenceId, resourceId, kind === 'stream' ? ranges : null)
  const make = useMakeClips(evidenceId, resourceId, (jobIds) => {
    toasts.show({ text: t('clipsAsked', { count: jobIds.length }) })
    onAsked(jobIds)
    onClose()
  })
  const tooLong = ranges.some(({ from, to }) => to - from > LONGEST_CLIP)
  const why =
    ranges.length === 0
      ? t('clipsNone')
      : ranges.length > MOST_CLIPS
        ? t('clipsTooMany', { most: MOST_CLIPS })
        : tooLong
          ? t('clipTooLong', { length: format.position(LONGEST_CLIP, false) })
          : kind === 'stream' && bounds.error !== null
            ? t('clipStreamCannot')
            : undefined
  return (
    <Dialog
      title={t('clipsTitle')}
      lead={t('clipsLead')}
      onClose={onClose}
      keep={make.isPending || names.size > 0}
      size="wide"
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {ui('cancel')}
          </Button>
          <Button kind="main" busy={make.isPending} why={why} onPress={() => make.mutate({ kind, ranges })}>
            {t('clipsCreate', { count: ranges.length })}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <Segments
          label={t('clipsFrom')}
          value={source}
          onChange={setSource}
          segments={[
            { id: 'selection', label: t('clipsFromSelection') },
            { id: 'pairs', label: t('clipsFromPairs') },
            { id: 'around', label: t('clipsFromAround') },
          ]}
        />
        {source === 'around' && (
          <div className={styles['seconds']}>
            {(['before', 'after'] as const).map((side) => (
              <NumberField
                key={side}
                label={t(side === 'before' ? 'clipsBefore' : 'clipsAfter')}
                value={seconds[side]}
                onChange={(value) => setSeconds({ ...seconds, [side]: value })}
                min={0}
                max={MOST_SECONDS}
                unit="s"
              />
            ))}
          </div>
        )}
        {ranges.length === 0 ? (
          <p className={styles['none']}>{t(NOTHING[source])}</p>
        ) : (
          <ol className={styles['ranges']} aria-label={t('clipsRanges')}>
            {ranges.map((range, at) => (
              <RangeLine
                key={range.key}
                range={range}
                number={at + 1}
                real={kind === 'stream' ? (bounds.data?.[at] ?? null) : null}
                onName={(name) => setNames(new Map(names).set(range.key, name))}
                onRemove={ranges.length === 1 ? null : () => setWithout(new Set(without).add(range.key))}
              />
            ))}
          </ol>
        )}
        <RadioGroup
          label={t('clipKind')}
          value={kind}
          onChange={setKind}
          options={CLIP_KINDS.map((id) => ({ id, label: t(KINDS[id].label), description: t(KINDS[id].what) }))}
        />
        {kind === 'stream' && bounds.isFetching && <p role="status">{t('clipBoundsReading')}</p>}
        {kind === 'stream' && bounds.error !== null && (
          <Problem error={bounds.error} title={t('clipStreamCannot')} onRetry={() => void bounds.refetch()} />
        )}
        {make.error !== null && <Problem error={make.error} title={t('clipsNotAsked')} />}
      </div>
    </Dialog>
  )
}

const KINDS = {
  exact: { label: 'clipExact', what: 'clipExactWhat' },
  stream: { label: 'clipStream', what: 'clipStreamWhat' },
} as const
const NOTHING = { selection: 'clipsNoSelection', pairs: 'clipsNoPairs', around: 'clipsNoMarks' } as const

/** An emptied field means nothing to add. */
const numberOf = (value: number): number => (Number.isNaN(value) ? 0 : value)

interface LineProps {
  readonly range: Range
  readonly number: number
  /** Of an untouched stream, once they are known. */
  readonly real: { readonly FromSeconds: number; readonly ToSeconds: number } | null
  readonly onName: (name: string) => void
  readonly onRemove: (() => void) | null
}

function RangeLine({ range, number, real, onName, onRemove }: LineProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { from, to, name } = range
  const words = (one: number, other: number): string =>
    t('clipRange', {
      from: format.position(one),
      to: format.position(other),
      length: format.position(Math.max(0, other - one)),
    })
  return (
    <li className={styles['range']}>
      <span className={styles['when']}>
        <span>{words(from, to)}</span>
        {real !== null && (
          <span className={styles['real']} data-real>
            {t('clipReal', { range: words(real.FromSeconds, real.ToSeconds) })}
          </span>
        )}
      </span>
      <TextField
        label={t('clipName', { number })}
        hideLabel
        placeholder={t('clipNamePlaceholder')}
        value={name}
        onChange={onName}
        maxLength={1000}
      />
      {onRemove !== null && <IconButton icon="x" size="small" label={t('clipRemove', { number })} onPress={onRemove} />}
    </li>
  )
}
