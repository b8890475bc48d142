import { useId } from 'react'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useEditing } from '../edit/editing.tsx'
import type { Part } from '../edit/parts.ts'
import { bringBack, dismissalKey, dismiss } from './dismissed.ts'
import styles from './suggested.module.css'
import { partOf, useSuggestions } from './use-suggestions.ts'
import { isOneOfTwo, type Suggestion, useSuggestionWords } from './suggestion-words.ts'

/** Quiet lines under a field: what may belong there, and where it comes from. */
export function Suggested({ part }: { readonly part: Part }) {
  const all = useSuggestions()
  const { drafts } = useEditing()
  const own = all.filter((one) => partOf(one) === part)
  const first = all.find((one) => !isOneOfTwo(one, all))
  if (own.length === 0 || drafts.has(part)) return null
  return (
    <dd className={styles['under']}>
      <ul className={styles['list']}>
        {own.map((one) => (
          <Line
            key={`${one.Source} ${one.Value}`}
            suggestion={one}
            isFirst={one === first}
            isOneOfTwo={isOneOfTwo(one, all)}
          />
        ))}
      </ul>
    </dd>
  )
}

interface LineProps {
  readonly suggestion: Suggestion
  readonly isFirst: boolean
  readonly isOneOfTwo: boolean
}

function Line({ suggestion, isFirst, isOneOfTwo: twice }: LineProps) {
  const { t } = useTranslation('evidenceSuggestions')
  const { session } = useSession()
  const { evidence, fields, busy, accept } = useEditing()
  const words = useSuggestionWords()
  const id = useId()
  const part = partOf(suggestion)
  const note = [words.note(suggestion), twice ? t('bothWays') : null].filter((one) => one !== null).join(' ')
  const use = (): void => {
    if (!busy.has(part)) accept(part, suggestion.Value, words.reason(suggestion))
  }
  const drop = (): void => {
    const key = dismissalKey(session.User?.PrincipalId ?? '', evidence.EvidenceId, suggestion)
    dismiss(key)
    toasts.show({ text: t('dismissed'), undo: () => bringBack(key) })
  }
  return (
    <li className={styles['line']}>
      {isFirst && <FirstKey onUse={use} />}
      <span className={styles['said']} id={id}>
        <span className="unseen">{t('useOf', { field: fields.label(part) })} </span>
        <bdi>{words.line(suggestion)}</bdi>
        {note !== '' && <span className={styles['note']}> {note}</span>}
      </span>
      <span className={styles['acts']}>
        <Button size="small" busy={busy.has(part)} keys={isFirst ? 'A' : undefined} aria-describedby={id} onPress={use}>
          {t('use')}
        </Button>
        <IconButton icon="x" kind="quiet" size="small" label={t('dismiss')} aria-describedby={id} onPress={drop} />
      </span>
    </li>
  )
}

/** A accepts the first suggestion of the page that leaves no choice. */
function FirstKey({ onUse }: { readonly onUse: () => void }) {
  useShortcuts({ a: onUse })
  return null
}
