import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeName } from './download.names.ts'

it.each([
  ['BWC 0410 14-10.mp4', 'BWC_0410_14-10.mp4'],
  ['Protokoll Müller.pdf', 'Protokoll_Muller.pdf'],
  ['../../etc/passwd', 'etc_passwd'],
  ['.hidden', 'file.hidden'],
  ['CON', 'CON'],
  ['شاهد.mp4', 'file.mp4'],
  ['a\nb\r\nc.txt', 'a_b_c.txt'],
  ['', 'file'],
  ['..', 'file'],
  ['name.tar.gz', 'name.tar.gz'],
  [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(95)}.jpeg`],
])('%j is %s', (name, safe) => {
  expect(safeName(name)).toBe(safe)
})

it('takes every text: safe letters only, no more than 100, no point at either end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const safe = safeName(name)
      expect(safe).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/)
      expect(safe).not.toMatch(/\.$/)
      expect(safe.length).toBeLessThanOrEqual(100)
      expect(safeName(safe)).toBe(safe)
    }),
    { numRuns: 2_000 },
  )
})
