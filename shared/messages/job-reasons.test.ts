import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jobReason, type JobReason, readJobReason } from './job-reasons.ts'
import { jobReasons } from '../jobs/reasons.messages.en.ts'
import { jobReasons as french } from '../jobs/reasons.messages.fr.ts'

const partsOf = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, part]) => part as string).sort()

describe('what a job says of itself', () => {
  it('is read from its message again, whatever it is filled with', () => {
    const word = fc.stringMatching(/^[\w.:/\-éß(]{1,30}$/)
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(jobReasons) as JobReason[])),
        fc.array(word, { minLength: 2 }),
        (reason, words) => {
          const fill = Object.fromEntries(
            partsOf(jobReasons[reason]).map((part, at) => [part, words[at % words.length] as string]),
          )
          expect(readJobReason(jobReason(reason, fill as never))).toEqual({ reason, fill })
        },
      ),
    )
  })

  it('may end with nothing', () => {
    expect(readJobReason('It failed 3 times and was given up.')).toEqual({
      reason: 'failedOften',
      fill: { times: '3', why: '' },
    })
  })

  it('is nothing of it where another program wrote the message', () => {
    for (const text of ['', 'Something else.', 'This file is empty. Or not.', '{{tool}}'])
      expect(readJobReason(text)).toBeNull()
  })

  it('has the same parts in French', () => {
    for (const [reason, text] of Object.entries(jobReasons))
      expect(partsOf(french[reason as JobReason])).toEqual(partsOf(text))
  })
})
