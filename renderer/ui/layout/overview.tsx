import { type ReactNode, useId } from 'react'
import { cx } from '../given.ts'
import styles from './overview.module.css'
import { useDocumentTitle } from './page-frame.tsx'

interface OverviewProps {
  readonly title: string
  readonly children: ReactNode
}

/** A page about one part of the station, which scrolls whole: how it stands, key figures, and two halves with a section for each matter. */
export function Overview({ title, children }: OverviewProps) {
  useDocumentTitle(title)
  return <div className={styles['page']}>{children}</div>
}

interface OverviewHeadProps {
  readonly title: string
  /** How it stands, beside the title. */
  readonly standing?: ReactNode
  /** At the end of the line. */
  readonly acts?: ReactNode
  /** What the page is for. */
  readonly lead: string
  /** Below: what went wrong, dialogs. */
  readonly children?: ReactNode
}

export function OverviewHead({ title, standing, acts, lead, children }: OverviewHeadProps) {
  return (
    <header className={styles['head']}>
      <div className={styles['headline']}>
        <h1 className={styles['title']}>{title}</h1>
        {standing}
        <div className={styles['acts']}>{acts}</div>
      </div>
      <p className={styles['lead']}>{lead}</p>
      {children}
    </header>
  )
}

interface KeyFiguresProps {
  /** The first is wider than the others. */
  readonly firstWide?: boolean
  /** Four `KeyFigure`. */
  readonly children: ReactNode
}

export function KeyFigures({ firstWide = false, children }: KeyFiguresProps) {
  return <dl className={cx(styles['figures'], firstWide && styles['firstWide'])}>{children}</dl>
}

interface KeyFigureProps {
  readonly label: string
  readonly value: string
  /** Said of the value by its tooltip. */
  readonly title?: string | undefined
  /** It needs somebody. */
  readonly late?: boolean
  /** What the value rests on. */
  readonly children?: ReactNode
}

export function KeyFigure({ label, value, title, late = false, children }: KeyFigureProps) {
  return (
    <div className={styles['figure']}>
      <dt>{label}</dt>
      <dd>
        <span className={styles['value']} title={title} data-late={late || undefined}>
          {value}
        </span>
        <span className={styles['second']}>{children}</span>
      </dd>
    </div>
  )
}

/** Two halves beside each other, below each other where there is little room. */
export function Halves({ left, right }: { readonly left: ReactNode; readonly right: ReactNode }) {
  return (
    <div className={styles['halves']}>
      <div className={styles['half']}>{left}</div>
      <div className={styles['half']}>{right}</div>
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly lead?: string
  /** Beside the heading. */
  readonly act?: ReactNode
  readonly children: ReactNode
}

/** One matter under its heading. */
export function Section({ title, lead, act, children }: SectionProps) {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <SectionHead id={id} title={title} lead={lead} act={act} />
      {children}
    </section>
  )
}

interface FormSectionProps extends Omit<SectionProps, 'act'> {
  readonly onSubmit: () => void
}

/** A matter that is filled in. */
export function FormSection({ title, lead, onSubmit, children }: FormSectionProps) {
  const id = useId()
  return (
    <form
      className={styles['form']}
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <SectionHead id={id} title={title} lead={lead} />
      {children}
    </form>
  )
}

interface SectionHeadProps {
  readonly id: string
  readonly title: string
  readonly lead?: string | undefined
  readonly act?: ReactNode
}

function SectionHead({ id, title, lead, act }: SectionHeadProps) {
  return (
    <>
      <div className={styles['sectionHead']}>
        <h2 id={id} className={styles['heading']}>
          {title}
        </h2>
        {act}
      </div>
      {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
    </>
  )
}
