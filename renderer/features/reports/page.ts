import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { mayAskForAny } from './rights.ts'
import { reportsSearch } from './search.ts'

export const reportsPage = definePage({
  path: '/reports',
  readSearch: (given) => reportsSearch.read(given),
  // Acts and jobs are called as on the page of an evidence.
  load: async () => (await withWords(import('./reports-page.tsx'), 'reports', 'evidencePage')).ReportsPage,
  name: { en: 'Reports', fr: 'Rapports' },
  isOffered: mayAskForAny,
  rail: { group: 'integrity', icon: 'rows' },
  command: { name: { en: 'Go to reports', fr: 'Aller aux rapports' }, icon: 'rows' },
})
