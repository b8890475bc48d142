import { useTranslation } from '../../../../client/translate.ts'
import { Button, IconButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import styles from './picture.module.css'
import type { usePictureView } from './use-view.ts'
import { zoomWords } from './zoom-label.ts'

type View = ReturnType<typeof usePictureView>

/** How large a picture is shown, and the buttons that change it. */
export function ZoomTools({ view }: { readonly view: View }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  return (
    <>
      <IconButton icon="zoom-out" label={t('zoomOut')} keys="-" onPress={view.zoomOut} />
      <span className={styles['zoom']} aria-live="polite">
        {zoomWords(format.locale, view.scale)}
      </span>
      <IconButton icon="zoom-in" label={t('zoomIn')} keys="+" onPress={view.zoomIn} />
      <Button kind="quiet" keys="0" onPress={view.fit}>
        {t('zoomFit')}
      </Button>
      <Button kind="quiet" keys="1" onPress={view.full}>
        {t('zoomFull')}
      </Button>
    </>
  )
}

/** What the keys do to the view of a picture. */
export const viewKeys = (
  view: Pick<View, 'zoomIn' | 'zoomOut' | 'fit' | 'full' | 'panBy'>,
): Readonly<Record<string, () => void>> => ({
  '+': view.zoomIn,
  '=': view.zoomIn,
  '-': view.zoomOut,
  '0': view.fit,
  '1': view.full,
  ArrowLeft: () => view.panBy(-1, 0),
  ArrowRight: () => view.panBy(1, 0),
  ArrowUp: () => view.panBy(0, -1),
  ArrowDown: () => view.panBy(0, 1),
})
