/**
 * What became of a message of a dispatch system, and what of it did not fit. The station writes it in English into its rows and answers
 * (shared/messages/cad-reasons.ts); the window says it in its own language. Problems of a member follow its name.
 */
export const cadReasons = {
  notAnEvent: 'The message cannot be read as an event.',
  unreadable: 'The message cannot be read.',
  notJson: 'The message is not JSON in UTF-8.',
  noObject: 'The message is not a JSON object.',
  tooManyParts: 'The message has more than {{most}} members and elements.',
  missing: 'is not in the message',
  noTime: 'must be an ISO 8601 time such as 2026-11-20T02:47:31.240Z, with 0 to 7 fraction digits',
  halfPlace: 'must name both latitude and longitude, or neither',
  spaceAround: 'must not begin or end with a space',
  tooManyResources: 'must not hold more than {{most}} resources',
  tooManyMembers: 'must not hold more than {{most}} members',
  endsBefore: 'must not be before eventStartTimeUtc',
  repeated: 'A message with this transactionId was applied already.',
  older: 'A newer message of this event was applied already.',
  closed: 'The case of this event is closed.',
  deleted: 'The case of this event is in the recycle bin.',
  failed: 'The station could not apply this message. Try it again.',
  cut: '{{what}} was longer than {{most}} characters and was cut.',
  theName: 'The name',
  theRecordNumber: 'The record number',
  theCategory: 'The category',
  aTag: 'A tag',
  noField: 'The value of "{{name}}" cannot be a custom field and was left out.',
  nobody: '"{{name}}" is nobody of this station.',
  severalPeople: '"{{name}}" means several people.',
  noCategory: 'There is no category "{{name}}"; it was kept as a tag.',
  tooManyFields: 'A case holds {{most}} custom fields; further ones were left out.',
  timesKept: 'The times of the event do not fit those that somebody wrote; they were left as they are.',
} as const
