import { Fault } from '../../../../shared/kernel/errors.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import type { Evidence } from '../page/queries.ts'
import { visible } from '../page/text/visible.ts'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import type { Part } from './parts.ts'

const MOST_NAMES = 3

/** Whom to ask: people and groups with Manage, the first few by name. */
const managersOf = ({ AccessPolicies }: Evidence): string =>
  AccessPolicies.filter(({ Permissions }) => Permissions === 'Manage')
    .map(({ Username }) => visible(Username))
    .slice(0, MOST_NAMES)
    .join(', ')

/** The station's refusal in the words of whoever typed. */
function useSaidOf(evidence: Evidence): (error: Error) => string | undefined {
  const { t } = useTranslation('evidencePage')
  return (error) => {
    if (!(error instanceof Fault)) return undefined
    const names = managersOf(evidence)
    if (error.code === 'Forbidden') return names === '' ? t('editMayNotAsk') : t('editMayNot', { names })
    if (error.code === 'EvidenceNotFound') return t('editGone')
    return error.code === 'EvidenceDeleted' ? t('editInBin') : undefined
  }
}

/** Why a part was not saved; announced, and there until it is. */
export function Failure({ part, onRetry }: { readonly part: Part; readonly onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation('evidencePage')
  const { failures, evidence } = useEditing()
  const saidOf = useSaidOf(evidence)
  const error = failures.get(part)
  return (
    <div role="alert" className={error === undefined ? undefined : styles['tagProblem']}>
      {error !== undefined && (
        <Problem error={error} title={t('editNotSaved')} said={saidOf(error)} onRetry={onRetry} />
      )}
    </div>
  )
}

/** Typed before a reload, and not saved yet. */
export function Restored({ part }: { readonly part: Part }) {
  const { t } = useTranslation('evidencePage')
  const { drafts } = useEditing()
  if (drafts.get(part)?.restored !== true) return null
  return <p className={styles['restored']}>{t('editRestored')}</p>
}

/** For fields whose leaving does not say what is meant. */
export function SaveButtons({ part }: { readonly part: Part }) {
  const { t } = useTranslation('evidencePage')
  const { save, giveUp, busy } = useEditing()
  return (
    <div className={styles['buttons']}>
      <Button size="small" kind="main" busy={busy.has(part)} onPress={() => save(part)}>
        {t('editSave')}
      </Button>
      <Button size="small" onPress={() => giveUp(part)}>
        {t('editCancel')}
      </Button>
    </div>
  )
}
