import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fits } from '../../server/features/docking/profiles/card.ts'
import { compileTemplate } from '../../server/features/docking/profiles/template.ts'
import { readGpx, readNmea } from '../../server/features/docking/profiles/tracks.ts'
import { instantOf } from '../../shared/kernel/time-zones.ts'

describe('names, zones, tracks', () => {
  it.each([
    ['{serial:word}_{officer:word}.mp4', 'a-1_B2.mp4', { serial: 'a-1', officer: 'B2' }],
    ['{officer:text}_{part:digits}.mp4', 'a_b_7.mp4', { officer: 'a_b', part: '7' }],
    ['x[-{part:digits}].mp4', 'X.MP4', {}],
    ['{type=NO|N}{_:letters(2)}.mp4', 'NOab.mp4', { type: 'NO' }],
    ['\\{\\[a+\\]\\}.mp4', '{[a+]}.mp4', {}],
  ])('%s reads %s', (template, name, fields) => {
    expect(Object.fromEntries(compileTemplate(template).match(name)?.fields ?? [['none', '']])).toEqual(fields)
  })

  it.each([
    '{serial:digits}{part:digits}',
    '{serial:word}[{part:digits}].x',
    '{officer:text}{unit:text}',
    '{who:word}',
    '{serial:word',
    '[[x]]',
    'a/b',
    '{part:digits(0)}',
  ])('%s is refused', (template) => expect(() => compileTemplate(template)).toThrow())

  it('a name holds a time only if there is such a time', () => {
    const { match } = compileTemplate('{yyyy}{MM}{dd}{HH}{mm}{ss}')
    expect(match('20240229235959')?.wall).toEqual({ year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 59 })
    for (const name of ['20230229000000', '20231301000000', '20230101240000', '00000000000000'])
      expect(match(name)?.wall).toBeNull()
  })

  it.each([
    ['2026-07-01T12:00:00', 'Europe/Paris', '2026-07-01T10:00:00.000Z', false],
    ['2026-10-25T02:30:00', 'Europe/Paris', '2026-10-25T00:30:00.000Z', true],
    ['2026-03-29T02:30:00', 'Europe/Paris', '2026-03-29T01:30:00.000Z', true],
    ['2026-07-01T12:00:00', '-05:30', '2026-07-01T17:30:00.000Z', false],
    ['2026-07-01T12:00:00', 'utc', '2026-07-01T12:00:00.000Z', false],
  ])('%s in %s was %s', (text, zone, utc, doubtful) => {
    const [year, month, day, hour, minute, second] = text.split(/\D/).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const instant = instantOf({ year, month, day, hour, minute, second }, zone)
    expect({ ...instant, ms: new Date(instant.ms).toISOString() }).toEqual({ ms: utc, doubtful })
  })

  it('property: patterns match as the equivalent regular expressions do, in bounded work', () => {
    const letter = fc.constantFrom('a', 'b', '*')
    fc.assert(
      fc.property(
        fc.array(letter, { maxLength: 12 }),
        fc.array(fc.constantFrom('a', 'b'), { maxLength: 14 }),
        (pattern, name) => {
          const wanted = new RegExp(`^${pattern.join('').replaceAll('*', '[^/]*')}$`)
          if (pattern.join('').includes('**')) return
          expect(fits(`x/${name.join('')}`, `x/${pattern.join('')}`)).toBe(wanted.test(name.join('')))
        },
      ),
    )
    const start = performance.now()
    expect(fits('a'.repeat(255), `${'*a'.repeat(100)}*b`)).toBe(false)
    const { match } = compileTemplate('{officer:text}_{serial:word}_{part:digits}[_{event=a|aa}]-x.mp4')
    for (let i = 0; i < 2000; i++) match(`${'a_'.repeat(120)}1-y.mp4`)
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('tracks: invalid points are skipped', () => {
    expect(
      readNmea('$GPRMC,120000,V,4851.0,N,00221.0,E,0,0,201126,,\n$GNRMC,120000,A,9951.0,N,00221.0,E,0,0,201126,,\n')
        .points,
    ).toEqual([])
    expect(readNmea('$GNRMC,235959.5,A,3351.5000,S,15112.0000,W,0,0,311226,,\n').points).toMatchObject([
      { ms: Date.parse('2026-12-31T23:59:59.500Z'), latitude: -(33 + 51.5 / 60), longitude: -(151 + 0.2) },
    ])
    expect(readGpx('<trkpt lat="1" lon="2"><time>soon</time></trkpt><trkpt').points).toEqual([])
  })
})
