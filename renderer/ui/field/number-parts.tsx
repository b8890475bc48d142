import { Button } from 'react-aria-components/Button'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { NumberField as Base } from 'react-aria-components/NumberField'
import { given } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import { FieldFoot, FieldLabel, fieldProps } from './frame.tsx'
import type { NumberFieldProps } from './number-props.ts'
import styles from './field.module.css'

/** The field of a number and its two buttons. */
export default function NumberParts(props: NumberFieldProps) {
  return (
    <Base
      {...fieldProps(props)}
      value={props.value}
      onChange={props.onChange}
      {...given({ minValue: props.min, maxValue: props.max, step: props.step, formatOptions: props.format })}
    >
      <FieldLabel field={props} />
      <Group className={styles['box'] ?? ''}>
        <Input className={styles['input'] ?? ''} />
        {props.unit !== undefined && <span className={styles['suffix']}>{props.unit}</span>}
        <Button slot="decrement" className={styles['inside'] ?? ''}>
          <Icon name="minus" size="small" />
        </Button>
        <Button slot="increment" className={styles['inside'] ?? ''}>
          <Icon name="plus" size="small" />
        </Button>
      </Group>
      <FieldFoot field={props} />
    </Base>
  )
}
