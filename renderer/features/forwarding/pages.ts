import { addressState, oneOf } from '../../client/address-state.ts'
import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'

/** It names another server, and what waits for it whatever its cases are. */
const isOffered = ({ User }: { readonly User: { readonly Administrator: boolean } | null }): boolean =>
  User?.Administrator === true

export const headquartersPage = definePage({
  path: '/headquarters',
  load: async () =>
    (await withWords(import('./headquarters-page.tsx'), 'forwarding', 'connectionReasons')).HeadquartersPage,
  name: { en: 'Headquarters', fr: 'Siège' },
  isOffered,
  rail: { group: 'integrity', icon: 'upload' },
  command: { name: { en: 'Go to headquarters', fr: 'Aller au siège' }, icon: 'upload' },
})

const backlogSearch = addressState({ show: oneOf(['waiting', 'failed', 'done']) })

export const backlogPage = definePage({
  path: '/headquarters/backlog',
  readSearch: (given) => backlogSearch.read(given),
  load: async () => (await withWords(import('./backlog-page.tsx'), 'forwarding', 'connectionReasons')).BacklogPage,
  name: { en: 'Backlog', fr: 'En attente' },
  under: '/headquarters',
  isOffered,
  command: {
    name: { en: 'Go to the backlog of headquarters', fr: 'Aller à la file d’attente du siège' },
    icon: 'upload',
  },
})
