import { type ComponentType, Suspense, useCallback, useId, useMemo, useState } from 'react'
import { decimalText } from '../../../shared/kernel/coordinates.ts'
import { metresBetween } from '../../../shared/kernel/distance.ts'
import { type Box, boundsOfCell, tilesAbout } from '../../../shared/search/cells.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button, TextButton } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { metresText } from '../../ui/format/metres-text.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import type { FilterProps } from './filter-props.ts'
import { type Density, useDensity } from './queries.ts'
import { SearchProblem } from './search-problem.tsx'
import { isFiltered, type Near, nearOf, WITHOUT_FILTERS } from './search-state.ts'
import styles from './search.module.css'

export interface Cell {
  readonly id: string
  readonly bounds: Box
  readonly count: number
  readonly step: number
}

/** A map with squares to choose from. */
export type ShowDensity = ComponentType<{
  readonly start: Box
  readonly cells: readonly Cell[]
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  readonly onMove: (shown: Box, zoom: number) => void
  readonly circle: Near | null
  readonly label: string
  readonly describedBy: string
}>

interface Props extends FilterProps {
  readonly map: ShowDensity
}

/** Where what is found was: a map of how much was where, and the same as a list. */
export function DensityView(props: Props) {
  const { t } = useTranslation('search')
  const { search, change } = props
  const whole = useDensity(search, null)
  if (whole.error !== null)
    return (
      <div className={styles['note']}>
        <SearchProblem error={whole.error} onRetry={() => void whole.refetch()} />
      </div>
    )
  if (whole.data === undefined)
    return (
      <div className={styles['note']}>
        <Skeleton lines={6} label={t('counting')} />
      </div>
    )
  const { Bounds } = whole.data
  if (Bounds === null)
    return (
      <EmptyState
        title={t('densityNone')}
        action={
          isFiltered(search) ? (
            <Button onPress={() => change(WITHOUT_FILTERS)}>{t('nothingFilters')}</Button>
          ) : undefined
        }
      >
        {t('densityNoneBody')}
      </EmptyState>
    )
  // Another question begins at its own places again.
  return <Counted key={JSON.stringify([Bounds, search.near])} {...props} bounds={Bounds as Box} />
}

const STEPS = 5
const NO_CELLS: readonly Cell[] = []

function Counted({ search, change, map: Map, bounds }: Props & { readonly bounds: Box }) {
  const { t } = useTranslation('search')
  const [shown, setShown] = useState<ReturnType<typeof tilesAbout> | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const part = useDensity(search, shown)
  const near = useMemo(() => nearOf(search.near), [search.near])
  // The whole was counted in other squares: it says where the map begins, and is not drawn.
  const data = shown === null ? undefined : part.data
  const cells = useMemo(() => (data === undefined ? NO_CELLS : cellsOf(data)), [data])
  const described = useId()
  const onMove = useCallback((box: Box, zoom: number) => {
    const next = tilesAbout(box, zoom)
    setShown((now) => (now !== null && JSON.stringify(now) === JSON.stringify(next) ? now : next))
  }, [])
  const show = (cell: Cell): void =>
    change({ box: cell.bounds.map(rounded).join(','), types: ['Evidence'], view: 'list' })
  return (
    <div className={styles['density']}>
      <div className={styles['densityMap']}>
        <Suspense fallback={<Skeleton lines={6} label={t('counting')} />}>
          <Map
            start={startOf(bounds, near)}
            cells={cells}
            chosen={chosen}
            onChoose={setChosen}
            onMove={onMove}
            circle={near}
            label={t('densityMap')}
            describedBy={described}
          />
        </Suspense>
      </div>
      <aside className={styles['densityList']} aria-label={t('densityList')} data-region>
        <Summary id={described} data={data} cells={cells} busy={data === undefined || part.isFetching} />
        {part.error !== null && <SearchProblem error={part.error} onRetry={() => void part.refetch()} />}
        <Squares cells={cells} chosen={chosen} onChoose={setChosen} onShow={show} />
      </aside>
    </div>
  )
}

/** Six digits are a tenth of a metre. */
const rounded = (degrees: number): number => Number(degrees.toFixed(6))

/** The circle that is asked for, or all that was counted, with something around a single place. */
function startOf([west, south, east, north]: Box, near: Near | null): Box {
  const up = near === null ? 0.002 : (near.metres / 111_000) * 1.1
  const at = near?.latitude ?? north
  const side = up / Math.max(0.05, Math.cos((at * Math.PI) / 180))
  if (near !== null) return [near.longitude - side, near.latitude - up, near.longitude + side, near.latitude + up]
  return east - west < side && north - south < up
    ? [west - side, south - up, east + side, north + up]
    : [west, south, east, north]
}

