import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { EMPTY, PassphraseFields, passphraseProblem } from '../../client/packages/leaving.tsx'
import { type Package, saidOf, startPackage, usePackagesChanged, useTold } from '../../client/packages/packages.ts'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'

/** The station keeps no passphrase: an encrypted package that was stopped, or whose station was started again, gets one anew. */
export function StartDialog({ one, onClose }: { readonly one: Package; readonly onClose: () => void }) {
  const { t } = useTranslation('packages')
  const navigate = useNavigate()
  const changed = usePackagesChanged()
  const told = useTold(() => void navigate({ to: '/packages' }))
  const [passphrase, setPassphrase] = useState(EMPTY)
  return (
    <ActDialog
      title={t('startTitle')}
      lead={t('startLead', { name: visible(one.Name) })}
      act={t('start')}
      failed={t('notResumed')}
      why={passphraseProblem(passphrase, t)}
      problem={(error) => <Problem error={error} title={t('notResumed')} said={saidOf(error)} />}
      onAct={() => startPackage(one.PackageId, passphrase.first, told).finally(changed)}
      onClose={onClose}
    >
      <PassphraseFields value={passphrase} onChange={setPassphrase} />
    </ActDialog>
  )
}
