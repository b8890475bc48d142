import { useTranslation } from '../../client/translate.ts'
import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { inPolicy } from '../../client/rights.ts'
import { useFigures } from './figures.ts'
import { dispositionSearch } from './search.ts'

export const dispositionPage = definePage({
  path: '/disposition',
  readSearch: (given) => dispositionSearch.read(given),
  load: async () =>
    (await withWords(import('./disposition-page.tsx'), 'disposition', 'quarantineReasons')).DispositionPage,
  name: { en: 'Disposition', fr: 'Élimination' },
  isOffered: (session) => inPolicy(session, 'ApproveDisposition'),
  rail: { group: 'integrity', icon: 'disposition', useMark: useWaiting },
  command: { name: { en: 'Go to disposition', fr: 'Aller à l’élimination' }, icon: 'disposition' },
})

/** What waits for an approval that this person may give. */
function useWaiting() {
  const { t } = useTranslation('frame')
  const { Count: count, More: more } = useFigures().data?.Own ?? { Count: 0, More: false }
  return count === 0
    ? null
    : { count, more, asks: { state: 'attention' as const, label: t('dispositionWaits', { count }) } }
}
