/** English words of the pages that are not the first. */
import { account } from './en/account.ts'
import { administration } from './en/administration.ts'
import { calls } from './en/calls.ts'
import { cad } from './en/cad.ts'
import { cases } from './en/cases.ts'
import { correlation } from './en/correlation.ts'
import { devices } from './en/devices.ts'
import { disposition } from './en/disposition.ts'
import { dockWall } from './en/dock-wall.ts'
import { dockReceipt } from './en/dock-receipt.ts'
import { dockSessions } from './en/dock-sessions.ts'
import { evidenceActs } from './en/evidence-acts.ts'
import { evidencePage } from './en/evidence-page.ts'
import { keeping } from './en/keeping.ts'
import { network } from './en/network.ts'
import { pairing } from './en/pairing.ts'
import { notices } from './en/notices.ts'
import { search } from './en/search.ts'
import { uiLater } from './en/ui-later.ts'

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
  keeping,
  notices,
  dockReceipt,
  dockSessions,
  search,
  network,
  pairing,
  uiLater,
} as const
