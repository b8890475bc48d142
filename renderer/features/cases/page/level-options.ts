import type { Words } from '../people-labels.ts'
import type { Held } from './level.tsx'

/** Each level with what it lets somebody do. */
export const levelOptions = (t: Words, most: Held = 'Manage') => {
  const all: readonly { readonly id: Held; readonly label: string; readonly description: string }[] = [
    { id: 'View', label: t('levelView'), description: t('levelViewHow') },
    { id: 'Download', label: t('levelDownload'), description: t('levelDownloadHow') },
    { id: 'Edit', label: t('levelEdit'), description: t('levelEditHow') },
    { id: 'Manage', label: t('levelManage'), description: t('levelManageHow') },
  ]
  return all.slice(0, all.findIndex(({ id }) => id === most) + 1)
}