/** The most first. Steps grow with the logarithm: one square with very much leaves the others apart. */
function cellsOf({ Cells, Level }: Density): Cell[] {
  const most = Math.max(1, ...Cells.map(({ Count }) => Count))
  const stepOf = (count: number): number =>
    most === 1 ? 1 : 1 + Math.round(((STEPS - 1) * Math.log(count)) / Math.log(most))
  return Cells.map(({ X, Y, Count }) => ({
    id: `${Level}/${X}/${Y}`,
    bounds: boundsOfCell(X, Y, Level),
    count: Count,
    step: stepOf(Count),
  })).sort((one, other) => other.count - one.count || (one.id < other.id ? -1 : 1))
}

const middleOf = ([west, south, east, north]: Box) => ({ latitude: (south + north) / 2, longitude: (west + east) / 2 })

function widthOf([west, south, east, north]: Box): number {
  const latitude = (south + north) / 2
  return metresBetween({ latitude, longitude: west }, { latitude, longitude: east })
}

/** What was counted, how wide a square is, and what a colour means. */
function Summary({
  id,
  data,
  cells,
  busy,
}: {
  readonly id: string
  readonly data: Density | undefined
  readonly cells: readonly Cell[]
  readonly busy: boolean
}) {
  const { t } = useTranslation('search')
  const { count, locale } = useFormat()
  const { Positions, Tracks, IsPartial } = data ?? { Positions: 0, Tracks: 0, IsPartial: false }
  const [first] = cells
  const most = first?.count ?? 0
  const parts = [
    ...(Positions > 0 ? [t('densityPositions', { count: Positions, shown: count(Positions) })] : []),
    ...(Tracks > 0 ? [t('densityTracks', { count: Tracks, shown: count(Tracks) })] : []),
  ]
  return (
    <div id={id} className={styles['densitySummary']}>
      <p role="status">
        {busy
          ? t('counting')
          : first === undefined
            ? t('densityNothingHere')
            : t('densityCounted', {
                what: parts.join(t('densityAnd')),
                squares: t('densitySquares', { count: cells.length, shown: count(cells.length) }),
                width: metresText(roundWidth(widthOf(first.bounds)), locale),
              })}
      </p>
      {data?.PlaceIsRough === true && <Note title={t('nearRough')} />}
      {IsPartial && <Note title={t('densityPartial')}>{t('densityPartialDo')}</Note>}
      {most > 1 && (
        <p className={styles['legend']}>
          <span>{count(1)}</span>
          {Array.from({ length: STEPS }, (_, step) => (
            <span key={step} className={`${styles['swatch']} ${styles[`swatch${step + 1}`]}`} aria-hidden="true" />
          ))}
          <span>{t('densityMost', { shown: count(most) })}</span>
        </p>
      )}
      <p className="unseen">{t('densityKeys')}</p>
    </div>
  )
}

/** Two digits: a square is a little wider in the south than in the north. */
function roundWidth(metres: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(metres)) - 1)
  return Math.round(metres / unit) * unit
}

const FEW = 20

function Squares({
  cells,
  chosen,
  onChoose,
  onShow,
}: {
  readonly cells: readonly Cell[]
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  readonly onShow: (cell: Cell) => void
}) {
  const { t } = useTranslation('search')
  const { count } = useFormat()
  const [room, setRoom] = useState(FEW)
  const [first] = cells
  if (first === undefined) return null
  const marked = cells.find(({ id }) => id === chosen)
  // One that was chosen on the map stands on top, wherever it is in the order.
  const listed = cells.slice(0, room)
  const shown = marked === undefined || listed.includes(marked) ? listed : [marked, ...listed]
  return (
    <>
      <table className={styles['squares']}>
        <caption>{t('densityList')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('densityItems')}</th>
            <th scope="col">{t('densityPlace')}</th>
            <th scope="col">
              <span className="unseen">{t('densityShow')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((cell) => {
            const place = decimalText(middleOf(cell.bounds))
            return (
              <tr key={cell.id} data-chosen={cell.id === chosen || undefined}>
                <td>{count(cell.count)}</td>
                <td>
                  <TextButton onPress={() => onChoose(cell.id)} label={t('densityMark', { place })}>
                    {place}
                  </TextButton>
                </td>
                <td>
                  <TextButton
                    label={t('densityShowThese', { count: cell.count, shown: count(cell.count), place })}
                    onPress={() => onShow(cell)}
                  >
                    {t('densityShow')}
                  </TextButton>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {cells.length > room && (
        <Button kind="quiet" size="small" onPress={() => setRoom(room + FEW)}>
          {t('densityMore', { shown: count(cells.length - room) })}
        </Button>
      )}
    </>
  )
}
