import { useTranslation } from '../../client/translate.ts'
import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { isMember } from '../../client/rights.ts'
import { useReviews } from './reviews.ts'

export const reviewPage = definePage({
  path: '/review',
  load: async () => (await withWords(import('./review-page.tsx'), 'correlation')).ReviewPage,
  name: { en: 'Review', fr: 'À examiner' },
  // Guests are asked nothing.
  isOffered: isMember,
  rail: { group: 'areas', icon: 'review', useMark: useWaiting },
})

/** What the station asks of people; counted as far as its first page goes. */
function useWaiting() {
  const { t } = useTranslation('frame')
  const { rows, more } = useReviews()
  const count = rows?.length ?? 0
  return count === 0 ? null : { count, more, asks: { state: 'attention' as const, label: t('reviewWaits', { count }) } }
}
