/** Words that every screen may use. Keys name the meaning, never the English. */
export const common = {
  appName: 'Sallyport',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  none: 'None',
  unknown: 'Not known',
  loading: 'Loading',
  errorTitle: 'This part did not load',
  errorBody: 'What the station holds is safe. {{message}}',
  errorId: 'If it happens again, quote {{id}}.',
  offlineTitle: 'The station does not answer',
  offlineBody: 'Since {{since}}. What is on this page stays; it goes on by itself when the station is back.',
  pageCrashedTitle: 'This page stopped',
  pageCrashedBody: 'Nothing that was acknowledged is lost. Load it again; if it stops again, quote the text below.',
  reload: 'Load again',
} as const
