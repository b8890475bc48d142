import { useTranslation } from 'react-i18next'
import { ShortcutSheet } from '../../ui/command/sheet.tsx'

/** Every key there is, in one place (guide.md, Keys). */
export default function Keys({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('frame')
  return (
    <ShortcutSheet
      title={t('keys')}
      onClose={onClose}
      groups={[
        {
          title: t('keysAnywhere'),
          keys: [
            { keys: ['Ctrl K'], words: t('keyPalette') },
            { keys: ['?'], words: t('keySheet') },
            { keys: ['G E'], words: t('keyGoEvidence') },
            { keys: ['Ctrl Shift L'], words: t('keyLock') },
            { keys: ['Ctrl J'], words: t('keyJobs') },
            { keys: ['F6'], words: t('keyRegions') },
            { keys: ['Alt ←'], words: t('keyBack') },
          ],
        },
        {
          title: t('keysLists'),
          keys: [
            { keys: ['↑', '↓', 'J', 'K'], words: t('keyMove') },
            { keys: ['Enter'], words: t('keyOpen') },
            { keys: ['Space'], words: t('keySelect') },
            { keys: ['Shift ↑', 'Shift ↓'], words: t('keyExtend') },
            { keys: ['Ctrl A'], words: t('keyAll') },
            { keys: ['Esc'], words: t('keyClear') },
            { keys: ['F'], words: t('keyFilter') },
            { keys: ['V'], words: t('keyView') },
          ],
        },
        {
          title: t('keysPlayer'),
          keys: [
            { keys: ['J', 'K', 'L'], words: t('keyPlayer') },
            { keys: [',', '.'], words: t('keyFrame') },
            { keys: ['←', '→'], words: t('keySeconds') },
            { keys: ['Shift ←', 'Shift →'], words: t('keyHalfMinute') },
            { keys: ['[', ']'], words: t('keySpeed') },
            { keys: ['I', 'O'], words: t('keyInOut') },
            { keys: ['P'], words: t('keyLoop') },
            { keys: ['M'], words: t('keyMark') },
            { keys: ['S'], words: t('keyStill') },
            { keys: ['H'], words: t('keyCheck') },
            { keys: ['Shift D'], words: t('keyCustody') },
          ],
        },
      ]}
    />
  )
}
