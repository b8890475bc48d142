import { visible } from '../../../ui/format/visible.ts'
import { DataGrid, type DataGridProps } from '../../../ui/table/grid.tsx'
import { Tile } from './tile.tsx'
import type { Item } from './use-window.ts'

const nameOf = (item: Item): string => visible(item.DisplayName)
const tileOf = (item: Item) => <Tile item={item} />

/** The list as tiles. */
export default function TileGrid(props: Omit<DataGridProps<Item>, 'tile' | 'nameOf'>) {
  return <DataGrid {...props} tile={tileOf} nameOf={nameOf} />
}
