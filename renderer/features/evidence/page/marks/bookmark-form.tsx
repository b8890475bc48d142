import { type KeyboardEvent, useEffect, useState } from 'react'
import { type Translate, useTranslation } from '../../../../client/translate.ts'
import { LONGEST_TEXT, LONGEST_TITLE, UpdateBookmarkModel } from '../../../../../shared/evidence/bookmarks.contract.ts'
import { Fault } from '../../../../client/api.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../../ui/field/field.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Note } from '../../../../ui/note/note.tsx'
import { Select } from '../../../../ui/select/select.tsx'
import { placeText } from '../player/marks.ts'
import { useShownPlayer } from '../player/shown-player.ts'
import { Problem } from '../stage/problem.tsx'
import { visible } from '../text/visible.ts'
import { useBookmarkDraft } from './bookmark-draft.ts'
import { type Bookmark, type BookmarkState, givenOf, SHAPES, STATE_WORDS, useBookmarkActs } from './bookmarks.ts'
import styles from './marks.module.css'

const NONE = 'none'
const STATES = ['ok', 'waiting', 'attention', 'danger'] as const satisfies readonly NonNullable<BookmarkState>[]

/** Changes a bookmark in its place in the list: never over what is played. Nothing typed is lost while it could not be saved. */
export function BookmarkForm({ bookmark, onDone }: { readonly bookmark: Bookmark; readonly onDone: () => void }) {
  const { t } = useTranslation('evidencePage')
  const { t: ui } = useTranslation('ui')
  const format = useFormat()
  const player = useShownPlayer()
  const acts = useBookmarkActs(bookmark.EvidenceId)
  const draft = useBookmarkDraft(bookmark.EvidenceId)
  const [kept] = useState(() => draft.kept(bookmark.BookmarkId))
  const [given, setGiven] = useState(() => kept?.given ?? givenOf(bookmark))
  // What was read when it was opened: the list goes on changing behind it.
  const [read, setRead] = useState(kept?.read ?? bookmark)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const sent = { ...given, Title: given.Title.trim(), Text: (given.Text ?? '').trim() === '' ? null : given.Text }
  const stored = (name: 'Title' | 'Text'): boolean => UpdateBookmarkModel.shape[name].safeParse(sent[name]).success
  const titleWrong = sent.Title === '' ? t('bookmarkTitleNeeded') : stored('Title') ? undefined : ui('notStorable')
  const textWrong = stored('Text') ? undefined : ui('notStorable')
  const wrong = titleWrong ?? textWrong
  const stale = error instanceof Fault && error.code === 'ConcurrentWritingError'
  const changed = JSON.stringify(given) !== JSON.stringify(givenOf(read))
  useEffect(() => draft.keep(changed ? { given, read } : null), [draft, changed, given, read])
  // Saved or given up: nothing of it is kept.
  const closed = (): void => {
    draft.keep(null)
    onDone()
  }
  const save = (over: Pick<Bookmark, 'BookmarkId' | 'ConcurrencyId'>): void => {
    if (wrong !== undefined || busy) return
    setBusy(true)
    setError(null)
    acts
      .change(over, sent)
      .then(closed, (reason: Error) => {
        setError(reason)
        void acts.refresh()
      })
      .finally(() => setBusy(false))
  }
  const at = (): number => Number(placeText(player?.place() ?? 0))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(read)
    else if (event.key === 'Escape') closed()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles['form']} role="group" aria-label={t('bookmarkChange')} onKeyDown={onKeyDown}>
      <TextField
        label={t('bookmarkTitle')}
        value={given.Title}
        onChange={(Title) => setGiven({ ...given, Title })}
        maxLength={LONGEST_TITLE}
        required
        autoFocus
        error={titleWrong}
      />
      <TextArea
        label={t('bookmarkText')}
        value={given.Text ?? ''}
        onChange={(Text) => setGiven({ ...given, Text })}
        maxLength={LONGEST_TEXT}
        error={textWrong}
      />
      <Select
        label={t('bookmarkState')}
        value={given.State ?? NONE}
        onChange={(state) => setGiven({ ...given, State: state === NONE ? null : state })}
        options={[
          { id: NONE, label: t('bookmarkPlain'), icon: 'flag' },
          ...STATES.map((id) => ({ id, label: t(STATE_WORDS[id]), icon: SHAPES[id] })),
        ]}
      />
      <div className={styles['places']}>
        <span className={styles['place']}>{placeWords(given, format.position, t)}</span>
        {player !== null && (
          <>
            <Button
              size="small"
              kind="quiet"
              onPress={() => {
                const start = at()
                const end = given.EndSeconds ?? null
                setGiven({ ...given, StartSeconds: start, EndSeconds: end !== null && end > start ? end : null })
              }}
            >
              {t('bookmarkBeginHere')}
            </Button>
            <Button
              size="small"
              kind="quiet"
              onPress={() => {
                const end = at()
                setGiven({ ...given, EndSeconds: end > given.StartSeconds ? end : null })
              }}
            >
              {t('bookmarkEndHere')}
            </Button>
          </>
        )}
      </div>
      {stale ? (
        <Stale now={bookmark} onTheirs={closed} onMine={() => save(bookmark)} onRead={() => setRead(bookmark)} />
      ) : (
        error !== null && <Problem error={error} title={t('bookmarkNotSaved')} />
      )}
      <div className={styles['saves']}>
        <Button size="small" kind="quiet" onPress={closed}>
          {t('bookmarkCancel')}
        </Button>
        {!stale && (
          <Button size="small" kind="main" busy={busy} keys="Ctrl Enter" onPress={() => save(read)} why={wrong}>
            {t('bookmarkSave')}
          </Button>
        )}
      </div>
    </div>
  )
}

interface StaleProps {
  readonly now: Bookmark
  readonly onTheirs: () => void
  readonly onMine: () => void
  readonly onRead: () => void
}

/** Somebody saved first: both are in sight, and which one stays is a choice. */
function Stale({ now, onTheirs, onMine, onRead }: StaleProps) {
  const { t } = useTranslation('evidencePage')
  return (
    <Note
      state="attention"
      title={t('bookmarkStale', { by: visible(now.ModifiedBy.Username) })}
      action={
        <>
          <Button size="small" onPress={onTheirs}>
            {t('bookmarkTheirs')}
          </Button>
          <Button
            size="small"
            onPress={() => {
              onRead()
              onMine()
            }}
          >
            {t('bookmarkMine')}
          </Button>
        </>
      }
    >
      {t('bookmarkNow', { title: visible(now.Title) })}
    </Note>
  )
}

type Words = Translate<'evidencePage'>

/** Where it is, in the recording's own time. */
export function placeWords(
  { StartSeconds, EndSeconds }: { readonly StartSeconds: number; readonly EndSeconds?: number | null | undefined },
  position: (seconds: number) => string,
  t: Words,
): string {
  return EndSeconds === null || EndSeconds === undefined
    ? position(StartSeconds)
    : t('bookmarkRange', { from: position(StartSeconds), to: position(EndSeconds) })
}
