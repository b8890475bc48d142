/** What every field has around its control: label above, description or error below. */
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { useTranslation } from '../../client/translate.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { cx } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import styles from './field.module.css'

export interface FieldProps {
  readonly label: string
  /** Label only for screen readers, where the place says it already. */
  readonly hideLabel?: boolean | undefined
  readonly description?: ReactNode
  /** What is wrong and what would be right, in words. */
  readonly error?: string | undefined
  readonly required?: boolean | undefined
  /** The reason why it cannot be changed now. */
  readonly why?: string | undefined
  readonly name?: string | undefined
  readonly autoFocus?: boolean | undefined
  readonly className?: string | undefined
}

/** The props that every base field understands, from ours. */
export function fieldProps({ hideLabel, label, error, required, why, name, autoFocus, className }: FieldProps) {
  return {
    className: cx(styles['field'], className),
    isInvalid: error !== undefined,
    isDisabled: why !== undefined,
    isRequired: required === true,
    validationBehavior: 'aria' as const,
    ...(name === undefined ? {} : { name }),
    ...(autoFocus === undefined ? {} : { autoFocus }),
    ...(hideLabel === true ? { 'aria-label': label } : {}),
  }
}

export function FieldLabel({ field }: { readonly field: FieldProps }) {
  const { t } = useTranslation('ui')
  if (field.hideLabel === true) return null
  return (
    <Label className={styles['label'] ?? ''}>
      {field.label}
      {field.required === true && <span className={styles['required']}>{t('required')}</span>}
    </Label>
  )
}

export function FieldFoot({ field }: { readonly field: FieldProps }) {
  const below = field.why ?? field.description
  return (
    <>
      {below !== undefined && below !== null && (
        <Text slot="description" className={styles['description'] ?? ''}>
          {below}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>
        <Icon name="danger" size="small" />
        <span>{field.error}</span>
      </FieldError>
    </>
  )
}

/** A field that is fetched where one is shown; its place is kept until it is there. */
export function lazyField<Props extends FieldProps>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Field: ComponentType<Props> = lazyPart(load)
  return (props: Props) => (
    <Suspense
      fallback={
        <div className={cx(styles['field'], props.className)} aria-busy="true">
          <FieldLabel field={props} />
          <div className={styles['box']} />
          <FieldFoot field={props} />
        </div>
      }
    >
      <Field {...props} />
    </Suspense>
  )
}
