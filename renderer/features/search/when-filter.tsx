import { Suspense } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Chip } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useRangeWords } from '../../ui/filter/filter.tsx'
import { Popover } from '../../ui/popover/popover.tsx'
import type { FilterProps } from './filter-props.ts'
import styles from './search.module.css'
import { lazyPart } from '../../client/load-chunk.ts'

const WhenForm = lazyPart(() => import('../../ui/filter/when-form.tsx'))

/** From and to, as the address has them. */
export function WhenFilter({ search: { from, to }, change }: FilterProps) {
  const { t } = useTranslation('search')
  const words = useRangeWords({ from, to })
  return (
    <section className={styles['group']} aria-label={t('when')}>
      <h2 className={styles['groupTitle']}>{t('when')}</h2>
      <div className={styles['set']}>
        {words !== '' && <Chip label={words} onClear={() => change({ from: '', to: '' })} />}
        <Popover
          label={t('when')}
          trigger={
            <Button size="small" icon="calendar">
              {t('whenSet')}
            </Button>
          }
        >
          {(close: () => void) => (
            <Suspense fallback={<div className={styles['form']} />}>
              <WhenForm
                from={from}
                to={to}
                onChange={(range) => {
                  change(range)
                  close()
                }}
              />
            </Suspense>
          )}
        </Popover>
      </div>
    </section>
  )
}
