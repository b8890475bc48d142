import { type ComponentType, type CSSProperties, useId, useMemo, useState } from 'react'
import { keep, kept } from '../../../client/preferences.ts'
import { useTranslation } from '../../../client/translate.ts'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import { Separator } from '../../../ui/split/separator.tsx'
import { type Case, evidencesOf } from '../queries.ts'
import styles from './timeline.module.css'
import { type MapProps, Places } from './places.tsx'
import { type Timeline, timelineOf } from './scale.ts'
import type { Face } from './search-state.ts'
import { LaneRow, rowsOf, share } from './timeline-lane.tsx'

interface PanelProps {
  readonly record: Case
  readonly view: Face
  readonly onView: (view: Face) => void
  readonly map: ComponentType<MapProps>
}

/** The case's evidence in time or in place. */
export function TimelinePanel({ record, view, onView, map }: PanelProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const timeline = useMemo(() => timelineOf(evidencesOf(record), record), [record])
  // Without evidence and without a place there is nothing to lay out.
  if (evidencesOf(record).length === 0 && record.LocationWKT === null) return null
  return (
    <section className={styles['panel']} aria-labelledby="case-timeline">
      <header className={styles['head']}>
        <h2 id="case-timeline" className={styles['title']}>
          {t(view === 'map' ? 'placesTitle' : 'timeline')}{' '}
          {view === 'timeline' && timeline !== null && (
            <span className={styles['note']}>
              {t('asRecorded', { zone: format.zoneLetters(timeline.start), day: daysOf(timeline, format) })}
            </span>
          )}
        </h2>
        <Segments
          label={t('faces')}
          value={view}
          onChange={onView}
          segments={[
            { id: 'timeline', label: t('timeline') },
            { id: 'map', label: t('map') },
          ]}
        />
      </header>
      {view === 'map' ? (
        <Places record={record} map={map} />
      ) : timeline === null ? (
        <p className={styles['none']}>{t('timelineNone')}</p>
      ) : (
        <Axis timeline={timeline} />
      )}
    </section>
  )
}

function daysOf({ start, end }: Timeline, format: Format): string {
  const [first, last] = [format.day(start), format.day(end)]
  return first === last ? first : `${format.day(start, false)} – ${last}`
}

const DAY = 86_400_000

/** In rem, as in the style sheet. */
const ROW = 2.625
const TICKS = 1.375
const HEIGHT = { least: 3 * ROW + TICKS, standard: 22 }

/** Height of the lanes in rem, kept in this browser: never more than they need. null: they are too few to choose. */
function useHeight({ lanes }: Timeline) {
  const [size, setSize] = useState(() => Number(kept('timelineHeight')) || HEIGHT.standard)
  const whole = TICKS + ROW * lanes.reduce((rows, lane) => rows + rowsOf(lane), 0)
  if (whole <= HEIGHT.least) return null
  return {
    size: Math.min(size, whole),
    min: HEIGHT.least,
    max: whole,
    standard: Math.min(HEIGHT.standard, whole),
    chosen: kept('timelineHeight') !== null,
    onSize: (rem: number) => {
      setSize(rem)
      keep('timelineHeight', rem === HEIGHT.standard ? null : String(rem))
    },
  }
}

function Axis({ timeline }: { readonly timeline: Timeline }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { lanes, incident, ticks, timeless, start, end } = timeline
  const id = useId()
  const height = useHeight(timeline)
  const tick = (at: number): string =>
    end - start > 2 * DAY ? format.day(at, false) : format.instant(at, { date: false, precision: 'minute' })
  return (
    <>
      <div
        id={id}
        className={styles['scroll']}
        {...(height?.chosen === true ? { style: { maxHeight: `${height.size}rem` } } : {})}
        tabIndex={0}
        role="group"
        aria-label={t('timeline')}
      >
        <div className={styles['axis']}>
          {incident !== null && (
            <span
              className={styles['incident']}
              style={
                {
                  '--from': incident.from,
                  '--to': incident.to ?? incident.from,
                } as CSSProperties
              }
              aria-hidden="true"
            />
          )}
          <ol className={styles['lanes']}>
            {lanes.map((lane) => (
              <LaneRow key={lane.key} lane={lane} format={format} />
            ))}
          </ol>
          <div className={styles['ticks']} aria-hidden="true">
            {ticks
              .filter(({ share: place }) => place > 0.03 && place < 0.98)
              .map(({ at, share: place }) => (
                <span key={at} style={{ insetInlineStart: share(place) }}>
                  {tick(at)}
                </span>
              ))}
          </div>
        </div>
      </div>
      {timeless > 0 && (
        <p className={styles['none']}>{t('timeless', { count: timeless, shown: format.count(timeless) })}</p>
      )}
      {height !== null && <Separator label={t('timeline')} controls={id} resizes="above" {...height} />}
    </>
  )
}
