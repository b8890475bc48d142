/** docs/settings.md and the settings say the same: names, defaults, and what is taken. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { environmentName, SettingsSchema } from '../../server/config/settings.ts'

interface Documented {
  readonly name: string
  readonly values: string
  readonly byDefault: string
  readonly does: string
}

const page = readFileSync(fileURLToPath(new URL('../../docs/settings.md', import.meta.url)), 'utf8')
const documented: readonly Documented[] = page.split('\n').flatMap((line) => {
  const [, name, values, byDefault, does, ...more] =
    /^\| `(SALLYPORT_[A-Z_]+)` \| (.+?) \| (.+?) \| (.+) \|$/.exec(line) ?? []
  return name === undefined || more.length > 0
    ? []
    : [{ name, values: values ?? '', byDefault: byDefault ?? '', does: does ?? '' }]
})
const fields: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(SettingsSchema.shape).map(([setting, field]) => [environmentName(setting), field]),
)
const fieldOf = (name: string): z.ZodType => fields.get(name) ?? SettingsSchema
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, inside]) => inside ?? '')
const takes = (name: string, value: string): boolean => fieldOf(name).safeParse(value).success

describe('docs/settings.md', () => {
  it('has every setting once and no other', () => {
    const names = documented.map(({ name }) => name)
    expect([...names].sort()).toEqual([...fields.keys()].sort())
  })

  it.each(documented)('tells the default of $name', ({ name, byDefault }) => {
    const unset = fieldOf(name).safeParse(undefined)
    const [said] = byDefault.startsWith('`') ? quoted(byDefault) : []
    if (said !== undefined) expect(fieldOf(name).parse(said)).toEqual(unset.data)
    // Otherwise nothing counts, or what the machine settles: the page says it in words.
    else expect(unset.data ?? []).toEqual([])
  })

  it.each(documented.filter(({ values }) => /^`\d+` to `\d+`/.test(values)))(
    'tells the bounds of $name',
    ({ name, values }) => {
      const [least, most] = quoted(values).map(Number) as [number, number]
      expect([least - 1, least, most, most + 1].map((value) => takes(name, String(value)))).toEqual([
        false,
        true,
        true,
        false,
      ])
    },
  )

  it.each(documented.filter(({ values }) => /^(`[a-z0-9:.-]+`(, | or |$))+/.test(values)))(
    'names only values that $name takes',
    ({ name, values }) => {
      for (const value of quoted(values)) expect([value, takes(name, value)]).toEqual([value, true])
      expect(takes(name, 'of no kind')).toBe(false)
    },
  )

  it('says what each does, and gives examples that are taken', () => {
    for (const { name, values, does } of documented) {
      expect([name, does.length > 20]).toEqual([name, true])
      if (values.startsWith('JSON')) expect([name, takes(name, quoted(values)[0] ?? '')]).toEqual([name, true])
    }
  })
})
