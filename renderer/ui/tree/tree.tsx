import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { Tree as Base, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { useTranslation } from '../../client/translate.ts'
import { given } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import styles from './tree.module.css'

export interface TreeNode {
  readonly id: string
  /** Plain text, for typing ahead and for readers. */
  readonly label: string
  /** What is drawn; the label when left out. May hold buttons, reached with →. */
  readonly content?: ReactNode
  readonly children?: readonly TreeNode[] | undefined
}

export interface TreeProps {
  readonly label: string
  readonly nodes: readonly TreeNode[]
  /** Ids of what is unfolded; left out, everything is and stays so. */
  readonly expanded?: readonly string[] | undefined
  readonly onExpanded?: ((ids: readonly string[]) => void) | undefined
  readonly selected?: string | null | undefined
  readonly onSelect?: ((id: string) => void) | undefined
}

const idsOf = (nodes: readonly TreeNode[]): string[] =>
  nodes.flatMap((node) => (node.children === undefined ? [] : [node.id, ...idsOf(node.children)]))

/** What comes from what. Arrows move, fold and unfold; → reaches the buttons of a line. */
export function Tree({ label, nodes, expanded, onExpanded, selected, onSelect }: TreeProps) {
  const foldable = onExpanded !== undefined
  return (
    <Base
      aria-label={label}
      className={styles['tree'] ?? ''}
      items={nodes}
      selectionMode={onSelect === undefined ? 'none' : 'single'}
      selectionBehavior="replace"
      disallowEmptySelection
      selectedKeys={selected === null || selected === undefined ? [] : [selected]}
      onSelectionChange={(keys) => {
        const [first] = keys === 'all' ? [] : [...keys]
        if (first !== undefined) onSelect?.(String(first))
      }}
      expandedKeys={expanded ?? idsOf(nodes)}
      {...given({
        onExpandedChange: foldable
          ? (keys: ReadonlySet<string | number>) => onExpanded([...keys].map(String))
          : undefined,
      })}
    >
      {(node) => <Node node={node} foldable={foldable} />}
    </Base>
  )
}

function Node({ node, foldable }: { readonly node: TreeNode; readonly foldable: boolean }) {
  const { t } = useTranslation('ui')
  return (
    <TreeItem id={node.id} textValue={node.label} className={styles['item'] ?? ''}>
      <TreeItemContent>
        {({ level, hasChildItems, isExpanded }) => (
          <div className={styles['line']} style={{ paddingInlineStart: `calc(var(--s-6) * ${level - 1})` }}>
            {level > 1 && <span className={styles['branch']} aria-hidden="true" />}
            {foldable && (
              <Button
                slot="chevron"
                className={styles['fold'] ?? ''}
                aria-label={t(isExpanded ? 'collapse' : 'expand', { name: node.label })}
                {...(hasChildItems ? {} : { isDisabled: true })}
              >
                {hasChildItems && <Icon name="chevron-right" size="small" />}
              </Button>
            )}
            <div className={styles['content']}>{node.content ?? node.label}</div>
          </div>
        )}
      </TreeItemContent>
      {node.children !== undefined && (
        <Collection items={node.children}>{(child) => <Node node={child} foldable={foldable} />}</Collection>
      )}
    </TreeItem>
  )
}
