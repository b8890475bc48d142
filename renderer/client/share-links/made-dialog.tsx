import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { CopyButton } from '../../ui/hash/copy-button.tsx'
import { Note } from '../../ui/note/note.tsx'
import { useTranslation } from '../translate.ts'
import styles from './make.module.css'
import type { MadeShareLink } from './share-links.ts'
import { LinkSlip } from './slip.tsx'
import { Unreachable } from './unreachable.tsx'

/** Address and code, which the station shows here alone. */
export function MadeDialog({ made, onClose }: { readonly made: MadeShareLink; readonly onClose: () => void }) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  const { Link, Address, Code, Reach } = made
  return (
    <Dialog
      title={t('made')}
      lead={t('madeLead')}
      onClose={onClose}
      keep
      actions={
        <>
          <Button icon="print" onPress={() => window.print()}>
            {t('printSlip')}
          </Button>
          <Button kind="main" onPress={onClose} autoFocus>
            {t('done')}
          </Button>
        </>
      }
    >
      <div className={styles['made']}>
        <p>
          <bdi>
            {[Link.Recipient.Name, Link.Recipient.Organisation]
              .filter((one) => one !== '')
              .map(visible)
              .join(', ')}
          </bdi>
          {' · '}
          {t('until', { time: format.instant(Link.ExpiresTimeUtc, { precision: 'minute' }) })}
        </p>
        <Secret label={t('address')} how={t('addressHow')} value={Address ?? ''} copy={t('copyAddress')} />
        <Secret label={t('code')} how={t('codeHow')} value={Code ?? ''} copy={t('copyCode')} large />
        {!Reach.Reachable && <Unreachable />}
        <LinkSlip made={made} />
        <Note title={t('madeNotKept')}>{Link.Copies.Making > 0 && t('copiesWait')}</Note>
      </div>
    </Dialog>
  )
}

interface SecretProps {
  readonly label: string
  readonly how: string
  readonly value: string
  readonly copy: string
  readonly large?: boolean
}

/** What is shown once, with a button that copies it. */
export function Secret({ label, how, value, copy, large = false }: SecretProps) {
  return (
    <div role="group" aria-label={label} className={styles['secret']}>
      <span className={styles['label']}>{label}</span>
      <span className={styles['value']} data-large={large || undefined} translate="no">
        {large ? `${value.slice(0, 4)} ${value.slice(4)}` : value}
        <CopyButton text={value} label={copy} />
      </span>
      <span className={styles['second']}>{how}</span>
    </div>
  )
}
