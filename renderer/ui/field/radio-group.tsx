import type { ReactNode } from 'react'
import { Radio, RadioGroup as RadioBase } from 'react-aria-components/RadioGroup'
import { cx } from '../given.ts'
import { FieldFoot, FieldLabel, type FieldProps, fieldProps } from './frame.tsx'
import styles from './choice.module.css'

export interface RadioOption<Id extends string> {
  readonly id: Id
  readonly label: ReactNode
  readonly description?: string | undefined
  readonly why?: string | undefined
}

export interface RadioGroupProps<Id extends string> extends FieldProps {
  readonly options: readonly RadioOption<Id>[]
  readonly value: Id | null
  readonly onChange: (value: Id) => void
  readonly inline?: boolean | undefined
}

export function RadioGroup<Id extends string>({ options, value, onChange, inline, ...field }: RadioGroupProps<Id>) {
  const { autoFocus: _, ...base } = fieldProps(field)
  return (
    <RadioBase
      {...base}
      value={value}
      onChange={(id) => onChange(id as Id)}
      orientation={inline === true ? 'horizontal' : 'vertical'}
    >
      <FieldLabel field={field} />
      <div className={cx(styles['options'], inline === true && styles['inline'])}>
        {options.map((option) => (
          <Radio
            key={option.id}
            value={option.id}
            className={cx(styles['row'], styles['radio'])}
            isDisabled={option.why !== undefined}
          >
            <span className={styles['dot']} aria-hidden="true" />
            <span>
              {option.label}
              {(option.why ?? option.description) !== undefined && (
                <span className={styles['second']}>{option.why ?? option.description}</span>
              )}
            </span>
          </Radio>
        ))}
      </div>
      <FieldFoot field={field} />
    </RadioBase>
  )
}
