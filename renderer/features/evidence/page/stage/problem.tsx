import { Problem as Plain, type ProblemProps } from '../../../../ui/problem/problem.tsx'

/** Beside evidence it is always said that what the station holds is safe. */
export const Problem = (props: Omit<ProblemProps, 'safe'>) => <Plain {...props} safe />
