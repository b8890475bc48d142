/** What a notice that came just now does beside the bell: a line over the page for what is urgent, and the system's own for what was chosen. */
import { isNoticeKind, NOTICES, ruleOf } from '../../../shared/notifications/rules.ts'
import type { Notice } from '../../client/notices.ts'
import { currentLanguage, translate } from '../../client/translate.ts'
import { toasts } from '../../ui/toast/toast.tsx'

type Go = (notice: Notice) => void

/** By the kind alone: it may be read on a screen that is locked, and by whoever passes. */
const nameless = (kind: string): string =>
  translate('notices', isNoticeKind(kind) ? `alert${NOTICES[kind].words}` : 'alertOther')

/** Long enough that every window of this browser has asked whether another one shows it. */
const HELD_MS = 5_000
let shown: number | null = null

/** @param fresh newest first */
export function alertOf(fresh: readonly Notice[], go: Go): void {
  const urgent = fresh.find(({ Kind }) => isNoticeKind(Kind) && ruleOf(Kind).urgent)
  if (urgent !== undefined) {
    // One line for all of them: the newest takes the place of the one before.
    if (shown !== null) toasts.close(shown)
    const label = translate('notices', 'show')
    shown = toasts.show({ text: nameless(urgent.Kind), act: { label, onAct: () => go(urgent) } })
  }
  // What gathers was told by the first of it. Whoever looks at the page sees the bell.
  const loud = fresh.find(({ System, Times }) => System && Times === 1)
  if (loud !== undefined && !(document.visibilityState === 'visible' && document.hasFocus()))
    void once(loud.NoticeId, () => tellSystem(loud, go))
}

/** By one of the windows that are open in this browser. */
async function once(id: string, tell: () => void): Promise<void> {
  await navigator.locks.request(`sallyport.notice.${id}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    tell()
    await new Promise((resolve) => setTimeout(resolve, HELD_MS))
  })
}

function tellSystem(notice: Notice, go: Go): void {
  const title = translate('notices', 'alertTitle')
  const body = nameless(notice.Kind)
  if (window.sallyport !== undefined) {
    // A computer without notifications still has the bell.
    void window.sallyport.notify({ title, body }).catch(() => {})
    return
  }
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    // One at a time: the next takes the place of this one.
    const note = new Notification(title, { body, tag: 'sallyport', lang: currentLanguage() })
    note.onclick = () => {
      window.focus()
      note.close()
      go(notice)
    }
  } catch {
    // Browsers of phones have the name and let no page use it so.
  }
}
