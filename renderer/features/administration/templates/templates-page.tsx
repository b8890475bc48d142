import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/templates/contract.ts'
import { call } from '../../../client/api.ts'
import { Segments } from '../../../ui/segments/segments.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { useList } from '../queries.ts'
import list from '../list.module.css'
import { usePageTitle } from '../list-page.tsx'
import { Problem } from '../problem.tsx'
import { usePlace } from '../search-state.ts'
import type { Template } from './draft.ts'
import styles from './templates.module.css'

const TemplateForm = lazyOpened(async () => (await import('./template-form.tsx')).TemplateForm)

/** What the fields of cases and evidence are called at this station, which it has of its own, and how the form looks then. */
export function TemplatesPage() {
  const { t } = useTranslation('administration')
  const { search, change } = usePlace()
  const type = search.type ?? 'Case'
  const { rows, error, retry } = useList<Template>('templates', (tenantName, signal) =>
    call(contract.listTemplates, { params: { tenantName }, signal }),
  )
  usePageTitle(t('templates'))
  return (
    <div className={styles['page']}>
      <header className={list['head']}>
        <h1 className={list['title']}>{t('templates')}</h1>
        <p className={list['lead']}>{t('templatesLead')}</p>
        <div className={list['acts']}>
          <Segments
            label={t('templateOf')}
            value={type}
            onChange={(next) => change({ type: next })}
            segments={[
              { id: 'Case', label: t('ofCases'), icon: 'cases' },
              { id: 'Evidence', label: t('ofEvidence'), icon: 'evidence' },
            ]}
          />
        </div>
      </header>
      {error !== null && (
        <div className={list['note']}>
          <Problem error={error} onRetry={retry} />
        </div>
      )}
      {rows === null && error === null && (
        <div className={list['note']}>
          <Skeleton lines={8} />
        </div>
      )}
      {rows !== null && (
        <TemplateForm key={type} type={type} template={rows.find((one) => one.type === type) ?? null} />
      )}
    </div>
  )
}
