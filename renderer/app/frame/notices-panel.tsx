import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { isNoticeKind, NOTICES } from '../../../shared/notifications/rules.ts'
import { useTranslation } from '../../client/translate.ts'
import type { useNotices } from '../../client/notices.ts'
import { type Notice, useSeeNotices } from '../../client/notices.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Icon, type IconName } from '../../ui/icon/icon.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { placeOf } from './notice-place.ts'
import { saidBy } from './notice-labels.ts'
import styles from './notices.module.css'

interface PanelProps {
  readonly answer: ReturnType<typeof useNotices>
  readonly unseen: number
  readonly close: () => void
}

/** What the notices say, newest first, by day. */
export default function NoticesPanel({ answer, unseen, close }: PanelProps) {
  const { t } = useTranslation('notices')
  const format = useFormat()
  const { see, seeUpTo } = useSeeNotices()
  const [failed, setFailed] = useState<Error | null>(null)
  const { rows, more, busy, onMore, error } = answer
  const mark = (marking: Promise<void>): void => {
    setFailed(null)
    void marking.catch((reason: Error) => setFailed(reason))
  }
  const problem = failed ?? (rows === null ? error : null)
  const newest = rows?.[0]?.NoticeId
  const days = Map.groupBy(rows ?? [], ({ CreatedUtc }) => format.day(CreatedUtc))
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{t('title')}</h2>
        {unseen > 0 && newest !== undefined && (
          <Button size="small" kind="quiet" icon="check" onPress={() => mark(seeUpTo(newest))}>
            {t('seeAll')}
          </Button>
        )}
      </div>
      {problem !== null && (
        <Note state="attention" title={t('failed')}>
          {problem.message}
        </Note>
      )}
      {rows === null ? (
        error === null && <Skeleton lines={3} />
      ) : rows.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyBody')}</EmptyState>
      ) : (
        <div className={styles['list']} tabIndex={0} role="group" aria-label={t('title')}>
          {[...days].map(([day, notices]) => (
            <Day key={day} name={dayName(format, day, t)}>
              {foldedRuns(notices).map((run) =>
                run.length === 1 ? (
                  run.map((notice) => (
                    <One
                      key={notice.NoticeId}
                      notice={notice}
                      onSee={() => mark(see([notice.NoticeId]))}
                      close={close}
                    />
                  ))
                ) : (
                  <Many key={run[0]?.NoticeId} notices={run} onSee={(ids) => mark(see(ids))} close={close} />
                ),
              )}
            </Day>
          ))}
          {more && (
            <div className={styles['foot']}>
              <Button size="small" busy={busy} onPress={onMore}>
                {t('older')}
              </Button>
            </div>
          )}
        </div>
      )}
      <Link to="/account" hash="notices" className={styles['choose']} onClick={close}>
        <Icon name="settings" size="small" />
        {t('choose')}
      </Link>
    </div>
  )
}

const DAY_MS = 86_400_000

function dayName(format: Format, day: string, t: (key: 'today' | 'yesterday') => string): string {
  if (day === format.day(Date.now())) return t('today')
  return day === format.day(Date.now() - DAY_MS) ? t('yesterday') : day
}

function Day({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles['day']}>
        {name}
      </h3>
      <ul>{children}</ul>
    </section>
  )
}

/** What is the same sentence many times over, and one act settles all of it. */
const FOLDED: ReadonlySet<string> = new Set(['cad.withoutDepartment'])

/** Of one day: those of a folded kind together, where the newest of them is; each other one by itself. */
function foldedRuns(notices: readonly Notice[]): readonly (readonly Notice[])[] {
  const runs: Notice[][] = []
  const folds = new Map<string, Notice[]>()
  for (const notice of notices) {
    const fold = folds.get(notice.Kind)
    if (fold !== undefined) {
      fold.push(notice)
      continue
    }
    const run = [notice]
    runs.push(run)
    if (FOLDED.has(notice.Kind)) folds.set(notice.Kind, run)
  }
  return runs
}

