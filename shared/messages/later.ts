/** English words of the pages that are not the first. */
import { account } from '../identity/account.messages.en.ts'
import { administration } from '../administration/messages.en.ts'
import { calls } from '../calls-board/messages.en.ts'
import { cad } from '../dispatch/messages.en.ts'
import { cases } from '../cases/messages.en.ts'
import { correlation } from '../correlation/messages.en.ts'
import { devices } from '../devices/messages.en.ts'
import { disposition } from '../retention/messages.en.ts'
import { dockWall } from '../docking/wall.messages.en.ts'
import { dockReceipt } from '../docking/receipt.messages.en.ts'
import { dockSessions } from '../docking/sessions.messages.en.ts'
import { evidenceActs } from '../evidence/acts.messages.en.ts'
import { evidencePage } from '../evidence/page.messages.en.ts'
import { integrity } from '../integrity/messages.en.ts'
import { network } from '../network/messages.en.ts'
import { pairing } from '../network/pairing.messages.en.ts'
import { notices } from '../notifications/messages.en.ts'
import { search } from '../search/messages.en.ts'
import { uiLater } from '../window/ui-later.messages.en.ts'

export const later = {
  evidenceActs,
  evidencePage,
  calls,
  cad,
  cases,
  correlation,
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
  uiLater,
} as const
