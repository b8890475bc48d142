import { useTranslation } from '../../client/translate.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { Switch } from '../field/choice.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import { useSingleKeys } from './use-shortcuts.ts'
import styles from './command.module.css'

export interface ShortcutGroup {
  readonly label: string
  readonly keys: readonly {
    /** Caps as printed; several ways side by side, a sequence as `['G', 'E']` with `sequence`. */
    readonly caps: readonly string[]
    readonly sequence?: boolean | undefined
    readonly does: string
  }[]
}

export interface ShortcutSheetProps {
  readonly title: string
  readonly groups: readonly ShortcutGroup[]
  /** Words of the switch that turns single letters off. */
  readonly singleKeysLabel: string
  readonly onClose: () => void
}

/** The sheet behind the question mark: every key there is, by place. */
export function ShortcutSheet({ title, groups, singleKeysLabel, onClose }: ShortcutSheetProps) {
  const { t } = useTranslation('ui')
  const [singles, setSingles] = useSingleKeys()
  return (
    <Dialog
      title={title}
      size="wide"
      onClose={onClose}
      note={
        <Switch on={singles} onChange={setSingles}>
          {singleKeysLabel}
        </Switch>
      }
    >
      {/* In the order of the Tab key, so that the keyboard can scroll what does not fit. */}
      <div className={styles['groups']} tabIndex={0} role="group" aria-label={title}>
        {groups.map((group) => (
          <section key={group.label} aria-label={group.label}>
            <h3 className={styles['section']}>{group.label}</h3>
            <dl className={styles['keys']}>
              {group.keys.map((key) => (
                <div key={key.does} className={styles['key']}>
                  <dt>{key.does}</dt>
                  <dd className={styles['caps']}>
                    {key.caps.map((cap, at) => (
                      <span key={cap} className={styles['cap']}>
                        {at > 0 && key.sequence === true && <span className={styles['then']}>{t('keyThen')}</span>}
                        <Kbd>{cap}</Kbd>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
