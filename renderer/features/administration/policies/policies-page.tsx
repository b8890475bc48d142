import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import list from '../list.module.css'
import { usePageTitle } from '../list-page.tsx'
import { PrincipalPicker } from '../principals.tsx'
import { Problem } from '../problem.tsx'
import { nameOf } from '../labels.ts'
import { usePlace } from '../search-state.ts'
import { Aside, CHANGES, SaveBar, useChangedCells } from './aside.tsx'
import type { Holder, Policy } from './matrix.ts'
import { MatrixTable } from './matrix-table.tsx'
import styles from './policies.module.css'
import { type PolicyMatrix, usePolicies } from './use-policies.ts'

/** Rights that hold in the whole station, as a matrix; changes are marked in words until they are saved. */
export function PoliciesPage() {
  const { t } = useTranslation('administration')
  const matrix = usePolicies()
  const { search, change } = usePlace()
  const [adding, setAdding] = useState(false)
  const [wanted, setWanted] = useState<string | null>(null)
  const { policies, loadError, retry } = matrix
  usePageTitle(t('policies'))
  const find = (holder: Holder): void => {
    if (holder.type === 'user' && search.people !== true) change({ people: true }, true)
    // The dialog that goes gives the focus back in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => setWanted(holder.id)))
  }
  return (
    <div className={styles['page']}>
      <header className={list['head']}>
        <h1 className={list['title']}>{t('policies')}</h1>
        <p className={styles['lead']}>{t('policiesLead')}</p>
        <div className={list['acts']}>
          <Button icon="plus" onPress={() => setAdding(true)}>
            {t('columnAdd')}
          </Button>
        </div>
      </header>
      {loadError !== null && (
        <div className={list['note']}>
          <Problem error={loadError} onRetry={retry} />
        </div>
      )}
      {policies === null && loadError === null && (
        <div className={list['note']}>
          <Skeleton lines={8} />
        </div>
      )}
      {policies !== null && <Work {...{ matrix, policies, wanted }} onFound={() => setWanted(null)} />}
      {adding && <AddColumn matrix={matrix} onFind={find} onClose={() => setAdding(false)} />}
    </div>
  )
}

interface WorkProps {
  readonly matrix: PolicyMatrix
  readonly policies: readonly Policy[]
  readonly wanted: string | null
  readonly onFound: () => void
}

function Work({ matrix, policies, wanted, onFound }: WorkProps) {
  const { search, change } = usePlace()
  const place = useRef<HTMLDivElement>(null)
  const changed = useChangedCells(matrix).length
  const policy = policies.find(({ Policy }) => Policy === search.open)
  const latest = useRef(change)
  useEffect(() => {
    latest.current = change
  })
  const onPeople = useCallback((open: boolean) => latest.current({ people: open || undefined }, true), [])
  const onChoose = useCallback((open: string) => latest.current({ open }), [])
  return (
    <>
      <div ref={place} className={styles['work']}>
        <MatrixTable
          {...{ matrix, policies, wanted, onFound, onPeople, onChoose }}
          people={search.people === true}
          chosen={policy?.Policy}
        />
        {(policy !== undefined || search.open === CHANGES) && (
          <Aside matrix={matrix} policy={policy} onClose={() => change({ open: undefined })} />
        )}
      </div>
      {(changed > 0 || matrix.error !== null) && (
        <SaveBar
          matrix={matrix}
          count={changed}
          onShow={() => change({ open: CHANGES })}
          onGone={() => place.current?.querySelector<HTMLElement>('[data-place] [tabindex="0"]')?.focus()}
        />
      )}
    </>
  )
}

interface AddColumnProps {
  readonly matrix: PolicyMatrix
  readonly onFind: (holder: Holder) => void
  readonly onClose: () => void
}

/** Somebody new, or the column of somebody who has one. */
function AddColumn({ matrix, onFind, onClose }: AddColumnProps) {
  const { t } = useTranslation('administration')
  return (
    <Dialog title={t('columnAdd')} lead={t('columnAddLead')} onClose={onClose} size="small">
      <PrincipalPicker
        label={t('addSomebody')}
        onPick={(one) => {
          const holder = matrix.holders.find(({ id }) => id === one.PrincipalId) ?? {
            id: one.PrincipalId ?? '',
            type: one.PrincipalType ?? 'user',
            name: nameOf(one, t),
            guest: one.Guest,
            builtIn: false,
          }
          if (!matrix.holders.includes(holder)) matrix.add(holder)
          onFind(holder)
          onClose()
        }}
      />
    </Dialog>
  )
}
