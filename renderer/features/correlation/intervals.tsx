import type { CSSProperties } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { checkOf } from './labels.ts'
import styles from './correlation.module.css'
import type { Pair } from './queries.ts'

interface Span {
  readonly from: number
  readonly to: number
}

/** Call and recording under each other on one axis of true time; what the camera itself showed is dashed. */
export function Intervals({ pair }: { readonly pair: Pair }) {
  const { t } = useTranslation('correlation')
  const format = useFormat()
  const time = checkOf(pair, 'CaseHasTime')?.Facts
  const recorded = checkOf(pair, 'Overlap')?.Facts
  if (time?.['from'] === undefined || recorded === undefined) return null
  const [from, to] = [Number(time['from']), Number(time['to'])]
  const began = Number(time['began'])
  const call: Span = { from: began, to: Math.min(to, Math.max(began, Number(time['over'] ?? began))) }
  const recording: Span = { from: Number(recorded['from']), to: Number(recorded['to']) }
  const offset = pair.OffsetSeconds === null ? 0 : pair.OffsetSeconds * 1000
  const camera: Span = { from: recording.from - offset, to: recording.to - offset }
  const first = Math.min(from, recording.from, camera.from)
  const last = Math.max(to, recording.to, camera.to)
  const place = (span: Span) =>
    ({ '--from': (span.from - first) / (last - first), '--to': (span.to - first) / (last - first) }) as CSSProperties
  const day = format.day(call.from, false) !== format.day(recording.from, false)
  const said = (span: Span): string =>
    t('fromTo', {
      from: format.instant(span.from, { date: day, precision: 'second' }),
      to: format.instant(span.to, { date: day, precision: 'second' }),
    })
  return (
    <dl className={styles['intervals']}>
      <dt>{t('call')}</dt>
      <dd>{said(call)}</dd>
      <dd className={styles['track']} aria-hidden="true">
        <i className={styles['window']} style={place({ from, to })} />
        <i className={styles['call']} style={place(call)} />
      </dd>
      <dt>{t('recording')}</dt>
      <dd>{said(recording)}</dd>
      <dd className={styles['track']} aria-hidden="true">
        <i className={styles['window']} style={place({ from, to })} />
        <i className={styles['bar']} style={place(recording)} />
      </dd>
      {offset !== 0 && (
        <>
          <dt>{t('camera')}</dt>
          <dd>{said(camera)}</dd>
          <dd className={styles['track']} aria-hidden="true">
            <i className={styles['window']} style={place({ from, to })} />
            <i className={styles['shown']} style={place(camera)} />
          </dd>
        </>
      )}
      <dt className={styles['zone']}>{t('zone', { zone: format.zoneLetters(call.from) })}</dt>
    </dl>
  )
}
