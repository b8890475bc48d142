/** The dialogs of acts, fetched with their words when the first of them is asked for: most who look at a list decide nothing. */
import { withWords } from '../../../client/i18n.ts'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import type { ActDialogOf } from './protect-dialog.tsx'

const DIALOGS = {
  protect: lazyOpened(async () => (await withWords(import('./protect-dialog.tsx'), 'evidenceActs')).ProtectDialog),
  delete: lazyOpened(async () => (await withWords(import('./delete-dialog.tsx'), 'evidenceActs')).DeleteDialog),
  link: lazyOpened(async () => (await withWords(import('./link-dialog.tsx'), 'evidenceActs')).LinkDialog),
  category: lazyOpened(async () => (await withWords(import('./category-dialog.tsx'), 'evidenceActs')).CategoryDialog),
  title: lazyOpened(async () => (await withWords(import('./title-dialog.tsx'), 'evidenceActs')).TitleDialog),
  tag: lazyOpened(async () => (await withWords(import('./tag-dialog.tsx'), 'evidenceActs')).TagDialog),
  officer: lazyOpened(async () => (await withWords(import('./officer-dialog.tsx'), 'evidenceActs')).OfficerDialog),
  share: lazyOpened(async () => (await withWords(import('./share-dialog.tsx'), 'evidenceActs')).ShareDialog),
  guestLink: lazyOpened(
    async () => (await withWords(import('./guest-link-dialog.tsx'), 'evidenceActs', 'shareLinks')).GuestLinkDialog,
  ),
  times: lazyOpened(
    async () => (await withWords(import('./times-dialog.tsx'), 'evidenceActs', 'evidenceSuggestions')).TimesDialog,
  ),
  package: lazyOpened(
    async () => (await withWords(import('./package-dialog.tsx'), 'evidenceActs', 'packages')).PackageDialog,
  ),
  restrict: lazyOpened(
    async () => (await withWords(import('./restrict-dialog.tsx'), 'evidenceActs', 'disclosure')).RestrictDialog,
  ),
  move: lazyOpened(async () => (await withWords(import('./move-dialog.tsx'), 'evidenceActs')).MoveDialog),
}

export type Decision = keyof typeof DIALOGS

export function DecisionDialog({ decision, ...of }: ActDialogOf & { readonly decision: Decision }) {
  const Dialog = DIALOGS[decision]
  return <Dialog {...of} />
}
