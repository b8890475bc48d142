import { type ComponentType, Suspense, useState } from 'react'
import { decimalText } from '../../../shared/kernel/coordinates.ts'
import type { Box } from '../../../shared/search/cells.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { useTranslation } from '../../client/translate.ts'
import { Chip } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { metresText } from '../../ui/format/metres-text.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Popover } from '../../ui/popover/popover.tsx'
import type { FilterProps } from './filter-props.ts'
import { boxOf, type Near, nearOf } from './search-state.ts'
import styles from './search.module.css'

/** A map that tells which part of the world it shows. */
export type PickPlace = ComponentType<{
  readonly start: Box | null
  readonly onMove: (box: Box) => void
  readonly label: string
}>

const DIGITS = 2

const PlaceForm = lazyPart(() => import('./place-form.tsx'))

/** What lies within a radius of a place, or in a part of the map, chosen by showing it. */
export function PlaceFilter({ search, change, map }: FilterProps & { readonly map: PickPlace }) {
  const { t } = useTranslation('search')
  const [open, setOpen] = useState(false)
  const words = useBoxWords()
  const box = boxOf(search.box)
  return (
    <section className={styles['group']} aria-label={t('where')}>
      <h2 className={styles['groupTitle']}>{t('where')}</h2>
      <div className={styles['set']}>
        <NearFilter search={search} change={change} />
        {box !== null && <Chip label={t('whereChosen')} onClear={() => change({ box: '' })} />}
        <Button size="small" icon="map" onPress={() => setOpen(true)}>
          {t('whereSet')}
        </Button>
      </div>
      {box !== null && <p className={styles['bounds']}>{words(box)}</p>}
      {open && (
        <PlaceDialog
          start={box}
          map={map}
          onClose={() => setOpen(false)}
          onTake={(taken) => {
            change({ box: taken.join(',') })
            setOpen(false)
          }}
        />
      )}
    </section>
  )
}

function NearFilter({ search, change }: FilterProps) {
  const { t } = useTranslation('search')
  const words = useNearWords()
  const near = nearOf(search.near)
  return (
    <>
      {near !== null && <Chip label={words(near, search.place)} onClear={() => change({ near: '', place: '' })} />}
      <Popover
        label={t('nearSet')}
        trigger={
          <Button size="small" icon="pin">
            {t(near === null ? 'nearSet' : 'nearChange')}
          </Button>
        }
      >
        {(close: () => void) => (
          <Suspense fallback={<div className={styles['form']} />}>
            <PlaceForm
              search={search}
              onTake={(taken) => {
                change(taken)
                close()
              }}
            />
          </Suspense>
        )}
      </Popover>
    </>
  )
}

/** `500 m around Quay Road, Harbour` */
export function useNearWords(): (near: Near, place: string) => string {
  const { t } = useTranslation('search')
  const { locale } = useFormat()
  return (near, place) =>
    t('nearChosen', {
      radius: metresText(near.metres, locale),
      place: place === '' ? decimalText(near) : visible(place),
    })
}

interface DialogProps {
  readonly start: Box | null
  readonly map: PickPlace
  readonly onTake: (box: Box) => void
  readonly onClose: () => void
}

function PlaceDialog({ start, map: Map, onTake, onClose }: DialogProps) {
  const { t } = useTranslation('search')
  const words = useBoxWords()
  const [box, setBox] = useState(start)
  return (
    <Dialog
      title={t('where')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="main" onPress={() => box !== null && onTake(box)} busy={box === null}>
            {t('whereTake')}
          </Button>
        </>
      }
    >
      <p className={styles['mapHow']}>{t('whereHow')}</p>
      <div className={styles['map']}>
        <Suspense fallback={null}>
          <Map start={start} onMove={setBox} label={t('mapLabel')} />
        </Suspense>
      </div>
      <p className={styles['bounds']} aria-live="polite">
        {box !== null && words(box)}
      </p>
    </Dialog>
  )
}

/** `48.12° N to 48.30° N, 16.20° E to 16.50° E` */
function useBoxWords(): (box: Box) => string {
  const { t } = useTranslation('search')
  const format = useFormat()
  const number = new Intl.NumberFormat(format.locale, { minimumFractionDigits: DIGITS, maximumFractionDigits: DIGITS })
  const degrees = (value: number, [above, below]: readonly [string, string]): string =>
    `${number.format(Math.abs(value))}° ${value < 0 ? below : above}`
  return ([west, south, east, north]) =>
    t('mapBounds', {
      south: degrees(south, ['N', 'S']),
      north: degrees(north, ['N', 'S']),
      west: degrees(west, ['E', 'W']),
      east: degrees(east, ['E', 'W']),
    })
}
