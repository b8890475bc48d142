import { type ReactNode, type Ref, useId } from 'react'
import { Button as Base } from 'react-aria-components/Button'
import { Link as BaseLink } from 'react-aria-components/Link'
import { ToggleButton as BaseToggle } from 'react-aria-components/ToggleButton'
import { cx, given } from '../given.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import { Kbd } from '../kbd/kbd.tsx'
import { Tooltip } from '../popover/tooltip.tsx'
import styles from './button.module.css'

/** main: the one ink button of a view; danger: outlined, never the default of a form. */
export type ButtonKind = 'main' | 'plain' | 'quiet' | 'danger'

/** large: 40 px, for sign-in and touch. */
export type ButtonSize = 'small' | 'normal' | 'large'

interface Common {
  readonly kind?: ButtonKind | undefined
  readonly size?: ButtonSize | undefined
  /** At work: keeps its width, its label and the focus; presses do nothing. */
  readonly busy?: boolean | undefined
  /** The reason why it cannot be pressed now. It stays reachable, so that the reason can be read. */
  readonly why?: string | undefined
  readonly onPress?: (() => void) | undefined
  readonly onPressStart?: (() => void) | undefined
  readonly type?: 'button' | 'submit' | undefined
  readonly keys?: string | undefined
  readonly autoFocus?: boolean | undefined
  readonly id?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
  readonly tabIndex?: number | undefined
  readonly className?: string | undefined
  readonly 'aria-expanded'?: boolean | undefined
  readonly 'aria-controls'?: string | undefined
  readonly 'aria-describedby'?: string | undefined
  /** Shows a state without its cause; for the page of parts. */
  readonly look?: 'hover' | 'pressed' | 'focus' | undefined
}

export interface ButtonProps extends Common {
  readonly icon?: IconName | undefined
  readonly children: ReactNode
}

export interface IconButtonProps extends Common {
  /** Verb and object; its accessible name and its tooltip. */
  readonly label: string
  readonly icon: IconName
  /** Without a tooltip where the words stand beside it already. */
  readonly tooltip?: boolean | undefined
}

const classOf = (
  { kind = 'plain', size = 'normal', className }: Pick<Common, 'kind' | 'size' | 'className'>,
  ...more: readonly (string | false | undefined)[]
): string => cx(styles['button'], styles[kind], size !== 'normal' && styles[size], ...more, className)

/** What a wrapped button gives to its base: a reason takes the press away, never the focus. */
function baseProps({
  kind: _kind,
  size: _size,
  keys: _keys,
  className: _class,
  busy,
  why,
  onPress,
  type,
  look,
  ...rest
}: Common) {
  const barred = why !== undefined
  return {
    ...given(rest),
    isPending: busy === true && !barred,
    type: barred ? ('button' as const) : (type ?? 'button'),
    ...(barred ? { 'aria-disabled': true, 'data-why': '' } : given({ onPress })),
    ...(look === undefined ? {} : { 'data-look': look }),
  }
}

/** With the reason as tooltip and as description that is always there. */
function Reasoned({
  why,
  id,
  children,
}: {
  readonly why: string | undefined
  readonly id: string
  children: ReactNode
}) {
  if (why === undefined) return children
  return (
    <>
      <Tooltip text={why}>{children}</Tooltip>
      <span id={id} hidden>
        {why}
      </span>
    </>
  )
}

export function Button({ icon, children, ...props }: ButtonProps) {
  const reason = useId()
  return (
    <Reasoned why={props.why} id={reason}>
      <Base
        {...baseProps(props)}
        className={classOf(props, props.busy === true && icon === undefined && styles['bare'])}
        {...(props.why === undefined ? {} : { 'aria-describedby': reason })}
      >
        {icon !== undefined && (
          <Icon
            name={props.busy === true ? 'working' : icon}
            className={cx(props.busy === true && styles['turning'])}
          />
        )}
        {children}
        {props.keys !== undefined && <Kbd bare={props.kind === 'main'}>{props.keys}</Kbd>}
      </Base>
    </Reasoned>
  )
}

export function IconButton({ label, icon, tooltip = true, ...props }: IconButtonProps) {
  const reason = useId()
  const button = (
    <Base
      {...baseProps(props)}
      aria-label={label}
      className={classOf({ ...props, kind: props.kind ?? 'quiet' }, styles['square'])}
      {...(props.why === undefined ? {} : { 'aria-describedby': reason })}
    >
      <Icon
        name={props.busy === true ? 'working' : icon}
        size={props.size === 'small' ? 'small' : 'normal'}
        className={cx(props.busy === true && styles['turning'])}
      />
    </Base>
  )
  if (props.why !== undefined)
    return (
      <Reasoned why={props.why} id={reason}>
        {button}
      </Reasoned>
    )
  return tooltip ? (
    <Tooltip text={label} keys={props.keys}>
      {button}
    </Tooltip>
  ) : (
    button
  )
}

export interface ToggleButtonProps {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly children?: ReactNode
  /** Instead of children: the icon alone, with its name as tooltip. */
  readonly label?: string | undefined
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  readonly kind?: ButtonKind | undefined
  readonly size?: ButtonSize | undefined
  readonly className?: string | undefined
}

/** A state that is on or off; pressed is shown by its ground and an edge, and told to screen readers. */
export function ToggleButton({ on, onChange, children, label, icon, keys, ...look }: ToggleButtonProps) {
  const button = (
    <BaseToggle
      isSelected={on}
      onChange={onChange}
      className={classOf(look, children === undefined && styles['square'])}
      {...given({ 'aria-label': label })}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
      {keys !== undefined && children !== undefined && <Kbd>{keys}</Kbd>}
    </BaseToggle>
  )
  return label === undefined ? (
    button
  ) : (
    <Tooltip text={label} keys={keys}>
      {button}
    </Tooltip>
  )
}

export interface LinkButtonProps {
  readonly href: string
  readonly kind?: ButtonKind | undefined
  readonly size?: ButtonSize | undefined
  readonly icon?: IconName | undefined
  readonly children: ReactNode
  readonly download?: string | boolean | undefined
  readonly target?: string | undefined
  readonly onPress?: (() => void) | undefined
  readonly className?: string | undefined
}

/** Goes somewhere and looks like a button. */
export function LinkButton({ href, icon, children, download, target, onPress, ...look }: LinkButtonProps) {
  return (
    <BaseLink href={href} className={classOf(look)} {...given({ download, target, onPress })}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </BaseLink>
  )
}

/** A button that reads like a link inside a line: *Check now*, *Show the command*. */
export function TextButton({
  children,
  busy,
  onPress,
  label,
  ref,
}: {
  readonly children: ReactNode
  readonly busy?: boolean | undefined
  readonly onPress?: (() => void) | undefined
  /** Where the words alone do not name the object. */
  readonly label?: string | undefined
  readonly ref?: Ref<HTMLButtonElement> | undefined
}) {
  return (
    <Base className={styles['text'] ?? ''} isPending={busy === true} {...given({ onPress, ref, 'aria-label': label })}>
      {children}
    </Base>
  )
}
