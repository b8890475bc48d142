import { Button } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as Base, SelectValue } from 'react-aria-components/Select'
import { useTranslation } from '../../client/translate.ts'
import { cx } from '../given.ts'
import { FieldFoot, FieldLabel, fieldProps } from '../field/frame.tsx'
import field from '../field/field.module.css'
import { Icon } from '../icon/icon.tsx'
import surface from '../popover/popover.module.css'
import type { SelectOption, SelectProps } from './select-props.ts'
import styles from './select.module.css'

/** The field of a Select and its list. */
export default function SelectField({ options, value, onChange, placeholder, ...props }: SelectProps<string>) {
  const { t } = useTranslation('ui')
  return (
    <Base
      {...fieldProps(props)}
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(String(key))}
      placeholder={placeholder ?? t('choose')}
    >
      <FieldLabel field={props} />
      <Button className={cx(field['box'], styles['button'])}>
        <SelectValue className={styles['value'] ?? ''} />
        <Icon name="chevron-down" size="small" className={styles['chevron']} />
      </Button>
      <FieldFoot field={props} />
      <Popover className={cx(surface['popover'], surface['menu'], styles['list'])} offset={4}>
        <ListBox items={options} className={surface['items'] ?? ''}>
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.label}
              isDisabled={option.why !== undefined}
              className={surface['item'] ?? ''}
            >
              <OptionWords {...option} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Base>
  )
}

/** An option as it reads in the list: a tick when chosen, the words, a second line. */
export function OptionWords({ icon, label, note, why }: Omit<SelectOption<string>, 'id'>) {
  return (
    <>
      <Icon name="check" size="small" className={cx(surface['tick'], styles['tick'])} />
      {icon !== undefined && <Icon name={icon} />}
      <span className={surface['words']}>
        {label}
        {(why ?? note) !== undefined && <span className={cx(surface['why'], styles['note'])}>{why ?? note}</span>}
      </span>
    </>
  )
}
