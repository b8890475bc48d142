import { type ReactNode, useId } from 'react'
import { Checkbox as CheckBase } from 'react-aria-components/Checkbox'
import { Switch as SwitchBase } from 'react-aria-components/Switch'
import { cx, given } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import styles from './choice.module.css'

export interface CheckboxProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Some of what it stands for is chosen. */
  readonly some?: boolean | undefined
  readonly children?: ReactNode
  /** Where no words stand beside it. */
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly required?: boolean | undefined
  readonly why?: string | undefined
  readonly name?: string | undefined
  readonly autoFocus?: boolean | undefined
}

export function Checkbox({
  checked,
  onChange,
  some,
  children,
  label,
  description,
  error,
  required,
  why,
  ...rest
}: CheckboxProps) {
  const below = useId()
  const words = error ?? why ?? description
  return (
    <span className={styles['choice']}>
      <CheckBase
        className={styles['row'] ?? ''}
        isSelected={checked}
        onChange={onChange}
        isIndeterminate={some === true && !checked}
        isInvalid={error !== undefined}
        isDisabled={why !== undefined}
        isRequired={required === true}
        validationBehavior="aria"
        {...given({ 'aria-label': label, ...rest })}
        {...(words === undefined ? {} : { 'aria-describedby': below })}
      >
        <Box checked={checked} some={some === true && !checked} />
        {children !== undefined && <span>{children}</span>}
      </CheckBase>
      {words !== undefined && (
        <span id={below} className={cx(styles['below'], error !== undefined && styles['error'])}>
          {error !== undefined && <Icon name="danger" size="small" />}
          {words}
        </span>
      )}
    </span>
  )
}

/** The box alone, as drawn: also for rows that carry their own semantics. */
export function Box({ checked, some = false }: { readonly checked: boolean; readonly some?: boolean }) {
  return (
    <span className={cx(styles['box'], (checked || some) && styles['on'])} aria-hidden="true">
      {(checked || some) && <Icon name={some ? 'minus' : 'check'} className={styles['tick']} />}
    </span>
  )
}

export interface SwitchProps {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly children?: ReactNode
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly why?: string | undefined
}

/** For what takes effect at once. What waits for Save is a checkbox. */
export function Switch({ on, onChange, children, label, description, why }: SwitchProps) {
  const below = useId()
  const words = why ?? description
  return (
    <span className={styles['choice']}>
      <SwitchBase
        className={styles['row'] ?? ''}
        isSelected={on}
        onChange={onChange}
        isDisabled={why !== undefined}
        {...given({ 'aria-label': label })}
        {...(words === undefined ? {} : { 'aria-describedby': below })}
      >
        <span className={styles['track']} aria-hidden="true">
          <span className={styles['thumb']} />
        </span>
        {children !== undefined && <span>{children}</span>}
      </SwitchBase>
      {words !== undefined && (
        <span id={below} className={cx(styles['below'], styles['wide'])}>
          {words}
        </span>
      )}
    </span>
  )
}
