import type { GuardMutant } from './guard-mutants.ts'

const CLEAR = 'server/dock/transfer/clear.ts'
const GUARDS = ['test/dock/clear-guards.test.ts']
const IN_BAY = ['test/dock/clear-in-bay.test.ts']

/** What stands between a file on a camera and its removal, and between a camera and *safe to take* (S19, I6). */
export const DOCK: readonly GuardMutant[] = [
  {
    name: 'clear: a file that differs by its docking',
    file: CLEAR,
    text: 'file.differs_from !== null',
    instead: 'false',
    suites: GUARDS,
  },
  { name: 'clear: the profile', file: CLEAR, text: 'file.may_be_cleared === 0', instead: 'false', suites: GUARDS },
  {
    name: 'clear: the hash of the entry',
    file: CLEAR,
    text: 'entry.sha256 !== file.sha256',
    instead: 'false',
    suites: GUARDS,
  },
  {
    name: 'clear: the time has not come',
    file: CLEAR,
    text: 'due === null || parts.clock.now() < due',
    instead: 'due === null',
    suites: IN_BAY,
  },
  {
    name: 'clear: the second copy',
    file: CLEAR,
    text: 'row.second_copy !== null && file.second_at === null',
    instead: 'false',
    suites: GUARDS,
  },
  {
    name: 'clear: the state of the resource',
    file: CLEAR,
    text: "kept.state !== 'UserCompleted' || ",
    instead: '',
    suites: GUARDS,
  },
  {
    name: 'clear: the hash of the resource',
    file: CLEAR,
    text: 'kept.sha256 !== file.sha256',
    instead: 'false',
    suites: GUARDS,
  },
  {
    name: 'clear: a file that differs by its resource',
    file: CLEAR,
    text: 'kept.cameraSha256 !== null',
    instead: 'false',
    suites: GUARDS,
  },
  {
    name: 'clear: the file is not on the camera',
    file: CLEAR,
    text: "if (found === undefined) return file.clearing === 'begun' ? null :",
    instead: 'if (found === undefined) return true ? null :',
    suites: GUARDS,
  },
  {
    name: 'clear: the length on the camera',
    file: CLEAR,
    text: 'found.length !== file.length || ',
    instead: '',
    suites: GUARDS,
  },
  {
    name: 'clear: the time on the camera',
    file: CLEAR,
    text: 'String(found.modifiedNs) !== file.modified_ns',
    instead: 'false',
    suites: GUARDS,
  },
  {
    name: 'clear: the blob is what it was',
    file: CLEAR,
    text: "verified.result !== 'ok'",
    instead: 'false',
    suites: IN_BAY,
  },
  {
    name: 'clear: another entry about the same bytes',
    file: CLEAR,
    text: "entry.action !== 'resource.completed'",
    instead: 'false',
    suites: GUARDS,
  },
  {
    name: 'clear: a disk that is read back through its cache',
    file: CLEAR,
    text: "verified.readBack !== 'direct'",
    instead: 'false',
    suites: GUARDS,
  },
  {
    name: 'clear: what is on the card is not what was taken',
    file: CLEAR,
    text: 'sha256 === file.sha256 ? null',
    instead: 'true ? null',
    suites: GUARDS,
  },
  {
    name: 'clear: something that cannot be looked at now',
    file: CLEAR,
    text: '!look.skipped.some(isPassedOver) && ',
    instead: '',
    suites: GUARDS,
  },
  {
    name: 'clear: something that could not be looked at when it was listed',
    file: CLEAR,
    text: '!(await hasPassedOver(parts.db.read, id))',
    instead: 'true',
    suites: GUARDS,
  },
  {
    name: 'clear: a camera is not a folder that is watched',
    file: CLEAR,
    text: 'isWhole || volume.watched !== undefined',
    instead: 'true',
    suites: GUARDS,
  },
]
