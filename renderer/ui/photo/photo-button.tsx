import { type ReactNode, useRef } from 'react'
import { Button, type ButtonKind, type ButtonSize } from '../button/button.tsx'
import type { IconName } from '../icon/icon.tsx'

export interface PhotoButtonProps {
  readonly children: ReactNode
  readonly onPhoto: (file: File) => void
  readonly icon?: IconName | undefined
  readonly kind?: ButtonKind | undefined
  readonly size?: ButtonSize | undefined
  readonly busy?: boolean | undefined
}

/** Opens the camera of a phone and hands over what was photographed; where there is no camera, the choice of a picture. */
export function PhotoButton({ children, onPhoto, icon = 'still', ...look }: PhotoButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // The same picture once more is a choice, too.
          currentTarget.value = ''
          if (file !== undefined) onPhoto(file)
        }}
      />
      <Button icon={icon} {...look} onPress={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
