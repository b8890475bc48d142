import { useTranslation } from '../../client/translate.ts'
import { Button } from '../button/button.tsx'
import { Menu } from './menu.tsx'

export interface ExportMenuProps {
  /** Verb and object: *Export list*. */
  readonly label: string
  readonly address: (format: 'csv' | 'json') => string
  readonly size?: 'small' | 'normal' | undefined
}

/** Takes a list along as a file: as it is filtered, whole. The station writes down that it was. */
export function ExportMenu({ label, address, size = 'normal' }: ExportMenuProps) {
  const { t } = useTranslation('ui')
  return (
    <Menu
      label={label}
      trigger={
        <Button icon="download" size={size}>
          {label}
        </Button>
      }
      sections={[
        {
          items: [
            { id: 'csv', label: t('exportCsv'), href: address('csv') },
            { id: 'json', label: t('exportJson'), href: address('json') },
          ],
        },
      ]}
    />
  )
}
