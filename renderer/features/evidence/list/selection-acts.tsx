/** Acts of the selection bar that need a decision first: what they are about is gathered, then said, then done. */
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { SelectionAct } from '../../../ui/selection-bar/selection-bar.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Act, fits, PartDone, type Target, toastOf, useActs, useMayAct } from '../acts/acts.ts'
import { type Decision, DecisionDialog } from '../acts/dialogs.tsx'

const MOST_ACTS = 500
/** The cases of each are asked for, one by one. */
const MOST_MOVES = 100

/** Why something that was selected is left out. */
const LEFT_OUT: Partial<Record<Act, 'leftOutMove' | 'leftOutEdit'>> = {
  move: 'leftOutMove',
  link: 'leftOutEdit',
  category: 'leftOutEdit',
}

interface Given {
  /** Of what is selected, what is here. */
  readonly items: readonly Target[]
  readonly count: number
  readonly bin: boolean
  /** All that is selected, also what is not here. */
  readonly gather: () => Promise<readonly Target[]>
  readonly onDone: () => void
}

interface Deciding {
  readonly decision: Decision
  readonly targets: readonly Target[]
  readonly leftOut: string | undefined
}

export function useSelectionActs({ items, count, bin, gather, onDone }: Given) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const may = useMayAct()
  const acts = useActs()
  const [busy, setBusy] = useState<Act | null>(null)
  const [deciding, setDeciding] = useState<Deciding | null>(null)

  const chosen = async (act: Act): Promise<{ targets: readonly Target[]; leftOut: string | undefined }> => {
    const all = await gather()
    const targets = all.filter((target) => fits(act, target))
    const left = all.length - targets.length
    const words = { count: left, shown: format.count(left) }
    return { targets, leftOut: left === 0 ? undefined : t(LEFT_OUT[act] ?? 'leftOut', words) }
  }
  const begin = (act: Act, go: (targets: readonly Target[], leftOut: string | undefined) => Promise<void> | void) => {
    setBusy(act)
    chosen(act)
      .then(({ targets, leftOut }) =>
        targets.length === 0 ? toasts.problem(new Error(t('noneFits'))) : go(targets, leftOut),
      )
      .catch((failure: unknown) => toasts.problem(failure instanceof PartDone ? failure.refusal : failure))
      .finally(() => setBusy(null))
  }
  const decide = (decision: Decision) => (): void =>
    begin(decision, (targets, leftOut) => setDeciding({ decision, targets, leftOut }))
  const restore = (): void =>
    begin('restore', async (targets) => {
      await acts.restore(targets)
      onDone()
      toasts.show({ text: t('restoredToast', toastOf(targets, format.count)) })
    })

  const tooMany = (most: number): string | undefined => (count > most ? t('tooMany', { most }) : undefined)
  // Absent where nothing that is in sight could be changed; the rest is found out when it is gathered.
  const offered = (act: Act): boolean => may[act] && items.some((item) => fits(act, item))
  const one = (act: Act, label: string, icon: SelectionAct['icon'], onPress: () => void, most = MOST_ACTS) =>
    offered(act) ? [{ id: act, label, icon, busy: busy === act, why: tooMany(most), onPress }] : []
  const seldom = (...given: Parameters<typeof one>) => one(...given).map((act) => ({ ...act, more: true }))
  const shown: readonly SelectionAct[] = bin
    ? one('restore', t('restore'), 'undo', restore)
    : [
        ...one('link', t('link'), 'link', decide('link')),
        ...one('category', t('category'), 'archive', decide('category')),
        ...seldom('move', t('move'), 'cases', decide('move'), MOST_MOVES),
        ...seldom('protect', t('protect'), 'sealed', decide('protect')),
        ...one('delete', t('delete'), 'trash', decide('delete')),
      ]
  const close = (): void => setDeciding(null)
  const dialog = deciding === null ? null : <DecisionDialog {...deciding} onClose={close} onDone={onDone} />
  return { shown, dialog }
}
