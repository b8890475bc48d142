import { useMemo } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { jobKindOf, labelOf, VIEW_KINDS, type ViewKind } from '../../../../../shared/media/derivations.ts'
import { EmptyState } from '../../../../ui/empty/empty.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Icon } from '../../../../ui/icon/icon.tsx'
import { Tree, type TreeNode } from '../../../../ui/tree/tree.tsx'
import type { Evidence, Resource } from '../queries.ts'
import { familyOf, isOriginal } from '../kinds.ts'
import { ResourceLine, titleOf } from './resource-line.tsx'
import styles from './resources.module.css'
import type { Checks } from './use-check.ts'

export interface ResourcesProps {
  readonly evidence: Evidence
  readonly resources: readonly Resource[]
  readonly chosen: Resource | null
  readonly onChoose: (resourceId: string) => void
  readonly checks: Checks
}

const VIEWS = 'views:'

/** What there is: every original, and under it what was made from it. */
export function Resources({ evidence, resources, chosen, onChoose, checks }: ResourcesProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const nodes = useMemo(() => {
    const node = (resource: Resource): TreeNode => {
      const children = [
        ...resources.filter(({ Parent }) => Parent === resource.ResourceId).map(node),
        ...viewsOf(resource).map((kind) => ({
          id: `${VIEWS}${kind}:${resource.ResourceId}`,
          label: t(labelOf(kind)),
          content: <ViewLine title={t(labelOf(kind))} />,
        })),
      ]
      return {
        id: resource.ResourceId,
        label: titleOf(resource, evidence, t, format),
        content: (
          <ResourceLine
            resource={resource}
            family={familyOf(resource, resources)}
            evidence={evidence}
            check={checks.of(resource.ResourceId)}
            onCheck={() => checks.begin(resource.ResourceId)}
          />
        ),
        ...(children.length === 0 ? {} : { children }),
      }
    }
    return resources.filter(isOriginal).map(node)
  }, [resources, evidence, checks, t, format])
  const originals = resources.filter(isOriginal).length
  const made = resources.length - originals
  return (
    <section className={styles['section']} aria-labelledby="what-there-is">
      <h2 id="what-there-is" className={styles['title']}>
        {t('whatThereIs')}{' '}
        <span className={styles['count']}>
          {t('originals', { count: originals, shown: format.count(originals) })}
          {made > 0 && `, ${t('made', { count: made, shown: format.count(made) })}`}
        </span>
      </h2>
      {resources.length === 0 ? (
        <EmptyState title={t('noFiles')}>{t('noFilesBody')}</EmptyState>
      ) : (
        <Tree
          label={t('whatThereIs')}
          nodes={nodes}
          selected={chosen?.ResourceId ?? null}
          onSelect={(id) => {
            if (!id.startsWith(VIEWS)) onChoose(id)
          }}
        />
      )}
    </section>
  )
}

/** For looking only: no file of the evidence, made again when it is missing. */
const viewsOf = ({ Processing }: Resource): readonly ViewKind[] =>
  VIEW_KINDS.filter((view) => Processing.some(({ Kind, State }) => Kind === jobKindOf(view) && State === 'done'))

function ViewLine({ title }: { readonly title: string }) {
  const { t } = useTranslation('evidencePage')
  return (
    <div className={styles['line']}>
      <div className={styles['head']}>
        <Icon name="audio" />
        <span className={styles['name']}>{title}</span>
        <span className={styles['kind']}>{t('derivedView')}</span>
      </div>
      <p className={styles['proof']}>
        <span className={styles['how']}>{t('rebuilt')}</span>
      </p>
    </div>
  )
}
