import { withWords } from '../../client/i18n.ts'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import type { PrintDialogProps } from './print-props.ts'

/** Documents to print: fetched with its words when it is first opened. */
export const PrintDialog = lazyOpened<PrintDialogProps>(
  async () => (await withWords(import('./print-dialog.tsx'), 'reports')).PrintSurface,
)
