import { memo, type ReactNode } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { cx } from '../../../ui/given.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Icon, type IconName } from '../../../ui/icon/icon.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import type { Face, Kind } from './face.ts'
import styles from './tile.module.css'

/** What lies over the tile of a session with which something can be done; the Tab key comes to it where it comes to the tile. */
export type TileAction = (session: string, stop: boolean) => ReactNode

interface TileProps {
  readonly face: Face
  /** Whether the Tab key comes here; the arrows go on from it. */
  readonly stop: boolean
  readonly action: TileAction
}

/** One bay, to be read from three metres: its number, whose camera, one large word or number, a bar, a small line. */
export const Tile = memo(
  function Tile({ face, stop, action }: TileProps) {
    const { t } = useTranslation('dockWall')
    const { kind, number, session } = face
    const icon = ICONS[kind]
    const act = session === null ? null : action(session, stop)
    return (
      <li
        className={cx(styles['tile'], styles[LOOKS[kind]])}
        data-bay={number}
        data-kind={kind}
        tabIndex={stop ? 0 : -1}
      >
        <div className={styles['head']}>
          <span className={styles['number']}>
            <span className="unseen">{t('bay')} </span>
            {number}
          </span>
          {icon === null ? (
            <span className={styles['doing']}>{t(kind === 'copying' ? 'copying' : 'empty')}</span>
          ) : (
            <Icon name={icon} className={styles['shape']} />
          )}
        </div>
        {session !== null && (
          <>
            <p className={styles['who']} title={face.what === null ? undefined : `${face.who} · ${face.what}`}>
              <bdi>{face.who}</bdi>
            </p>
            {kind === 'copying' ? <Copying face={face} /> : <Words face={face} takes={act !== null} />}
            {act}
          </>
        )}
      </li>
    )
  },
  (one, other) => one.stop === other.stop && one.action === other.action && sameFace(one.face, other.face),
)

const sameFace = (one: Face, other: Face): boolean =>
  (Object.keys(one) as (keyof Face)[]).every((name) => one[name] === other[name])

const LOOKS: Readonly<Record<Kind, string>> = {
  empty: 'empty',
  looking: 'working',
  waiting: 'waiting',
  copying: 'working',
  checking: 'working',
  clearing: 'working',
  safe: 'safe',
  stopped: 'attention',
  faulty: 'attention',
  pulled: 'pulled',
  stranger: 'stranger',
}

/** Null: a word stands there. */
const ICONS: Readonly<Record<Kind, IconName | null>> = {
  empty: null,
  looking: 'working',
  waiting: 'waiting',
  copying: null,
  checking: 'working',
  clearing: 'working',
  safe: 'ok',
  stopped: 'attention',
  faulty: 'attention',
  pulled: 'danger',
  stranger: 'barred',
}

function Words({ face, takes }: { readonly face: Face; readonly takes: boolean }) {
  const { t } = useTranslation('dockWall')
  const { kind, problems } = face
  return (
    <>
      <p className={styles['word']}>{t(WORDS[kind as keyof typeof WORDS], { count: problems })}</p>
      {(kind === 'safe' || kind === 'faulty') && face.differs > 0 && (
        <p className={styles['differs']}>
          <Icon name="attention" className={styles['mark']} />
          {t('differs', { count: face.differs })}
        </p>
      )}
      {kind === 'checking' && <div className={styles['ticks']} aria-hidden="true" />}
      <Small lines={useSmallLines(face, takes)} most={SHOWN[kind] ?? 1} />
    </>
  )
}

/** Lines that are seen. */
const SHOWN: Readonly<Partial<Record<Kind, number>>> = { stopped: 2, waiting: 2 }

const WORDS = {
  looking: 'wordLooking',
  waiting: 'wordWaiting',
  checking: 'wordChecking',
  clearing: 'wordClearing',
  safe: 'wordSafe',
  stopped: 'wordStopped',
  faulty: 'wordFaulty',
  pulled: 'wordPulled',
  stranger: 'wordStranger',
} as const satisfies Partial<Record<Kind, string>>

/** How far, how long it took, and about how long it will take. */
function Copying({ face }: { readonly face: Face }) {
  const { t } = useTranslation('dockWall')
  const format = useFormat()
  const { left, unit, share, files, filesDone, minutes } = face
  return (
    <>
      <p className={styles['figure']}>
        {left !== null && <span className={`${styles['beside']} ${styles['about']}`}>{t('about')}</span>}{' '}
        <span className={styles['large']}>{format.count(left ?? share)}</span>{' '}
        <span className={styles['beside']}>{t(left === null ? 'percentDone' : LEFT[unit])}</span>
      </p>
      <ProgressBar label={t('barOf', { number: face.number })} value={share} className={styles['bar']} />
      <Small
        lines={[
          t('filesDone', { done: format.count(filesDone), count: files, total: format.count(files) }),
          minutes === 0 ? t('justBegun') : t('sinceMinutes', { count: minutes }),
        ]}
        most={2}
      />
    </>
  )
}

const STARTS = { s: 'startsSeconds', min: 'startsMinutes', h: 'startsHours' } as const
const READY = { s: 'readySeconds', min: 'readyMinutes', h: 'readyHours' } as const
const LEFT = { s: 'secondsLeft', min: 'minutesLeft', h: 'hoursLeft' } as const

function useSmallLines(face: Face, takes: boolean): string[] {
  const { t } = useTranslation('dockWall')
  const format = useFormat()
  const { kind, files, filesDone, foreign, cleared, minutes, reason } = face
  switch (kind) {
    case 'safe': {
      const took =
        cleared > 0
          ? t('filesCleared', { count: files })
          : t('filesTook', { count: files, minutes: Math.max(1, minutes) })
      return [
        ...(face.nobodys ? [t(takes ? 'nobodysTouch' : 'nobodys')] : []),
        ...(foreign > 0 ? [t('foreignLeft', { count: foreign })] : []),
        files === 0 ? t('nothingOnIt') : took,
      ]
    }
    case 'stopped':
      return [t('stoppedDo'), ...(reason === null ? [] : [reason])]
    case 'faulty':
      return [t(face.notLookedAt > 0 ? 'notLookedAtDo' : 'faultyDo'), t('faultyRest')]
    case 'pulled':
      return [
        files === 0 ? t('pulledUnknown') : t('filesLeft', { count: files - filesDone }),
        files > 0 && filesDone > 0 ? t('restIsSafe', { done: format.count(filesDone) }) : t('anyBay'),
      ]
    case 'stranger':
      return [t('strangerDo'), t('strangerKept')]
    case 'waiting': {
      const before = face.before === 0 ? t('nextInLine') : t('beforeIt', { count: face.before })
      return [
        ...(face.starts === null ? [t('waitingDo')] : [t(STARTS[face.startsUnit], { count: face.starts }), before]),
        t('leaveIn'),
        ...(face.left === null ? [] : [t(READY[face.unit], { count: face.left })]),
        t('whoseTurn'),
      ]
    }
    case 'checking':
      return [...(face.left === null ? [] : [t(READY[face.unit], { count: face.left })]), t('leaveIn')]
    default:
      return [t('leaveIn')]
  }
}

/** The first ones are seen; whoever hears the tile, or rests on it, is told all of them. */
function Small({ lines, most }: { readonly lines: readonly string[]; readonly most: number }) {
  return (
    <div className={styles['small']} title={lines.join('\n')}>
      {lines.map((line, at) => (
        <p key={line} className={at < most ? undefined : 'unseen'}>
          {line}
        </p>
      ))}
    </div>
  )
}
