import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'

export const accountPage = definePage({
  path: '/account',
  load: async () => (await withWords(import('./account/account-page.tsx'), 'account', 'notices')).AccountPage,
  name: { en: 'My account', fr: 'Mon compte' },
  command: { name: { en: 'My account', fr: 'Mon compte' }, icon: 'user' },
})

/** Where `/connect/authorize` leads with what a program asks. */
export const allowPage = definePage({
  path: '/authorize',
  load: async () => (await withWords(import('./sign-in/allow-page.tsx'), 'signIn')).AllowPage,
})
