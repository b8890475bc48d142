/**
 * Why bytes are in quarantine. The station writes it in English into its rows and the ledger (shared/messages/quarantine-reasons.ts); the window says it in
 * its own language.
 */
export const quarantineReasons = {
  notRecorded: 'It was put into place and no record of it was committed.',
  damagedBefore: 'The same bytes came again and the blob that should have had them was damaged.',
  untracked: 'It lay among the blobs, and nothing in the database points to it.',
  authorityEnded: 'The authority to upload ended before the upload was complete.',
  unknownKey: 'The encryption data names a key that this station does not have.',
  notDecryptable: 'What arrived cannot be decrypted with the key that it names.',
  noJson: 'The encryption data is no JSON.',
  otherLength: '{{found}} bytes arrived where {{expected}} were announced.',
  otherHash: 'The SHA-256 of what arrived is {{found}}, not {{expected}}.',
  otherData: 'The encryption data is not as it should be: {{where}}.',
} as const
