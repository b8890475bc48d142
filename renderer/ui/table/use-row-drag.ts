import { type DragEvent, useRef, useState } from 'react'
import { placeOf } from './places.ts'

export interface RowDrop<Row> {
  /** Whether what is dragged may be let go on this row. */
  readonly accepts: (row: Row, transfer: DataTransfer) => boolean
  /** Told of the row that it is over; null: over none that accepts it. */
  readonly over?: ((row: Row | null, transfer: DataTransfer) => void) | undefined
  readonly drop: (row: Row, transfer: DataTransfer) => void
}

interface RowDrag<Row> {
  readonly rowAt: (index: number) => Row | undefined
  readonly onDrag: ((row: Row, transfer: DataTransfer) => void) | undefined
  readonly onDrop: RowDrop<Row> | undefined
}

/** Rows that are taken up, and rows on which something is let go. For the body of a list. */
export function useRowDrag<Row>({ rowAt, onDrag, onDrop }: RowDrag<Row>) {
  const [over, setOver] = useState(-1)
  // Enter comes before leave, and once for each element inside.
  const inside = useRef(0)
  const rowOf = (event: DragEvent): { readonly index: number; readonly row: Row } | null => {
    const place = placeOf(event.target)
    const row = place === null ? undefined : rowAt(place.index)
    return place === null || row === undefined ? null : { index: place.index, row }
  }
  const put = (event: DragEvent, found: ReturnType<typeof rowOf>): void => {
    setOver(found?.index ?? -1)
    onDrop?.over?.(found?.row ?? null, event.dataTransfer)
  }
  const dragging =
    onDrag === undefined
      ? {}
      : {
          onDragStart: (event: DragEvent) => {
            const found = rowOf(event)
            if (found !== null) onDrag(found.row, event.dataTransfer)
          },
        }
  const dropping =
    onDrop === undefined
      ? {}
      : {
          onDragEnter: () => {
            inside.current += 1
          },
          onDragLeave: (event: DragEvent) => {
            inside.current -= 1
            if (inside.current > 0) return
            inside.current = 0
            put(event, null)
          },
          onDragOver: (event: DragEvent) => {
            const found = rowOf(event)
            const fits = found !== null && onDrop.accepts(found.row, event.dataTransfer) ? found : null
            put(event, fits)
            if (fits === null) return
            event.preventDefault()
            event.dataTransfer.dropEffect = event.dataTransfer.types.includes('Files') ? 'copy' : 'link'
          },
          onDrop: (event: DragEvent) => {
            const found = rowOf(event)
            inside.current = 0
            setOver(-1)
            if (found === null || !onDrop.accepts(found.row, event.dataTransfer)) return
            event.preventDefault()
            onDrop.drop(found.row, event.dataTransfer)
          },
        }
  return { over, handlers: { ...dragging, ...dropping } }
}
