import { Suspense, useId, useMemo, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useStation } from '../../../../client/station.ts'
import { type Format, useFormat } from '../../../../ui/format/use-format.tsx'
import { decimalText, sexagesimalText } from '../../../../../shared/kernel/coordinates.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { copyText } from '../../../../ui/hash/copy.ts'
import { Menu, type MenuSection } from '../../../../ui/popover/menu.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { type Evidence, useCustody } from '../queries.ts'
import { visible } from '../text/visible.ts'
import type { Words } from '../stage/work.ts'
import { lengthOf } from './grid.ts'
import { metresText } from '../../../../ui/format/metres-text.ts'
import { placeWords } from './geometry.ts'
import { placesOf, type Shape, shapesOf } from '../../../../../shared/kernel/wkt-shapes.ts'
import styles from './where.module.css'
import { lazyPart } from '../../../../client/load-chunk.ts'

const OutlineMap = lazyPart(() => import('./outline-map.tsx'))

/** Where it was, on the outline that is part of the program, and in words. Never a position without its source. */
export function Where({ evidence }: { readonly evidence: Evidence }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { LocationWKT, LocationText } = evidence
  const shapes = useMemo(() => (LocationWKT === null ? null : shapesOf(LocationWKT)), [LocationWKT])
  const there = shapes !== null && shapes.some((shape) => placesOf(shape).length > 0)
  const source = useSource(evidence.EvidenceId, there)
  const tiles = useTileAddress()
  const described = useId()
  const { StartTimeUtc, EndTimeUtc } = evidence
  const times = useMemo(() => {
    const text = (at: string | null): string | null => (at === null ? null : format.timeOfDay(at, 'second'))
    return { start: text(StartTimeUtc), end: text(EndTimeUtc) }
  }, [StartTimeUtc, EndTimeUtc, format])
  return (
    <section className={styles['where']} aria-labelledby="where">
      <h2 id="where" className={styles['title']}>
        {t('where')} {there && <span className={styles['source']}>{t(SOURCES[source])}</span>}
      </h2>
      {there ? (
        <>
          <Suspense fallback={<Skeleton lines={4} label={t('mapLoading')} />}>
            <OutlineMap shapes={shapes} tiles={tiles} label={t('map')} times={times} describedBy={described} />
          </Suspense>
          <ul id={described} className={styles['places']}>
            {shapes.map((shape, index) => (
              <li key={index}>{shapeWords(shape, t, format)}</li>
            ))}
            <li className="unseen">{t('mapKeys')}</li>
          </ul>
          <CopyPlace shapes={shapes} />
        </>
      ) : (
        <p className={styles['none']}>{t(LocationWKT === null ? 'whereNone' : 'whereUnreadable')}</p>
      )}
      {LocationText !== null && LocationText !== '' && (
        <dl className={styles['facts']}>
          <dt>{t('locationText')}</dt>
          <dd>
            <bdi>{visible(LocationText)}</bdi>
          </dd>
        </dl>
      )}
    </section>
  )
}

function shapeWords(shape: Shape, t: Words, format: Format): string {
  const digits = (value: number, count: number): string =>
    new Intl.NumberFormat(format.locale, { minimumFractionDigits: count, maximumFractionDigits: count }).format(value)
  const places = placesOf(shape)
  const words = (at: number): string => {
    const place = places.at(at)
    return place === undefined ? '' : placeWords(place, digits)
  }
  const count = places.length
  if (shape.kind === 'point') return words(0)
  if (shape.kind === 'line') {
    const length = t('trackLength', { length: metresText(lengthOf(places), format.locale) })
    return `${t('track', { count, shown: format.count(count), from: words(0), to: words(-1) })}, ${length}`
  }
  return t('area', { count, shown: format.count(count), from: words(0) })
}

/** The position as text for another program or a radio: in the notation that is chosen. */
function CopyPlace({ shapes }: { readonly shapes: readonly Shape[] }) {
  const { t } = useTranslation('evidencePage')
  const [said, setSaid] = useState('')
  const [shape] = shapes
  const places = shape === undefined ? [] : placesOf(shape)
  const [first, last] = [places[0], places.at(-1)]
  if (shape === undefined || first === undefined || last === undefined) return null
  const copy = (text: string) => () =>
    void copyText(text).then((done) => setSaid(done ? `${t('placeCopied')} ${text}` : t('placeNotCopied')))
  const section = (place: typeof first, label?: string): MenuSection => ({
    label,
    items: [
      {
        id: `decimal ${label ?? ''}`,
        label: `${t('copyDecimal')} · ${decimalText(place)}`,
        onAction: copy(decimalText(place)),
      },
      {
        id: `sexagesimal ${label ?? ''}`,
        label: `${t('copySexagesimal')} · ${sexagesimalText(place)}`,
        onAction: copy(sexagesimalText(place)),
      },
    ],
  })
  const isTrack = shape.kind === 'line' && places.length > 1
  return (
    <div className={styles['copying']}>
      <Menu
        label={t('copyPlace')}
        placement="bottom start"
        sections={isTrack ? [section(first, t('copyStart')), section(last, t('copyEnd'))] : [section(last)]}
        trigger={
          <Button size="small" icon="copy">
            {t('copyPlace')}
          </Button>
        }
      />
      <span role="status">{said}</span>
    </div>
  )
}

const SOURCES = { gps: 'sourceGps', typed: 'sourceTyped', unknown: 'sourceUnknown' } as const

/** Read off the ledger's changes: the station fills an empty position from the file and says so. */
function useSource(evidenceId: string, there: boolean): keyof typeof SOURCES {
  const entries = useCustody(evidenceId, 'acts', there).rows ?? []
  const filled = entries.some(({ Action, Detail }) => {
    const members = Detail?.['filled']
    return Action === 'evidence.filled' && Array.isArray(members) && members.includes('LocationWKT')
  })
  if (filled) return 'gps'
  return entries.some(({ Action }) => Action === 'evidence.created') ? 'typed' : 'unknown'
}

/** Of a map server that the station was given; null for none. */
function useTileAddress(): string | null {
  const station: unknown = useStation()
  if (typeof station !== 'object' || station === null || !('TileUrl' in station)) return null
  return typeof station.TileUrl === 'string' ? station.TileUrl : null
}
