/**
 * The words of the pages that are not the first, an area each: fetched in the language of the moment, with the page or the part that says
 * them (renderer/client/i18n.ts).
 */
export const later = {
  today: {
    en: async () => (await import('../today/messages.en.ts')).today,
    fr: async () => (await import('../today/messages.fr.ts')).today,
  },
  sample: {
    en: async () => (await import('../sample/messages.en.ts')).sample,
    fr: async () => (await import('../sample/messages.fr.ts')).sample,
  },
  help: {
    en: async () => (await import('../help/messages.en.ts')).help,
    fr: async () => (await import('../help/messages.fr.ts')).help,
  },
  signIn: {
    en: async () => (await import('../identity/sign-in.messages.en.ts')).signIn,
    fr: async () => (await import('../identity/sign-in.messages.fr.ts')).signIn,
  },
  evidenceList: {
    en: async () => (await import('../evidence/list.messages.en.ts')).evidenceList,
    fr: async () => (await import('../evidence/list.messages.fr.ts')).evidenceList,
  },
  jobReasons: {
    en: async () => (await import('../jobs/reasons.messages.en.ts')).jobReasons,
    fr: async () => (await import('../jobs/reasons.messages.fr.ts')).jobReasons,
  },
  alarmReasons: {
    en: async () => (await import('../integrity/alarms.messages.en.ts')).alarmReasons,
    fr: async () => (await import('../integrity/alarms.messages.fr.ts')).alarmReasons,
  },
  packageProblems: {
    en: async () => (await import('../packages/problems.messages.en.ts')).packageProblems,
    fr: async () => (await import('../packages/problems.messages.fr.ts')).packageProblems,
  },
  dockReasons: {
    en: async () => (await import('../docking/reasons.messages.en.ts')).dockReasons,
    fr: async () => (await import('../docking/reasons.messages.fr.ts')).dockReasons,
  },
  quarantineReasons: {
    en: async () => (await import('../retention/quarantine.messages.en.ts')).quarantineReasons,
    fr: async () => (await import('../retention/quarantine.messages.fr.ts')).quarantineReasons,
  },
  validationReasons: {
    en: async () => (await import('../validation/reasons.messages.en.ts')).validationReasons,
    fr: async () => (await import('../validation/reasons.messages.fr.ts')).validationReasons,
  },
  witnessProblems: {
    en: async () => (await import('../packages/witness-problems.messages.en.ts')).witnessProblems,
    fr: async () => (await import('../packages/witness-problems.messages.fr.ts')).witnessProblems,
  },
  cadReasons: {
    en: async () => (await import('../dispatch/reasons.messages.en.ts')).cadReasons,
    fr: async () => (await import('../dispatch/reasons.messages.fr.ts')).cadReasons,
  },
  evidenceActs: {
    en: async () => (await import('../evidence/acts.messages.en.ts')).evidenceActs,
    fr: async () => (await import('../evidence/acts.messages.fr.ts')).evidenceActs,
  },
  evidenceSuggestions: {
    en: async () => (await import('../evidence/suggestions.messages.en.ts')).evidenceSuggestions,
    fr: async () => (await import('../evidence/suggestions.messages.fr.ts')).evidenceSuggestions,
  },
  evidencePage: {
    en: async () => (await import('../evidence/page.messages.en.ts')).evidencePage,
    fr: async () => (await import('../evidence/page.messages.fr.ts')).evidencePage,
  },
  reports: {
    en: async () => (await import('../reports/messages.en.ts')).reports,
    fr: async () => (await import('../reports/messages.fr.ts')).reports,
  },
  calls: {
    en: async () => (await import('../calls-board/messages.en.ts')).calls,
    fr: async () => (await import('../calls-board/messages.fr.ts')).calls,
  },
  cad: {
    en: async () => (await import('../dispatch/messages.en.ts')).cad,
    fr: async () => (await import('../dispatch/messages.fr.ts')).cad,
  },
  cases: {
    en: async () => (await import('../cases/messages.en.ts')).cases,
    fr: async () => (await import('../cases/messages.fr.ts')).cases,
  },
  phone: {
    en: async () => (await import('../window/phone.messages.en.ts')).phone,
    fr: async () => (await import('../window/phone.messages.fr.ts')).phone,
  },
  caseWork: {
    en: async () => (await import('../cases/work.messages.en.ts')).caseWork,
    fr: async () => (await import('../cases/work.messages.fr.ts')).caseWork,
  },
  correlation: {
    en: async () => (await import('../correlation/messages.en.ts')).correlation,
    fr: async () => (await import('../correlation/messages.fr.ts')).correlation,
  },
  administration: {
    en: async () => (await import('../administration/messages.en.ts')).administration,
    fr: async () => (await import('../administration/messages.fr.ts')).administration,
  },
  devices: {
    en: async () => (await import('../devices/messages.en.ts')).devices,
    fr: async () => (await import('../devices/messages.fr.ts')).devices,
  },
  disposition: {
    en: async () => (await import('../retention/messages.en.ts')).disposition,
    fr: async () => (await import('../retention/messages.fr.ts')).disposition,
  },
  dockWall: {
    en: async () => (await import('../docking/wall.messages.en.ts')).dockWall,
    fr: async () => (await import('../docking/wall.messages.fr.ts')).dockWall,
  },
  account: {
    en: async () => (await import('../identity/account.messages.en.ts')).account,
    fr: async () => (await import('../identity/account.messages.fr.ts')).account,
  },
  forwarding: {
    en: async () => (await import('../forwarding/messages.en.ts')).forwarding,
    fr: async () => (await import('../forwarding/messages.fr.ts')).forwarding,
  },
  integrity: {
    en: async () => (await import('../integrity/messages.en.ts')).integrity,
    fr: async () => (await import('../integrity/messages.fr.ts')).integrity,
  },
  notices: {
    en: async () => (await import('../notifications/messages.en.ts')).notices,
    fr: async () => (await import('../notifications/messages.fr.ts')).notices,
  },
  dockReceipt: {
    en: async () => (await import('../docking/receipt.messages.en.ts')).dockReceipt,
    fr: async () => (await import('../docking/receipt.messages.fr.ts')).dockReceipt,
  },
  dockSessions: {
    en: async () => (await import('../docking/sessions.messages.en.ts')).dockSessions,
    fr: async () => (await import('../docking/sessions.messages.fr.ts')).dockSessions,
  },
  packages: {
    en: async () => (await import('../packages/messages.en.ts')).packages,
    fr: async () => (await import('../packages/messages.fr.ts')).packages,
  },
  disclosure: {
    en: async () => (await import('../disclosure/messages.en.ts')).disclosure,
    fr: async () => (await import('../disclosure/messages.fr.ts')).disclosure,
  },
  guestLink: {
    en: async () => (await import('../share-links/guest.messages.en.ts')).guestLink,
    fr: async () => (await import('../share-links/guest.messages.fr.ts')).guestLink,
  },
  shareLinks: {
    en: async () => (await import('../share-links/messages.en.ts')).shareLinks,
    fr: async () => (await import('../share-links/messages.fr.ts')).shareLinks,
  },
  search: {
    en: async () => (await import('../search/messages.en.ts')).search,
    fr: async () => (await import('../search/messages.fr.ts')).search,
  },
  network: {
    en: async () => (await import('../network/messages.en.ts')).network,
    fr: async () => (await import('../network/messages.fr.ts')).network,
  },
  validation: {
    en: async () => (await import('../validation/messages.en.ts')).validation,
    fr: async () => (await import('../validation/messages.fr.ts')).validation,
  },
  pairing: {
    en: async () => (await import('../network/pairing.messages.en.ts')).pairing,
    fr: async () => (await import('../network/pairing.messages.fr.ts')).pairing,
  },
} as const

export type LaterArea = keyof typeof later
