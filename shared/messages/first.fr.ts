/** The first screen in French. */
import { common } from '../window/common.messages.fr.ts'
import { frame } from '../window/frame.messages.fr.ts'
import { ui } from '../window/ui.messages.fr.ts'
import { uiLater } from '../window/ui-later.messages.fr.ts'
import { uploads } from '../uploads/messages.fr.ts'
import type { FirstArea } from './index.ts'

export const first: { readonly [Area in FirstArea]: Readonly<Record<string, string>> } = {
  common,
  frame,
  ui,
  uiLater,
  uploads,
}
