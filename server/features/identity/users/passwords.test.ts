import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMON_PASSWORDS, COMMON_WORDS } from './common-passwords.ts'
import { hashPassword, passwordProblems, verifyPassword } from './passwords.ts'

describe('passwords', () => {
  it.each([
    '',
    'elevenchars',
    'password1234',
    'Password1234!',
    'P@ssw0rd1234',
    'passwordpassword',
    '2026Sallyport!!',
    '!!welcome2026!!',
    'letmein-letmein',
    'correcthorsebatterystaple',
    '1q2w3e4r5t6y',
    '123456789012',
    'abcdefghijklmn',
    'qwertyuiop123456',
    '0987654321zyxwvu',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'x1x1x1x1x1x1',
    '314159265358',
    'chief2026!!!',
    'The Chief 123456',
    'a line end\n here',
    'lone \ud800 surrogate',
    'x7'.repeat(200),
  ])('%j is refused', (password) => {
    expect(passwordProblems(password, ['chief', 'the chief'])).not.toEqual([])
  })

  it.each([
    'correct horse battery staple',
    'Tr0ub4dor&3 and more',
    'kolo-lampa-vesmír',
    'three blind mice, 1805',
    'chief of the seven lamps',
    'an-odd-enough-password',
    'k9#vQ2!mZx7w',
    '密码不是这个但是很长很长',
  ])('%j can be used', (password) => {
    expect(passwordProblems(password, ['chief'])).toEqual([])
  })

  it('say nothing of the password itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 40 }), (password) => {
        for (const problem of passwordProblems(password, [password])) expect(problem).not.toContain(password)
      }),
    )
  })

  it('are refused whenever they are a listed word with digits behind', () => {
    for (const word of COMMON_WORDS)
      expect(passwordProblems(`${word}${'948271605837'.slice(0, 12)}`), word).not.toEqual([])
    for (const password of COMMON_PASSWORDS)
      if (password.length >= 12) expect(passwordProblems(password.toUpperCase()), password).not.toEqual([])
  })

  it('are kept as argon2id with a salt of their own, and verified in any composition', async () => {
    const [one, other] = await Promise.all([hashPassword('kolo-lampa-vesmír'), hashPassword('kolo-lampa-vesmír')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    expect(one).not.toBe(other)
    expect(await verifyPassword(one, 'kolo-lampa-vesmír'.normalize('NFD'))).toBe(true)
    expect(await verifyPassword(one, 'kolo-lampa-vesmir')).toBe(false)
  })
})
