import { z } from 'zod'
import { withWords } from '../../client/i18n.ts'
import { definePage } from '../../client/page.ts'
import { isMember } from '../../client/rights.ts'

const packagesSearch = z.object({
  /** Only those of this case; empty: all. */
  case: z.coerce
    .string()
    .regex(/^\d{1,19}$/)
    .optional()
    .catch(undefined),
})
export type PackagesSearch = z.output<typeof packagesSearch>

export const packagesPage = definePage({
  path: '/packages',
  readSearch: (given) => packagesSearch.parse(given),
  load: async () =>
    (await withWords(import('./packages-page.tsx'), 'packages', 'packageProblems', 'jobReasons')).PackagesPage,
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
