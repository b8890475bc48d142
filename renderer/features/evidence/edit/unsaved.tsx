import { useTranslation } from '../../../client/translate.ts'
import { useOfferCommands } from '../../../client/page-commands.ts'
import { useSession } from '../../../client/session.tsx'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { isTyped, keepDrafts, keptDrafts } from './drafts.ts'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import { useFields } from './fields.ts'
import type { Part } from './parts.ts'

interface PlaceProps {
  /** Whether the details are what is shown of the panel. */
  readonly inDetails: boolean
  readonly onShow: () => void
}

const FIELD = ':is(input, textarea, [role="spinbutton"], button)'

function focusField(part: Part): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-editing="${CSS.escape(part)}"] ${FIELD}`)?.focus(),
  )
}

const focusedPart = (): Part | null =>
  (document.activeElement?.closest('[data-edit]')?.getAttribute('data-edit') ?? null) as Part | null

/** E opens the name or the value that has the focus, T the field for a tag; and what is open where nobody sees it is said. */
export function EditKeys({ inDetails, onShow }: PlaceProps) {
  const { t } = useTranslation('evidencePage')
  const { may, drafts, fields, begin } = useEditing()
  const open = (part: Part): void => {
    if (part !== 'Tags') onShow()
    begin(part, part === 'Tags' ? 'head' : 'details')
    if (drafts.has(part)) focusField(part)
  }
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  const commands = useMemo(() => {
    if (!may) return []
    // The palette gives the focus back to where it came from before a field can take it.
    const after = (part: Part) => (): void => void setTimeout(() => latest.current(part))
    return [
      { id: 'edit', label: t('editCommand'), icon: 'edit' as const, keys: 'E', onRun: after('Name') },
      { id: 'tag', label: t('tagAdd'), icon: 'tag' as const, keys: 'T', onRun: after('Tags') },
    ]
  }, [may, t])
  useOfferCommands(commands)
  useShortcuts({
    e: may ? () => open(focusedPart() ?? 'Name') : undefined,
    t: may ? () => open('Tags') : undefined,
  })
  const hidden = [...drafts.values()].filter((draft) => draft.place === 'details' && isTyped(draft))
  if (inDetails || hidden.length === 0) return null
  return (
    <div className={styles['unsaved']}>
      <Note
        state="attention"
        title={t('editUnsaved', { fields: hidden.map(({ part }) => fields.label(part)).join(', ') })}
        action={
          <Button size="small" onPress={onShow}>
            {t('editShow')}
          </Button>
        }
      />
    </div>
  )
}

/** Where the evidence cannot be shown any more: what this person typed into it, to copy. */
export function KeptTyping({ evidenceId }: { readonly evidenceId: string }) {
  const { t } = useTranslation('evidencePage')
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  const [drafts, setDrafts] = useState(() => keptDrafts(evidenceId, owner))
  const { label } = useFields()
  if (drafts.size === 0) return null
  const texts = [...drafts.values()].map(({ part, value }) => ({ part, name: label(part), value }))
  const copy = (): void =>
    void copyText(texts.map(({ name, value }) => `${name}: ${value}`).join('\n')).then((done) =>
      toasts.show({ text: t(done ? 'copied' : 'copyRefused') }),
    )
  const drop = (): void => {
    keepDrafts(evidenceId, owner, new Map())
    setDrafts(new Map())
  }
  return (
    <section className={styles['kept']} aria-label={t('editKeptTitle')}>
      <Note
        title={t('editKeptTitle')}
        action={
          <span className={styles['buttons']}>
            <Button size="small" icon="copy" onPress={copy}>
              {t('editKeptCopy')}
            </Button>
            <Button size="small" onPress={drop}>
              {t('editKeptDrop')}
            </Button>
          </span>
        }
      />
      {texts.map(({ part, name, value }) => (
        <TextArea key={part} label={name} value={value} onChange={() => undefined} rows={3} />
      ))}
    </section>
  )
}
