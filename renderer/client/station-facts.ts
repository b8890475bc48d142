/** How the station stands, line by line: the rail and the start page show the same. */
import type { Format } from '../ui/format/use-format.tsx'
import type { State } from '../ui/state/state.tsx'
import type { StationState } from './station.ts'
import type { Translate } from './translate.ts'

interface Work {
  readonly going: number
  readonly failed: number
}

/** The station counts what this person can view, and failures that they could do something about; null: too many to be judged. */
const workIn = ({ Queue: { Running, Queued, Waiting, Failed } }: StationState): Work | null =>
  Running === null || Queued === null || Waiting === null || Failed === null
    ? null
    : { going: Running + Queued + Waiting, failed: Failed }

const ORDER: readonly State[] = ['ok', 'waiting', 'working', 'sealed', 'attention', 'danger']
const rank = (state: State): number => ORDER.indexOf(state)

/** The mark of the station is the most serious of its lines. */
export const worstOf = (facts: readonly StationFact[]): State =>
  facts.reduce<State>((state, fact) => (rank(fact.state) > rank(state) ? fact.state : state), 'ok')

export interface StationFact {
  readonly key: string
  readonly label: string
  readonly text: string
  readonly state: State
  /** An administrator let it stand: until when. It does not count towards the mark for so long. */
  readonly waived?: string
}

/** @param keeps whether the person could set up what is missing; to others it is not said, for they can do nothing about it */
export function stationFacts(
  station: StationState,
  keeps: boolean,
  t: Translate<'frame'>,
  format: Format,
): StationFact[] {
  const work = workIn(station)
  const { Disk, Clock, Copies, LastVerification: last } = station
  const warning = (name: StationState['Waived'][number]['Warning']): Pick<StationFact, 'state' | 'waived'> => {
    const waiver = station.Waived.find(({ Warning }) => Warning === name)
    return waiver === undefined
      ? { state: 'attention' }
      : { state: 'ok', waived: t('waivedUntil', { day: format.day(waiver.UntilUtc, false) }) }
  }
  const low = Disk.FreeBytes < Disk.FloorBytes * 1.2
  return [
    {
      key: 'disk',
      label: t('disk'),
      text: t('diskFree', { size: format.bytes(Disk.FreeBytes) }),
      state: station.Mode !== 'ready' ? 'danger' : low ? 'attention' : 'ok',
    },
    ...(work === null
      ? []
      : [
          {
            key: 'queue',
            label: t('queue'),
            text:
              work.failed > 0
                ? t('queueFailed', { count: work.failed })
                : work.going === 0
                  ? t('queueIdle')
                  : t('queueWork', { count: work.going }),
            state: work.failed > 0 ? ('attention' as const) : ('ok' as const),
          },
        ]),
    {
      key: 'clock',
      label: t('clock'),
      text:
        Clock.Source === 'ntp'
          ? Clock.ErrorMilliseconds === null
            ? t('clockNtpPlain')
            : t('clockNtp', { error: Clock.ErrorMilliseconds })
          : Clock.Source === 'free'
            ? t('clockFree')
            : t('clockUnknown'),
      ...(Clock.Source === 'ntp' ? { state: 'ok' as const } : warning('clock')),
    },
    {
      key: 'verified',
      label: t('verified'),
      text:
        last === null
          ? t('verifiedNever')
          : last.Result === 'intact'
            ? t('verifiedGood', { when: format.timeOrDay(last.TimeUtc) })
            : t('verifiedBad', { when: format.timeOrDay(last.TimeUtc), count: last.Problems }),
      state: last?.Result === 'broken' ? 'danger' : 'ok',
    },
    ...(keeps && Copies.Backups === 0
      ? [{ key: 'backup', label: t('backup'), text: t('backupNone'), ...warning('backup') }]
      : []),
    ...(keeps && Copies.Checkpoints === 0
      ? [{ key: 'checkpoints', label: t('checkpoints'), text: t('checkpointsNone'), ...warning('checkpoints') }]
      : []),
    ...(station.Alarms.Open === 0
      ? []
      : [
          {
            key: 'alarms',
            label: t('alarms'),
            text: t('alarmsOpen', { count: station.Alarms.Open }),
            state: 'danger' as const,
          },
        ]),
  ]
}
