import { useAct } from '../../ui/act/use-act.ts'
import { Button, type ButtonKind } from '../../ui/button/button.tsx'
import type { IconName } from '../../ui/icon/icon.tsx'
import { Problem } from './problem.tsx'

interface ActButtonProps {
  /** Verb and object. */
  readonly label: string
  /** What did not happen. */
  readonly failed: string
  readonly icon?: IconName | undefined
  readonly kind?: ButtonKind | undefined
  readonly why?: string | undefined
  readonly onAct: () => Promise<unknown>
}

/** An act that is done at once; what went wrong stands below it. */
export function ActButton({ label, failed, onAct, ...look }: ActButtonProps) {
  const { busy, error, run } = useAct()
  return (
    <>
      <Button {...look} size="small" busy={busy} onPress={() => run(onAct)}>
        {label}
      </Button>
      {error !== null && <Problem error={error} title={failed} />}
    </>
  )
}
