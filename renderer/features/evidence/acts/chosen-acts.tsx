/** What can be done with chosen items, for the selection bar and the menu of a row: gathered first, then said, then done. */
import { useState } from 'react'
import * as documents from '../../../../shared/evidence/contract.ts'
import { downloadOriginals, MOST_DOWNLOADED } from '../../../../shared/evidence/download.contract.ts'
import { MOST_SHARED } from '../../../../shared/share-links/rules.ts'
import { MOST_PACKAGED } from '../../../../shared/packages/contract.ts'
import { addressOf, call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { SelectionAct } from '../../../ui/selection-bar/selection-bar.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useActs } from './acts.ts'
import { PartDone } from './course.ts'
import { type Decision, DecisionDialog } from './dialogs.tsx'
import { useLabelsAct } from './print-labels.tsx'
import { type Act, fits, type Hindrance, hindrancesOf, type Target, toastOf, useMayAct } from './targets.ts'

/** What one act may ask of the station at once; more is said, not silently cut. */
const MOST_AT_ONCE = 500
/** The cases of each are asked for, one by one. */
const MOST_MOVES = 100

export interface Chosen {
  /** Of what is chosen, what is here. */
  readonly items: readonly Target[]
  readonly count: number
  readonly bin: boolean
  /** The case on whose page they were chosen. */
  readonly caseId?: string | undefined
  /** All that is chosen, also what is not here. */
  readonly gather: () => Promise<readonly Target[]>
  readonly onDone: () => void
}

interface Deciding {
  readonly decision: Decision
  readonly targets: readonly Target[]
  readonly leftOut: string | undefined
}

export function useChosenActs({ items, count, bin, caseId, gather, onDone }: Chosen) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const may = useMayAct()
  const acts = useActs()
  const download = useDownload()
  const leftOutOf = useLeftOut()
  const labels = useLabelsAct(count, gather)
  const [busy, setBusy] = useState<Act | null>(null)
  const [deciding, setDeciding] = useState<Deciding | null>(null)

  const begin = (act: Act, go: (targets: readonly Target[], leftOut: string | undefined) => Promise<void> | void) => {
    setBusy(act)
    gather()
      .then((all) => {
        const targets = all.filter((target) => fits(act, target))
        const leftOut = leftOutOf(act, all)
        if (targets.length === 0) throw new Error([t('noneFits'), leftOut].filter(Boolean).join(' '))
        return go(targets, leftOut)
      })
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
  const check = (): void =>
    begin('check', async (targets) => {
      await acts.check(targets)
      toasts.show({ text: t('checking', { count: targets.length }) })
    })

  // Absent where nothing that is in sight could be changed; the rest is found out when it is gathered.
  const offered = (act: Act): boolean => may[act] && items.some((item) => fits(act, item))
  const one = (
    id: Act,
    label: string,
    icon: SelectionAct['icon'],
    onPress: () => void,
    { most = MOST_AT_ONCE, ...more }: Partial<SelectionAct> & { readonly most?: number } = {},
  ): readonly SelectionAct[] =>
    offered(id)
      ? [
          {
            id,
            label,
            icon,
            busy: busy === id,
            why: count > most ? t('tooMany', { most: format.count(most) }) : undefined,
            onPress,
            ...more,
          },
        ]
      : []
  const seldom = { more: true }
  const shown: readonly SelectionAct[] = bin
    ? one('restore', t('restore'), 'undo', restore)
    : [
        ...one('link', t('link'), 'link', decide('link'), { keys: 'C' }),
        ...one('tag', t('tag'), 'tag', decide('tag'), { keys: 'T' }),
        ...one('category', t('category'), 'archive', decide('category'), { keys: 'S' }),
        ...one('title', t('setTitle'), 'edit', decide('title'), { ...seldom, keys: 'R' }),
        ...one('share', t('share'), 'share', decide('share')),
        ...one('download', t('download'), 'download', () => begin('download', download), { most: MOST_DOWNLOADED }),
        ...one('package', t('package'), 'archive', decide('package'), { most: MOST_PACKAGED }),
        ...one('guestLink', t('guestLink'), 'share', decide('guestLink'), { ...seldom, most: MOST_SHARED }),
        ...one('officer', t('officer'), 'user', decide('officer'), seldom),
        ...one('times', t('times'), 'clock', decide('times'), seldom),
        ...one('move', t('move'), 'cases', decide('move'), { ...seldom, most: MOST_MOVES }),
        ...one('protect', t('protect'), 'sealed', decide('protect'), seldom),
        ...one('check', t('checkNow'), 'fixity', check, seldom),
        labels.act,
        ...one('delete', t('delete'), 'trash', decide('delete'), { danger: true }),
      ]
  const close = (): void => setDeciding(null)
  const dialog = (
    <>
      {deciding !== null && <DecisionDialog {...deciding} caseId={caseId} onClose={close} onDone={onDone} />}
      {labels.dialog}
    </>
  )
  /** Begins an act as its button would; says why where it cannot. */
  const press = (id: string): void => {
    const act = shown.find((one) => one.id === id)
    if (act === undefined || act.why !== undefined) toasts.show({ text: act?.why ?? t('noneFits') })
    else if (busy === null) act.onPress()
  }
  return { shown, dialog, press }
}

/** What stays as it is, and why, in a sentence for each reason. */
export function useLeftOut() {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  return (act: Act, all: readonly Target[]): string | undefined => {
    const sentences = [...hindrancesOf(act, all)].map(([hindrance, count]) => {
      const words = { count, shown: format.count(count), of: format.count(all.length) }
      return t(sentenceOf(hindrance, act), { ...words, level: levelWord(hindrance, t) })
    })
    return sentences.length === 0 ? undefined : sentences.join(' ')
  }
}

function sentenceOf(hindrance: Hindrance, act: Act) {
  switch (hindrance) {
    case 'binned':
      return 'leftBinned'
    case 'sealed':
      return act === 'protect' ? 'leftSealedAlready' : 'leftSealed'
    case 'notSo':
      return 'leftNotSo'
    case 'inNoCase':
      return 'leftInNoCase'
    default:
      return 'leftLevel'
  }
}

const levelWord = (hindrance: Hindrance, t: ReturnType<typeof useTranslation<'evidenceList'>>['t']): string =>
  hindrance === 'Download' || hindrance === 'Edit' || hindrance === 'Manage' ? t(`level${hindrance}`) : ''

/** Of one its files as they are, of many one ZIP file with their manifest. */
function useDownload() {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const { tenant } = useSession()
  return async (targets: readonly Target[], leftOut: string | undefined): Promise<void> => {
    const ids = targets.map(({ EvidenceId }) => EvidenceId)
    const [first = ''] = ids
    if (ids.length === 1) {
      toasts.show({ text: t('downloading', { count: await saveOriginals(tenant, first) }) })
      return
    }
    saveAs(addressOf(downloadOriginals, { params: { tenantName: tenant }, query: { id: ids } }))
    const words = t('downloadingAsOne', { count: ids.length, shown: format.count(ids.length) })
    toasts.show({ text: leftOut === undefined ? words : `${words} ${leftOut}` })
  }
}

async function saveOriginals(tenant: string, evidenceId: string): Promise<number> {
  const resources = await call(documents.listResources, { params: { tenantName: tenant, evidenceId } })
  const originals = resources.filter(({ Parent, State }) => Parent === null && State === 'UserCompleted')
  for (const { ResourceId, Name } of originals) {
    const params = { tenantName: tenant, evidenceId, resourceId: ResourceId }
    saveAs(addressOf(documents.getContent, { params, query: {} }), Name)
  }
  return originals.length
}

function saveAs(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
