import type { Pages } from '../../client/pages.ts'
import { PageNote } from '../../ui/layout/page-frame.tsx'
import { Problem } from './problem.tsx'

export function Failed({ pages: { error, retry } }: { readonly pages: Pages<unknown> }) {
  if (error === null) return null
  return (
    <PageNote>
      <Problem error={error} onRetry={retry} />
    </PageNote>
  )
}
