import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Select } from '../../../ui/select/select.tsx'
import styles from '../devices.module.css'
import { pathWords } from './member-labels.tsx'
import { clashes, keyOf, type Kind, type Member } from './members.ts'

const FIRST: Readonly<Record<Kind, string>> = { text: '', number: '0', yesno: 'true', json: '[]' }

interface AddMemberProps {
  readonly members: readonly Member[]
  readonly onChange: (members: readonly Member[]) => void
}

/** A member that is not there yet, at the top or inside one that holds others. */
export function AddMember({ members, onChange }: AddMemberProps) {
  const { t } = useTranslation('devices')
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('text')
  const [inside, setInside] = useState('[]')
  const [tried, setTried] = useState(false)
  const places = placesOf(members)
  const at = places.find((path) => keyOf(path) === inside) ?? []
  const path = [...at, name]
  const wrong = name === '' ? t('memberNameMissing') : clashes(path, members) ? t('memberThere') : undefined
  const add = (): void => {
    setTried(true)
    if (wrong !== undefined) return
    onChange([...members, { path, kind, text: FIRST[kind] }])
    setName('')
    setTried(false)
  }
  return (
    <div className={styles['addMember']} role="group" aria-label={t('memberAdd')}>
      {places.length > 1 && (
        <Select
          label={t('memberInside')}
          value={keyOf(at)}
          onChange={setInside}
          options={places.map((one) => ({ id: keyOf(one), label: one.length === 0 ? t('memberTop') : pathWords(one) }))}
        />
      )}
      <TextField
        label={t('memberName')}
        value={name}
        onChange={setName}
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter adds it here; it does not save the form around it.
          event.preventDefault()
          add()
        }}
        error={tried ? wrong : undefined}
      />
      <Select<Kind>
        label={t('memberKind')}
        value={kind}
        onChange={setKind}
        options={[
          { id: 'text', label: t('kindText') },
          { id: 'number', label: t('kindNumber') },
          { id: 'yesno', label: t('kindYesno') },
          { id: 'json', label: t('kindJson') },
        ]}
      />
      <Button icon="plus" onPress={add}>
        {t('memberAdd')}
      </Button>
    </div>
  )
}

/** The top, and every member that holds others; of more than a few the text form is the better place. */
const MOST_PLACES = 30

function placesOf(members: readonly Member[]): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>([[keyOf([]), []]])
  for (const { path } of members)
    for (let depth = 1; depth < path.length; depth++) {
      const place = path.slice(0, depth)
      found.set(keyOf(place), place)
    }
  return [...found.values()].slice(0, MOST_PLACES)
}
