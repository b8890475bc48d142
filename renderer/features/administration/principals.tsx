import { useRef, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { type Principal, useFoundPrincipals } from '../../client/principals.ts'
import { ComboBox } from '../../ui/combobox/combobox.tsx'
import { visible } from '../../ui/format/visible.ts'
import styles from './people.module.css'
import { kindOf, nameOf } from './labels.ts'

interface PickerProps {
  readonly label: string
  readonly onPick: (principal: Principal) => void
  /** Not to be chosen, with the reason in words. */
  readonly barred?: ((principal: Principal) => string | undefined) | undefined
  /** One kind alone: a group holds no groups. */
  readonly without?: 'group' | undefined
}

/** A person, group or integration, found by typing; chosen, it is taken at once and the field is empty again. */
export function PrincipalPicker({ label, onPick, barred, without }: PickerProps) {
  const { t } = useTranslation('administration')
  const [text, setText] = useState('')
  const [picked, setPicked] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  const asked = useFoundPrincipals(text)
  const found = asked.found.filter(({ PrincipalType }) => PrincipalType !== without)
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={label} className={styles['picker']}>
      <ComboBox
        // One whose text is taken away would open its list again.
        key={picked}
        label={label}
        description={t('pickHow')}
        filtered
        loading={asked.busy}
        options={found.map((one) => ({
          id: one.PrincipalId ?? '',
          label: nameOf(one, t),
          note: [visible(one.Username ?? ''), one.Badge, kindOf(one.PrincipalType, t)]
            .filter((said) => said !== '')
            .join(', '),
          why: barred?.(one),
        }))}
        value={null}
        text={text}
        onText={setText}
        onChange={(id) => {
          const chosen = found.find(({ PrincipalId }) => PrincipalId === id)
          if (chosen === undefined) return
          setText('')
          setPicked((times) => times + 1)
          place.current?.focus()
          onPick(chosen)
        }}
      />
    </div>
  )
}
