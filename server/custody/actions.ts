/**
 * Everything the ledger can say that happened. Closed: a new act is a new line here. The names are part of the format and stay for
 * ever; retired ones are kept.
 */
const MEANINGS = {
  // Evidence and resources
  'evidence.created': 'a record of evidence was made',
  'evidence.read': 'the record was read',
  'evidence.history': 'the versions of an evidence were read',
  'evidence.changed': 'members of the record were changed by a caller',
  'evidence.filled': 'empty members were filled from what the bytes say',
  'evidence.completed': 'no further resources are to come',
  'evidence.linked': 'the evidence was linked to a case',
  'evidence.unlinked': 'the evidence was taken out of a case',
  'evidence.confirmed': 'somebody confirmed a link that the station had made',
  'evidence.relations': 'it was read to which cases an evidence belongs',
  'resource.created': 'a place for a file was made, with its upload address',
  'resource.read': 'the record of a resource was read',
  'resource.listed': 'the resources of an evidence were listed',
  'resource.completed': 'the bytes are whole, hashed and read back; from here on they never change',
  'resource.refused': 'the bytes did not fit what was said about them, or the authority was gone',
  'resource.inspected': 'the kind of the bytes was found out from the bytes',
  'resource.downloaded': 'bytes were handed out',
  'resource.played.started': 'a playback began',
  'resource.played.ended': 'a playback ended; `bytes` went out',
  'resource.previewed': 'a preview was handed out',
  'resource.thumbnail': 'a thumbnail was handed out',
  'still.taken': 'one frame of a video was taken as a picture of its own',
  'check.requested': 'somebody asked that stored bytes be read back from the disk',
  'resource.checked': 'the bytes of a resource were read back from the disk and their hash compared',
  'derivation.added': 'the platform made something from a resource',
  'derivation.failed': 'the platform could not make something from a resource; the original is untouched',
  'upload.renewed': 'a new upload address was given out',
  'upload.committed': 'uploaded blocks were put together into the content',
  'upload.refused': 'bytes sent to an upload address were not taken',
  'upload.purged': 'blocks of a resource that was never completed were removed',
  'quarantine.added': 'bytes that belong to nothing, or to nothing good, were put aside',
  // Cases and what they are sorted by
  'case.created': 'a case was made',
  'case.read': 'a case was read',
  'case.changed': 'members of a case were changed',
  'case.closed': 'a case was closed',
  'case.reopened': 'a closed case was opened again',
  'case.linked': 'evidence was linked to a case, or taken out of it',
  'case.shared': 'a case was shared with others, or with them at a higher level',
  'case.protected': 'a case and its evidence were protected from deletion',
  'case.unprotected': 'the protection of a case was taken away, or ended by itself',
  'case.deleted': 'a case was moved to the recycle bin',
  'case.restored': 'a deleted case was taken back from the recycle bin',
  'case.history': 'the history of a case was read',
  'case.followed': 'somebody follows a case',
  'case.unfollowed': 'somebody follows a case no more',
  'category.created': 'a category was made',
  'category.read': 'a category was read',
  'category.changed': 'a category was changed',
  'template.changed': 'a template of custom fields was added or replaced',
  'department.created': 'a department was made',
  'department.read': 'a department was read',
  'department.changed': 'a department was changed',
  'department.history': 'the history of a department was read',
  'department.nameChecked': 'somebody asked whether a name for a department is free',
  'department.defaultAssigned': 'a department was made the default one',
  'department.defaultRemoved': 'a department is the default one no more',
  'prefilledField.created': 'values were offered for a field of cases',
  'prefilledField.changed': 'the values that are offered for a field of cases were changed',
  'prefilledField.deleted': 'no values are offered for a field of cases any more',
  // People and tokens
  'tenant.created': 'the station got its tenant',
  'user.created': 'a user was made',
  'group.created': 'a group was made',
  'service.created': 'an integration was made, with its keys',
  'token.issued': 'an access token was given out',
  'token.refused': 'an access token was asked for and not given',
  'authorization.given': 'a person let a program work in their name',
  'authorization.declined': 'a person was asked by a program and did not let it',
  'authorization.ended': 'a program may no longer work in the name of a person; `reason` says why',
  'user.read': 'a principal was read',
  'user.locked': 'failed sign-ins locked the account for a while',
  'user.changed': 'the names, the badge or the address of a user were changed',
  'user.disabled': 'a user was disabled',
  'user.enabled': 'a user was enabled again',
  'user.unlocked': 'an administrator freed an account that failed sign-ins had locked or held up',
  'user.passwordReset': 'an administrator gave a user a new password',
  'group.renamed': 'a group was renamed',
  'group.membersChanged': 'users and services came into a group or went out of it',
  'group.deleted': 'a group was deleted',
  'service.keyRotated': 'the keys of an integration were replaced',
  'service.apiKeyRotated': 'the API key of an integration was replaced',
  'service.disabled': 'an integration was disabled',
  'service.enabled': 'an integration was enabled again',
  'policy.changed': 'the members of a security policy were changed',
  'setup.refused': 'the set-up link was used wrongly, too late or twice',
  'session.opened': 'a person signed in; `detail` names the notice that was acknowledged',
  'session.refused': 'a sign-in or an unlocking was refused',
  'session.locked': 'a session was locked by its person, or by the station after nobody was at work',
  'session.unlocked': 'a locked session was opened again with its password',
  'session.closed': 'a person signed out, or in again in the same place',
  'session.listed': 'the sessions of a person were looked at',
  'session.ended': 'a session ran out, an administrator ended it, or its person may no longer sign in',
  // Jobs
  'job.read': 'a job was read',
  'job.cancelled': 'somebody stopped a job',
  'job.retried': 'somebody started a failed job again',
  // Reads and refusals of every kind
  'list.read': 'a list was read; `detail` says how it was filtered and how many came back',
  'metrics.read': 'the figures of the station were read',
  'access.denied': 'a call was refused',
  'answer.repeated': 'the answer to an earlier call with the same Idempotency-Key was given again',
  // The station, its keys and its ledger
  'station.started': 'the station takes calls',
  'station.stopped': 'the station ended in good order',
  'station.readOnly': 'the station stopped taking writes, or takes them again',
  'system.recovered': 'what an unclean end had left was put right before the station was ready',
  'clock.jumped': 'the wall clock was set by more than it may drift',
  'ledger.read': 'the ledger was read',
  'ledger.verified': 'the ledger and the blobs were re-read and compared',
  'custody.verified': 'the chain was recomputed from the first entry about an evidence to the head',
  'fixity.checked': 'stored bytes were read and hashed again',
  'checkpoint.signed': 'the root of the tree over entries before this one was signed',
  'key.created': 'a key of the station was made',
  'key.rotated': 'a key of the station was replaced; signed by the old key',
} as const

export type Action = keyof typeof MEANINGS

export const ACTIONS = Object.keys(MEANINGS) as readonly Action[]

/** In words, for people who read the ledger. */
export const meaningOf = (action: Action): string => MEANINGS[action]

export const isAction = (name: string): name is Action => Object.hasOwn(MEANINGS, name)

/** For names that come from declarations outside this folder. @throws Error when the ledger does not know the name. */
export function actionOf(name: string): Action {
  if (!isAction(name)) throw new Error(`The ledger knows no action ${name}; add it to server/custody/actions.ts`)
  return name
}
