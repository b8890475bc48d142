import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useMayChange } from '../../../../client/authored.ts'
import { Button, IconButton } from '../../../../ui/button/button.tsx'
import { EmptyState } from '../../../../ui/empty/empty.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Note } from '../../../../ui/note/note.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../../ui/state/state.tsx'
import { toasts } from '../../../../ui/toast/toast.tsx'
import type { Evidence, Resource } from '../queries.ts'
import type { ClockSource } from '../player/recorded.ts'
import { momentAt, shownTime } from '../player/recorded.ts'
import { useShownPlayer } from '../player/shown-player.ts'
import type { ViewState } from '../search-state.ts'
import { Problem } from '../stage/problem.tsx'
import { visible, written } from '../text/visible.ts'
import { BookmarkForm, placeWords } from './bookmark-form.tsx'
import { useBookmarkDraft } from './bookmark-draft.ts'
import { type Bookmark, STATE_WORDS, useBookmarkActs, useBookmarks } from './bookmarks.ts'
import styles from './marks.module.css'
import { useMarking } from './use-marking.ts'

interface MarksProps {
  readonly evidence: Evidence
  readonly resources: readonly Resource[]
  /** The original that is played. */
  readonly original: Resource
  readonly clock: ClockSource
  readonly view: ViewState
  /** To a place in another recording of the evidence. */
  readonly onOpen: (resourceId: string, at: number) => void
}

/** The marks of the evidence beside its player, in the order of their places: jump, change, delete. */
export function Marks({ evidence, resources, original, clock, view, onOpen }: MarksProps) {
  const { t } = useTranslation('evidencePage')
  const { data: bookmarks, error, refetch } = useBookmarks(evidence.EvidenceId)
  const may = evidence.AccessorPermissions.includes('Edit')
  const player = useShownPlayer()
  const draft = useBookmarkDraft(evidence.EvidenceId)
  // What was typed before a reload is open again.
  const [changing, setChanging] = useState<string | null>(() => (may ? draft.open() : null))
  const rows = useRef<HTMLOListElement>(null)
  const go = (bookmark: Bookmark): void => {
    if (bookmark.ResourceId === original.ResourceId && player !== null) player.seek(bookmark.StartSeconds)
    else onOpen(bookmark.ResourceId, bookmark.StartSeconds)
  }
  if (bookmarks === undefined)
    return (
      <div className={styles['pad']}>
        {error === null ? <Skeleton lines={4} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </div>
    )
  return (
    <div className={styles['panel']}>
      <div className={styles['scroll']}>
        {bookmarks.length === 0 ? (
          <div className={styles['pad']}>
            <EmptyState title={t('bookmarksNone')}>{t(may ? 'bookmarksNoneDo' : 'bookmarksNoneBody')}</EmptyState>
          </div>
        ) : (
          <ol ref={rows} aria-label={t('bookmarks')} onKeyDown={moveBetween}>
            {bookmarks.map((bookmark, index) => (
              <li key={bookmark.BookmarkId} data-bookmark={bookmark.BookmarkId}>
                {changing === bookmark.BookmarkId ? (
                  <BookmarkForm
                    bookmark={bookmark}
                    onDone={() => {
                      setChanging(null)
                      focusOn(rows.current, bookmark.BookmarkId)
                    }}
                  />
                ) : (
                  <Item
                    bookmark={bookmark}
                    number={index + 1}
                    clock={clock}
                    of={nameElsewhere(bookmark, original, resources)}
                    permissions={evidence.AccessorPermissions}
                    onGo={() => go(bookmark)}
                    onChange={() => setChanging(bookmark.BookmarkId)}
                    onGone={() =>
                      focusOn(rows.current, (bookmarks[index + 1] ?? bookmarks[index - 1])?.BookmarkId ?? '')
                    }
                  />
                )}
              </li>
            ))}
          </ol>
        )}
      </div>
      {may && player !== null && <Making evidence={evidence} original={original} view={view} at={player.place} />}
    </div>
  )
}

/** Of a mark in another recording, what that one is called. */
function nameElsewhere({ ResourceId }: Bookmark, original: Resource, resources: readonly Resource[]): string | null {
  if (ResourceId === original.ResourceId) return null
  return resources.find((one) => one.ResourceId === ResourceId)?.Name ?? null
}

/** Once the list was drawn again: the focus is never lost when a row or a form goes. */
function focusOn(list: HTMLElement | null, bookmarkId: string): void {
  requestAnimationFrame(() =>
    list?.querySelector<HTMLElement>(`[data-bookmark='${CSS.escape(bookmarkId)}'] [data-go]`)?.focus(),
  )
}

/** Up and down go from mark to mark. */
function moveBetween(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || !(event.target instanceof HTMLElement) || !event.target.matches('[data-go]')) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-go]')]
  const next = all[all.indexOf(event.target) + by]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

