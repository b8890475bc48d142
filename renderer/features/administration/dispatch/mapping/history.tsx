import { useTranslation } from '../../../../client/translate.ts'
import { USUAL_MAPPING } from '../../../../../shared/dispatch/cad-mapping.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { visible } from '../../../../ui/format/visible.ts'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { Problem } from '../../problem.tsx'
import { type Mapping, useMappingHistory } from '../queries.ts'
import type { CadWords } from '../../cad/labels.ts'
import styles from './mapping.module.css'

interface HistoryProps {
  /** Of the mapping of now. */
  readonly now: string
  readonly onTake: (mapping: Mapping) => void
}

const USUAL: Mapping = { members: {}, fields: USUAL_MAPPING.fields.map((one) => ({ ...one })), keepExtended: true }

/** Every state that the mapping had. Going back puts one into the form: it is looked at, and saved, like any other change. */
export function History({ now, onTake }: HistoryProps) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const { data, error, refetch } = useMappingHistory()
  return (
    <section className={styles['section']} aria-labelledby="cad-history">
      <h2 id="cad-history" className={styles['title']}>
        {t('history')}
      </h2>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={3} />}
      {data?.length === 0 && <p className="muted">{t('historyNone')}</p>}
      {data !== undefined && data.length > 0 && (
        <ol className={styles['versions']}>
          {data.map(({ concurrencyId, mapping, modifiedUtc, modifiedBy }) => (
            <Version
              key={concurrencyId}
              title={format.instant(modifiedUtc, { precision: 'minute' })}
              detail={`${t('theirs', { who: visible(modifiedBy.name) })} · ${linesOf(mapping, t)}`}
              now={concurrencyId === now}
              onTake={() => onTake(mapping)}
            />
          ))}
          <Version title={t('usual')} detail={linesOf(USUAL, t)} now={false} onTake={() => onTake(USUAL)} />
        </ol>
      )}
    </section>
  )
}

const linesOf = ({ members, fields }: Mapping, t: CadWords): string =>
  t('historyLines', { count: Object.keys(members).length + fields.length })

interface VersionProps {
  readonly title: string
  readonly detail: string
  readonly now: boolean
  readonly onTake: () => void
}

function Version({ title, detail, now, onTake }: VersionProps) {
  const { t } = useTranslation('cad')
  return (
    <li className={styles['version']}>
      <span className={styles['what']}>
        {title}
        <span className={styles['detail']}>
          <bdi>{detail}</bdi>
        </span>
      </span>
      {now ? (
        <span className="muted">{t('historyNow')}</span>
      ) : (
        <Button size="small" icon="undo" onPress={onTake}>
          {t('historyTake')}
        </Button>
      )}
    </li>
  )
}
