import { useTranslation } from '../../client/translate.ts'
import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { useStation } from '../../client/station.ts'

export const integrityPage = definePage({
  path: '/fixity',
  load: async () =>
    (
      await withWords(
        import('./integrity-page.tsx'),
        'integrity',
        'validation',
        'alarmReasons',
        'jobReasons',
        'witnessProblems',
        'validationReasons',
      )
    ).IntegrityPage,
  name: { en: 'Fixity', fr: 'Intégrité' },
  // It shows where copies of the station lie.
  isOffered: ({ User }) => User?.Administrator === true,
  rail: { group: 'integrity', icon: 'fixity', useMark: useAlarms },
})

/** Alarms that nobody has acknowledged. */
function useAlarms() {
  const { t } = useTranslation('frame')
  const count = useStation()?.Alarms.Open ?? 0
  if (count === 0) return null
  return { count, asks: { state: 'danger' as const, label: t('fixityAlarms', { count }), uncounted: true } }
}
