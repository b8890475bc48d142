import { useRef, useState } from 'react'
import * as contract from '../../../shared/share-links/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import styles from '../../client/share-links/make.module.css'
import { Secret } from '../../client/share-links/made-dialog.tsx'
import { saidOf, type ShareLink, useShareLinksChanged } from '../../client/share-links/share-links.ts'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'

interface Props {
  readonly link: ShareLink
  readonly onClose: () => void
}

/** Gives a link another code, and shows it once. */
export function CodeDialog({ link, onClose }: Props) {
  const { t } = useTranslation('shareLinks')
  const { tenant } = useSession()
  const changed = useShareLinksChanged()
  const [code, setCode] = useState<string | null>(null)
  const isRenewed = useRef(false)
  const { LinkId: id } = link
  const name = visible(link.Recipient.Name)
  const renew = async (): Promise<void> => {
    const { Code } = await call(contract.renewShareLinkCode, { params: { tenantId: tenant, linkId: id } })
    isRenewed.current = true
    changed()
    setCode(Code)
  }
  if (code !== null) return <Renewed code={code} name={name} onClose={onClose} />
  return (
    <ActDialog
      title={t('renewTitle', { id })}
      lead={t('renewLead', { name })}
      act={t('renewAct')}
      failed={t('notRenewed')}
      problem={(error) => {
        const said = saidOf(error)
        return <Problem error={error} title={t('notRenewed')} {...(said === null ? {} : { said: t(said) })} />
      }}
      onAct={renew}
      // The code takes the place of this dialog.
      onClose={() => {
        if (!isRenewed.current) onClose()
      }}
    />
  )
}

interface RenewedProps {
  readonly code: string
  readonly name: string
  readonly onClose: () => void
}

function Renewed({ code, name, onClose }: RenewedProps) {
  const { t } = useTranslation('shareLinks')
  return (
    <Dialog
      title={t('renewed')}
      lead={t('renewedLead', { name })}
      onClose={onClose}
      keep
      actions={
        <Button kind="main" onPress={onClose} autoFocus>
          {t('done')}
        </Button>
      }
    >
      <div className={styles['made']}>
        <Secret label={t('code')} how={t('codeHow')} value={code} copy={t('copyCode')} large />
        <Note title={t('renewedNotKept')} />
      </div>
    </Dialog>
  )
}
