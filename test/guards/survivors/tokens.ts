import type { Survivor } from '../survivor.ts'

export const TOKENS: readonly Survivor[] = [
  {
    file: 'server/interfaces/tokens/access-token.ts',
    text: "typeof header['typ'] !== 'string'",
    kind: 'equivalent',
    why: 'For the types only: what is no string does not look like at+jwt, which is asked next.',
  },
  {
    file: 'server/interfaces/tokens/assertion.ts',
    text: "typeof value === 'number'",
    kind: 'equivalent',
    why: 'For the types only: Number.isFinite is false for everything that is no number.',
  },
  {
    file: 'server/interfaces/tokens/authorizations.handlers.ts',
    text: 'principal === null',
    kind: 'untested',
    why: 'For the types only: the route lets nobody in who is not signed in.',
  },
  {
    file: 'server/interfaces/tokens/authorizations.handlers.ts',
    text: "!('sessionId' in principal)",
    kind: 'untested',
    why: 'For the types only: the type of the member is asked next.',
  },
  {
    file: 'server/interfaces/tokens/authorizations.handlers.ts',
    text: "typeof principal.sessionId !== 'number'",
    kind: 'untested',
    why: 'For the types only: whoever has a session has its number.',
  },
  {
    file: 'server/interfaces/tokens/authorizations.service.ts',
    text: 'row === null',
    at: 2,
    kind: 'equivalent',
    why: 'For the types only: a token that is not known has no family, which is asked next.',
  },
  {
    file: 'server/interfaces/tokens/authorizations.service.ts',
    text: 'family === null',
    kind: 'untested',
    why: "A token's row goes with its family: there is none without the other.",
  },
  {
    file: 'server/interfaces/tokens/authorizations.service.ts',
    text: 'member === null',
    kind: 'untested',
    why: 'Whoever is disabled lost all families in that transaction, which is asked before.',
  },
  {
    file: 'server/interfaces/tokens/authorizations.service.ts',
    text: '(await store.sessionBegan(tx, page.sessionId)) === null',
    kind: 'untested',
    why: 'The session ends between the check of the request and the transaction: no test meets that moment.',
  },
  {
    file: 'server/interfaces/tokens/authorizations.service.ts',
    text: 'began === null',
    kind: 'untested',
    why: 'The session ends between the check of the request and the transaction: no test meets that moment.',
  },
  {
    file: 'server/interfaces/tokens/tokens.repository.ts',
    text: 'row !== undefined',
    kind: 'untested',
    why: 'For the types only: a family that is not there fails at the next member.',
  },
  {
    file: 'server/interfaces/tokens/tokens.service.ts',
    text: 'member === null',
    kind: 'untested',
    why: 'Asked of who was recognised a moment before: whoever is disabled between the two is met by no test.',
  },
  {
    file: 'server/interfaces/tokens/tokens.service.ts',
    text: 'await store.isRevoked(tx, accepted.key.id)',
    kind: 'untested',
    why: 'Asked again in the transaction: a key that is revoked between the two is met by no test.',
  },
  {
    file: 'server/interfaces/tokens/tokens.service.ts',
    text: 'await store.isUsed(db.read, subjectOf(member), rules.onceKey(compact))',
    kind: 'untested',
    why: 'Spares the writer a flood of replays. The transaction refuses each of them as well.',
  },
]
