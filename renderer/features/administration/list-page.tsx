import { type ReactNode, useEffect } from 'react'
import { type Pages, windowOf } from '../../client/pages.ts'
import { Button } from '../../ui/button/button.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/table.tsx'
import styles from './list.module.css'
import { Problem } from './problem.tsx'
import type { Asked } from './queries.ts'

interface ListPageProps<Row> {
  readonly title: string
  /** One sentence beside the title. */
  readonly lead?: string | undefined
  readonly columns: readonly Column<Row>[]
  /** It comes whole, or page after page as it comes in sight. */
  readonly list: Asked<Row> | Pages<Row>
  readonly keyOf: (row: Row) => string
  readonly onOpen?: ((row: Row) => void) | undefined
  readonly empty: ReactNode
  /** The one main act of the page. */
  readonly make?: { readonly label: string; readonly onPress: () => void } | undefined
  /** Beside the main act: what is done with the list as a whole. */
  readonly tools?: ReactNode
  readonly filters?: ReactNode
  /** The panel beside it. */
  readonly children?: ReactNode
}

/** A list, and beside it the one that is open. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, lead, columns, list, keyOf, onOpen, make, children } = props
  const { rows, error, retry } = list
  usePageTitle(title)
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
            <Problem error={error} onRetry={retry} />
          </div>
        )}
        {(error === null || rows !== null) && (
          <div className={styles['body']}>
            <DataTable
              label={title}
              columns={columns}
              {...windowOf(list)}
              keyOf={keyOf}
              onOpen={onOpen}
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
