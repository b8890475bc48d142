import { type KeyboardEventHandler, type Ref, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { SearchField as SearchBase } from 'react-aria-components/SearchField'
import { TextArea as Area } from 'react-aria-components/TextArea'
import { TextField as Base } from 'react-aria-components/TextField'
import { useTranslation } from '../../client/translate.ts'
import { cx, given } from '../given.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import { FieldFoot, FieldLabel, type FieldProps, fieldProps } from './frame.tsx'
import styles from './field.module.css'

export interface TextFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'url' | 'tel' | undefined
  readonly autoComplete?: string | undefined
  readonly placeholder?: string | undefined
  readonly icon?: IconName | undefined
  /** A unit or a zone at the end of the field. */
  readonly suffix?: string | undefined
  readonly maxLength?: number | undefined
  readonly spellCheck?: boolean | undefined
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement> | undefined
  readonly ref?: Ref<HTMLInputElement> | undefined
}

const textProps = ({ value, onChange, type, autoComplete, maxLength, spellCheck }: TextFieldProps) => ({
  value,
  onChange,
  ...given({ type, autoComplete, maxLength }),
  ...(spellCheck === undefined ? {} : { spellCheck: spellCheck ? 'true' : 'false' }),
})

export function TextField(props: TextFieldProps) {
  return (
    <Base {...fieldProps(props)} {...textProps(props)}>
      <FieldLabel field={props} />
      <Group className={styles['box'] ?? ''}>
        {props.icon !== undefined && <Icon name={props.icon} className={styles['lead']} />}
        <Input
          className={styles['input'] ?? ''}
          {...given({ placeholder: props.placeholder, ref: props.ref, onKeyDown: props.onKeyDown })}
        />
        {props.suffix !== undefined && <span className={styles['suffix']}>{props.suffix}</span>}
      </Group>
      <FieldFoot field={props} />
    </Base>
  )
}

/** With an eye to show what was typed. `autoComplete` says whether it is the current one or a new one. */
export function PasswordField(
  props: Omit<TextFieldProps, 'type' | 'icon' | 'suffix'> & {
    readonly autoComplete: 'current-password' | 'new-password'
  },
) {
  const { t } = useTranslation('ui')
  const [shown, setShown] = useState(false)
  return (
    <Base {...fieldProps(props)} {...textProps(props)} type={shown ? 'text' : 'password'} spellCheck="false">
      <FieldLabel field={props} />
      <Group className={styles['box'] ?? ''}>
        <Input className={styles['input'] ?? ''} {...given({ placeholder: props.placeholder, ref: props.ref })} />
        <Button
          className={styles['inside'] ?? ''}
          aria-label={shown ? t('hidePassword') : t('showPassword')}
          onPress={() => setShown(!shown)}
          {...(props.why === undefined ? {} : { isDisabled: true })}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </Button>
      </Group>
      <FieldFoot field={props} />
    </Base>
  )
}

export interface TextAreaProps extends Omit<TextFieldProps, 'type' | 'icon' | 'suffix' | 'ref' | 'onKeyDown'> {
  readonly rows?: number | undefined
}

export function TextArea({ rows = 3, ...props }: TextAreaProps) {
  return (
    <Base {...fieldProps(props)} {...textProps(props)}>
      <FieldLabel field={props} />
      <Area className={cx(styles['box'], styles['area'])} rows={rows} {...given({ placeholder: props.placeholder })} />
      <FieldFoot field={props} />
    </Base>
  )
}

export interface SearchFieldProps extends Omit<TextFieldProps, 'type' | 'icon' | 'suffix' | 'onKeyDown'> {
  readonly onSubmit?: ((value: string) => void) | undefined
  readonly keys?: string | undefined
  readonly quiet?: boolean | undefined
}

/** Esc clears it, Enter submits it. */
export function SearchField({ onSubmit, keys, ...props }: SearchFieldProps) {
  return (
    <SearchBase {...fieldProps(props)} value={props.value} onChange={props.onChange} {...given({ onSubmit })}>
      <FieldLabel field={props} />
      <Group className={styles['box'] ?? ''}>
        <Icon name="search" className={styles['lead']} />
        <Input className={styles['input'] ?? ''} {...given({ placeholder: props.placeholder, ref: props.ref })} />
        {props.value === '' && keys !== undefined && <Kbd>{keys}</Kbd>}
        {props.value !== '' && (
          <Button className={styles['inside'] ?? ''}>
            <Icon name="x" size="small" />
          </Button>
        )}
      </Group>
      <FieldFoot field={props} />
    </SearchBase>
  )
}
