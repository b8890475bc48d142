import { useTranslation } from 'react-i18next'
import type { SectionId } from '../../features/administration/sections.ts'

/** Fetched with the words of the administration, which the first screen does without. */
export default function SectionName({ section }: { readonly section: SectionId }) {
  const { t } = useTranslation('administration')
  return <b>{t(section)}</b>
}
