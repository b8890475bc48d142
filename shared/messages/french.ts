import type { Catalogue } from './index.ts'
import { account } from '../identity/account.messages.fr.ts'
import { administration } from '../administration/messages.fr.ts'
import { calls } from '../calls-board/messages.fr.ts'
import { cad } from '../dispatch/messages.fr.ts'
import { cases } from '../cases/messages.fr.ts'
import { common } from '../window/common.messages.fr.ts'
import { correlation } from '../correlation/messages.fr.ts'
import { dockReceipt } from '../docking/receipt.messages.fr.ts'
import { dockSessions } from '../docking/sessions.messages.fr.ts'
import { devices } from '../devices/messages.fr.ts'
import { evidenceActs } from '../evidence/acts.messages.fr.ts'
import { disposition } from '../retention/messages.fr.ts'
import { dockWall } from '../docking/wall.messages.fr.ts'
import { evidenceList } from '../evidence/list.messages.fr.ts'
import { evidencePage } from '../evidence/page.messages.fr.ts'
import { frame } from '../window/frame.messages.fr.ts'
import { integrity } from '../integrity/messages.fr.ts'
import { network } from '../network/messages.fr.ts'
import { pairing } from '../network/pairing.messages.fr.ts'
import { notices } from '../notifications/messages.fr.ts'
import { search } from '../search/messages.fr.ts'
import { signIn } from '../identity/sign-in.messages.fr.ts'
import { ui } from '../window/ui.messages.fr.ts'
import { uiLater } from '../window/ui-later.messages.fr.ts'
import { uploads } from '../uploads/messages.fr.ts'

export const fr: Catalogue = {
  common,
  frame,
  signIn,
  ui,
  uploads,
  evidenceList,
  evidencePage,
  evidenceActs,
  calls,
  cad,
  cases,
  administration,
  devices,
  disposition,
  dockWall,
  account,
  integrity,
  notices,
  dockReceipt,
  dockSessions,
  search,
  network,
  pairing,
  correlation,
  uiLater,
}
