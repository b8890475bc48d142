import { useQuery } from '@tanstack/react-query'
import { visible } from '../../ui/format/visible.ts'
import { withWords } from '../../client/i18n.ts'
import { definePage, type Page } from '../../client/page.ts'
import { readSearch, toAddress } from './list/search.ts'

export const evidenceListPage = definePage({
  path: '/evidence',
  readSearch: (given) => toAddress(readSearch(given)),
  load: async () => (await withWords(import('./list/list-page.tsx'), 'evidenceList')).EvidenceListPage,
  name: { en: 'Evidence', fr: 'Preuves' },
  rail: { group: 'areas', icon: 'evidence' },
  command: { name: { en: 'Show all evidence', fr: 'Afficher toutes les preuves' }, icon: 'evidence' },
  key: { letter: 'e', does: { en: 'Go to evidence', fr: 'Aller aux preuves' } },
})

/** With parts of other features, which the list of pages puts in. */
export const evidencePage = (load: Page['load']) =>
  definePage({ path: '/evidence/$evidenceId', load, useName: useTitle, under: '/evidence' })

/** What the evidence is called, which is known as soon as it is here; until then its number. */
function useTitle(evidenceId: string): string {
  const { data } = useQuery<{ readonly DisplayName: string }>({
    queryKey: ['evidence', evidenceId, 'record'],
    enabled: false,
  })
  return data === undefined ? `EV-${evidenceId.padStart(6, '0')}` : visible(data.DisplayName)
}
