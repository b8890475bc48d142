import { useCadReasons } from '../../../../client/cad-reasons.ts'
import { langOf } from '../../../../client/station-sentences.ts'
import { useTranslation } from '../../../../client/translate.ts'
import { Badge } from '../../../../ui/badge/badge.tsx'
import { type Format, useFormat } from '../../../../ui/format/use-format.tsx'
import { visible } from '../../../../ui/format/visible.ts'
import { Note } from '../../../../ui/note/note.tsx'
import { Select } from '../../../../ui/select/select.tsx'
import { StateMark } from '../../../../ui/state/state.tsx'
import { Problem } from '../../problem.tsx'
import type { Message, usePreview } from '../queries.ts'
import { type CadWords, fieldWords, problemWords, valueWords } from '../../cad/labels.ts'
import { MOST_PLACES, type Place } from './draft.ts'
import styles from './mapping.module.css'

type Previews = NonNullable<ReturnType<typeof usePreview>['data']>
type OnePreview = Previews[number]
type Seen = OnePreview['now']

interface PreviewProps {
  readonly newest: readonly Message[]
  readonly chosen: string | null
  readonly onChoose: (messageId: string) => void
  readonly previews: Previews | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  /** A line is not right: what is shown is from before. */
  readonly broken: boolean
  /** What the message holds; null: it is no JSON; undefined: not here yet. */
  readonly places: readonly Place[] | null | undefined
}

/** What another mapping makes of messages that really came: field by field, beside what is made of them today. */
export function Preview(props: PreviewProps) {
  const { newest, chosen, onChoose, previews, error, onRetry, broken, places } = props
  const { t } = useTranslation('cad')
  const format = useFormat()
  const one = previews?.find(({ messageId }) => messageId === chosen)
  return (
    <aside className={styles['preview']} aria-labelledby="cad-preview" data-region>
      <h2 id="cad-preview" className={styles['title']}>
        {t('preview')}
      </h2>
      {newest.length === 0 ? (
        <p className="muted">{t('previewNone')}</p>
      ) : (
        <>
          <Select
            label={t('previewOf')}
            value={chosen}
            onChange={onChoose}
            options={newest.map((message) => ({
              id: message.messageId,
              label: nameOf(message, t, format),
              note: t(message.state),
            }))}
          />
          {broken && <Note state="attention" title={t('previewBroken')} />}
          {error !== null && <Problem error={error} onRetry={onRetry} />}
          {previews === undefined && error === null && <p className="muted">{t('previewLooking')}</p>}
          {previews !== undefined && <Tally previews={previews} />}
          {one !== undefined && <Outcome preview={one} />}
          <Inside places={places} />
        </>
      )}
    </aside>
  )
}

const nameOf = ({ eventId, receivedUtc }: Message, t: CadWords, format: Format): string =>
  `${eventId === null ? t('noNumber') : visible(eventId)}, ${format.timeOrDay(receivedUtc)}`

/** Those that are read today and would not be any more. */
export const lostIn = (previews: Previews): number =>
  previews.filter(({ now, proposed }) => now.readable && !proposed.readable).length

function Tally({ previews }: { readonly previews: Previews }) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const readable = previews.filter(({ proposed }) => proposed.readable).length
  const gained = previews.filter(({ now, proposed }) => !now.readable && proposed.readable).length
  const lost = lostIn(previews)
  return (
    <div className={styles['tally']} aria-live="polite">
      <StateMark state={lost > 0 ? 'attention' : readable === previews.length ? 'ok' : 'waiting'}>
        {t('readableOf', { readable: format.count(readable), count: previews.length })}
      </StateMark>
      <span className="small muted">
        {[
          ...(lost > 0 ? [t('readableLess', { count: lost })] : []),
          ...(gained > 0 ? [t('readableMore', { count: gained })] : []),
          ...(lost + gained === 0 ? [t('readableSame')] : []),
        ].join(' ')}
      </span>
    </div>
  )
}

function Outcome({ preview: { now, proposed } }: { readonly preview: OnePreview }) {
  const { t } = useTranslation('cad')
  const fields = [...new Set([...Object.keys(now.fields), ...Object.keys(proposed.fields)])]
  return (
    <>
      <div className={styles['sides']}>
        <Side title={t('today')} seen={now} />
        <Side title={t('proposed')} seen={proposed} />
      </div>
      {fields.length > 0 && (
        <table className={styles['outcome']}>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('today')}</th>
              <th scope="col">{t('proposed')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <Row key={field} field={field} was={now.fields[field]} is={proposed.fields[field]} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Side({ title, seen }: { readonly title: string; readonly seen: Seen }) {
  const { t } = useTranslation('cad')
  const say = useCadReasons()
  return (
    <div>
      <h3 className="small muted">{title}</h3>
      <StateMark state={seen.readable ? 'ok' : 'attention'}>
        {t(seen.readable ? 'canBeRead' : 'cannotBeRead')}
      </StateMark>
      {seen.problems.length > 0 && (
        <ul className={styles['problems']}>
          {seen.problems.map((one, at) => (
            <li key={at}>
              <bdi lang={langOf(say(one.message), one.message)}>{problemWords(one, say)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface RowProps {
  readonly field: string
  readonly was: string | undefined
  readonly is: string | undefined
}

const MOST_SHOWN = 300
const short = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

/** What differs says so in a word, not by its looks alone. */
function Row({ field, was, is }: RowProps) {
  const { t } = useTranslation('cad')
  const format = useFormat()
  const differs = was !== is
  const words = (value: string): string => valueWords(field, short(value), format)
  return (
    <tr {...(differs ? { 'data-differs': '' } : {})}>
      <th scope="row">
        <bdi>{fieldWords(field, t)}</bdi>
      </th>
      <td>{was === undefined ? <span className="muted">{t('nothing')}</span> : <bdi>{words(was)}</bdi>}</td>
      <td>
        {is === undefined ? <span className="muted">{t('nothing')}</span> : <bdi>{words(is)}</bdi>}{' '}
        {differs && <Badge>{t(was === undefined ? 'isNew' : is === undefined ? 'isGone' : 'isOther')}</Badge>}
      </td>
    </tr>
  )
}

function Inside({ places }: { readonly places: readonly Place[] | null | undefined }) {
  const { t } = useTranslation('cad')
  if (places === undefined) return null
  return (
    <section aria-labelledby="cad-inside" className={styles['inside']}>
      <h3 id="cad-inside" className={styles['title']}>
        {t('inMessage')}
      </h3>
      {places === null ? (
        <p className="muted">{t('inMessageNone')}</p>
      ) : (
        <dl className={styles['places']}>
          {places.map(({ path, value }) => (
            <div key={path}>
              <dt className="mono small">
                <bdi>{visible(path)}</bdi>
              </dt>
              <dd>
                <bdi>{visible(value)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {places?.length === MOST_PLACES && <p className="small muted">{t('inMessageCut', { count: MOST_PLACES })}</p>}
    </section>
  )
}
