import { useJobReasons } from '../../../../client/job-reasons.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { LinkButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { ProgressBar } from '../../../../ui/progress/progress.tsx'
import { StateMark } from '../../../../ui/state/state.tsx'
import type { Resource } from '../queries.ts'
import { visible } from '../text/visible.ts'
import type { ShownStatus } from '../use-status.ts'
import styles from './stage.module.css'
import { makingWords, type Work } from './work.ts'

interface CardProps {
  readonly resource: Resource
  /** Of this file, in the words of the whole station. */
  readonly status: ShownStatus
  /** One sentence of fact. */
  readonly title: string
  readonly children?: ReactNode
  /** Address of the original; null where it may not be handed out. */
  readonly download: string | null
  readonly thumbnail?: string | undefined
}

/** Where a picture would be: what this is, why it is not shown, what can be done. */
export function Card({ resource, status, title, children, download, thumbnail }: CardProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { Name, MimeType, LengthInBytes } = resource
  return (
    <div className={styles['stage']}>
      <div className={styles['card']} data-card>
        {thumbnail !== undefined && <img className={styles['thumbnail']} src={thumbnail} alt="" />}
        <div className={styles['words']}>
          <StateMark state={status.state}>{status.word}</StateMark>
          <h2 className={styles['title']}>{title}</h2>
          <p className={styles['facts']}>
            <bdi>{visible(Name)}</bdi>
            {' · '}
            <bdi>{visible(MimeType)}</bdi>
            {LengthInBytes !== null && (
              <span title={format.exactBytes(LengthInBytes)}> · {format.bytes(LengthInBytes)}</span>
            )}
          </p>
          {children}
          {download !== null && (
            <div>
              <LinkButton href={download} icon="download" download>
                {t('downloadOriginal')}
              </LinkButton>
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

/** Goes on by itself, and says how far it is and what it waits for. */
export function WorkCard({
  work,
  ...props
}: Pick<CardProps, 'resource' | 'status' | 'download' | 'thumbnail'> & { readonly work: Work }) {
  const { t } = useTranslation('evidencePage')
  const say = useJobReasons()
  const making = makingWords(work.kind, t)
  const share = work.progress
  return (
    <Card {...props} title={making}>
      {work.state === 'running' && <ProgressBar label={making} value={share === null ? null : share * 100} />}
      {work.message !== '' && <p>{say(work.message)}</p>}
      {work.state === 'queued' && work.message === '' && <p>{t('workQueued')}</p>}
      <p className={styles['facts']}>{t('workChanges')}</p>
    </Card>
  )
}
