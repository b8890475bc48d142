import { useTranslation } from '../../client/translate.ts'
import { Button } from '../button/button.tsx'
import { Menu, type MenuSection } from './menu.tsx'

export interface ExportMenuProps {
  /** Verb and object: *Export list*. */
  readonly label: string
  readonly address: (format: 'csv' | 'json') => string
  readonly size?: 'small' | 'normal' | undefined
}

/** Takes a list along as a file: as it is filtered, whole. The station writes down that it was. */
export function ExportMenu({ label, address, size = 'normal' }: ExportMenuProps) {
  return (
    <Menu
      label={label}
      sections={[useExportSection(address)]}
      trigger={
        <Button icon="download" size={size}>
          {label}
        </Button>
      }
    />
  )
}

/** The same as a part of another menu, where there is no room for its own. @param label as the head of that part */
export function useExportSection(address: ExportMenuProps['address'], label?: string): MenuSection {
  const { t } = useTranslation('ui')
  return {
    label,
    items: [
      { id: 'csv', label: t('exportCsv'), icon: label === undefined ? undefined : 'download', href: address('csv') },
      { id: 'json', label: t('exportJson'), icon: label === undefined ? undefined : 'download', href: address('json') },
    ],
  }
}
