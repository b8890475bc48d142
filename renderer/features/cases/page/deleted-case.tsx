import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../client/translate.ts'
import * as acts from '../../../../shared/cases/case-acts.contract.ts'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useCaseAct, useRefreshCase } from '../queries.ts'
import { Problem } from '../problem.tsx'
import { useMay } from '../rights.ts'
import styles from './page.module.css'

/** In the recycle bin nothing of a case is shown; who may, brings it back whole. */
export function DeletedCase({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('cases')
  const act = useCaseAct(caseId)
  const refresh = useRefreshCase(caseId)
  const may = useMay('RestoreFromRecycleBin')
  const { busy, error, run } = useAct()
  const restore = async (): Promise<void> => {
    await act(acts.restoreCase, {})
    refresh()
    toasts.show({ text: t('restored') })
  }
  return (
    <div className={styles['alone']}>
      <EmptyState
        title={t('deletedTitle')}
        action={
          <>
            {may && (
              <Button kind="main" icon="undo" busy={busy} onPress={() => run(restore)}>
                {t('restore')}
              </Button>
            )}
            <Link to="/cases" search={{ bin: true }} className={styles['beside']}>
              {t('toBin')}
            </Link>
          </>
        }
      >
        {t(may ? 'deletedBody' : 'deletedBodyAsk')}
      </EmptyState>
      {error !== null && (
        <div className={styles['problem']}>
          <Problem error={error} title={t('notRestored')} />
        </div>
      )}
    </div>
  )
}
