import { useId, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextArea } from '../../../ui/field/field.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import { type State, StateMark } from '../../../ui/state/state.tsx'
import styles from '../devices.module.css'
import { AddMember } from './add-member.tsx'
import { MemberField } from './member-field.tsx'
import { MemberPath, MemberValue, pathWords } from './member-labels.tsx'
import {
  clashes,
  type Compared,
  compared,
  type Difference,
  type FreeForm,
  keyOf,
  type Member,
  membersOf,
  objectOf,
} from './members.ts'

interface EditorProps {
  /** What is on the camera; left out, it is nobody's in particular. */
  readonly has?: readonly Member[] | undefined
  readonly hasWords?: string | undefined
  readonly members: readonly Member[]
  /** Left out, it can only be looked at. */
  readonly onChange?: ((members: readonly Member[]) => void) | undefined
  /** Whether the text that is typed as a whole says nothing yet: then nothing is to be saved. */
  readonly onBroken?: ((broken: boolean) => void) | undefined
}

/** One may hold a megabyte of members: the others come when they are asked for. */
const MOST_ROWS = 200

/** Difference and form in one: each member on the camera, and beside it as it is wanted. */
export function Editor({ has, hasWords, members, onChange, onBroken }: EditorProps) {
  const { t } = useTranslation('devices')
  const [view, setView] = useState<'members' | 'json'>('members')
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const [most, setMost] = useState(MOST_ROWS)
  const all = has === undefined ? members.map(alone) : compared(has, members)
  const different = all.filter(({ difference }) => difference !== 'same').length
  const rows = onlyDifferent ? all.filter(({ difference }) => difference !== 'same') : all
  return (
    <div className={styles['editor']}>
      <div className={styles['bar']}>
        {has === undefined ? <span /> : <Differences count={different} of={all.length} />}
        <span className={styles['acts']}>
          {has !== undefined && different > 0 && different < all.length && view === 'members' && (
            <Checkbox checked={onlyDifferent} onChange={setOnlyDifferent}>
              {t('onlyDifferent')}
            </Checkbox>
          )}
          {onChange !== undefined && (
            <Segments
              label={t('editAs')}
              value={view}
              onChange={(next) => {
                setView(next)
                onBroken?.(false)
              }}
              segments={[
                { id: 'members', label: t('editMembers') },
                { id: 'json', label: 'JSON' },
              ]}
            />
          )}
        </span>
      </div>
      {view === 'json' && onChange !== undefined ? (
        <JsonField members={members} onChange={onChange} onBroken={onBroken} />
      ) : (
        <>
          <Table rows={rows.slice(0, most)} {...{ has, hasWords, members, onChange }} />
          {rows.length > most && (
            <div>
              <Button onPress={() => setMost(most + MOST_ROWS)}>
                {t('membersMore', { count: rows.length - most })}
              </Button>
            </div>
          )}
          {onChange !== undefined && <AddMember members={members} onChange={onChange} />}
        </>
      )}
    </div>
  )
}

const alone = (member: Member): Compared => ({
  key: keyOf(member.path),
  path: member.path,
  has: null,
  wanted: member,
  difference: 'same',
})

function Differences({ count, of }: { readonly count: number; readonly of: number }) {
  const { t } = useTranslation('devices')
  if (of === 0) return <span className="second">{t('noMembers')}</span>
  return count === 0 ? (
    <StateMark state="ok">{t('allSame', { count: of })}</StateMark>
  ) : (
    <StateMark state="waiting">{t('differ', { count })}</StateMark>
  )
}

interface TableProps extends EditorProps {
  readonly rows: readonly Compared[]
}

function Table({ rows, has, hasWords, members, onChange }: TableProps) {
  const { t } = useTranslation('devices')
  if (rows.length === 0) return <p className="second">{t('noMembers')}</p>
  return (
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={t('configuration')}>
      <table className={`${styles['table'] ?? ''} ${styles['members'] ?? ''}`}>
        <thead>
          <tr>
            <th scope="col">{t('member')}</th>
            {has !== undefined && <th scope="col">{hasWords}</th>}
            <th scope="col">{t('wanted')}</th>
            {has !== undefined && <th scope="col">{t('difference')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.key} row={row} compares={has !== undefined} members={members} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends Pick<EditorProps, 'members' | 'onChange'> {
  readonly row: Compared
  readonly compares: boolean
}

function Row({ row, compares, members, onChange }: RowProps) {
  const { t } = useTranslation('devices')
  const name = useId()
  const [state, word] = DIFFERENCE[row.difference]
  return (
    <tr data-difference={row.difference}>
      <th scope="row" id={name}>
        <MemberPath path={row.path} />
      </th>
      {compares && (
        <td>{row.has === null ? <span className="muted">{t('notThere')}</span> : <MemberValue member={row.has} />}</td>
      )}
      <td>
        {row.wanted === null ? (
          <NotWanted row={row} members={members} onChange={onChange} />
        ) : onChange === undefined ? (
          <MemberValue member={row.wanted} />
        ) : (
          <MemberField
            member={row.wanted}
            label={pathWords(row.path)}
            onChange={(next) => onChange(members.map((one) => (keyOf(one.path) === row.key ? next : one)))}
            onRemove={() => onChange(members.filter((one) => keyOf(one.path) !== row.key))}
          />
        )}
      </td>
      {compares && (
        <td>
          <StateMark state={state} small>
            {t(word)}
          </StateMark>
        </td>
      )}
    </tr>
  )
}

const DIFFERENCE = {
  same: ['ok', 'differenceSame'],
  changes: ['waiting', 'differenceChanges'],
  added: ['waiting', 'differenceAdded'],
  removed: ['attention', 'differenceRemoved'],
} as const satisfies Readonly<Record<Difference, readonly [State, string]>>

/** It is on the camera and would go with the next negotiation, unless it is kept. */
function NotWanted({ row, members, onChange }: Omit<RowProps, 'compares'>) {
  const { t } = useTranslation('devices')
  const { has } = row
  if (onChange === undefined || has === null) return <span className="muted">{t('notWanted')}</span>
  return (
    <span className={styles['field']}>
      <span className="muted">{t('notWanted')}</span>
      <Button
        size="small"
        why={clashes(row.path, members) ? t('memberClashes') : undefined}
        onPress={() => onChange([...members, has])}
      >
        {t('keepIt')} <span className="unseen">{pathWords(row.path)}</span>
      </Button>
    </span>
  )
}

interface JsonFieldProps {
  readonly members: readonly Member[]
  readonly onChange: (members: readonly Member[]) => void
  readonly onBroken: EditorProps['onBroken']
}

/** The whole of it, for whoever has it as text. What is no object yet changes nothing. */
function JsonField({ members, onChange, onBroken }: JsonFieldProps) {
  const { t } = useTranslation('devices')
  const [text, setText] = useState(() => JSON.stringify(objectOf(members), null, 2))
  const read = parsed(text)
  return (
    <TextArea
      label={t('wholeJson')}
      rows={16}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(typed) => {
        setText(typed)
        const value = parsed(typed)
        onBroken?.(value === null)
        if (value !== null) onChange(membersOf(value))
      }}
      {...(read === null ? { error: t('jsonWrong') } : { description: t('wholeJsonHow') })}
    />
  )
}

function parsed(text: string): FreeForm | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FreeForm) : null
  } catch {
    return null
  }
}