interface ManyProps {
  readonly notices: readonly Notice[]
  readonly onSee: (ids: readonly string[]) => void
  readonly close: () => void
}

/** How many, what settles them, and each of them on demand. */
function Many({ notices, onSee, close }: ManyProps) {
  const { t } = useTranslation('notices')
  const [open, setOpen] = useState(false)
  const unseen = notices.filter(({ SeenUtc }) => SeenUtc === null).map(({ NoticeId }) => NoticeId)
  const said = t('foldWithoutDepartment', { count: notices.length })
  return (
    <>
      <li className={styles['notice']} data-folded {...(unseen.length > 0 ? { 'data-unseen': '' } : {})}>
        <Icon name={iconOf(notices[0]?.Kind ?? '')} className={styles['icon'] ?? ''} />
        <span className={styles['what']}>
          {unseen.length > 0 && <span className="unseen">{t('new')} </span>}
          <b>{said}</b>
        </span>
        <span className={styles['message']}>{t('foldWithoutDepartmentBody')}</span>
        <span className={styles['when']}>
          <span className={styles['folded']}>
            <Link to="/administration/departments" onClick={close}>
              {t('chooseDepartment')}
            </Link>
            <Button size="small" kind="quiet" onPress={() => setOpen(!open)}>
              {open ? t('foldHide') : t('foldShow', { count: notices.length })}
            </Button>
          </span>
        </span>
        {unseen.length > 0 && (
          <span className={styles['seen']}>
            <IconButton icon="check" size="small" label={t('see', { name: said })} onPress={() => onSee(unseen)} />
          </span>
        )}
      </li>
      {open &&
        notices.map((notice) => (
          <One key={notice.NoticeId} notice={notice} onSee={() => onSee([notice.NoticeId])} close={close} />
        ))}
    </>
  )
}

const iconOf = (kind: string): IconName => (isNoticeKind(kind) ? NOTICES[kind].icon : 'bell')

interface OneProps {
  readonly notice: Notice
  readonly onSee: () => void
  readonly close: () => void
}

function One({ notice, onSee, close }: OneProps) {
  const { t } = useTranslation('notices')
  const format = useFormat()
  const unseen = notice.SeenUtc === null
  const { said, leads } = saidBy(notice, t)
  const place = placeOf(notice)
  const name = leads ?? (notice.Object.Name === null ? null : visible(notice.Object.Name))
  return (
    <li className={styles['notice']} data-kind={notice.Kind} {...(unseen ? { 'data-unseen': '' } : {})}>
      <Icon name={iconOf(notice.Kind)} className={styles['icon'] ?? ''} />
      <span className={styles['what']}>
        {unseen && <span className="unseen">{t('new')} </span>}
        {said}{' '}
        {place === null || name === null ? (
          (notice.Object.Type === 'case' || notice.Object.Type === 'evidence') && (
            <span className="muted">{t('gone')}</span>
          )
        ) : (
          <Link
            {...place}
            onClick={() => {
              if (unseen) onSee()
              close()
            }}
          >
            <bdi>{name}</bdi>
          </Link>
        )}
      </span>
      {notice.Message !== '' && (
        <span className={styles['message']} dir="auto">
          {visible(notice.Message)}
        </span>
      )}
      <span className={styles['when']}>
        <time dateTime={notice.CreatedUtc} title={format.instant(notice.CreatedUtc, { zone: true })}>
          {format.timeOfDay(notice.CreatedUtc)}
        </time>
        {notice.Times > 1 &&
          ` · ${t('times', { count: notice.Times, since: format.timeOrDay(notice.SinceUtc, notice.CreatedUtc) })}`}
      </span>
      {unseen && (
        <span className={styles['seen']}>
          <IconButton icon="check" size="small" label={t('see', { name: name ?? said })} onPress={onSee} />
        </span>
      )}
    </li>
  )
}
