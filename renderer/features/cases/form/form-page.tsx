import { type ReactNode, useEffect } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Problem } from '../problem.tsx'
import { CaseFields } from './case-fields.tsx'
import styles from './form.module.css'
import type { CaseForm } from './use-case-form.ts'

interface FormPageProps {
  readonly title: string
  readonly form: CaseForm
  readonly mayDepartment: boolean
  /** What Save is called: *Make the case*. */
  readonly save: string
  readonly busy: boolean
  readonly error: Error | null
  /** What did not happen. */
  readonly errorTitle: string
  readonly onSave: () => void
  /** Thrown away, with a way back. */
  readonly onLeave: () => void
  /** Left undone: what was typed before the reload. */
  readonly onBegin: () => void
  readonly children?: ReactNode
}

/** A case being typed. Save stands at the foot and never scrolls away; nothing typed is lost before it. */
export function FormPage(props: FormPageProps) {
  const { title, form, mayDepartment, save, busy, error, errorTitle, onSave, onLeave, onBegin, children } = props
  const { t } = useTranslation('cases')
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
  return (
    <form
      className={styles['page']}
      noValidate
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.requestSubmit()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && form.check()) onSave()
      }}
    >
      <header className={styles['head']}>
        <h1 className={styles['title']}>
          <bdi>{title}</bdi>
        </h1>
      </header>
      <div className={styles['body']}>
        {form.restored && form.changed && (
          <div className={styles['note']}>
            <Note
              title={t('restoredTitle')}
              action={
                <Button size="small" onPress={onBegin}>
                  {t('restoredDrop')}
                </Button>
              }
            >
              {t('restoredBody')}
            </Note>
          </div>
        )}
        <CaseFields form={form} mayDepartment={mayDepartment} />
      </div>
      <footer className={styles['foot']} data-region>
        <div className={styles['said']} aria-live="polite">
          {error !== null ? (
            <Problem error={error} title={errorTitle} />
          ) : Object.keys(form.wrong).length > 0 ? (
            <Note state="attention" title={t('wrongTitle', { count: Object.keys(form.wrong).length })}>
              {t('wrongBody')}
            </Note>
          ) : null}
        </div>
        <Button onPress={onLeave}>{t('cancel')}</Button>
        <Button kind="main" type="submit" busy={busy}>
          {save}
        </Button>
      </footer>
      {children}
    </form>
  )
}
