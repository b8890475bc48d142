import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import list from '../list.module.css'
import { usePageTitle } from '../list-page.tsx'
import { PrincipalPicker } from '../principals.tsx'
import { Problem } from '../problem.tsx'
import { nameOf } from '../labels.ts'
import { Aside } from './aside.tsx'
import { MatrixTable } from './matrix-table.tsx'
import styles from './policies.module.css'
import { type PolicyMatrix, usePolicies } from './use-policies.ts'

/** Rights that hold in the whole station, as a matrix; changes are marked in words until they are saved. */
export function PoliciesPage() {
  const { t } = useTranslation('administration')
  const matrix = usePolicies()
  const [adding, setAdding] = useState(false)
  const [row, setRow] = useState(0)
  const { policies, loadError, retry } = matrix
  usePageTitle(t('policies'))
  return (
    <div className={styles['page']}>
      <header className={list['head']}>
        <h1 className={list['title']}>{t('policies')}</h1>
        <p className={list['lead']}>{t('policiesLead')}</p>
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
      {policies !== null && (
        <div className={styles['work']}>
          <MatrixTable matrix={matrix} policies={policies} onRow={setRow} />
          <Aside matrix={matrix} policy={policies[row] ?? policies[0]} />
        </div>
      )}
      {adding && <AddColumn matrix={matrix} onClose={() => setAdding(false)} />}
    </div>
  )
}

function AddColumn({ matrix, onClose }: { readonly matrix: PolicyMatrix; readonly onClose: () => void }) {
  const { t } = useTranslation('administration')
  return (
    <Dialog title={t('columnAdd')} lead={t('columnAddLead')} onClose={onClose} size="small">
      <PrincipalPicker
        label={t('addSomebody')}
        barred={(one) => (matrix.holders.some(({ id }) => id === one.PrincipalId) ? t('isInAlready') : undefined)}
        onPick={(one) => {
          matrix.add({
            id: one.PrincipalId ?? '',
            type: one.PrincipalType ?? 'user',
            name: nameOf(one, t),
            guest: one.Guest,
            builtIn: false,
          })
          onClose()
        }}
      />
    </Dialog>
  )
}
