import { addressState, id, type StateOf } from '../../client/address-state.ts'
import { withWords } from '../../client/i18n.ts'
import { definePage } from '../../client/page.ts'
import { isMember } from '../../client/rights.ts'

const members = {
  /** Only those of this case; left out: all. */
  case: id,
}
const packagesSearch = addressState(members)
export type PackagesSearch = StateOf<typeof members>

export const packagesPage = definePage({
  path: '/packages',
  readSearch: (given) => packagesSearch.read(given),
  load: async () =>
    (
      await withWords(
        import('./packages-page.tsx'),
        'packages',
        'packageProblems',
        'jobReasons',
        'witnessProblems',
        'alarmReasons',
      )
    ).PackagesPage,
  name: { en: 'Packages', fr: 'Paquets' },
  isOffered: isMember,
  rail: { group: 'integrity', icon: 'archive' },
  command: {
    name: { en: 'Go to packages', fr: 'Aller aux paquets' },
    icon: 'archive',
    words: {
      en: 'court package disclosure bundle for the prosecutor prosecution defence export evidence hand over',
      fr: 'dossier pour le tribunal parquet procureur défense avocat communication exporter preuves remettre',
    },
  },
})
