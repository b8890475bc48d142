import { useState } from 'react'
import { SampleData } from '../../client/sample/parts.tsx'
import { useSample } from '../../client/sample/queries.ts'
import { useTranslation } from '../../client/translate.ts'
import { isShown } from './labels.ts'
import type { Today } from './queries.ts'
import { Section } from './section.tsx'

/** Sample data: offered beside the checklist while none can be in the way, and always there while it is there. */
export function SampleSection({ checklist }: { readonly checklist: Today['Checklist'] }) {
  const { t } = useTranslation('today')
  const sample = useSample()
  const [seen, setSeen] = useState(false)
  if (sample === undefined) return null
  const isOffered = sample.WhyNot === null && isShown(checklist)
  if (sample.State === 'None' && !isOffered && !seen) return null
  // It says itself that all is removed, so it stays until the page is left.
  if (!seen) setSeen(true)
  return (
    <Section title={t('sample')}>
      <SampleData />
    </Section>
  )
}
