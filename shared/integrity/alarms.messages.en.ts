/**
 * What alarms say. The station writes it in English into the alarm and the ledger, for any client (shared/messages/alarm-reasons.ts); the window says it in
 * its own language. What was found is a part of the sentence: it is named as the check named it.
 */
export const alarmReasons = {
  accepted: '{{who}} accepted a station that was not as it had been left: {{found}} Reason: {{reason}}',
  checkpointRefused: 'A checkpoint of {{origin}} was refused. {{why}}',
  keyNotHandedOver: 'It is signed by a key to which the one before was not handed over.',
  keyUnknown: 'It is signed by a key that is not known to be of that station.',
  ledgerShorter: 'It is over {{size}} entries, and one over {{kept}} is kept here: its ledger became shorter.',
  otherOfSameSize: 'Another one over the same {{size}} entries is kept here.',
  notGoingOn: 'It does not go on from the one over {{kept}} entries that is kept here.',
  keptNotGoingOn: 'The one over {{kept}} entries that is kept here does not go on from it.',
  notCopied: 'For more than a day no checkpoint could be copied there.',
  noteNotOurs: 'A checkpoint that lies there is not as this station signed it: {{found}}.',
  noteOfOther: 'A checkpoint of {{origin}} lies among ours.',
  endCutOff:
    'A checkpoint over {{size}} entries lies there, and the ledger here has fewer: its end was cut off, or it is an older copy.',
  otherBeginning: 'The first {{size}} entries of the ledger here are not those that were signed.',
  blobsAway: 'The volume of the blobs is away since {{time}}. {{why}} Nothing is checked until it is back.',
  untracked: 'A file lay among the blobs that nothing in the database points to. It is kept in quarantine.',
  snapshotLacks: 'The snapshot lacks {{blobs}} blobs that are damaged or missing in the station itself.',
  blobsNotInIt: '{{blobs}} damaged blobs are not in it.',
  noSnapshot: 'No snapshot could be made: {{why}}',
  snapshotBroken: 'A snapshot does not give back what it should: {{found}}',
  originUnproven:
    'Origin unproven: this station was restored from snapshot {{snapshot}}, and nothing showed whose it is. It says of itself that {{key}} signed it. Compare that with the key that was printed at set-up, or with copies of checkpoints.',
  checkFailed: 'Self-validation, {{check}}: {{found}}',
  checkFailedPlain: 'it failed.',
  folderAway:
    'The watched folder {{folder}} is not there. Connect its drive, or correct the setting dockSync. What the station has of it is safe; the rest is taken when it is back.',
  otherBytes: 'Headquarters gave other bytes than it confirmed. Nothing was taken in.',
  otherBytesThere: 'Headquarters got other bytes of {{name}} than its hash says. Check the original here.',
  otherHash: 'Headquarters confirmed another hash for {{name}} than the one of the bytes here.',
  stationRefused: 'Headquarters refuses this station. {{why}} Nothing is forwarded until it accepts it.',
} as const
