import { type FormEvent, useState } from 'react'
import { isSavedName, LONGEST_SAVED_NAME } from '../../../shared/search/contract.ts'
import { useTranslation } from '../../client/translate.ts'
import { Fault } from '../../client/api.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { Button, IconButton, ToggleButton } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Popover } from '../../ui/popover/popover.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { type Saved, useFound, useSaved } from './queries.ts'
import { questionOf, type SearchState, stateOf } from './search-state.ts'
import styles from './search.module.css'

interface Props {
  readonly search: SearchState
  /** Whether there is something to save. */
  readonly asked: boolean
  readonly show: (search: Partial<SearchState>) => void
}

/** One's own searches: shown again with a click, renamed and deleted in their place; what was deleted comes back with Undo. */
export function SavedMenu({ search, asked, show }: Props) {
  const { t } = useTranslation('search')
  const saved = useSaved()
  const found = useFound()
  const [naming, setNaming] = useState(false)
  const remove = async (one: Saved): Promise<void> => {
    try {
      await saved.remove(one)
      const again = () => saved.save(one.Name, one.Question as Record<string, unknown>)
      toasts.show({ text: t('savedDeleted', { name: visible(one.Name) }), undo: again })
    } catch (error) {
      toasts.problem(error)
    }
  }
  return (
    <>
      <Popover
        label={t('saved')}
        placement="bottom end"
        trigger={
          <Button icon="flag" kind="quiet">
            {t('saved')}
          </Button>
        }
      >
        {(close: () => void) => (
          <div className={styles['saved']}>
            {saved.list.length === 0 && (
              <div className={styles['savedNone']}>
                <p>
                  <b>{t('savedNone')}</b>
                </p>
                <p>{t('savedNoneBody')}</p>
              </div>
            )}
            {saved.list.map((one) => (
              <SavedLine
                key={one.SavedSearchId}
                one={one}
                onShow={() => {
                  show(stateOf(one.Question as Record<string, unknown>, found))
                  close()
                }}
                onRename={(name) => saved.rename(one, name)}
                onSubscribe={(on) =>
                  void saved
                    .subscribe(one, on)
                    .then(
                      () => toasts.show({ text: t(on ? 'subscribed' : 'unsubscribed', { name: visible(one.Name) }) }),
                      toasts.problem,
                    )
                }
                onRemove={() => void remove(one)}
              />
            ))}
            {asked && (
              <div className={styles['savedFoot']}>
                <Button
                  icon="plus"
                  size="small"
                  onPress={() => {
                    close()
                    setNaming(true)
                  }}
                >
                  {t('save')}
                </Button>
              </div>
            )}
          </div>
        )}
      </Popover>
      {naming && (
        <NameDialog
          start={search.q.trim()}
          onClose={() => setNaming(false)}
          onSave={async (name) => {
            const { Name } = await saved.save(name, questionOf(search, found))
            toasts.show({ text: t('savedNow', { name: visible(Name) }) })
          }}
        />
      )}
    </>
  )
}

interface LineProps {
  readonly one: Saved
  readonly onShow: () => void
  readonly onRename: (name: string) => Promise<unknown>
  readonly onSubscribe: (on: boolean) => void
  readonly onRemove: () => void
}

function SavedLine({ one, onShow, onRename, onSubscribe, onRemove }: LineProps) {
  const { t } = useTranslation('search')
  const [renaming, setRenaming] = useState(false)
  const name = visible(one.Name)
  if (renaming)
    return (
      <NameForm
        start={one.Name}
        onSave={async (next) => {
          await onRename(next)
          setRenaming(false)
        }}
      />
    )
  return (
    <div className={styles['savedLine']}>
      <Button kind="quiet" className={styles['savedName']} onPress={onShow}>
        <bdi>{name}</bdi>
      </Button>
      <ToggleButton
        size="small"
        icon="bell"
        on={one.Subscribed === true}
        onChange={onSubscribe}
        label={t('subscribe', { name })}
      />
      <IconButton size="small" icon="edit" label={t('rename', { name })} onPress={() => setRenaming(true)} />
      <IconButton size="small" icon="trash" label={t('deleteSaved', { name })} onPress={onRemove} />
    </div>
  )
}

/** Enter saves. What is wrong stands under the field. */
function useNaming(start: string, onSave: (name: string) => Promise<unknown>) {
  const { t } = useTranslation('search')
  const [name, setName] = useState(start)
  const wrong = useTextProblem(isSavedName, name, t('saveMissing'))
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault()
    if (wrong !== undefined) return setError(wrong)
    setBusy(true)
    try {
      await onSave(name.trim())
    } catch (problem) {
      setError(problem instanceof Fault && problem.code === 'NameTaken' ? t('taken') : (problem as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const change = (next: string): void => {
    setName(next)
    setError(undefined)
  }
  return { name, change, error, busy, submit }
}

function NameForm({ start, onSave }: { readonly start: string; readonly onSave: (name: string) => Promise<unknown> }) {
  const { t } = useTranslation('search')
  const { name, change, error, busy, submit } = useNaming(start, onSave)
  return (
    <form className={styles['savedLine']} onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('saveName')}
        hideLabel
        autoFocus
        className={styles['savedField']}
        maxLength={LONGEST_SAVED_NAME}
        value={name}
        onChange={change}
        error={error}
      />
      <Button size="small" type="submit" busy={busy}>
        {t('saveNow')}
      </Button>
    </form>
  )
}

interface NameDialogProps {
  readonly start: string
  readonly onSave: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

function NameDialog({ start, onSave, onClose }: NameDialogProps) {
  const { t } = useTranslation('search')
  const { name, change, error, busy, submit } = useNaming(start.slice(0, LONGEST_SAVED_NAME), async (next) => {
    await onSave(next)
    onClose()
  })
  return (
    <Dialog
      title={t('save')}
      size="small"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="main" busy={busy} onPress={() => void submit()}>
            {t('saveNow')}
          </Button>
        </>
      }
    >
      <form onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('saveName')}
          description={t('saveHow')}
          autoFocus
          maxLength={LONGEST_SAVED_NAME}
          value={name}
          onChange={change}
          error={error}
        />
      </form>
    </Dialog>
  )
}
