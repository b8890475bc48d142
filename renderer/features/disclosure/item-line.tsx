import { Link } from '@tanstack/react-router'
import type { ProposalInFull } from '../../client/disclosure/disclosure.ts'
import { useTranslation } from '../../client/translate.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Hash } from '../../ui/hash/hash.tsx'
import styles from './disclosure.module.css'

interface Props {
  /** On its schedule, or its place in a list that has no numbers yet. */
  readonly number: number
  readonly item: ProposalInFull['Items'][number]
}

/** A file that was or would be given: its name, kind, length and hash. */
export function ItemLine({ number, item }: Props) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  return (
    <li className={styles['item']}>
      <span className={styles['number']}>{number}</span>
      <div className={styles['words']}>
        <Link to="/evidence/$evidenceId" params={{ evidenceId: item.EvidenceId }} className={styles['link']}>
          <bdi>{visible(item.Name)}</bdi>
        </Link>
        <span className={styles['second']}>
          {t(item.Kind)}, <span title={format.exactBytes(item.LengthInBytes)}>{format.bytes(item.LengthInBytes)}</span>
        </span>
        <Hash value={item.Sha256} of={t('itemHash', { name: visible(item.Name) })} />
      </div>
    </li>
  )
}
