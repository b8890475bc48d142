import { z } from 'zod'
import { withWords } from '../../client/i18n.ts'
import { definePage } from '../../client/page.ts'
import { isMember } from '../../client/rights.ts'

const linksSearch = z.object({
  /** Those that hold this evidence; empty: those that this person made. */
  evidence: z.coerce
    .string()
    .regex(/^\d{1,19}$/)
    .optional()
    .catch(undefined),
})

export const shareLinksPage = definePage({
  path: '/shared-links',
  readSearch: (given) => linksSearch.parse(given),
  load: async () => (await withWords(import('./links-page.tsx'), 'shareLinks', 'jobReasons')).LinksPage,
  name: { en: 'Links', fr: 'Liens' },
  isOffered: isMember,
  command: {
    name: { en: 'Go to links for guests', fr: 'Aller aux liens pour invités' },
    icon: 'share',
    words: {
      en: 'share by link outside guest recipient code expiry recall openings log',
      fr: 'partager par lien extérieur invité destinataire code expiration révoquer ouvertures journal',
    },
  },
})
