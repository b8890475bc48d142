import { type Translate, useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { levelWords } from '../departments/access-field.tsx'
import { Problem } from '../problem.tsx'
import { cellKey, type GroupMembers, HELD, heldDirectly, heldNow, type Holder, type Policy } from './matrix.ts'
import { policyHow, policyWords } from './policy-labels.ts'
import styles from './policies.module.css'
import type { PolicyMatrix } from './use-policies.ts'

/** What is about to change and whom it touches; below it the right that is looked at. */
export function Aside({ matrix, policy }: { readonly matrix: PolicyMatrix; readonly policy: Policy | undefined }) {
  const { t } = useTranslation('administration')
  const { changes, policies, holders, busy, error, moved } = matrix
  const lines = (policies ?? []).flatMap((one) =>
    holders.filter(({ id }) => changes.has(cellKey(one.Policy, id))).map((holder) => ({ one, holder })),
  )
  return (
    <aside className={styles['aside']} aria-label={t('changesTitle')} data-region>
      <div className={styles['said']} tabIndex={0} role="group" aria-label={t('changesTitle')}>
        <section className={styles['part']} aria-live="polite">
          <h2 className={styles['partTitle']}>
            {lines.length === 0 ? t('changesNone') : t('changes', { count: lines.length })}
          </h2>
          {lines.length === 0 && <p className="small muted">{t('changesHow')}</p>}
          {lines.map(({ one, holder }) => (
            <Change key={cellKey(one.Policy, holder.id)} policy={one} holder={holder} matrix={matrix} />
          ))}
          {moved && (
            <Note state="attention" title={t('movedTitle')}>
              {t('movedBody')}
            </Note>
          )}
          {error !== null && <Problem error={error} title={t('notSaved')} />}
        </section>
        {policy !== undefined && <About policy={policy} matrix={matrix} />}
      </div>
      <footer className={styles['foot']}>
        <Button onPress={matrix.drop} why={lines.length === 0 ? t('nothingChanged') : undefined}>
          {t('dropEvery')}
        </Button>
        <Button
          kind="main"
          busy={busy}
          onPress={matrix.save}
          why={lines.length === 0 ? t('nothingChanged') : undefined}
        >
          {t('save')}
        </Button>
      </footer>
    </aside>
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

function About({ policy, matrix: { holders, changes } }: { readonly policy: Policy; readonly matrix: PolicyMatrix }) {
  const { t } = useTranslation('administration')
  const direct = holders.filter(({ id }) => heldNow(policy, id, changes) !== null)
  return (
    <section className={styles['part']}>
      <h2 className={styles['partTitle']}>{policyWords(policy.Policy, t)}</h2>
      <p className="second">{policyHow(policy.Policy, t)}</p>
      <dl className={styles['facts']}>
        <dt>{t('direct')}</dt>
        <dd>{direct.map(({ name }) => name).join(', ')}</dd>
      </dl>
      {policy.Policy === 'ApproveDisposition' && <p className="small muted">{t('approveNote')}</p>}
    </section>
  )
}
