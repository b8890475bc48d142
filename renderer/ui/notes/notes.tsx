import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button, IconButton, TextButton } from '../button/button.tsx'
import { useFormat } from '../format/use-format.tsx'
import { Note } from '../note/note.tsx'
import { type FindPeople, MentionArea } from './mention-area.tsx'
import styles from './notes.module.css'

export interface NoteItem {
  readonly id: string
  /** As it may be shown; line breaks stay. */
  readonly text: string
  /** As it was written, for changing it. */
  readonly source: string
  readonly author: string
  readonly atUtc: string
  /** How often it was changed. */
  readonly edits: number
  readonly changedUtc: string
  readonly mayChange: boolean
}

/** What a note said at a time. */
export interface NoteWas {
  readonly id: string
  readonly text: string
  readonly author: string
  readonly atUtc: string
}

export interface NotesThreadProps {
  readonly label: string
  /** Newest first. */
  readonly notes: readonly NoteItem[]
  /** Left out where nothing may be written. Rejects with what to say. @returns user names that were mentioned and not told */
  readonly onAdd?: ((text: string) => Promise<readonly string[]>) | undefined
  readonly onChange: (id: string, text: string) => Promise<readonly string[]>
  readonly findPeople?: FindPeople | undefined
  readonly onRemove: (id: string) => Promise<void>
  /** Newest first, the note as it is now among them. */
  readonly onEarlier: (id: string) => Promise<readonly NoteWas[]>
  readonly drafts?: NoteDrafts | undefined
  /** The longest note, in UTF-16 units. */
  readonly longest: number
}

/** What was typed and not sent yet; kept by the caller. */
export interface NoteDrafts {
  /** @param note its id, or `new` */
  readonly kept: (note: string) => string | undefined
  /** @param text undefined: sent or given up */
  readonly keep: (note: string, text: string | undefined) => void
}

const NEW = 'new'

