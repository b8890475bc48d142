import type { ReactNode } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button, IconButton } from '../button/button.tsx'
import { ProgressBar } from '../progress/progress.tsx'
import { type State, StateMark } from '../state/state.tsx'
import styles from './upload-row.module.css'

export interface UploadRowProps {
  readonly name: ReactNode
  /** The name as plain text, for the bar and the buttons. */
  readonly label: string
  readonly state: State
  /** What it is doing: *Sending*, *Reading back*. */
  readonly word: string
  /** Amounts, speed, time left in one line. */
  readonly facts: string
  /** 0 to 100; null where there is nothing to wait for any more. */
  readonly progress: number | null
  /** What is already safe, then what to do. */
  readonly problem?: string | null | undefined
  readonly onPause?: (() => void) | undefined
  readonly onResume?: (() => void) | undefined
  readonly onCancel?: (() => void) | undefined
}

/** One file on its way: name, bar, what it is doing, amounts; pause, resume and cancel at its name. */
export function UploadRow({
  name,
  label,
  state,
  word,
  facts,
  progress,
  problem,
  onPause,
  onResume,
  onCancel,
}: UploadRowProps) {
  const { t } = useTranslation('ui')
  const failed = problem !== undefined && problem !== null
  return (
    <li className={styles['row']}>
      <div className={styles['line']}>
        <span className={styles['name']} title={label}>
          {name}
        </span>
        {progress === null && <span className={styles['facts']}>{facts}</span>}
        {progress === null && <StateMark state={state}>{word}</StateMark>}
        {onPause !== undefined && (
          <IconButton label={t('pauseFile', { name: label })} icon="pause" size="small" onPress={onPause} />
        )}
        {onResume !== undefined &&
          (failed ? (
            <Button size="small" icon="retry" onPress={onResume}>
              {t('resume')}
            </Button>
          ) : (
            <IconButton label={t('resumeFile', { name: label })} icon="play" size="small" onPress={onResume} />
          ))}
        {onCancel !== undefined && (
          <IconButton label={t('cancelFile', { name: label })} icon="x" size="small" onPress={onCancel} />
        )}
      </div>
      {progress !== null && <ProgressBar label={label} value={progress} state={state} />}
      {progress !== null && (
        <div className={styles['line']}>
          <StateMark state={state} small>
            {word}
          </StateMark>
          {!failed && <span className={styles['facts']}>{facts}</span>}
        </div>
      )}
      {failed && <p className={styles['problem']}>{problem}</p>}
    </li>
  )
}
