import { Link, useNavigate } from '@tanstack/react-router'
import { iconOfEvidence } from '../../../client/evidence-icons.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useClockText } from '../../../ui/clocks/clocks.tsx'
import type { Format } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Menu } from '../../../ui/popover/menu.tsx'
import type { Lane, Placed } from './scale.ts'
import styles from './timeline.module.css'

export const share = (value: number): string => `${(value * 100).toFixed(3)}%`

/** Rows that a lane takes: its points stand below its bars, so that they cover none. */
export const rowsOf = ({ rows, points }: Lane): number => rows.length + (points.length > 0 ? 1 : 0)

interface LaneProps {
  readonly lane: Lane
  readonly format: Format
}

/** Everything of one source: bars from first to last moment, points where only the start is known. */
export function LaneRow({ lane, format }: LaneProps) {
  const { t } = useTranslation('cases')
  const { name, rows, points, count, starts, ends } = lane
  const precision = count === 1 ? 'second' : 'minute'
  const [from, to] = [starts, ends].map((at) => format.instant(at, { date: false, precision }))
  const times = from === to ? from : t(count === 1 ? 'fromTo' : 'span', { from, to })
  return (
    <li className={styles['lane']}>
      <span className={styles['name']}>
        <span className="truncated">{name === null ? t('laneFiles') : <bdi>{visible(name)}</bdi>}</span>
        <span className={styles['time']}>
          {count === 1 ? times : t('laneItems', { count, shown: format.count(count), times })}
        </span>
      </span>
      <span className={styles['tracks']}>
        {rows.map((bars) => (
          <span key={bars[0]?.evidence.EvidenceId} className={styles['track']}>
            {bars.map((one) => (
              <Bar key={one.evidence.EvidenceId} placed={one} format={format} />
            ))}
          </span>
        ))}
        {points.length > 0 && (
          <span className={styles['track']}>
            {points.map((together) => (
              <Points key={together[0]?.evidence.EvidenceId} together={together} format={format} />
            ))}
          </span>
        )}
      </span>
    </li>
  )
}

/** The one picture that there is, as often as it fits: a bar of film is told from one without pictures. */
const MOST_PICTURES = 12
const repeats = (width: number): readonly number[] =>
  Array.from({ length: Math.max(1, Math.ceil(width * MOST_PICTURES)) }, (_none, at) => at)

interface PlacedProps {
  readonly placed: Placed
  readonly format: Format
}

/** A bar from its first to its last moment, a dot where only its start is known. */
function Bar({ placed: { evidence, from, to, starts: first, ends }, format }: PlacedProps) {
  const { t } = useTranslation('cases')
  const name = visible(evidence.DisplayName)
  const clock = useClockText()(evidence.Clock)
  const starts = format.instant(first, { date: false })
  const times = ends === null ? starts : t('fromTo', { from: starts, to: format.instant(ends, { date: false }) })
  const film = to === null || evidence.Thumbnail === null ? null : repeats(to - from)
  return (
    <Link
      to="/evidence/$evidenceId"
      params={{ evidenceId: evidence.EvidenceId }}
      className={styles[to === null ? 'dot' : 'bar']}
      {...(film === null ? {} : { 'data-film': '' })}
      style={{ insetInlineStart: share(from), ...(to === null ? {} : { inlineSize: share(to - from) }) }}
      aria-label={t('openAt', { name, times })}
      title={`${name}\n${times}\n${clock}`}
    >
      {film !== null && film.map((at) => <img key={at} src={evidence.Thumbnail ?? ''} alt="" decoding="async" />)}
    </Link>
  )
}

interface PointsProps {
  readonly together: readonly Placed[]
  readonly format: Format
}

/** One point, or a mark with their number that lists those which would cover each other. */
function Points({ together, format }: PointsProps) {
  const { t } = useTranslation('cases')
  const navigate = useNavigate()
  const [first, ...others] = together
  if (first === undefined) return null
  if (others.length === 0) return <Bar placed={first} format={format} />
  const kinds = new Set(together.map(({ evidence }) => iconOfEvidence(evidence.Type)))
  const [kind = 'file'] = kinds
  const [from, to] = [first.starts, together.at(-1)?.starts ?? first.starts].map((at) =>
    format.instant(at, { date: false }),
  )
  const count = { count: together.length, shown: format.count(together.length) }
  const words = t('laneItems', { ...count, times: from === to ? from : t('fromTo', { from, to }) })
  return (
    <span className={styles['points']} style={{ insetInlineStart: share(first.from) }} title={words}>
      <Menu
        label={words}
        placement="bottom start"
        trigger={
          <Button size="small" icon={kinds.size === 1 ? kind : 'file'}>
            <span aria-hidden="true">{count.shown}</span>
            <span className="unseen">{words}</span>
          </Button>
        }
        sections={[
          {
            items: together.map(({ evidence, starts }) => ({
              id: evidence.EvidenceId,
              icon: iconOfEvidence(evidence.Type),
              label: `${format.instant(starts, { date: false })} ${visible(evidence.DisplayName)}`,
              onAction: () =>
                void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: evidence.EvidenceId } }),
            })),
          },
        ]}
      />
    </span>
  )
}
