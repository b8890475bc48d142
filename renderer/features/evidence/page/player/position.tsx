import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { useShortcuts } from '../../../../ui/command/use-shortcuts.ts'
import { TextField } from '../../../../ui/field/field.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Tooltip } from '../../../../ui/popover/tooltip.tsx'
import styles from './player.module.css'
import { positionIn } from './positions.ts'
import { useController, usePlayerState } from './use-player.ts'

/** Where the player stands; pressed, it is a field to go somewhere else. */
export function Position() {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const [typing, setTyping] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const at = usePlayerState((state) => Math.floor(state.at * 1000 + 1e-4) / 1000)
  const frame = usePlayerState((state) => state.frame)
  const duration = usePlayerState((state) => state.duration)
  const backwards = usePlayerState((state) => state.backwards)
  const waiting = usePlayerState((state) => state.waiting)
  const wasTyping = useRef(false)
  useEffect(() => {
    // What was typed in is gone, and the focus must not be lost with it.
    if (wasTyping.current && !typing) button.current?.focus()
    wasTyping.current = typing
  }, [typing])
  useShortcuts({ 'Shift+g': () => setTyping(true) })
  return (
    <span className={styles['position']}>
      {typing ? (
        <GoTo duration={duration} onDone={() => setTyping(false)} />
      ) : (
        <Tooltip text={t('goTo')} keys="Shift G">
          <Button ref={button} kind="quiet" size="small" className={styles['at']} onPress={() => setTyping(true)}>
            <span className="unseen">{t('goTo')} </span>
            <span data-position>{format.position(at)}</span>
          </Button>
        </Tooltip>
      )}{' '}
      <span className={styles['quiet']}>
        <span className={styles['of']}>{t('of', { duration: format.position(duration, false) })}</span>
        {frame !== null && (
          <span data-frame={frame} title={t('frameFromNought')}>
            {' · '}
            {t('frame', { number: format.count(frame) })}
          </span>
        )}
        {backwards > 0 && ` · ${t('backwards', { speed: backwards })}`}
        {waiting && ` · ${t('buffering')}`}
      </span>
    </span>
  )
}

/** Enter goes there, Esc goes nowhere. */
function GoTo({ duration, onDone }: { readonly duration: number; readonly onDone: () => void }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const controller = useController()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string | undefined>(undefined)
  const go = (event: FormEvent): void => {
    event.preventDefault()
    const seconds = positionIn(text)
    if (seconds === null) return setWrong(t('goToHow'))
    if (seconds > duration) return setWrong(t('goToBeyond', { duration: format.position(duration, false) }))
    controller.seek(seconds)
    onDone()
  }
  return (
    <form
      className={styles['goTo']}
      onSubmit={go}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (text === '' && !currentTarget.contains(relatedTarget)) onDone()
      }}
    >
      <TextField
        label={t('goTo')}
        hideLabel
        autoFocus
        placeholder="1:23"
        value={text}
        onChange={(next) => {
          setText(next)
          setWrong(undefined)
        }}
        error={wrong}
        spellCheck={false}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onDone()
        }}
      />
    </form>
  )
}
