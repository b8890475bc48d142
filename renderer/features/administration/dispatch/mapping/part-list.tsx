import { useTranslation } from '../../../../client/translate.ts'
import { MOST_PATHS } from '../../../../../shared/dispatch/cad.contract.ts'
import { EVENT_MEMBERS, type EventMember } from '../../../../../shared/dispatch/cad-mapping.ts'
import { IconButton } from '../../../../ui/button/button.tsx'
import { Select } from '../../../../ui/select/select.tsx'
import type { CadWords } from '../../cad/labels.ts'
import { type MappingDraft, NEEDED, type Place, type TypedPath, type Wrong } from './draft.ts'
import styles from './mapping.module.css'
import { PathField } from './path-field.tsx'

export const partWords = (member: EventMember, t: CadWords): string => t(`part_${member}`)

interface PartListProps {
  readonly members: MappingDraft['members']
  readonly onChange: (members: MappingDraft['members']) => void
  readonly places: readonly Place[]
  readonly wrong: ReadonlyMap<string, Wrong>
}

/** From where the station takes what it needs of a message. */
export function PartList({ members, onChange, places, wrong }: PartListProps) {
  const { t } = useTranslation('cad')
  const setPaths = (member: EventMember, paths: readonly TypedPath[]): void =>
    onChange(
      members.flatMap((one) =>
        one.member !== member ? [one] : paths.length === 0 && !NEEDED.includes(member) ? [] : [{ member, paths }],
      ),
    )
  const rest = EVENT_MEMBERS.filter((member) => !members.some((one) => one.member === member))
  const add = (member: EventMember): void =>
    onChange([...members, { member, paths: [{ key: crypto.randomUUID(), path: '' }] }])
  return (
    <>
      <ul className={styles['rows']}>
        {members.map(({ member, paths }) => (
          <li key={member} className={styles['part']}>
            <span className={styles['what']}>
              {partWords(member, t)} <code className="mono small muted">{member}</code>
            </span>
            <span className={styles['paths']}>
              {paths.map(({ key, path }, at) => (
                <span key={key} className={styles['path']}>
                  <PathField
                    label={t('pathOf', { part: partWords(member, t) })}
                    hideLabel
                    value={path}
                    onChange={(typed) =>
                      setPaths(
                        member,
                        paths.map((one) => (one.key === key ? { key, path: typed } : one)),
                      )
                    }
                    places={places}
                    placeholder={at === 0 ? t('asNamed', { name: member }) : t('orFrom')}
                    error={errorOf(wrong.get(key), t)}
                  />
                  {at === paths.length - 1 && path.trim() !== '' && paths.length < MOST_PATHS && (
                    <IconButton
                      icon="plus"
                      size="small"
                      label={t('pathMore', { part: partWords(member, t) })}
                      onPress={() => setPaths(member, [...paths, { key: crypto.randomUUID(), path: '' }])}
                    />
                  )}
                  {(paths.length > 1 || !NEEDED.includes(member)) && (
                    <IconButton
                      icon="x"
                      size="small"
                      label={t('pathOut', { path: path === '' ? partWords(member, t) : path })}
                      onPress={() =>
                        setPaths(
                          member,
                          paths.filter((one) => one.key !== key),
                        )
                      }
                    />
                  )}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <div className={styles['add']}>
          <Select<EventMember>
            key={rest.length}
            label={t('partAdd')}
            value={null}
            onChange={add}
            options={rest.map((id) => ({ id, label: partWords(id, t), note: id }))}
          />
        </div>
      )}
    </>
  )
}

export const errorOf = (wrong: Wrong | undefined, t: CadWords): string | undefined =>
  wrong === undefined ? undefined : t(wrong)
