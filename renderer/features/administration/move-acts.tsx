import { IconButton } from '../../ui/button/button.tsx'

interface Props {
  readonly at: number
  readonly last: number
  readonly words: Readonly<Record<'up' | 'down' | 'isFirst' | 'isLast' | 'out', string>>
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

/** What moves a line of an ordered list up and down, and takes it out. */
export function MoveActs({ at, last, words, onMove, onRemove }: Props) {
  return (
    <>
      <IconButton
        icon="arrow-up"
        size="small"
        label={words.up}
        why={at === 0 ? words.isFirst : undefined}
        onPress={() => onMove(at - 1)}
      />
      <IconButton
        icon="arrow-down"
        size="small"
        label={words.down}
        why={at === last ? words.isLast : undefined}
        onPress={() => onMove(at + 1)}
      />
      <IconButton icon="x" size="small" label={words.out} onPress={onRemove} />
    </>
  )
}
