/**
 * What a self-validation did, and what it found. The station writes it in English into the signed result and its alarms
 * (shared/messages/validation-reasons.ts); the window says it in its own language.
 */
export const validationReasons = {
  notEnded: 'It did not come to its end.',
  tooSlow: 'It did not end within {{seconds}} seconds.',
  didHashes:
    'Hashed messages whose SHA-256 NIST publishes (CAVP short and long, examples of FIPS 180) by the threads that hash evidence: where they lie, and while they are taken in and read back.',
  otherRead: '{{name}}, read: {{found}} instead of {{expected}}.',
  otherTakenIn: '{{name}}, taken in: {{found}} instead of {{expected}}.',
  didVolumes:
    'Wrote a file to the volume of the database and to that of the blobs, synced it, read it back from the disk, changed one bit of it below the store, and read it again.',
  didVolumesAndBucket:
    'Wrote a file to the volume of the database and to that of the blobs, synced it, read it back from the disk, changed one bit of it below the store, and read it again. An object was written to the object store, read back and removed.',
  onDatabase: 'Volume of the database: {{found}}',
  onBlobs: 'Volume of the blobs: {{found}}',
  otherBack: 'what was written has the hash {{expected}}, and {{found}} was read back.',
  readBackAs: 'a file that nobody changed was read back as {{found}}.',
  bitNotNoticed: 'one bit of a file was changed, and reading it back did not tell.',
  objectGone: 'Object store: an object that was written is not there as it was written.',
  didLedger:
    'Wrote a ledger of {{entries}} entries in a scratch database, signed its head with a key that was made for it, verified it, and tampered with copies of it: an entry edited, an entry deleted, an entry inserted, two entries swapped, the end cut off, an entry edited and all hashes after it made anew.',
  notAllVerified: 'Of {{entries}} entries {{found}} were verified.',
  wholeRefused: 'A ledger that nobody changed: {{what}}: {{message}}',
  notFound: 'Not found: {{tampering}}.',
  edited: 'an entry edited',
  deleted: 'an entry deleted',
  inserted: 'an entry inserted',
  swapped: 'two entries swapped',
  cutOff: 'the end cut off',
  madeAnew: 'an entry edited and all hashes after it made anew',
  didSignatures:
    'Signed a text with the key of packages and with that of the ledger, and had the openssl program verify both signatures, and refuse them for a changed text.',
  noOpenssl: 'The program openssl is not installed on this machine, so nobody but the station itself could verify.',
  packageRefused: 'The key of packages: openssl refuses what it signed.',
  packageAccepted: 'The key of packages: openssl accepts its signature for another text.',
  ledgerRefused: 'The key of the ledger: openssl refuses what it signed.',
  ledgerAccepted: 'The key of the ledger: openssl accepts its signature for another text.',
  didDecoding:
    'Read a clip whose content is known with ffprobe, decoded each of its pictures with ffmpeg and compared their hashes with those that are known, copied its stream into another file, and decoded that.',
  didMetadata:
    'Read a picture whose content is known with exiftool: its maker, its date, its place and the time of its receiver.',
  notInstalled: '{{tool}} is not installed on this machine.',
  otherPictures: 'Its {{known}} pictures are not decoded as they are known: {{found}} with the hash {{hash}}.',
  otherCopy: 'A copy of the stream is not decoded to the pictures of its source.',
  readAs: 'Of the known file, {{what}} is read as {{found}} instead of {{known}}.',
  itsCodec: 'its codec',
  itsWidth: 'its width',
  itsHeight: 'its height',
  itsDate: 'its date',
  itsMaker: 'its maker',
  itsZone: 'the zone of its date',
  itsReceiver: 'the time of its receiver',
  itsPlace: 'its place',
  nothing: 'nothing',
  didClock:
    'Asked the machine whether its clock is synchronised, and compared the time of day with a clock that is never set, since the run began.',
  jumped: 'The time of day jumped by {{drift}} ms while the run went on.',
  clockUnknown: 'No program of this machine says whether its clock is synchronised. Compare it with another clock.',
  clockFree: 'The clock of this machine is not synchronised with anything. Compare it with another clock.',
  clockWrong: 'The clock is synchronised and may be wrong by {{error}} ms all the same.',
  didDenial:
    'Asked for an evidence of a scratch database as somebody without any right, as a caller who did not sign in, and as the one who brought it in. The people are in the scratch database alone.',
  strangerLetIn: 'Somebody without any right was let in.',
  strangerTold: 'Somebody without any right was refused by {{refusal}}, which tells that there is such an evidence.',
  nobodyLetIn: 'A caller who did not sign in was let in.',
  ownerRefused: 'Whoever brought the evidence in was refused, so a refusal says nothing.',
  didRestore:
    'Made a snapshot of a scratch station with one evidence, restored it into an empty folder beside it, and compared the file of the evidence.',
  notRestored: 'The file of the evidence was not restored.',
  otherRestored: 'The restored file has the hash {{found}} instead of {{expected}}.',
  didNothing: 'Nothing: this version does not redact.',
  noRedaction: 'Redaction is not built: this version does not redact, so there is no proof that could be tried.',
} as const
