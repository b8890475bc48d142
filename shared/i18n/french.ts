import type { Catalogue } from './index.ts'
import { account } from './fr/account.ts'
import { administration } from './fr/administration.ts'
import { calls } from './fr/calls.ts'
import { cad } from './fr/cad.ts'
import { cases } from './fr/cases.ts'
import { common } from './fr/common.ts'
import { correlation } from './fr/correlation.ts'
import { dockReceipt } from './fr/dock-receipt.ts'
import { dockSessions } from './fr/dock-sessions.ts'
import { devices } from './fr/devices.ts'
import { evidenceActs } from './fr/evidence-acts.ts'
import { disposition } from './fr/disposition.ts'
import { dockWall } from './fr/dock-wall.ts'
import { evidenceList } from './fr/evidence-list.ts'
import { evidencePage } from './fr/evidence-page.ts'
import { frame } from './fr/frame.ts'
import { keeping } from './fr/keeping.ts'
import { network } from './fr/network.ts'
import { pairing } from './fr/pairing.ts'
import { notices } from './fr/notices.ts'
import { search } from './fr/search.ts'
import { signIn } from './fr/sign-in.ts'
import { ui } from './fr/ui.ts'
import { uiLater } from './fr/ui-later.ts'
import { uploads } from './fr/uploads.ts'

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
  keeping,
  notices,
  dockReceipt,
  dockSessions,
  search,
  network,
  pairing,
  correlation,
  uiLater,
}
