import { describe, expect, it } from 'vitest'
import { call, film, samplePlan, still } from './plan.ts'

const NOW = Date.UTC(2026, 10, 27, 12, 0, 30)
const QUIET = '-hide_banner -nostdin -v error -y -progress pipe:1'

describe('the plan of sample data', () => {
  it.each(['en', 'fr'] as const)(
    '%s: every title says what it is, each step once, and what it leans on comes before',
    (language) => {
      const plan = samplePlan(language, NOW)
      const keys = plan.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const [at, step] of plan.entries()) {
        const before = keys.slice(0, at)
        if (step.kind === 'case' || step.kind === 'evidence')
          expect(step.title).toMatch(language === 'en' ? /^Sample: / : /^Exemple\u202f: /)
        if (step.kind === 'evidence' && step.inCase !== null) expect(before).toContain(step.inCase)
        if ('on' in step) expect(before).toContain(step.on)
      }
      expect(plan.filter(({ kind }) => kind === 'evidence').length).toBe(10)
    },
  )

  it('is the same for the same time, and lies before it', () => {
    expect(samplePlan('en', NOW)).toEqual(samplePlan('en', NOW))
    for (const step of samplePlan('en', NOW))
      if (step.kind === 'evidence') expect(Date.parse(step.end ?? step.start)).toBeLessThan(NOW)
  })
})

it.each([
  [
    film({ picture: 'testsrc=s=64x48:r=10', seconds: 2, sound: false, at: '2026-11-26T12:00:00.000Z', to: 'a.mp4' }),
    `${QUIET} -f lavfi -i testsrc=s=64x48:r=10:d=2 -c:v libx264 -preset veryfast -crf 28 -g 25 -pix_fmt yuv420p -threads 2 -metadata creation_time=2026-11-26T12:00:00.000Z -movflags +faststart -f mp4 /out/a.mp4`,
  ],
  [
    film({
      picture: 'testsrc=s=64x48:r=10',
      seconds: 2,
      sound: true,
      at: '2026-11-26T12:00:00.000Z',
      to: 'a.mp4',
    }).slice(0, 17),
    `${QUIET} -f lavfi -i testsrc=s=64x48:r=10:d=2 -f lavfi -i sine=f=330:b=4:d=2 -c:a aac`,
  ],
  [
    call(3, 'a.wav'),
    `${QUIET} -f lavfi -i anoisesrc=c=brown:a=0.4:seed=5:d=3 -af tremolo=f=0.8:d=0.9 -ar 16000 -ac 1 -c:a pcm_s16le -f wav /out/a.wav`,
  ],
  [
    still('mandelbrot=s=64x48', 'a.jpg'),
    `${QUIET} -f lavfi -i mandelbrot=s=64x48 -frames:v 1 -update 1 -f image2 /out/a.jpg`,
  ],
])('arguments of ffmpeg: %j', (args, expected) => {
  expect(args.join(' ')).toBe(expected)
})
