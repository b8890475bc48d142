import type { Survivor } from '../survivor.ts'

const SIGNED = 'server/platform/signatures/signed-data.ts'
const TOKEN = 'server/platform/timestamps/timestamp-token.ts'
const LATER = 'server/features/packages/add-later.ts'
const MADE = 'The schema has these of a package that is made, and of no other.'
const REFUSED_ANYWAY = 'What is read of it then throws, inside what says the same.'
const EITHER = 'Of an algorithm that is not known there is no hash: one of the two is always asked with the other.'

export const WITNESSES: readonly Survivor[] = [
  { file: LATER, text: 'sha256 === null', kind: 'equivalent', why: MADE },
  { file: LATER, text: 'ledgerSize === null', kind: 'equivalent', why: MADE },
  {
    file: SIGNED,
    text: 'hash === undefined',
    kind: 'equivalent',
    why: EITHER,
  },
  {
    file: 'server/platform/signatures/cms-signature.ts',
    text: 'own === undefined',
    kind: 'equivalent',
    why: 'A file without a certificate is refused before.',
  },
  { file: TOKEN, text: 'token === undefined', kind: 'equivalent', why: REFUSED_ANYWAY },
  { file: TOKEN, text: 'eContent?.single === undefined', kind: 'equivalent', why: REFUSED_ANYWAY },
]
