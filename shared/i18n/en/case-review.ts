/** Questions of the correlation engine, which links recordings to calls. */
export const caseReview = {
  title: 'Questions about recordings',
  cases: 'Cases',
  lead: 'The station links recordings to calls by itself, except where a person has the last word.',
  what: 'What the station would do',
  because: 'Why it asks',
  since: 'Asked',
  wouldLink: 'Add {{name}}',
  wouldWithdraw: 'Take out {{name}}',
  caseClosedShort: 'The case is closed',
  caseProtectedShort: 'The case is protected',
  confirmedShort: 'Somebody confirmed the link',
  associationWaitsShort: 'The officer is not confirmed yet',
  caseClosed:
    'In a closed case the station changes nothing by itself. Reopen the case, and it does this at once; or say below why it stays as it is.',
  caseProtected:
    'In a protected case the station changes nothing by itself. Link or unlink the recording in the case if you agree, or say below why it stays as it is.',
  confirmed:
    'Somebody confirmed that the recording belongs there, and now it no longer seems to. Take it out in the case if you agree, or say below why it stays.',
  associationWaits:
    'Who had the camera was written down afterwards. When a second person confirms that on the page of the device, the station does this at once.',
  case: 'Case',
  recording: 'Recording',
  reasons: 'What the station looked at',
  holds: 'Fits',
  holdsNot: 'Does not fit',
  close: 'Close',
  reason: 'Why it stays as it is',
  reasonMissing: 'Say why, so that others understand it later.',
  leaveOut: 'Leave it out',
  leaveIn: 'Leave it in',
  settled: 'Noted. The station does not ask this again.',
  failed: 'This was not noted',
  emptyTitle: 'No questions',
  emptyBody:
    'When a recording seems to belong to a case that is closed, protected or confirmed otherwise, the question comes here. You see those of cases that you can view.',
  asks_one: '{{shown}} question',
  asks_other: '{{shown}} questions',
  asksMore: 'More than {{shown}} questions',
} as const
