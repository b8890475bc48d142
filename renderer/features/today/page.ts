import { definePage, type Page } from '../../client/page.ts'

/** Where everybody begins. With parts of the frame, which the list of pages puts in. */
export const todayPage = (load: Page['load']) =>
  definePage({
    path: '/today',
    load,
    name: { en: 'Today', fr: 'Aujourd’hui' },
    rail: { group: 'areas', icon: 'calendar' },
    command: { name: { en: 'Go to today', fr: 'Aller à aujourd’hui' }, icon: 'calendar' },
    key: { letter: 't', does: { en: 'Go to today', fr: 'Aller à aujourd’hui' } },
  })
