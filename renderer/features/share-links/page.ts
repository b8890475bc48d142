import { addressState, id } from '../../client/address-state.ts'
import { withWords } from '../../client/i18n.ts'
import { definePage } from '../../client/page.ts'
import { isMember } from '../../client/rights.ts'

const linksSearch = addressState({
  /** Those that hold this evidence; left out: those that this person made. */
  evidence: id,
})

export const shareLinksPage = definePage({
  path: '/shared-links',
  readSearch: (given) => linksSearch.read(given),
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
