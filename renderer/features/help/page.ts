import { definePage, type Page } from '../../client/page.ts'

/** What one can do here, found in one's own words; the program and whom to tell what. With parts of the frame, which the list of pages puts in. */
export const helpPage = (load: Page['load']) =>
  definePage({
    path: '/help',
    load,
    readSearch: ({ q }) => (typeof q === 'string' && q !== '' ? { q } : {}),
    name: { en: 'Help', fr: 'Aide' },
    command: { name: { en: 'Help: how do I …', fr: 'Aide : comment …' }, icon: 'help' },
    key: { letter: 'h', does: { en: 'Open the help', fr: 'Ouvrir l’aide' } },
  })
