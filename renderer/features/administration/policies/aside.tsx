import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { type Translate, useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { levelWords } from '../departments/access-field.tsx'
import { Panel } from '../editing/panel.tsx'
import { Problem } from '../problem.tsx'
import { cellKey, type GroupMembers, HELD, heldDirectly, heldNow, type Holder, type Policy } from './matrix.ts'
import { policyHow, policyWords } from './policy-labels.ts'
import styles from './policies.module.css'
import type { PolicyMatrix } from './use-policies.ts'

/** In place of a right in the address: the changes alone. */
export const CHANGES = 'changes'

interface AsideProps {
  readonly matrix: PolicyMatrix
  readonly policy: Policy | undefined
  readonly onClose: () => void
}

/** On demand: the right that was chosen, with who holds it; below it what is about to change and whom it touches. */
export function Aside({ matrix, policy, onClose }: AsideProps) {
  const { t } = useTranslation('administration')
  const lines = useChangedCells(matrix)
  return (
    <Panel title={policy === undefined ? t('changesTitle') : policyWords(policy.Policy, t)} onClose={onClose} reads>
      {policy !== undefined && <About policy={policy} matrix={matrix} />}
      <section className={styles['part']}>
        <h3 className={styles['partTitle']}>
          {lines.length === 0 ? t('changesNone') : t('changes', { count: lines.length })}
        </h3>
        {lines.length === 0 && <p className="small muted">{t('changesHow')}</p>}
        {lines.map(({ one, holder }) => (
          <Change key={cellKey(one.Policy, holder.id)} policy={one} holder={holder} matrix={matrix} />
        ))}
      </section>
    </Panel>
  )
}

export function useChangedCells({ changes, policies, holders }: PolicyMatrix) {
  return useMemo(
    () =>
      (policies ?? []).flatMap((one) =>
        holders.filter(({ id }) => changes.has(cellKey(one.Policy, id))).map((holder) => ({ one, holder })),
      ),
    [changes, policies, holders],
  )
}

interface SaveBarProps {
  readonly matrix: PolicyMatrix
  readonly count: number
  readonly onShow: () => void
  /** The bar goes while it has the focus. */
  readonly onGone: () => void
}

/** At the foot of the matrix while something is not saved. */
export function SaveBar({ matrix, count, onShow, onGone }: SaveBarProps) {
  const { t } = useTranslation('administration')
  const bar = useRef<HTMLElement>(null)
  const gone = useRef(onGone)
  useEffect(() => {
    gone.current = onGone
  })
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      // After this turn: until then the focus is still in what goes.
      if (element?.contains(document.activeElement) === true) setTimeout(() => gone.current())
    }
  }, [])
  return (
    <section ref={bar} className={styles['bar']} aria-label={t('changesTitle')} data-region>
      {matrix.moved && (
        <Note state="attention" title={t('movedTitle')}>
          {t('movedBody')}
        </Note>
      )}
      {matrix.error !== null && <Problem error={matrix.error} title={t('notSaved')} />}
      <div className={styles['barLine']}>
        <p className={styles['barWords']} role="status">
          {t('changes', { count })}
        </p>
        <Button onPress={onShow}>{t('changesShow')}</Button>
        <Button onPress={matrix.drop}>{t('dropEvery')}</Button>
        <Button kind="main" busy={matrix.busy} onPress={matrix.save}>
          {t('save')}
        </Button>
      </div>
    </section>
  )
}

interface ChangeProps {
  readonly policy: Policy
  readonly holder: Holder
  readonly matrix: PolicyMatrix
}

function Change({ policy, holder, matrix: { changes, groups } }: ChangeProps) {
  const { t } = useTranslation('administration')
  const held = heldNow(policy, holder.id, changes)
  const before = heldDirectly(policy, holder.id)
  const level = held !== null && held !== HELD ? levelWords(held, t) : null
  const group = groups.find(({ id }) => id === holder.id)
  return (
    <div className={styles['change']}>
      <p>
        <b>
          <bdi>{holder.name}</bdi>
        </b>
        {t('colon')} {policyWords(policy.Policy, t)}{' '}
        <span className={styles['note']}>
          {held === null ? `× ${t('removed')}` : before === null ? `+ ${t('added')}` : t('altered')}
          {level !== null && `, ${level}`}
        </span>
      </p>
      {group !== undefined && <p className="small muted">{effect(policy, group, { groups, changes }, t)}</p>}
    </div>
  )
}

type Words = Translate<'administration'>

/** How many people it touches, and how many of them hold the right by another way. */
function effect(
  policy: Policy,
  group: GroupMembers,
  { groups, changes }: Pick<PolicyMatrix, 'groups' | 'changes'>,
  t: Words,
): string {
  const gives = heldNow(policy, group.id, changes) !== null
  // With everything else that is about to change: two groups that lose it together leave nobody a way.
  const holds = (id: string): boolean => heldNow(policy, id, changes) !== null
  const otherwise = group.members.filter(
    (id) => holds(id) || groups.some((other) => other.id !== group.id && other.members.includes(id) && holds(other.id)),
  ).length
  const touched = t(gives ? 'effectGives' : 'effectTakes', { count: group.members.length - otherwise })
  return otherwise === 0 ? touched : `${touched} ${t(gives ? 'effectHad' : 'effectKeep', { count: otherwise })}`
}

const KINDS = [
  ['group', 'heldByGroups'],
  ['user', 'heldByPeople'],
  ['service', 'heldByIntegrations'],
] as const

function About({ policy, matrix: { holders, changes } }: { readonly policy: Policy; readonly matrix: PolicyMatrix }) {
  const { t } = useTranslation('administration')
  const direct = holders.filter(({ id }) => heldNow(policy, id, changes) !== null)
  return (
    <section className={styles['part']}>
      <p className="second">{policyHow(policy.Policy, t)}</p>
      {KINDS.map(([kind, words]) => {
        const those = direct.filter(({ type }) => type === kind)
        if (those.length === 0) return null
        return (
          <div key={kind}>
            <h3 className={styles['partTitle']}>{t(words)}</h3>
            <ul className={styles['holders']}>
              {those.map(({ id, name }) => (
                <li key={id}>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      {policy.Policy === 'ApproveDisposition' && <p className="small muted">{t('approveNote')}</p>}
    </section>
  )
}
