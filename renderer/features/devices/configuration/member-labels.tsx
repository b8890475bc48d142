import { useTranslation } from '../../../client/translate.ts'
import { visible } from '../../../ui/format/visible.ts'
import styles from '../devices.module.css'
import type { Member } from './members.ts'

/** `Video › Height`, each part as it is called on the camera. */
export const pathWords = (path: readonly string[]): string => path.map((name) => visible(name) || '“”').join(' › ')

export function MemberPath({ path }: { readonly path: readonly string[] }) {
  const last = path.at(-1) ?? ''
  const above = path.slice(0, -1)
  return (
    <bdi className={styles['path']}>
      {above.length > 0 && <span className="muted">{pathWords(above)} › </span>}
      {visible(last) || '“”'}
    </bdi>
  )
}

/** Longer ones are cut here and whole on hover; in the form they are whole. */
const LONGEST = 300

export function MemberValue({ member }: { readonly member: Member }) {
  const { t } = useTranslation('devices')
  if (member.kind === 'yesno') return <>{t(member.text === 'true' ? 'yes' : 'no')}</>
  if (member.kind === 'text' && member.text === '') return <span className="muted">{t('emptyText')}</span>
  const text = visible(member.text)
  return (
    <bdi className={styles['value']} title={text.length > LONGEST ? text : undefined}>
      {text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text}
    </bdi>
  )
}
