import { REPORT_NAMES, REPORTS } from '../../../shared/reports/reports.ts'
import { inPolicy } from '../../client/rights.ts'
import type { Session } from '../../client/session.tsx'
import { VIEWS, type View } from './search.ts'

/** What this person may ask for; the station judges. */
export const viewsOf = (session: Session): readonly View[] =>
  VIEWS.filter((view) =>
    view === 'calendar'
      ? inPolicy(session, 'ApproveDisposition')
      : REPORTS[view].policies.some((policy) => inPolicy(session, policy)),
  )

export const mayAskForAny = (session: Session): boolean =>
  session.User?.Guest !== true &&
  REPORT_NAMES.some((name) => REPORTS[name].policies.some((policy) => inPolicy(session, policy)))
