import { nameIn, useFoundPrincipals } from '../../client/principals.ts'
import { visible } from './page/text/visible.ts'

/** People of the station for a field that names an officer, found as one types. */
export function useOfficerOptions(typed: string) {
  const { found, busy } = useFoundPrincipals(typed)
  const options = found
    .filter(({ PrincipalType }) => PrincipalType === 'user')
    .map((one) => ({
      id: one.PrincipalId ?? '',
      label: visible(nameIn(one, '') ?? one.Username ?? ''),
      note: [visible(one.Username ?? ''), one.Badge].filter((said) => said !== '').join(', '),
    }))
  return { options, busy }
}
