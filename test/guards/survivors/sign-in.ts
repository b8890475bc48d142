import type { Survivor } from '../survivor.ts'

export const SIGN_IN: readonly Survivor[] = [
  {
    file: 'server/features/identity/sessions/at-page.ts',
    text: "!('sessionId' in principal)",
    kind: 'second',
    why: 'A program has no session: of what is not there the type is undefined, which is refused next.',
    with: [{ file: 'server/features/identity/sessions/at-page.ts', text: "typeof principal.sessionId !== 'number'" }],
    suite: 'test/api/sessions/own-access.test.ts',
  },
  {
    file: 'server/features/identity/sessions/at-page.ts',
    text: "typeof principal.sessionId !== 'number'",
    kind: 'second',
    why: 'Whoever has a session has its number; whoever has none is refused before.',
    with: [{ file: 'server/features/identity/sessions/at-page.ts', text: "!('sessionId' in principal)" }],
    suite: 'test/api/sessions/own-access.test.ts',
  },
  {
    file: 'server/features/identity/sessions/passkey-sign-in.ts',
    text: 'challenge === null',
    kind: 'equivalent',
    why: 'No challenge is known by null: what takes it, which is asked next, answers null.',
  },
  {
    file: 'server/features/identity/sessions/passkey-sign-in.ts',
    text: 'found === null',
    kind: 'equivalent',
    why: 'Of a passkey that is not found there is no person, who is asked for next.',
  },
  {
    file: 'server/features/identity/sessions/passkey-sign-in.ts',
    text: 'person === null',
    kind: 'equivalent',
    why: 'A passkey goes with its person: its row refers to theirs.',
  },
  {
    file: 'server/features/identity/sessions/passkey-sign-in.ts',
    text: 'fresh === null',
    kind: 'equivalent',
    why: 'Whose passkey it is was found before, and no row of a person is ever deleted.',
  },
  {
    file: 'server/features/identity/sessions/passkeys.service.ts',
    text: 'challenge === null',
    kind: 'equivalent',
    why: 'Without a challenge there is no handle, which is asked next.',
  },
  {
    file: 'server/features/identity/sessions/second-step.ts',
    text: 'recovery === null',
    kind: 'equivalent',
    why: 'No recovery code has the hash null: none is used up, which is asked next.',
  },
  {
    file: 'server/features/identity/sessions/sessions.service.ts',
    text: 'person === null',
    kind: 'equivalent',
    why: 'The first administrator was made by the line before, and no row of a person is ever deleted.',
  },
  {
    file: 'server/features/identity/sessions/sessions.service.ts',
    text: "'sessionId' in principal",
    kind: 'second',
    why: 'Of a program no session is found, and what changes a session refuses where none stands.',
    with: [{ file: 'server/features/identity/sessions/session-lifecycle.ts', text: '!stands' }],
    suite: 'test/api/sessions/changed-meanwhile.test.ts',
  },
  {
    file: 'server/features/identity/sessions/sign-in.ts',
    text: 'person !== null',
    kind: 'equivalent',
    why: 'For nobody a password is verified against a hash of 24 random bytes, and never fits.',
  },
  {
    file: 'server/features/identity/sessions/sign-in.ts',
    text: 'person.password_hash !== null',
    kind: 'equivalent',
    why: 'Without a hash a password is verified against one of 24 random bytes, and never fits.',
  },
  {
    file: 'server/features/identity/sessions/sign-in.ts',
    text: 'person === null',
    kind: 'equivalent',
    why: 'For nobody no password is right, which is asked before.',
  },
]