/** Notes with author and time, newest first; what was changed says so and shows what it said before. */
export function NotesThread({ label, notes, onAdd, ...acts }: NotesThreadProps) {
  const { t } = useTranslation('uiLater')
  const root = useRef<HTMLDivElement>(null)
  const [notTold, setNotTold] = useState<readonly string[]>([])
  /** Once it was drawn again: the focus is never lost when a form or a note goes. */
  const focus = (selector: string): void => {
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(selector)?.focus())
  }
  return (
    <div ref={root} className={styles['notes']}>
      {onAdd !== undefined && (
        <Writing
          name={NEW}
          drafts={acts.drafts}
          longest={acts.longest}
          findPeople={acts.findPeople}
          onSave={(text) => onAdd(text).then(setNotTold)}
        />
      )}
      {notTold.length > 0 && (
        <Note state="attention" title={t('mentionNotTold', { names: notTold.map((name) => `@${name}`).join(', ') })}>
          {t('mentionNotToldBody')}
        </Note>
      )}
      {notes.length > 0 && (
        <ol className={styles['list']} aria-label={label}>
          {notes.map((note) => (
            <li key={note.id} className={styles['note']} data-note={note.id}>
              <One
                note={note}
                {...acts}
                onNotTold={setNotTold}
                onRead={() => focus(`[data-note='${CSS.escape(note.id)}'] button`)}
                onGone={() => focus('textarea, button')}
              />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** Ctrl Enter saves, Esc gives up a change; what was typed stays while it could not be saved. */
function Writing({
  name,
  drafts,
  longest,
  before,
  findPeople,
  onSave,
  onCancel,
}: {
  /** Of its draft. */
  readonly name: string
  readonly drafts: NoteDrafts | undefined
  readonly longest: number
  readonly before?: string
  readonly findPeople: FindPeople | undefined
  readonly onSave: (text: string) => Promise<void>
  readonly onCancel?: () => void
}) {
  const { t } = useTranslation('uiLater')
  const ui = useTranslation('ui')
  const [kept] = useState(() => drafts?.kept(name))
  const [text, setText] = useState(kept ?? before ?? '')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const ready = text.trim() !== '' && text !== before
  const save = (): void => {
    if (!ready || busy) return
    setBusy(true)
    setError(null)
    onSave(text)
      .then(
        () => {
          drafts?.keep(name, undefined)
          if (before === undefined) setText('')
        },
        (reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)),
      )
      .finally(() => setBusy(false))
  }
  const cancel = (): void => {
    drafts?.keep(name, undefined)
    onCancel?.()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
    else if (event.key === 'Escape' && onCancel !== undefined) cancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field inside it
    <div className={styles['form']} onKeyDown={onKeyDown}>
      <MentionArea
        findPeople={findPeople}
        label={t(before === undefined ? 'noteNew' : 'noteChange')}
        hideLabel={before !== undefined}
        value={text}
        onChange={(next) => {
          setText(next)
          drafts?.keep(name, next === (before ?? '') ? undefined : next)
        }}
        maxLength={longest}
        rows={before === undefined ? 2 : 4}
        autoFocus={before !== undefined && kept === undefined}
      />
      {error !== null && (
        <Note state="attention" title={t('noteFailed')}>
          {error}
        </Note>
      )}
      {(before !== undefined || text !== '') && (
        <div className={styles['acts']}>
          {onCancel !== undefined && (
            <Button size="small" kind="quiet" onPress={cancel}>
              {ui.t('cancel')}
            </Button>
          )}
          <Button size="small" busy={busy} keys="Ctrl Enter" onPress={save} why={ready ? undefined : t('noteNothing')}>
            {t(before === undefined ? 'noteAdd' : 'noteSave')}
          </Button>
        </div>
      )}
    </div>
  )
}

function One({
  note,
  drafts,
  longest,
  findPeople,
  onNotTold,
  onChange,
  onRemove,
  onEarlier,
  onRead,
  onGone,
}: {
  readonly note: NoteItem
  readonly onNotTold: (names: readonly string[]) => void
  readonly onRead: () => void
  readonly onGone: () => void
} & Omit<NotesThreadProps, 'label' | 'notes' | 'onAdd'>) {
  const { t } = useTranslation('uiLater')
  const format = useFormat()
  const [face, setFace] = useState<'read' | 'change' | 'remove'>(() =>
    note.mayChange && drafts?.kept(note.id) !== undefined ? 'change' : 'read',
  )
  const [earlier, setEarlier] = useState<readonly NoteWas[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  const tried = (work: Promise<unknown>): void => {
    setError(null)
    work.catch((reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)))
  }
  const by = { author: note.author }
  return (
    <>
      <div className={styles['head']}>
        <bdi className={styles['author']}>{note.author}</bdi>
        <time className={styles['time']} dateTime={note.atUtc} title={format.instant(note.atUtc, { zone: true })}>
          {format.instant(note.atUtc, { precision: 'minute' })}
        </time>
        {note.mayChange && face === 'read' && (
          <>
            <IconButton icon="edit" size="small" label={t('noteEditOf', by)} onPress={() => setFace('change')} />
            <IconButton icon="trash" size="small" label={t('noteRemoveOf', by)} onPress={() => setFace('remove')} />
          </>
        )}
      </div>
      {face === 'change' ? (
        <Writing
          name={note.id}
          drafts={drafts}
          longest={longest}
          before={note.source}
          findPeople={findPeople}
          onCancel={() => {
            setFace('read')
            onRead()
          }}
          onSave={async (text) => {
            onNotTold(await onChange(note.id, text))
            setFace('read')
            setEarlier(null)
            onRead()
          }}
        />
      ) : (
        <p className={styles['text']} dir="auto">
          {note.text}
        </p>
      )}
      {face === 'remove' && (
        <Note
          title={t('noteRemoveAsk')}
          action={
            <>
              <Button
                size="small"
                kind="quiet"
                autoFocus
                onPress={() => {
                  setFace('read')
                  onRead()
                }}
              >
                {t('noteKeep')}
              </Button>
              <Button size="small" kind="danger" onPress={() => tried(onRemove(note.id).then(onGone))}>
                {t('noteRemove')}
              </Button>
            </>
          }
        >
          {t('noteRemoveBody')}
        </Note>
      )}
      {error !== null && (
        <Note state="attention" title={t('noteFailed')}>
          {error}
        </Note>
      )}
      {note.edits > 0 && face !== 'change' && (
        <p className={styles['foot']}>
          {t('noteEdited', { count: note.edits, time: format.instant(note.changedUtc, { precision: 'minute' }) })}{' '}
          <TextButton
            label={t(earlier === null ? 'noteEarlierOf' : 'noteEarlierHideOf', by)}
            onPress={() => {
              if (earlier === null) tried(onEarlier(note.id).then(setEarlier))
              else setEarlier(null)
            }}
          >
            {t(earlier === null ? 'noteEarlier' : 'noteEarlierHide')}
          </TextButton>
        </p>
      )}
      {earlier !== null && (
        <ol className={styles['earlier']} aria-label={t('noteEarlierOf', by)}>
          {earlier.slice(1).map((was) => (
            <li key={was.id}>
              <span className={styles['foot']}>
                {was.author} · {format.instant(was.atUtc, { precision: 'minute' })}
              </span>
              <span className={styles['was']} dir="auto">
                {was.text}
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
