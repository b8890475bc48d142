import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { cx } from '../../../ui/given.ts'
import type { Face } from './face.ts'
import { type Places, placesFor } from './places.ts'
import { Tile, type TileAction } from './tile.tsx'
import styles from './wall.module.css'

interface TilesProps {
  readonly faces: readonly Face[]
  readonly action: TileAction
}

const STEPS: Readonly<Record<string, (columns: number) => number>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
  Home: () => Number.NEGATIVE_INFINITY,
  End: () => Number.POSITIVE_INFINITY,
}

/** All bays, as large as the place allows. The Tab key reaches one, the arrows the others. */
export function Tiles({ faces, action }: TilesProps) {
  const { t } = useTranslation('dockWall')
  const [area, places] = usePlaces(faces.length)
  const [stop, setStop] = useState<string | null>(null)
  const { columns, rows, rowHeight } = places
  const spare = columns * rows - faces.length
  const at = Math.max(
    0,
    faces.findIndex(({ key }) => key === stop),
  )
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const step = STEPS[event.key]?.(columns)
    const tiles = [...event.currentTarget.children]
    const from = tiles.indexOf(event.target as HTMLElement)
    // Keys of a field or a button inside a tile are its own.
    if (step === undefined || from < 0) return
    const to = Math.min(tiles.length - 1, Math.max(0, from + step))
    event.preventDefault()
    if (Number.isFinite(step) && to !== from + step) return
    setStop(faces[to]?.key ?? null)
    ;(tiles[to] as HTMLElement).focus()
  }
  const template = {
    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    ...(rowHeight === null
      ? { gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))` }
      : { gridAutoRows: `${rowHeight}px` }),
  }
  return (
    <div ref={area} className={cx(styles['area'], rowHeight !== null && styles['scrolls'])} data-region>
      <ul
        aria-label={t('list')}
        className={styles['tiles']}
        style={template}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const index = [...event.currentTarget.children].indexOf(event.target)
          if (index >= 0) setStop(faces[index]?.key ?? null)
        }}
      >
        {faces.map((face, index) => (
          <Tile key={face.key} face={face} stop={index === at} action={action} />
        ))}
      </ul>
      {spare >= 2 && rowHeight === null ? (
        <div className={cx(styles['tiles'], styles['over'])} style={template}>
          <div style={{ gridColumn: `${columns - Math.min(spare, columns, 3) + 1} / -1`, gridRow: `${rows}` }}>
            <Rule />
          </div>
        </div>
      ) : (
        <Rule />
      )}
    </div>
  )
}

function Rule() {
  const { t } = useTranslation('dockWall')
  return (
    <p className={styles['rule']}>
      {t('ruleBefore')} <b>{t('ruleSign')}</b> {t('ruleAfter')}
    </p>
  )
}

/** Of tiles from one another, in pixels, as the style has it. */
const GAP = 10

function usePlaces(tiles: number): [React.RefObject<HTMLDivElement | null>, Places] {
  const area = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 1280, height: 640 })
  useEffect(() => {
    const element = area.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const { width, height } = entry.contentRect
      setSize((was) => (was.width === width && was.height === height ? was : { width, height }))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [area, placesFor(tiles, size.width, size.height, GAP)]
}
