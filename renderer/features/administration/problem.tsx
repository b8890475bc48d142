import { useTranslation } from '../../client/translate.ts'
import { Fault } from '../../client/api.ts'
import { Problem as Plain, type ProblemProps } from '../../ui/problem/problem.tsx'

/** Refusals that have words of their own in every language; others are told as the station says them. */
const WORDS = {
  Forbidden: 'refusedForbidden',
  NameTaken: 'refusedNameTaken',
  CategoryWithSameNameAlreadyExists: 'refusedNameTaken',
  DepartmentAlreadyExists: 'refusedNameTaken',
  DepartmentWithoutManagePermission: 'refusedNoManage',
  CannotDisableADefaultDepartment: 'refusedDefault',
  CannotAssignToDisabledDepartment: 'refusedDisabledDefault',
  LastAdministrator: 'refusedLastAdministrator',
  CannotRemoveLastAccessPolicyWithFullPermissions: 'refusedLastManage',
  BuiltInGroup: 'refusedBuiltIn',
  ConcurrentWritingError: 'refusedConcurrent',
  ReadOnly: 'refusedReadOnly',
} as const

const NAME_CODES: ReadonlySet<string> = new Set([
  'NameTaken',
  'CategoryWithSameNameAlreadyExists',
  'DepartmentAlreadyExists',
])

/** Whether it is about the name, and is told beside it. */
export const isNameTaken = (error: Error | null): boolean => error instanceof Fault && NAME_CODES.has(error.code)

/** With the words that the administration has for a refusal. */
export function Problem(props: Omit<ProblemProps, 'said'>) {
  const { t } = useTranslation('administration')
  const { error } = props
  const known = error instanceof Fault ? WORDS[error.code as keyof typeof WORDS] : undefined
  return <Plain {...props} said={known === undefined ? undefined : t(known)} />
}
