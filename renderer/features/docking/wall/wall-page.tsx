import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useSession } from '../../../client/session.tsx'
import { Button, LinkButton } from '../../../ui/button/button.tsx'
import { cx } from '../../../ui/given.ts'
import { FormatProvider, useFormat } from '../../../ui/format/use-format.tsx'
import { Icon, type IconName } from '../../../ui/icon/icon.tsx'
import { AssignAction, Taking, TileAssign } from '../assign/assign-action.tsx'
import { type Face, facesOf, talliesOf, type Tallies } from './face.ts'
import { type Sound, type SoundState, useSound } from './sound.ts'
import type { TileAction } from './tile.tsx'
import { Tiles } from './tiles.tsx'
import { useAnnouncement } from './use-announcement.ts'
import { type DockWall, type Live, useWall } from './use-wall.ts'
import styles from './wall.module.css'

export interface WallPageProps {
  /** Nobody is at work here: the wall has the whole screen, and this is how somebody begins. */
  readonly onSignIn?: (() => void) | undefined
}

/** The dock wall (shots/dock-wall): whose camera is safe to take, seen from across the room. */
export default function WallPage({ onSignIn }: WallPageProps) {
  const { t, language } = useTranslation('dockWall')
  const { t: sessions } = useTranslation('dockSessions')
  const { tenant, session } = useSession()
  const live = useWall(tenant)
  const { wall, stale } = live
  const faces = useMemo(() => (wall === null ? null : facesOf(wall)), [wall])
  const [taking, setTaking] = useState<string | null>(null)
  const action = useTaking(wall, session.State === 'locked', setTaking)
  const sound = useSound()
  const said = useAnnouncement(stale ? null : faces, sound.play)
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${t('title')} · Sallyport`
  }, [t])
  const Root = onSignIn === undefined ? 'section' : 'main'
  const zone = wall?.TimeZone
  const page = (
    <Root
      ref={root}
      aria-labelledby="wall-title"
      className={cx(styles['wall'], onSignIn !== undefined && styles['kiosk'])}
    >
      <Head name={session.Station.Name} wall={stale ? null : wall} faces={faces ?? []} />
      <p className="unseen" role="status">
        {said}
      </p>
      <Taking serial={taking} onClose={() => setTaking(null)} />
      <Middle live={live} faces={faces} action={action} />
      <footer className={styles['foot']}>
        <p className={styles['words']}>
          {onSignIn !== undefined && <>{t(session.State === 'locked' ? 'footLocked' : 'footNobody')} </>}
          {t('footEstimates')}
        </p>
        {wall?.Docks === true && <AssignAction serial={null} size="large" />}
        {onSignIn === undefined && (
          <LinkButton href="/dock/sessions" size="large" icon="clock">
            {sessions('title')}
          </LinkButton>
        )}
        <SoundButton {...sound} />
        <FullScreen of={root} />
        {onSignIn !== undefined && (
          <Button kind="main" size="large" icon="user" onPress={onSignIn}>
            {t(session.State === 'locked' ? 'unlock' : 'signIn')}
          </Button>
        )}
      </footer>
    </Root>
  )
  // Before anybody signed in only the wall itself says in which zone the station is.
  return zone === undefined ? (
    page
  ) : (
    <FormatProvider locale={language} zone={zone}>
      {page}
    </FormatProvider>
  )
}

/** A camera that is known and that nobody wears can be taken at its bay; while somebody's screen is locked, not. */
function useTaking(wall: DockWall | null, locked: boolean, onTake: (serial: string) => void): TileAction {
  const tiles = useRef(wall?.Tiles)
  tiles.current = wall?.Tiles
  // The same function throughout: a tile is drawn anew when what it shows changes, and that says whether somebody wears the camera.
  return useCallback(
    (session, stop) => {
      const tile = tiles.current?.find(({ DockSessionId }) => DockSessionId === session)
      if (locked || tile?.Assigned !== false || tile.SerialNumber === null) return null
      const serial = tile.SerialNumber
      return <TileAssign serial={serial} tabIndex={stop ? 0 : -1} onPress={() => onTake(serial)} />
    },
    [locked, onTake],
  )
}

function Head({
  name,
  wall,
  faces,
}: {
  readonly name: string
  readonly wall: DockWall | null
  readonly faces: readonly Face[]
}) {
  const { t } = useTranslation('dockWall')
  const format = useFormat()
  return (
    <header className={styles['head']}>
      <svg viewBox="0 0 22 22" aria-hidden="true" className={styles['mark']}>
        <path d="M3 20V9a8 8 0 0 1 16 0v11M8 20v-9.500M14 20v-9.500" />
      </svg>
      <div className={styles['names']}>
        <h1 id="wall-title" className={styles['title']}>
          {t('titleOf', { name })}
        </h1>
        {wall !== null && faces.length > 0 && (
          <p className={styles['sub']}>{t('bays', { count: new Set(faces.map(({ number }) => number)).size })}</p>
        )}
      </div>
      {wall !== null && (
        <>
          {faces.length > 0 && <TallyList tallies={talliesOf(faces)} />}
          <time className={styles['now']} dateTime={wall.TimeUtc}>
            {format.timeOfDay(wall.TimeUtc)}
          </time>
        </>
      )}
    </header>
  )
}

const TALLIES = [
  ['safe', 'ok', 'tallySafe'],
  ['working', 'working', 'tallyWorking'],
  ['attention', 'attention', 'tallyAttention'],
  ['pulled', 'danger', 'tallyPulled'],
] as const satisfies readonly (readonly [keyof Tallies, IconName, string])[]

function TallyList({ tallies }: { readonly tallies: Tallies }) {
  const { t } = useTranslation('dockWall')
  const format = useFormat()
  return (
    <ul aria-label={t('tallies')} className={styles['tallies']}>
      {TALLIES.filter(([which]) => which === 'safe' || which === 'working' || tallies[which] > 0).map(
        ([which, icon, word]) => (
          <li key={which} className={styles[icon]}>
            <Icon name={icon} className={styles['tallyShape']} />
            <b>{format.count(tallies[which])}</b> {t(word, { count: tallies[which] })}
          </li>
        ),
      )}
    </ul>
  )
}

interface MiddleProps {
  readonly live: Live
  readonly faces: readonly Face[] | null
  readonly action: TileAction
}

function Middle({ live: { wall, stale, refused }, faces, action }: MiddleProps) {
  const { t } = useTranslation('dockWall')
  if (refused !== null) return <Instead title={t('refusedTitle')}>{t('refusedBody')}</Instead>
  // A wall that is not true any more must not show a camera as safe.
  if (stale)
    return (
      <Instead title={t('staleTitle')} danger>
        {t('staleBody')}
      </Instead>
    )
  if (wall === null || faces === null) return <div className={styles['instead']} aria-busy="true" />
  if (faces.length > 0) return <Tiles faces={faces} action={action} />
  if (!wall.Docks) return <Instead title={t('offTitle')}>{t('offBody')}</Instead>
  return (
    <Instead title={t('emptyTitle')}>
      <ol>
        <li>{t('emptyPlug')}</li>
        <li>{t('emptyWait')}</li>
        <li>{t('emptyTake')}</li>
      </ol>
    </Instead>
  )
}

interface InsteadProps {
  readonly title: string
  readonly danger?: boolean
  readonly children: ReactNode
}

/** Where no tiles stand; read from where one stands with a camera in the hand. */
function Instead({ title, danger = false, children }: InsteadProps) {
  return (
    <div className={styles['instead']} {...(danger ? { role: 'alert' } : {})}>
      <h2 className={cx(styles['insteadTitle'], danger && styles['danger'])}>
        {danger && <Icon name="danger" className={styles['insteadShape']} />}
        {title}
      </h2>
      <div className={styles['insteadWords']}>{children}</div>
    </div>
  )
}

const SOUNDS = {
  on: ['sound', 'soundOn'],
  off: ['mute', 'soundOff'],
  asleep: ['mute', 'soundAsleep'],
} as const satisfies Readonly<Record<SoundState, readonly [IconName, string]>>

function SoundButton({ state, pressStart, press }: Omit<Sound, 'play'>) {
  const { t } = useTranslation('dockWall')
  const [icon, word] = SOUNDS[state]
  return (
    <Button size="large" icon={icon} onPressStart={pressStart} onPress={press}>
      {t(word)}
    </Button>
  )
}

function FullScreen({ of }: { readonly of: React.RefObject<HTMLElement | null> }) {
  const { t } = useTranslation('dockWall')
  const [full, setFull] = useState(false)
  useEffect(() => {
    const look = (): void => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [])
  if (!document.fullscreenEnabled) return null
  return (
    <Button
      size="large"
      icon={full ? 'fullscreen-off' : 'fullscreen'}
      onPress={() => {
        // Where the browser will not, the wall stays as large as its window.
        const done = full ? document.exitFullscreen() : of.current?.requestFullscreen()
        done?.catch(() => {})
      }}
    >
      {t(full ? 'fullScreenOff' : 'fullScreen')}
    </Button>
  )
}
