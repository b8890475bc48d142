import { hash, verify } from '@node-rs/argon2'
import { isShortPassword, PASSWORD_MIN } from '../../../../shared/identity/sign-in.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.ts'

/** Long enough for any phrase. Code points. The limit keeps requests from making the station hash megabytes. */
export const PASSWORD_MAX = 256

/** argon2id at 64 MiB and 3 passes: about a tenth of a second on a desktop computer, and well above OWASP's minimum (19 MiB, 2 passes). */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 } as const

/** The form in which a password is checked, hashed and verified, so that the same text gives the same bytes on all systems. */
const canonical = (password: string): string => password.normalize('NFC')

/** A PHC string; argon2id, a fresh salt each time. Runs off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  return hash(canonical(password), COST)
}

export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, canonical(password))
}

/**
 * Why the password cannot be used, one sentence each; empty when it can (decisions 10). The sentences never repeat the password.
 * @param names user name and the like; a password may contain one, but needs enough other characters.
 */
export function passwordProblems(password: string, names: readonly string[] = []): string[] {
  if (!password.isWellFormed()) return ['The password is not well-formed text.']
  const letters = [...canonical(password)]
  if (isShortPassword(password)) return [`The password has fewer than ${PASSWORD_MIN} characters.`]
  if (letters.length > PASSWORD_MAX) return [`The password has more than ${PASSWORD_MAX} characters.`]
  if (/\p{Cc}/u.test(password)) return ['The password holds control characters, such as a line end.']
  const text = nameKey(letters.join(''))
  const problems: string[] = []
  if (isRepetition(text)) problems.push('The password repeats itself.')
  else if (isSequence(text)) problems.push('The password is a row of neighbouring letters, digits or keys.')
  if (isCommon(text)) problems.push('The password is a common one.')
  if (names.some((name) => isName(text, nameKey(name)))) problems.push('The password is little else than the name.')
  return problems
}

/** Too few different characters, or one short piece repeated. */
function isRepetition(text: string): boolean {
  if (new Set(text).size < 5) return true
  for (let period = 1; period <= Math.min(6, text.length / 2); period++) {
    if (text.slice(period) === text.slice(0, -period)) return true
  }
  return false
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
]
const RUNS = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))]

/** Whether fewer than five characters are left outside runs of four or more neighbours. */
function isSequence(text: string): boolean {
  let rest = 0
  for (let at = 0; at < text.length; ) {
    const length = runAt(text, at)
    if (length < 4) rest += 1
    at += length < 4 ? 1 : length
  }
  return rest < 5
}

function runAt(text: string, at: number): number {
  let longest = 0
  for (const run of RUNS) {
    const start = run.indexOf(text.charAt(at))
    if (start < 0) continue
    let length = 1
    while (at + length < text.length && start + length < run.length && run[start + length] === text[at + length])
      length += 1
    longest = Math.max(longest, length)
  }
  return longest
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '€': 'e',
  '1': 'i',
  '!': 'i',
  '|': 'l',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

const withoutLookAlikes = (text: string): string => [...text].map((letter) => LOOK_ALIKES[letter] ?? letter).join('')
const lettersOnly = (text: string): string => text.replace(/[^\p{L}]/gu, '')
const trimmedOfSigns = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** A listed password, or a listed word (perhaps repeated) with added digits, signs and look-alike letters. */
function isCommon(text: string): boolean {
  if (COMMON_PASSWORDS.has(text)) return true
  const candidates = [
    lettersOnly(text),
    withoutLookAlikes(trimmedOfSigns(text)),
    lettersOnly(withoutLookAlikes(trimmedOfSigns(text))),
  ]
  return candidates.some((word) => word === '' || COMMON_WORDS.has(word) || COMMON_WORDS.has(once(word)))
}

/** `lettersletters` → `letters`. */
function once(word: string): string {
  for (let length = 3; length <= word.length / 2; length++) {
    const piece = word.slice(0, length)
    if (word === piece.repeat(word.length / length)) return piece
  }
  return word
}

const LEFT_BESIDE_NAME = 8

function isName(text: string, name: string): boolean {
  if (name.length < 3 || !text.includes(name)) return false
  const rest = text.replaceAll(name, '')
  return rest.length < LEFT_BESIDE_NAME || isSequence(rest) || isCommon(rest)
}
