import { Link } from '@tanstack/react-router'
import type { ComponentType, CSSProperties } from 'react'
import { useMemo } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Segments } from '../../../ui/segments/segments.tsx'
import { type Case, evidencesOf } from '../queries.ts'
import styles from './timeline.module.css'
import { type MapProps, Places } from './places.tsx'
import { type Lane, type Timeline, timelineOf } from './scale.ts'
import type { Face } from './search-state.ts'
import { useClockText } from '../../../ui/clocks/clocks.tsx'

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

const share = (value: number): string => `${(value * 100).toFixed(3)}%`
const DAY = 86_400_000

function Axis({ timeline }: { readonly timeline: Timeline }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { lanes, incident, ticks, timeless, start, end } = timeline
  const tick = (at: number): string =>
    end - start > 2 * DAY ? format.day(at, false) : format.instant(at, { date: false, precision: 'minute' })
  return (
    <>
      <div className={styles['scroll']} tabIndex={0} role="group" aria-label={t('timeline')}>
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
              <LaneRow key={lane.evidence.EvidenceId} lane={lane} format={format} />
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
    </>
  )
}

/** The one picture that there is, as often as it fits: a bar of film is told from one without pictures. */
const MOST_PICTURES = 12
const repeats = (width: number): readonly number[] =>
  Array.from({ length: Math.max(1, Math.ceil(width * MOST_PICTURES)) }, (_none, at) => at)

/** A bar from its first to its last moment, a dot where only its start is known. */
function LaneRow({
  lane: { evidence, from, to, starts: first, ends },
  format,
}: {
  readonly lane: Lane
  readonly format: Format
}) {
  const { t } = useTranslation('cases')
  const name = visible(evidence.DisplayName)
  const clock = useClockText()(evidence.Clock)
  const starts = format.instant(first, { date: false })
  const times = ends === null ? starts : t('fromTo', { from: starts, to: format.instant(ends, { date: false }) })
  const film = to === null || evidence.Thumbnail === null ? null : repeats(to - from)
  return (
    <li className={styles['lane']}>
      <span className={styles['name']}>
        <span className="truncated">
          <bdi>{name}</bdi>
        </span>
        <span className={styles['time']}>{times}</span>
      </span>
      <span className={styles['track']}>
        <Link
          to="/evidence/$evidenceId"
          params={{ evidenceId: evidence.EvidenceId }}
          className={styles[to === null ? 'dot' : 'bar']}
          {...(film === null ? {} : { 'data-film': '' })}
          style={{ insetInlineStart: share(from), ...(to === null ? {} : { inlineSize: share(to - from) }) }}
          aria-label={t('openAt', { name, times })}
          title={`${name}\n${times}\n${clock}`}
        >
          {film !== null && film.map((at) => <img key={at} src={evidence.Thumbnail ?? ''} alt="" decoding="async" />)}
        </Link>
      </span>
    </li>
  )
}
