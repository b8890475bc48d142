import { fieldOf, isCaseField } from '../../../../shared/cases/fields.ts'
import { langOf } from '../../../client/station-sentences.ts'
import { type Translate, translate } from '../../../client/translate.ts'
import { visible } from '../../../ui/format/visible.ts'
import type { Format } from '../../../ui/format/use-format.tsx'
import type { State as Look } from '../../../ui/state/state.tsx'
import type { Message, State } from '../dispatch/queries.ts'

export type CadWords = Translate<'cad'>

export const LOOKS = {
  applied: 'ok',
  repeated: 'ok',
  older: 'ok',
  review: 'waiting',
  unreadable: 'attention',
} as const satisfies Record<State, Look>

export const HOW = {
  applied: 'appliedHow',
  repeated: 'repeatedHow',
  older: 'olderHow',
  review: 'reviewHow',
  unreadable: 'unreadableHow',
} as const satisfies Record<State, string>

/** What has a name of its own here. Any other field of a case is called as on the pages of cases. */
const FIELDS = {
  Description: 'to_Description',
  OccurredOn: 'to_OccurredOn',
  EndedOn: 'to_EndedOn',
  Location: 'to_Location',
  LocationText: 'to_LocationText',
  LocationWKT: 'to_LocationWKT',
  Category: 'to_Category',
  Tag: 'to_Tag',
  CustomField: 'to_CustomField',
  PersonnelRelations: 'to_PersonnelRelations',
} as const

/** What people call a field of CaseModel, or where a text of a message goes. */
export function fieldWords(field: string, t: CadWords): string {
  if (field.startsWith('CustomFields.')) return visible(field.slice('CustomFields.'.length))
  if (Object.hasOwn(FIELDS, field)) return t(FIELDS[field as keyof typeof FIELDS])
  return isCaseField(field) ? translate('cases', fieldOf(field).label) : visible(field)
}

/** Times in the station's zone; everything else as it is. */
export function valueWords(field: string, value: string, format: Format): string {
  const time = isCaseField(field) && fieldOf(field).kind === 'time' ? format.instant(value, { zone: true }) : ''
  return time === '' ? visible(value) : time
}

/** Where the state alone tells why, it is said by that. */
const ofState = ({ state, reason }: Pick<Message, 'state' | 'reason'>): boolean =>
  reason === null || state === 'repeated' || state === 'older'

/** Says a sentence of the station in the reader's language (`useCadReasons`). */
export type Say = (text: string) => string

export const reasonWords = (message: Pick<Message, 'state' | 'reason'>, t: CadWords, say: Say): string =>
  ofState(message) ? t(HOW[message.state]) : visible(say(message.reason ?? ''))

export const reasonLang = (message: Pick<Message, 'state' | 'reason'>, say: Say): 'en' | undefined =>
  ofState(message) ? undefined : langOf(say(message.reason ?? ''), message.reason ?? '')

export const problemWords = ({ path, message }: Message['problems'][number], say: Say): string =>
  path === '' ? visible(say(message)) : `${visible(path)} ${visible(say(message))}`
