import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useSession } from '../../../client/session.tsx'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { IconButton } from '../../../ui/button/button.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import type { Case } from '../queries.ts'
import { useCaseFields } from '../labels.ts'
import type { Words } from '../people-labels.ts'
import { useNames } from '../people-names.tsx'
import { expired, holds, useMay } from '../rights.ts'
import { type Member, membersIn } from './access.ts'
import { LevelLadder } from './level.tsx'
import styles from './people.module.css'

const PersonDialog = lazyOpened(async () => (await import('./person-dialog.tsx')).PersonDialog)
const ShareDialog = lazyOpened(async () => (await import('./share-dialog.tsx')).ShareDialog)

/** Who is in the case, with what level, and until when. */
export function People({ record, past }: { readonly record: Case; readonly past: boolean }) {
  const { t } = useTranslation('cases')
  const { label } = useCaseFields()
  const { session } = useSession()
  const [chosen, setChosen] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const { ready, people, managers } = useNames()
  const members = membersIn(record, people)
  const manage = holds(record, 'Manage')
  const mayShare = (useMay('ShareCases') || manage) && !past
  const member = members.find(({ id }) => id === chosen)
  return (
    <section className={styles['panel']} aria-labelledby="case-people">
      <header className={styles['head']}>
        <h2 id="case-people" className={styles['title']}>
          {t('people')} <span className={styles['count']}>{members.length}</span>
        </h2>
        {mayShare && <IconButton icon="plus" size="small" label={t('sharePerson')} onPress={() => setAdding(true)} />}
      </header>
      {ready ? (
        <ul className={styles['list']}>
          {members.map((one) => (
            <li key={one.id} className={styles['row']}>
              <PersonLine
                member={one}
                self={one.id === session.User?.PrincipalId}
                assigned={label('Personnel')}
                onOpen={manage && !past ? () => setChosen(one.id) : null}
              />
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton lines={3} />
      )}
      {!manage && !past && <p className={styles['ask']}>{t('askAccess', { names: managers(record) })}</p>}
      {member !== undefined && <PersonDialog record={record} member={member} onClose={() => setChosen(null)} />}
      {adding && <ShareDialog record={record} onClose={() => setAdding(false)} />}
    </section>
  )
}

interface LineProps {
  readonly member: Member
  readonly self: boolean
  /** What the station calls assigned personnel. */
  readonly assigned: string
  /** null where the person may not change anything. */
  readonly onOpen: (() => void) | null
}

function PersonLine({ member, self, assigned, onOpen }: LineProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const over = member.policy !== null && expired(member.policy)
  const second = secondLine(member, assigned, t, format)
  const inside = (
    <>
      <span className={styles['mark']} aria-hidden="true">
        {member.mark}
      </span>
      <span className={styles['two']}>
        <span className={styles['name']}>
          <bdi>{member.name}</bdi>
          {self && <span className={styles['self']}> {t('you')}</span>}
        </span>
        {over ? (
          <StateMark state="waiting" small>
            {t('expired', { day: format.day(member.until ?? '') })}
          </StateMark>
        ) : (
          second !== '' && <span className={styles['second']}>{second}</span>
        )}
      </span>
      {member.level !== null && <LevelLadder level={member.level} />}
    </>
  )
  if (onOpen === null) return <span className={styles['line']}>{inside}</span>
  return (
    <button type="button" className={styles['line']} onClick={onOpen} aria-haspopup="dialog">
      {inside}
    </button>
  )
}

function secondLine({ role, kind, until }: Member, assigned: string, t: Words, format: Format): string {
  return [
    ...(role === null ? [] : [role === 'Assigned' ? assigned : role]),
    ...(kind === 'group' ? [t('kindGroup')] : kind === 'service' ? [t('kindService')] : []),
    ...(until === null ? [] : [t('until', { time: format.instant(until, { precision: 'minute', year: false }) })]),
  ].join(', ')
}
