import { useEffect, useRef } from 'react'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { useMapWords } from './outline-map.tsx'
import { type Region, useRegions } from './regions.ts'
import { type Box, shownBy } from './map-view.ts'
import { makeStreetMap } from './street-map.ts'
import styles from './where.module.css'

export interface AreaMapProps {
  readonly start: Box | null
  /** Told of the part that is shown, first as it begins. */
  readonly onMove: (box: Box) => void
  readonly label: string
}

const WHOLE: Box = [-160, -55, 160, 75]

/** A map to choose a part of the world with: what it shows is what is chosen. Moved by mouse, and by keyboard once it has the focus. */
export default function AreaMap(props: AreaMapProps) {
  const regions = useRegions()
  return regions === null ? (
    <div className={`${styles['map']} ${styles['chosen']}`} aria-busy />
  ) : (
    <DrawnMap {...props} regions={regions} />
  )
}

function DrawnMap({ start, onMove, label, regions }: AreaMapProps & { readonly regions: readonly Region[] }) {
  const words = useMapWords()
  const { locale } = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const first = useRef(start ?? boundsOf(regions))
  const tell = useRef(onMove)
  tell.current = onMove
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const { map, remove } = makeStreetMap(element, { words, locale, regions, origin: null })
    const [west, south, east, north] = first.current
    // One that crosses the antimeridian goes on eastwards on the map.
    map.fitBounds([
      [south, west],
      [north, east < west ? east + 360 : east],
    ])
    map.on('moveend', () => tell.current(shownBy(map)))
    tell.current(shownBy(map))
    return remove
  }, [words, locale, regions])
  return (
    <div className={styles['frame']}>
      <div
        ref={box}
        className={`${styles['map']} ${styles['chosen']}`}
        role="application"
        aria-label={label}
        data-map
      />
    </div>
  )
}

/** Where the station has streets, its own places lie. */
function boundsOf(regions: readonly Region[]): Box {
  const [first, ...others] = regions.map(({ Bounds }) => Bounds)
  if (first === undefined) return WHOLE
  return others.reduce<Box>(
    ([west, south, east, north], [w, s, e, n]) => [
      Math.min(west, w),
      Math.min(south, s),
      Math.max(east, e),
      Math.max(north, n),
    ],
    first,
  )
}
