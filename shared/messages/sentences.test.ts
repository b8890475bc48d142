import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alarmReasons } from '../integrity/alarms.messages.en.ts'
import { alarmReasons as frenchAlarms } from '../integrity/alarms.messages.fr.ts'
import { jobReasons } from '../jobs/reasons.messages.en.ts'
import { jobReasons as frenchJobs } from '../jobs/reasons.messages.fr.ts'
import { packageProblems } from '../packages/problems.messages.en.ts'
import { packageProblems as frenchPackages } from '../packages/problems.messages.fr.ts'
import { alarmReason, readAlarmReason } from './alarm-reasons.ts'
import { dockReasons } from '../docking/reasons.messages.en.ts'
import { dockReasons as frenchDock } from '../docking/reasons.messages.fr.ts'
import { dockReason, readDockReason } from './dock-reasons.ts'
import { jobReason, readJobReason } from './job-reasons.ts'
import { cadReasons } from '../dispatch/reasons.messages.en.ts'
import { cadReasons as frenchCad } from '../dispatch/reasons.messages.fr.ts'
import { cadReason, readCadReason } from './cad-reasons.ts'
import { validationReasons } from '../validation/reasons.messages.en.ts'
import { validationReasons as frenchValidation } from '../validation/reasons.messages.fr.ts'
import { readValidationReason, validationReason } from './validation-reasons.ts'
import { witnessProblems } from '../packages/witness-problems.messages.en.ts'
import { witnessProblems as frenchWitnesses } from '../packages/witness-problems.messages.fr.ts'
import { readWitnessProblem, witnessProblem } from './witness-problems.ts'
import { packageProblem, readPackageProblem } from './package-problems.ts'
import { quarantineReasons } from '../retention/quarantine.messages.en.ts'
import { quarantineReasons as frenchQuarantine } from '../retention/quarantine.messages.fr.ts'
import { quarantineReason, readQuarantineReason } from './quarantine-reasons.ts'
import { connectionReasons } from '../network/reasons.messages.en.ts'
import { connectionReasons as frenchConnections } from '../network/reasons.messages.fr.ts'
import { connectionReason, readConnectionReason } from './connection-reasons.ts'
import { retold, sentencesOf } from './sentences.ts'

type Catalogue = Readonly<Record<string, string>>
type Say = (name: string, fill: Readonly<Record<string, string>>) => string
const CATALOGUES: { of: string; english: Catalogue; french: Catalogue; say: Say; read: typeof readJobReason }[] = [
  { of: 'a job', english: jobReasons, french: frenchJobs, say: jobReason as Say, read: readJobReason },
  {
    of: 'a package',
    english: packageProblems,
    french: frenchPackages,
    say: packageProblem as Say,
    read: readPackageProblem,
  },
  { of: 'a camera', english: dockReasons, french: frenchDock, say: dockReason as Say, read: readDockReason },
  {
    of: 'bytes in quarantine',
    english: quarantineReasons,
    french: frenchQuarantine,
    say: quarantineReason as Say,
    read: readQuarantineReason,
  },
  { of: 'a message of dispatch', english: cadReasons, french: frenchCad, say: cadReason as Say, read: readCadReason },
  {
    of: 'a self-validation',
    english: validationReasons,
    french: frenchValidation,
    say: validationReason as Say,
    read: readValidationReason,
  },
  {
    of: 'a witness',
    english: witnessProblems,
    french: frenchWitnesses,
    say: witnessProblem as Say,
    read: readWitnessProblem,
  },
  {
    of: 'a connection',
    english: connectionReasons,
    french: frenchConnections,
    say: connectionReason as Say,
    read: readConnectionReason,
  },
  { of: 'an alarm', english: alarmReasons, french: frenchAlarms, say: alarmReason as Say, read: readAlarmReason },
]

const partsOf = (text = ''): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, part]) => part as string).sort()

describe.each(CATALOGUES)('what $of says of itself', ({ english, french, say, read }) => {
  it('is read from its message again, whatever it is filled with', () => {
    const word = fc.stringMatching(/^[\w.:/\-éß(]{1,30}$/)
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(english)),
        fc.array(word, { minLength: 4, maxLength: 4 }),
        (name, words) => {
          const fill = Object.fromEntries(partsOf(english[name]).map((part, at) => [part, words[at] as string]))
          expect(read(say(name, fill))).toEqual({ name, fill })
        },
      ),
    )
  })

  it('is nothing of it where another program wrote the message', () => {
    for (const text of ['', 'Something else.', 'This file is empty. Or not.', '{{tool}}', 'row 3: it differs'])
      expect(read(text)).toBeNull()
  })

  it('has the same parts in French', () => {
    for (const [name, text] of Object.entries(english)) expect(partsOf(french[name])).toEqual(partsOf(text))
  })
})

describe('a sentence', () => {
  it('is told in another language, with its time as people write it; another text stays', () => {
    const french = { read: readDockReason, words: frenchDock, time: (utc: string) => utc.slice(0, 10) }
    const text = dockReason('staysUntil', { time: '2026-12-07T01:36:24.123Z' })
    expect(retold(text, french)).toBe(
      'Il reste jusqu’au 2026-12-07\u202f; il est effacé alors, ou quand la caméra est déposée ensuite.',
    )
    expect(retold('Something else.', french)).toBe('Something else.')
  })

  it('may end with nothing', () => {
    expect(readJobReason('It failed 3 times and was given up.')).toEqual({
      name: 'failedOften',
      fill: { times: '3', why: '' },
    })
  })

  it('is the one that says most of the text itself', () => {
    const { read } = sentencesOf({ any: 'It {{what}}.', gone: 'It is gone.', goneFrom: 'It is gone from {{where}}.' })
    expect(read('It is gone.')).toEqual({ name: 'gone', fill: {} })
    expect(read('It is gone from here.')).toEqual({ name: 'goneFrom', fill: { where: 'here' } })
    expect(read('It is there.')).toEqual({ name: 'any', fill: { what: 'is there' } })
  })
})
