import { withWords } from '../../client/i18n.ts'
import { definePage } from '../../client/page.ts'
import { isMember } from '../../client/rights.ts'
import { disclosureSearch } from './search.ts'

export const disclosurePage = definePage({
  path: '/disclosure',
  readSearch: (given) => disclosureSearch.read(given),
  load: async () => (await withWords(import('./station-page.tsx'), 'disclosure')).StationDisclosurePage,
  name: { en: 'Disclosure', fr: 'Communication' },
  isOffered: isMember,
  rail: { group: 'integrity', icon: 'share' },
  command: {
    name: { en: 'Go to disclosure', fr: 'Aller à la communication des preuves' },
    icon: 'share',
    words: {
      en: 'disclosed discovery supplement due withheld schedule MG6C MG6D MG6E receipt acknowledged prosecutor defence',
      fr: 'communiqué complément retenu bordereau MG6C MG6D MG6E reçu accusé de réception parquet défense avocat',
    },
  },
})

export const caseDisclosurePage = definePage({
  path: '/cases/$caseId/disclosure',
  load: async () => (await withWords(import('./case-page.tsx'), 'disclosure')).CaseDisclosurePage,
  name: { en: 'Disclosure', fr: 'Communication' },
  isOffered: isMember,
  under: '/cases/$caseId',
})
