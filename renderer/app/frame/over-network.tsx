import { Suspense } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { withWords } from '../../client/i18n.ts'
import { overNetwork } from '../../client/over-network.ts'
import { Button } from '../../ui/button/button.tsx'
import { Popover } from '../../ui/popover/popover.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import styles from './over-network.module.css'
import { lazyPart } from '../../client/load-chunk.ts'

const Panel = lazyPart(() => withWords(import('./over-network-panel.tsx'), 'network'))

/** Whoever is not at the station itself sees that they are not, and what is to be done only there. */
export function OverNetwork() {
  const { t } = useTranslation('frame')
  if (!overNetwork(window.location)) return null
  return (
    <Popover
      label={t('overNetwork')}
      placement="bottom end"
      trigger={
        <Button kind="quiet" icon="network" className={styles['button']}>
          <span className={styles['word']}>{t('overNetwork')}</span>
        </Button>
      }
    >
      <Suspense
        fallback={
          <div className={styles['panel']}>
            <Skeleton lines={4} />
          </div>
        }
      >
        <Panel />
      </Suspense>
    </Popover>
  )
}
