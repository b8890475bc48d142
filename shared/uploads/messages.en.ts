/** Files on their way into evidence. */
export const uploads = {
  title_one: 'Adding {{count}} file',
  title_other: 'Adding {{count}} files',
  empty: 'No files are on their way',
  emptyBody: 'Drop files or folders anywhere on this window, or use Add evidence.',
  safe: '{{done}} of {{count}} are safe',
  amount: '{{sent}} of {{all}}',
  written: '{{size}} written',
  kept: '{{sent}} of {{all}} kept',
  allProgress: 'All files together',
  closeAnyTime: 'You may close this or lock the screen. Uploads continue.',
  pauseAll: 'Pause all',
  resumeAll: 'Resume all',
  clear: 'Clear the list',
  queued: 'Waiting',
  preparing: 'Getting ready',
  sending: 'Sending',
  readingBack: 'Reading back',
  done: 'Verified',
  paused: 'Paused by you',
  waiting: 'Waiting',
  stopped: 'Stopped',
  needsFile: 'Needs the file',
  refused: 'Refused',
  problemFileGone:
    'The file can no longer be read. {{sent}} of {{all}} are safe here. Plug its card in again, then resume.',
  problemOtherFile:
    'This is not the same file. {{sent}} of {{all}} are safe here. Choose the original file to continue.',
  problemUnreachable:
    'The station does not answer. {{sent}} of {{all}} are safe there. The upload continues by itself.',
  problemSignedOut:
    'Nobody is signed in. {{sent}} of {{all}} are safe here. Sign in and the upload continues by itself.',
  problemLocked: 'The screen is locked. It begins when it is unlocked.',
  problemBusy: 'The station is busy. {{sent}} of {{all}} are safe there. The upload continues by itself.',
  problemNeedsRight: '{{sent}} of {{all}} are safe here. Resume lets the browser read the file again.',
  problemNeedsFile: '{{sent}} of {{all}} are safe here. Resume asks for the same file again.',
  problemSaid: '{{sent}} of {{all}} were sent.',
} as const
