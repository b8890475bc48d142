/**
 * Why a package was not made. The station writes it in English into the package and the ledger, for any client (shared/messages/package-problems.ts); the
 * window says it in its own language.
 */
export const packageProblems = {
  noFolder: 'There is no folder {{folder}}. Is the volume connected?',
  volumeTaken:
    'The volume of {{folder}} was taken away while the package was made. Connect it again, and run it again.',
  tooSmall:
    'The package needs {{needed}} bytes on the volume of {{folder}}, and {{free}} are free. Nothing was written.',
  driveTooSmall:
    'The package needs {{needed}} bytes on the drive {{drive}}, and {{free}} are free. Nothing was written.',
  volumeFull: 'The volume of {{folder}} is full. Make room, or name another one, and run it again.',
  volumeIsFull: 'The volume is full. Make room, or name another one, and run it again.',
  volumeFailed:
    'The volume of {{folder}} failed ({{error}}). Look whether it is connected and may be written to, and run it again.',
  nameTaken: 'There is something at {{path}} already. Name another place, or move it away.',
  folderInTheWay: '{{path}} is in the way: it is no folder.',
  fileInTheWay: '{{path}} is in the way: it is no file.',
  notReadBack: 'The volume does not give back {{of}} that were written to it.',
  theBytes: 'the bytes',
  theNames: 'the names',
  thePlaces: 'the places',
  placesOf: 'the places of {{path}}',
  bytesOf: 'the bytes of {{path}}',
  noXorriso:
    'A disc image is made by xorriso, which is not installed on the machine of the station. On Debian: apt-get install xorriso. Or make a folder or a ZIP file. Nothing was written.',
  noSevenZip:
    'A package is encrypted by 7z, which is not installed on the machine of the station. On Debian: apt-get install p7zip-full. Or make the package without encrypting it. Nothing was written.',
  toolEnded: '{{tool}} ended with {{end}}: {{said}}',
  namelessFolder: 'A folder has a name that xorriso cannot be given. Make a folder or a ZIP file.',
  fileGone: 'The file is not there.',
  fileUnreadable: 'The file could not be read to its end ({{error}}).',
  otherLength: 'It has {{found}} bytes, not {{expected}}.',
  otherHash: 'Its SHA-256 is {{found}}, not {{expected}}.',
  withoutName: 'The station ended while this package got its name.',
  startedAgain: 'The station was started again, and does not keep passphrases. Give it again.',
  noAccount: '{{who}} has no account that is enabled any more.',
  driveAway:
    '{{what}} is not connected, cannot be written to, or is a camera or the card of one (it has a folder such as DCIM). Connect it, wait until the dock wall shows it, and try again.',
  restrictedSince: 'Something in it was restricted since the package was asked for. Ask for it again.',
  changedSince: 'What was chosen has changed since the package was asked for. Ask for it again.',
  deletedMeanwhile: 'Evidence {{id}} was deleted while the package was made. Make it again: it will be without it.',
  restrictedMeanwhile: 'Evidence {{id}} was restricted ({{kinds}}) while the package was made. Nothing went out.',
  disclosedMeanwhile:
    'Something was disclosed meanwhile, so the numbers on the schedule do not hold. Make the package again.',
  templateUnusable: 'The template {{file}} cannot be used. {{why}}',
} as const
