/**
 * Everything the ledger can say that happened. Closed: a new act is a new line here. The names are part of the format and stay for
 * ever; retired ones are kept.
 */
const MEANINGS = {
  // Evidence and resources
  'evidence.created': 'a record of evidence was made',
  'evidence.read': 'the record was read',
  'evidence.changed': 'members of the record were changed by a caller',
  'evidence.filled': 'empty members were filled from what the bytes say',
  'evidence.completed': 'no further resources are to come',
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
  'case.history': 'the history of a case was read',
  'case.followed': 'somebody follows a case',
  'case.unfollowed': 'somebody follows a case no more',
  'category.created': 'a category was made',
  'category.read': 'a category was read',
  'category.changed': 'a category was changed',
  // People and tokens
  'tenant.created': 'the station got its tenant',
  'user.created': 'a user was made',
  'group.created': 'a group was made',
  'service.created': 'an integration was made, with its keys',
  'token.issued': 'an access token was given out',
  'token.refused': 'an access token was asked for and not given',
  'user.read': 'a principal was read',
  'user.locked': 'failed sign-ins locked the account for a while',
  'setup.refused': 'the set-up link was used wrongly, too late or twice',
  'session.opened': 'a person signed in; `detail` names the notice that was acknowledged',
  'session.refused': 'a sign-in or an unlocking was refused',
  'session.locked': 'a session was locked by its person, or by the station after nobody was at work',
  'session.unlocked': 'a locked session was opened again with its password',
  'session.closed': 'a person signed out, or in again in the same place',
  'session.ended': 'a session ran out, or its person may no longer sign in',
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
