/**
 * The words of the pages that are not the first, an area each: fetched in the language of the moment, with the page or the part that says
 * them (renderer/client/i18n.ts). A file exports them under the name of their area.
 */
export const later = {
  today: {
    en: () => import('../today/messages.en.ts'),
    fr: () => import('../today/messages.fr.ts'),
  },
  sample: {
    en: () => import('../sample/messages.en.ts'),
    fr: () => import('../sample/messages.fr.ts'),
  },
  help: {
    en: () => import('../help/messages.en.ts'),
    fr: () => import('../help/messages.fr.ts'),
  },
  signIn: {
    en: () => import('../identity/sign-in.messages.en.ts'),
    fr: () => import('../identity/sign-in.messages.fr.ts'),
  },
  evidenceList: {
    en: () => import('../evidence/list.messages.en.ts'),
    fr: () => import('../evidence/list.messages.fr.ts'),
  },
  jobReasons: {
    en: () => import('../jobs/reasons.messages.en.ts'),
    fr: () => import('../jobs/reasons.messages.fr.ts'),
  },
  alarmReasons: {
    en: () => import('../integrity/alarms.messages.en.ts'),
    fr: () => import('../integrity/alarms.messages.fr.ts'),
  },
  packageProblems: {
    en: () => import('../packages/problems.messages.en.ts'),
    fr: () => import('../packages/problems.messages.fr.ts'),
  },
  dockReasons: {
    en: () => import('../docking/reasons.messages.en.ts'),
    fr: () => import('../docking/reasons.messages.fr.ts'),
  },
  quarantineReasons: {
    en: () => import('../retention/quarantine.messages.en.ts'),
    fr: () => import('../retention/quarantine.messages.fr.ts'),
  },
  validationReasons: {
    en: () => import('../validation/reasons.messages.en.ts'),
    fr: () => import('../validation/reasons.messages.fr.ts'),
  },
  witnessProblems: {
    en: () => import('../packages/witness-problems.messages.en.ts'),
    fr: () => import('../packages/witness-problems.messages.fr.ts'),
  },
  cadReasons: {
    en: () => import('../dispatch/reasons.messages.en.ts'),
    fr: () => import('../dispatch/reasons.messages.fr.ts'),
  },
  connectionReasons: {
    en: () => import('../network/reasons.messages.en.ts'),
    fr: () => import('../network/reasons.messages.fr.ts'),
  },
  evidenceActs: {
    en: () => import('../evidence/acts.messages.en.ts'),
    fr: () => import('../evidence/acts.messages.fr.ts'),
  },
  evidenceSuggestions: {
    en: () => import('../evidence/suggestions.messages.en.ts'),
    fr: () => import('../evidence/suggestions.messages.fr.ts'),
  },
  evidencePage: {
    en: () => import('../evidence/page.messages.en.ts'),
    fr: () => import('../evidence/page.messages.fr.ts'),
  },
  reports: {
    en: () => import('../reports/messages.en.ts'),
    fr: () => import('../reports/messages.fr.ts'),
  },
  calls: {
    en: () => import('../calls-board/messages.en.ts'),
    fr: () => import('../calls-board/messages.fr.ts'),
  },
  cad: {
    en: () => import('../dispatch/messages.en.ts'),
    fr: () => import('../dispatch/messages.fr.ts'),
  },
  cases: {
    en: () => import('../cases/messages.en.ts'),
    fr: () => import('../cases/messages.fr.ts'),
  },
  phone: {
    en: () => import('../window/phone.messages.en.ts'),
    fr: () => import('../window/phone.messages.fr.ts'),
  },
  caseWork: {
    en: () => import('../cases/work.messages.en.ts'),
    fr: () => import('../cases/work.messages.fr.ts'),
  },
  correlation: {
    en: () => import('../correlation/messages.en.ts'),
    fr: () => import('../correlation/messages.fr.ts'),
  },
  administration: {
    en: () => import('../administration/messages.en.ts'),
    fr: () => import('../administration/messages.fr.ts'),
  },
  devices: {
    en: () => import('../devices/messages.en.ts'),
    fr: () => import('../devices/messages.fr.ts'),
  },
  disposition: {
    en: () => import('../retention/messages.en.ts'),
    fr: () => import('../retention/messages.fr.ts'),
  },
  dockWall: {
    en: () => import('../docking/wall.messages.en.ts'),
    fr: () => import('../docking/wall.messages.fr.ts'),
  },
  account: {
    en: () => import('../identity/account.messages.en.ts'),
    fr: () => import('../identity/account.messages.fr.ts'),
  },
  forwarding: {
    en: () => import('../forwarding/messages.en.ts'),
    fr: () => import('../forwarding/messages.fr.ts'),
  },
  integrity: {
    en: () => import('../integrity/messages.en.ts'),
    fr: () => import('../integrity/messages.fr.ts'),
  },
  notices: {
    en: () => import('../notifications/messages.en.ts'),
    fr: () => import('../notifications/messages.fr.ts'),
  },
  dockReceipt: {
    en: () => import('../docking/receipt.messages.en.ts'),
    fr: () => import('../docking/receipt.messages.fr.ts'),
  },
  dockSessions: {
    en: () => import('../docking/sessions.messages.en.ts'),
    fr: () => import('../docking/sessions.messages.fr.ts'),
  },
  packages: {
    en: () => import('../packages/messages.en.ts'),
    fr: () => import('../packages/messages.fr.ts'),
  },
  disclosure: {
    en: () => import('../disclosure/messages.en.ts'),
    fr: () => import('../disclosure/messages.fr.ts'),
  },
  guestLink: {
    en: () => import('../share-links/guest.messages.en.ts'),
    fr: () => import('../share-links/guest.messages.fr.ts'),
  },
  shareLinks: {
    en: () => import('../share-links/messages.en.ts'),
    fr: () => import('../share-links/messages.fr.ts'),
  },
  search: {
    en: () => import('../search/messages.en.ts'),
    fr: () => import('../search/messages.fr.ts'),
  },
  network: {
    en: () => import('../network/messages.en.ts'),
    fr: () => import('../network/messages.fr.ts'),
  },
  validation: {
    en: () => import('../validation/messages.en.ts'),
    fr: () => import('../validation/messages.fr.ts'),
  },
  pairing: {
    en: () => import('../network/pairing.messages.en.ts'),
    fr: () => import('../network/pairing.messages.fr.ts'),
  },
} as const

export type LaterArea = keyof typeof later
