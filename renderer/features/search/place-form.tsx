import { type FormEvent, useDeferredValue, useState } from 'react'
import { decimalText, readCoordinates } from '../../../shared/kernel/coordinates.ts'
import type { Place } from '../../../shared/kernel/distance.ts'
import { LEAST_RADIUS, MOST_RADIUS } from '../../../shared/search/search-values.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { ComboBox } from '../../ui/combobox/combobox.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { metresText } from '../../ui/format/metres-text.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Segments } from '../../ui/segments/segments.tsx'
import { type MapPlace as Found, useMapPlaces } from './queries.ts'
import { type Near, nearOf, type SearchState } from './search-state.ts'
import styles from './search.module.css'

interface Props {
  readonly search: SearchState
  readonly onTake: (taken: Pick<SearchState, 'near' | 'place'>) => void
}

type Unit = 'm' | 'km'
const PER: Readonly<Record<Unit, number>> = { m: 1, km: 1_000 }
const USUAL = { amount: '500', unit: 'm' } as const
/** A millimetre would say more than anybody knows. */
const DIGITS = 6

/** A place as people write it, or by its name on an imported map, and how far from it. */
export default function PlaceForm({ search, onTake }: Props) {
  const { t } = useTranslation('search')
  const { locale } = useFormat()
  const given = nearOf(search.near)
  const [text, setText] = useState(() => optionOf(given, search.place)?.text ?? '')
  const [chosen, setChosen] = useState<Option | null>(() => optionOf(given, search.place))
  const [radius, setRadius] = useState(() => radiusOf(given))
  const [tried, setTried] = useState(false)

  const typed = useDeferredValue(chosen === null ? text.trim() : '')
  const { data, isFetching } = useMapPlaces(readCoordinates(typed) === null ? typed : '')
  const read = chosen === null ? readCoordinates(text) : null
  const place = chosen ?? (read === null ? null : asTyped(read))
  // What is understood stands in the list too, which lies over everything below the field.
  const options = place !== null ? [place] : typed.length < 2 ? [] : (data?.Places ?? []).map(asNamed)
  const metres = metresOf(radius)

  const take = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (place === null || metres === null) return
    const { latitude, longitude } = place.place
    onTake({
      near: `${Number(latitude.toFixed(DIGITS))},${Number(longitude.toFixed(DIGITS))},${metres}`,
      place: place.name,
    })
  }
  const choose = (id: string | null): void => {
    const option = options.find((one) => one.id === id)
    if (option === undefined) return
    setChosen(option)
    setText(option.text)
  }
  const range = { least: metresText(LEAST_RADIUS, locale), most: metresText(MOST_RADIUS, locale) }
  return (
    <form className={styles['placeForm']} onSubmit={take}>
      <ComboBox
        label={t('nearPlace')}
        placeholder={t('nearExample')}
        options={options.map(({ id, text: label, kind, map }) => ({
          id,
          label,
          note: [t(kind), ...(map === null ? [] : [visible(map)])].join(' · '),
        }))}
        value={chosen?.id ?? null}
        onChange={choose}
        text={text}
        onText={(now) => {
          setText(now)
          // The field is told of the words of an option before or after it is chosen.
          setChosen((one) => (one?.text === now ? one : null))
        }}
        filtered
        free
        loading={isFetching}
        autoFocus={given === null}
        error={tried && place === null ? t('nearWrong') : undefined}
        description={<NamesKnown maps={data?.Maps} reading={data?.Reading} />}
      />
      <p className={styles['understood']} role="status">
        {place !== null && t('nearUnderstood', { place: decimalText(place.place) })}
      </p>
      <div className={styles['radius']}>
        <TextField
          label={t('nearRadius')}
          autoFocus={given !== null}
          value={radius.amount}
          onChange={(amount) => setRadius({ ...radius, amount })}
          error={tried && metres === null ? t('nearRadiusWrong', range) : undefined}
        />
        <Segments
          label={t('nearUnit')}
          segments={[
            { id: 'm', label: t('metres') },
            { id: 'km', label: t('kilometres') },
          ]}
          value={radius.unit}
          onChange={(unit) => setRadius({ ...radius, unit })}
        />
      </div>
      <Button kind="main" type="submit">
        {t('nearTake')}
      </Button>
    </form>
  )
}

/** Why a name may not be found. */
function NamesKnown({ maps, reading }: { readonly maps: number | undefined; readonly reading: number | undefined }) {
  const { t } = useTranslation('search')
  if (reading !== undefined && reading > 0) return t('nearReading')
  return maps === 0 ? t('nearNoMaps') : t('nearHow')
}

interface Option {
  readonly id: string
  readonly place: Place
  /** Empty for coordinates. */
  readonly name: string
  /** In the field. */
  readonly text: string
  readonly kind: 'coordinates' | 'place' | 'street' | 'pointOfInterest'
  readonly map: string | null
}

const asTyped = (place: Place): Option => ({
  id: 'typed',
  place,
  name: '',
  text: decimalText(place),
  kind: 'coordinates',
  map: null,
})

function asNamed({ Name, Town, Kind, Latitude, Longitude, Map }: Found, index: number): Option {
  const name = Town === null ? Name : `${Name}, ${Town}`
  return {
    id: `${index} ${Latitude} ${Longitude}`,
    place: { latitude: Latitude, longitude: Longitude },
    name,
    text: visible(name),
    kind: Kind === 'point' ? 'pointOfInterest' : Kind,
    map: Map,
  }
}

/** What was asked before. */
const optionOf = (given: Near | null, name: string): Option | null =>
  given === null
    ? null
    : name === ''
      ? asTyped(given)
      : { id: 'given', place: given, name, text: visible(name), kind: 'place', map: null }

interface Radius {
  readonly amount: string
  readonly unit: Unit
}

function radiusOf(given: Near | null): Radius {
  if (given === null) return USUAL
  const unit = given.metres >= 1_000 ? 'km' : 'm'
  return { amount: String(given.metres / PER[unit]), unit }
}

/** Null for what is no length that may be asked for. A comma is a decimal one. */
function metresOf({ amount, unit }: Radius): number | null {
  const plain = amount.trim().replace(',', '.')
  if (!/^\d{1,7}(\.\d{1,3})?$/.test(plain)) return null
  const metres = Number(plain) * PER[unit]
  return metres >= LEAST_RADIUS && metres <= MOST_RADIUS ? metres : null
}
