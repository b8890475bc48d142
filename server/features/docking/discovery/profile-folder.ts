import { join } from 'node:path'
import { marksOf, namesEnding, textAt } from '../../../platform/files/texts.ts'
import type { Identify } from '../ports.ts'
import { type Profile, type ProfileProblem, profilesFrom } from '../profiles/profile.ts'

/** Profiles in the station's folder, beside those that are shipped. */
export interface ProfileFolder {
  /** As they were at the last look. */
  profiles(): readonly Profile[]
  /** Looks whether a file came, went or changed. Never fails: a station with a bad profile goes on with the others. */
  look(): Promise<void>
  /** Of what cannot be used, in sentences. */
  problems(): readonly string[]
}

interface Deps {
  /** It need not be there. */
  readonly folder: string
  readonly shipped: readonly Profile[]
  /** Told once for each change. */
  readonly onProblem: (problem: ProfileProblem) => void
}

const MOST_FILES = 100
const MOST_BYTES = 1024 * 1024

export function createProfileFolder({ folder, shipped, onProblem }: Deps): ProfileFolder {
  let mark = ''
  let known = profilesFrom(shipped, [])
  const read = async (): Promise<void> => {
    const names = await namesEnding(folder, '.json')
    const now = await marksOf(folder, names)
    if (now === mark) return
    const files: { name: string; text: string }[] = []
    const problems: ProfileProblem[] = []
    for (const [at, name] of names.entries()) {
      const text =
        at < MOST_FILES
          ? await textAt(join(folder, name), MOST_BYTES)
          : new Error(`is one more than ${MOST_FILES} files`)
      if (text instanceof Error) problems.push({ file: name, message: text.message })
      else files.push({ name, text })
    }
    const found = profilesFrom(shipped, files)
    known = { profiles: found.profiles, problems: [...problems, ...found.problems] }
    mark = now
    for (const problem of known.problems) onProblem(problem)
  }
  let looking: Promise<void> | null = null
  return {
    profiles: () => known.profiles,
    look: () => {
      looking ??= read()
        .catch((error: unknown) => onProblem({ file: folder, message: (error as Error).message }))
        .finally(() => {
          looking = null
        })
      return looking
    },
    problems: () => known.problems.map(({ file, message }) => `The camera profile ${file} is not used: ${message}.`),
  }
}

/** Whoever docks a camera that such a profile was meant for reads on its receipt why it was not used. */
export const withProfiles =
  (folder: ProfileFolder, identify: Identify): Identify =>
  async (looking) => {
    await folder.look()
    const found = await identify(looking)
    const problems = folder.problems()
    if ('notACamera' in found) return { notACamera: [found.notACamera, ...problems].join(' ').slice(0, 1000) }
    return { ...found, notes: [...found.notes, ...problems] }
  }