interface MakingProps extends Pick<MarksProps, 'evidence' | 'original' | 'view'> {
  readonly at: () => number
}

function Making({ evidence, original, view: { from, to }, at }: MakingProps) {
  const { t } = useTranslation('evidencePage')
  const mark = useMarking(evidence.EvidenceId, original.ResourceId)
  return (
    <div className={styles['acts']}>
      <Button size="small" icon="flag" keys="M" onPress={() => mark(at())}>
        {t('bookmarkHere')}
      </Button>
      {from !== null && to !== null && (
        <Button size="small" kind="quiet" onPress={() => mark(from, to)}>
          {t('bookmarkInOut')}
        </Button>
      )}
    </div>
  )
}

interface ItemProps {
  readonly bookmark: Bookmark
  readonly number: number
  readonly clock: ClockSource
  readonly of: string | null
  readonly permissions: readonly string[]
  readonly onGo: () => void
  readonly onChange: () => void
  readonly onGone: () => void
}

function Item({ bookmark, number, clock, of, permissions, onGo, onChange, onGone }: ItemProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const mayChange = useMayChange(permissions)(bookmark)
  const title = visible(bookmark.Title)
  const time = of === null ? shownTime(momentAt(clock, bookmark.StartSeconds)) : null
  return (
    <div className={styles['item']}>
      <div className={styles['head']}>
        <span className={styles['number']} aria-hidden="true">
          {number}
        </span>
        <button type="button" className={styles['go']} data-go onClick={onGo}>
          <span className="unseen">{t('toMark', { number })}: </span>
          <bdi className={styles['title']}>{title}</bdi>
          <span className={styles['place']}>
            {placeWords(bookmark, format.position, t)}
            {time !== null && ` · ${format.timeOfDay(time, 'second')}`}
            {of !== null && ` · ${visible(of)}`}
          </span>
        </button>
        {mayChange && (
          <span className={styles['tools']}>
            <IconButton icon="edit" size="small" label={t('bookmarkChangeOf', { title })} onPress={onChange} />
            <Removing bookmark={bookmark} title={title} onGone={onGone} />
          </span>
        )}
      </div>
      <div className={styles['below']}>
        {bookmark.State !== null && (
          <StateMark state={bookmark.State} small>
            {t(STATE_WORDS[bookmark.State])}
          </StateMark>
        )}
        {bookmark.Text !== null && (
          <p className={styles['text']} dir="auto">
            {written(bookmark.Text)}
          </p>
        )}
        <p className={styles['who']}>
          {t('bookmarkBy', {
            by: visible(bookmark.Author.Username),
            time: format.instant(bookmark.CreatedUtc, { precision: 'minute' }),
          })}
          {bookmark.Edits > 0 &&
            ` · ${t('bookmarkEdited', {
              by: visible(bookmark.ModifiedBy.Username),
              time: format.instant(bookmark.ModifiedUtc, { precision: 'minute' }),
            })}`}
        </p>
      </div>
    </div>
  )
}

/** One's own goes at once and comes back by undo; another's asks first, since it would come back as one's own. */
function Removing({ bookmark, title, onGone }: Pick<ItemProps, 'bookmark' | 'onGone'> & { readonly title: string }) {
  const { t } = useTranslation('evidencePage')
  const own = useMayChange(['Edit'])(bookmark)
  const acts = useBookmarkActs(bookmark.EvidenceId)
  const [asking, setAsking] = useState(false)
  const remove = (): void => {
    const { ResourceId, StartSeconds, EndSeconds, Title, Text, State } = bookmark
    const again = { StartSeconds, EndSeconds, Title, Text, State }
    acts.remove(bookmark).then(
      () => {
        onGone()
        toasts.show({
          text: t('bookmarkDeleted', { title }),
          ...(own ? { undo: () => acts.add(ResourceId, again) } : {}),
        })
      },
      (error: unknown) => {
        toasts.problem(error)
        void acts.refresh()
      },
    )
  }
  if (asking)
    return (
      <Note
        title={t('bookmarkDeleteAsk', { by: visible(bookmark.Author.Username) })}
        action={
          <>
            <Button size="small" kind="quiet" autoFocus onPress={() => setAsking(false)}>
              {t('bookmarkKeep')}
            </Button>
            <Button size="small" kind="danger" onPress={remove}>
              {t('bookmarkDelete')}
            </Button>
          </>
        }
      />
    )
  return (
    <IconButton
      icon="trash"
      size="small"
      label={t('bookmarkDeleteOf', { title })}
      onPress={own ? remove : () => setAsking(true)}
    />
  )
}
