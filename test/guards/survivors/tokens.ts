import type { Survivor } from '../survivor.ts'

export const TOKENS: readonly Survivor[] = [
  {
    file: 'server/features/identity/tokens/tokens.service.ts',
    text: 'member === null',
    at: 3,
    kind: 'untested',
    why: 'Whose token it is was looked up when the request was let in: only somebody removed between the two is missed here.',
  },
  {
    file: 'server/features/identity/tokens/access-token.ts',
    text: "typeof header['typ'] !== 'string'",
    kind: 'equivalent',
    why: 'For the types only: what is no string does not look like at+jwt, which is asked next.',
  },
  {
    file: 'server/features/identity/tokens/assertion.ts',
    text: "typeof value === 'number'",
    kind: 'equivalent',
    why: 'For the types only: Number.isFinite is false for everything that is no number.',
  },
  {
    file: 'server/features/identity/tokens/authorizations.routes.ts',
    text: "!('sessionId' in principal)",
    kind: 'second',
    why: 'A program has no session: of what is not there the type is undefined, which is refused next.',
    with: [
      {
        file: 'server/features/identity/tokens/authorizations.routes.ts',
        text: "typeof principal.sessionId !== 'number'",
      },
    ],
    suite: 'test/api/sessions/authorization.test.ts',
  },
  {
    file: 'server/features/identity/tokens/authorizations.routes.ts',
    text: "typeof principal.sessionId !== 'number'",
    kind: 'second',
    why: 'Whoever has a session has its number; whoever has none is refused before.',
    with: [{ file: 'server/features/identity/tokens/authorizations.routes.ts', text: "!('sessionId' in principal)" }],
    suite: 'test/api/sessions/authorization.test.ts',
  },
  {
    file: 'server/features/identity/tokens/authorizations.service.ts',
    text: 'row === null',
    at: 2,
    kind: 'second',
    why: 'A token that is not known has no family, which is asked next.',
    with: [{ file: 'server/features/identity/tokens/authorizations.service.ts', text: 'family === null' }],
    suite: 'test/api/sessions/authorization.test.ts',
  },
  {
    file: 'server/features/identity/tokens/authorizations.service.ts',
    text: 'family === null',
    kind: 'second',
    why: "A token's row goes with its family, and that there is no row is asked before.",
    with: [{ file: 'server/features/identity/tokens/authorizations.service.ts', text: 'row === null', at: 2 }],
    suite: 'test/api/sessions/authorization.test.ts',
  },
  {
    file: 'server/features/identity/tokens/authorizations.service.ts',
    text: 'member === null',
    at: 2,
    kind: 'second',
    why: 'Of somebody who is disabled the database ends all families in that transaction, and whether one has ended is asked before.',
    with: [{ file: 'server/features/identity/tokens/authorizations.service.ts', text: 'family.ended_at !== null' }],
    suite: 'test/api/sessions/authorization.test.ts',
  },
]
