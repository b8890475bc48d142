import { useTranslation } from '../../client/translate.ts'
import { ShortcutSheet } from '../../ui/command/sheet.tsx'
import { allPages } from '../pages.ts'

/** Every key there is, in one place (docs/develop/screens.md, Keys). */
export default function Keys({ onClose }: { readonly onClose: () => void }) {
  const { t, language } = useTranslation('frame')
  return (
    <ShortcutSheet
      title={t('keys')}
      onClose={onClose}
      singleKeysLabel={t('singleKeys')}
      groups={[
        {
          label: t('keysAnywhere'),
          keys: [
            { caps: ['Ctrl K'], does: t('keyPalette') },
            { caps: ['?'], does: t('keySheet') },
            ...allPages.flatMap(({ key }) =>
              key === undefined
                ? []
                : [{ caps: ['G', key.letter.toUpperCase()], sequence: true, does: key.does[language] }],
            ),
            { caps: ['Ctrl Shift L'], does: t('keyLock') },
            { caps: ['Ctrl J'], does: t('keyJobs') },
            { caps: ['Ctrl Z'], does: t('keyUndo') },
            { caps: ['Ctrl Enter'], does: t('keySave') },
            { caps: ['F6'], does: t('keyRegions') },
            { caps: ['Alt ←'], does: t('keyBack') },
          ],
        },
        {
          label: t('keysLists'),
          keys: [
            { caps: ['↑', '↓', 'J', 'K'], does: t('keyMove') },
            { caps: ['Enter'], does: t('keyOpen') },
            { caps: ['Space'], does: t('keySelect') },
            { caps: ['Shift ↑', 'Shift ↓'], does: t('keyExtend') },
            { caps: ['Ctrl A'], does: t('keyAll') },
            { caps: ['Esc'], does: t('keyClear') },
            { caps: ['F'], does: t('keyFilter') },
            { caps: ['V'], does: t('keyView') },
            { caps: ['T'], does: t('keyTag') },
            { caps: ['C'], does: t('keyLinkCase') },
            { caps: ['S'], does: t('keyCategory') },
            { caps: ['R'], does: t('keyTitle') },
            { caps: ['A'], does: t('keyFileShift') },
            { caps: ['Shift F10'], does: t('keyRowMenu') },
            { caps: ['W'], does: t('keyWhy') },
            { caps: ['N'], does: t('keyNewCase') },
            { caps: ['E'], does: t('keyEditCase') },
          ],
        },
        {
          label: t('keysPlayer'),
          keys: [
            { caps: ['J', 'K', 'L'], does: t('keyPlayer') },
            { caps: [',', '.'], does: t('keyFrame') },
            { caps: ['←', '→'], does: t('keySeconds') },
            { caps: ['Shift ←', 'Shift →'], does: t('keyHalfMinute') },
            { caps: ['[', ']'], does: t('keySpeed') },
            { caps: ['I', 'O'], does: t('keyInOut') },
            { caps: ['P'], does: t('keyLoop') },
            { caps: ['M'], does: t('keyMark') },
            { caps: ['S'], does: t('keyStill') },
            { caps: ['C'], does: t('keyClip') },
            { caps: ['Shift G'], does: t('keyGoTo') },
            { caps: ['Shift T'], does: t('keyTimePlate') },
            { caps: ['E'], does: t('keyEditEvidence') },
            { caps: ['T'], does: t('keyTag') },
            { caps: ['A'], does: t('keySuggestion') },
            { caps: ['H'], does: t('keyCheck') },
            { caps: ['Shift D'], does: t('keyCustody') },
          ],
        },
        {
          label: t('keysPicture'),
          keys: [
            { caps: ['+', '-', '0', '1'], does: t('keyZoom') },
            { caps: ['R', 'Shift R'], does: t('keyTurn') },
            { caps: ['V'], does: t('keyLevels') },
            { caps: ['L'], does: t('keyLoupe') },
            { caps: ['M'], does: t('keyMeasure') },
            { caps: ['C'], does: t('keyCrop') },
            { caps: ['X'], does: t('keyExif') },
            { caps: ['Z'], does: t('keyResetView') },
          ],
        },
      ]}
    />
  )
}
