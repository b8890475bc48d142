import { Button } from 'react-aria-components/Button'
import { ComboBox as Base } from 'react-aria-components/ComboBox'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { useTranslation } from '../../client/translate.ts'
import { cx, given } from '../given.ts'
import { FieldFoot, FieldLabel, fieldProps } from '../field/frame.tsx'
import field from '../field/field.module.css'
import { Icon } from '../icon/icon.tsx'
import surface from '../popover/popover.module.css'
import { OptionWords } from '../select/select-field.tsx'
import type { SelectOption } from '../select/select-props.ts'
import type { ComboBoxProps } from './combobox-props.ts'
import list from '../select/select.module.css'

/** The field of a ComboBox and its list. */
export default function ComboBoxField({
  options,
  value,
  onChange,
  text,
  onText,
  filtered,
  free,
  opensByTyping,
  loading,
  placeholder,
  ...props
}: ComboBoxProps) {
  const { t } = useTranslation('ui')
  return (
    <Base
      {...fieldProps(props)}
      selectedKey={value}
      onSelectionChange={(key) => onChange(key === null ? null : String(key))}
      menuTrigger={opensByTyping === true ? 'input' : 'focus'}
      allowsEmptyCollection
      allowsCustomValue={free === true}
      {...(filtered === true ? { items: options } : { defaultItems: options })}
      {...given({ inputValue: text, onInputChange: onText })}
    >
      <FieldLabel field={props} />
      <Group className={field['box'] ?? ''}>
        <Input className={field['input'] ?? ''} {...given({ placeholder })} />
        <Button className={field['inside'] ?? ''}>
          <Icon name="chevron-down" size="small" />
        </Button>
      </Group>
      <FieldFoot field={props} />
      <Popover className={cx(surface['popover'], surface['menu'], list['list'])} offset={4}>
        <ListBox<SelectOption<string>>
          className={surface['items'] ?? ''}
          renderEmptyState={() => (
            <div className={surface['title']}>{loading === true ? t('searching') : t('nothingFound')}</div>
          )}
        >
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
