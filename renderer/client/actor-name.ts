/** Who added or changed something, as people know them: the station itself and its command line have user names that say nothing. */
import { visible } from '../ui/format/visible.ts'
import { translate } from './translate.ts'

interface Actor {
  readonly Username: string
  readonly PrincipalId: string
}

const COMMAND_LINE = 'cli:'

export function actorName({ Username, PrincipalId }: Actor): string {
  if (Username.startsWith(COMMAND_LINE))
    return translate('common', 'actorCommandLine', { name: visible(Username.slice(COMMAND_LINE.length)) })
  return PrincipalId === '0' ? translate('common', 'actorStation') : visible(Username)
}
