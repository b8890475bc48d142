/** Why a package was not made. Whoever asks is fetched with the words of `packageProblems` and `jobReasons`. */
import { readJobReason } from '../../../shared/messages/job-reasons.ts'
import { readPackageProblem } from '../../../shared/messages/package-problems.ts'
import { useSentences } from '../station-sentences.ts'

const OF_PACKAGES = [
  { area: 'packageProblems', read: readPackageProblem },
  { area: 'jobReasons', read: readJobReason },
] as const

export const usePackageProblems = (): ((text: string) => string) => useSentences(OF_PACKAGES)
