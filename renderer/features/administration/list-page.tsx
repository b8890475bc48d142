import { type ReactNode, useEffect } from 'react'
import { Button } from '../../ui/button/button.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/table.tsx'
import styles from './list.module.css'
import { Problem } from './problem.tsx'

interface ListPageProps<Row> {
  readonly title: string
  /** One sentence beside the title. */
  readonly lead?: string | undefined
  readonly columns: readonly Column<Row>[]
  /** null before the first answer. */
  readonly rows: readonly Row[] | null
  /** More of them are at the station than are here. */
  readonly more?: boolean | undefined
  readonly onMore?: (() => void) | undefined
  readonly keyOf: (row: Row) => string
  readonly onOpen?: ((row: Row) => void) | undefined
  readonly error: Error | null
  readonly onRetry: () => void
  readonly empty: ReactNode
  /** The one main act of the page. */
  readonly make?: { readonly label: string; readonly onPress: () => void } | undefined
  /** Beside the main act: what is done with the list as a whole. */
  readonly tools?: ReactNode
  readonly filters?: ReactNode
  /** The panel beside it. */
  readonly children?: ReactNode
}

/** Rows that are known to come and are not here yet. */
const AHEAD = 10

/** A list, and beside it the one that is open. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, lead, columns, rows, more = false, onMore, keyOf, onOpen, error, onRetry, make, children } = props
  usePageTitle(title)
  const length = rows?.length ?? 0
  return (
    <div className={styles['page']}>
      <div className={styles['list']}>
        <header className={styles['head']}>
          <h1 className={styles['title']}>{title}</h1>
          {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
          {(make !== undefined || props.tools !== undefined) && (
            <div className={styles['acts']}>
              {props.tools}
              {make !== undefined && (
                <Button kind="main" icon="plus" onPress={make.onPress}>
                  {make.label}
                </Button>
              )}
            </div>
          )}
        </header>
        {props.filters !== undefined && <div className={styles['filters']}>{props.filters}</div>}
        {error !== null && (
          <div className={styles['note']}>
            <Problem error={error} onRetry={onRetry} />
          </div>
        )}
        {(error === null || rows !== null) && (
          <div className={styles['body']}>
            <DataTable
              label={title}
              columns={columns}
              total={rows === null ? null : length + (more ? AHEAD : 0)}
              rowAt={(index) => rows?.[index]}
              keyOf={keyOf}
              onWindow={(_first, last) => more && last >= length && onMore?.()}
              onOpen={onOpen}
              busy={rows === null}
              media
              empty={props.empty}
            />
          </div>
        )}
      </div>
      {children}
    </div>
  )
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
}
