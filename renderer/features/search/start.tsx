import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import styles from './search.module.css'

const WAYS = [
  ['"quay road"', 'startPhrase'],
  ['burglary -drill', 'startWithout'],
  ['tag:night', 'startTag'],
  ['officer:okafor', 'startOfficer'],
  ['device:axon', 'startDevice'],
  ['case:2026-000123', 'startCase'],
  ['category:theft', 'startCategory'],
] as const

/** Before anything is asked: how to ask. An example is put into the field, to be changed there. */
export function Start({ onTry }: { readonly onTry: (example: string) => void }) {
  const { t } = useTranslation('search')
  return (
    <div className={styles['start']}>
      <h2 className={styles['startTitle']}>{t('startTitle')}</h2>
      <p className={styles['startBody']}>{t('startBody')}</p>
      <h3 className={styles['groupTitle']}>{t('startHow')}</h3>
      <dl className={styles['ways']}>
        {WAYS.map(([example, words]) => (
          <div key={example} className={styles['way']}>
            <dt>
              <Button kind="quiet" size="small" onPress={() => onTry(example)}>
                <code>{example}</code>
              </Button>
            </dt>
            <dd>{t(words)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
