import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { isMember } from '../../client/rights.ts'
import { callsSearch } from './search.ts'

export const callsPage = definePage({
  path: '/calls',
  readSearch: (given) => callsSearch.withoutUsual(callsSearch.read(given)),
  load: async () => (await withWords(import('./calls-page.tsx'), 'calls')).CallsPage,
  name: { en: 'Calls and footage', fr: 'Appels et images' },
  // Guests see what is shared with them, and no board.
  isOffered: isMember,
  rail: { group: 'areas', icon: 'calls' },
  command: { name: { en: 'Go to calls and footage', fr: 'Aller aux appels et images' }, icon: 'calls' },
  key: { letter: 'b', does: { en: 'Go to calls and footage', fr: 'Aller aux appels et images' } },
})
