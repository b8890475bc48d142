import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Fault } from '../../../shared/kernel/errors.ts'
import { PACKAGE_LANGUAGES, PACKAGE_PAPERS, PACKAGE_VARIANTS } from '../../../shared/packages/kinds.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Checkbox } from '../../ui/field/choice.tsx'
import { RadioGroup } from '../../ui/field/radio-group.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { useRequestKey } from '../request-key.ts'
import { useSession } from '../session.tsx'
import { type Translate, useTranslation } from '../translate.ts'
import { keepChoice, lastChoice, OFFERED_PARTS } from './choice.ts'
import type { Contents } from './contents.ts'
import { isGone, type Leaving, LeavingFields, passphraseProblem, USUAL, usePlaces } from './leaving.tsx'
import styles from './order.module.css'
import {
  orderPackage,
  type Package,
  type PackageChoice,
  type Packaged,
  saidOf,
  usePackagesChanged,
  useTold,
} from './packages.ts'

interface OrderProps {
  readonly of: Packaged
  /** null while it is counted. */
  readonly contents: Contents | null
  /** Packages of the same case that are made, newest first. */
  readonly earlier?: readonly Package[]
  /** What was chosen and stays away, in words. */
  readonly leftOut?: string | undefined
  readonly onClose: () => void
  readonly onDone?: (() => void) | undefined
}

/** Asks for a package: for whom, what goes in beside the originals, and which papers. The station makes it meanwhile. */
export function OrderDialog({ of, contents, earlier = [], leftOut, onClose, onDone }: OrderProps) {
  const { t, language } = useTranslation('packages')
  const format = useFormat()
  const { session } = useSession()
  const navigate = useNavigate()
  const changed = usePackagesChanged()
  const keyOf = useRequestKey()
  const person = session.User?.PrincipalId ?? ''
  const [choice, setChoice] = useState(() => lastChoice(person, language))
  const [isSupplement, setIsSupplement] = useState(false)
  const [leaving, setLeaving] = useState<Leaving>(USUAL)
  const places = usePlaces()
  const base = earlier.find(({ Variant }) => Variant === choice.Variant) ?? null
  const Supplements = isSupplement && base !== null ? base.PackageId : null
  const show = (): void => void navigate({ to: '/packages' })
  const told = useTold(show)
  const change = (what: Partial<PackageChoice>): void => setChoice({ ...choice, ...what })
  const order = async (): Promise<void> => {
    const { DriveId, Form, isEncrypted, passphrase } = leaving
    const asked = { ...choice, Supplements, DriveId, Form, Encrypted: isEncrypted }
    const made = await orderPackage(of, asked, keyOf({ of, asked }), told, isEncrypted ? passphrase.first : null)
    keepChoice(person, choice)
    changed()
    toasts.show({
      text: [t('ordered'), withoutRestricted(made)].join(' ').trim(),
      act: { label: t('show'), onAct: show },
    })
    onDone?.()
  }
  /** In words; empty where all of it goes in. */
  const withoutRestricted = ({ LeftOut }: Package): string => {
    const titles = (LeftOut ?? []).filter(({ Why }) => Why === 'restricted').map(({ Title }) => visible(Title))
    const names = `${titles.slice(0, MOST_NAMED).join(', ')}${titles.length > MOST_NAMED ? ', …' : ''}`
    const count = titles.length
    return count === 0 ? '' : t('orderedWithout', { count, shown: format.count(count), names })
  }
  const isCase = 'caseId' in of
  const count = isCase ? 0 : of.evidenceIds.length
  return (
    <ActDialog
      title={isCase ? t('orderCase') : t('order', { count, shown: format.count(count) })}
      size="wide"
      lead={t(isCase ? 'orderLead' : 'orderSelectionLead')}
      act={t('make')}
      failed={t('notOrdered')}
      why={whyNot(contents, t) ?? (isGone(leaving, places) ? t('driveGone') : whyNoPassphrase(leaving, t))}
      problem={(error) => (
        <Problem
          error={error}
          title={t('notOrdered')}
          said={Supplements !== null && isNothing(error) ? t('errorNothingNew') : saidOf(error)}
        />
      )}
      onAct={order}
      onClose={onClose}
    >
      <div ref={focusChoice} className={styles['columns']}>
        <div className={styles['column']}>
          <RadioGroup
            label={t('forWhom')}
            value={choice.Variant}
            onChange={(Variant) => change({ Variant })}
            options={PACKAGE_VARIANTS.map((id) => ({ id, label: t(id), description: t(`${id}How`) }))}
          />
          {base !== null && (
            <Checkbox checked={isSupplement} onChange={setIsSupplement}>
              {t('supplement', { time: format.instant(base.CreatedUtcTime, { precision: 'minute' }) })}
              <span className={styles['how']}>{t('supplementHow', { name: visible(base.Name) })}</span>
            </Checkbox>
          )}
          <LeavingFields value={leaving} places={places} onChange={setLeaving} />
        </div>
        <div className={styles['column']}>
          <Boxes
            legend={t('beside')}
            options={OFFERED_PARTS}
            chosen={choice.Parts}
            onChange={(Parts) => change({ Parts })}
            words={(id) => [t(id), t(`${id}How`)]}
          />
          <Boxes
            legend={t('papers')}
            lead={t('papersHow')}
            options={PACKAGE_PAPERS}
            chosen={choice.Papers}
            onChange={(Papers) => change({ Papers })}
            words={(id) => [t(id), t(`${id}How`)]}
          />
          <div className={styles['segments']}>
            <span className={styles['legend']} aria-hidden="true">
              {t('language')}
            </span>
            <Segments
              label={t('language')}
              value={choice.Language}
              onChange={(Language) => change({ Language })}
              segments={PACKAGE_LANGUAGES.map((id) => ({ id, label: t(id) }))}
            />
            <span className={styles['second']}>{t('languageHow')}</span>
          </div>
          <What contents={contents} leftOut={leftOut} isCase={isCase} isSupplement={Supplements !== null} />
        </div>
      </div>
    </ActDialog>
  )
}

const whyNoPassphrase = ({ isEncrypted, passphrase }: Leaving, t: Translate<'packages'>): string | undefined =>
  isEncrypted ? passphraseProblem(passphrase, t) : undefined

const isNothing = (error: unknown): boolean => error instanceof Fault && error.code === 'NothingToPackage'

/** Where the focus begins: Ctrl Enter acts from anywhere among the choices. */
const focusChoice = (choices: HTMLElement | null): void =>
  choices?.querySelector<HTMLInputElement>('input:checked')?.focus()

function whyNot(contents: Contents | null, t: Translate<'packages'>): string | undefined {
  if (contents === null) return undefined
  if (contents.barred.length > 0) return t('barredBody')
  return contents.items === 0 ? t('nothing') : undefined
}

interface BoxesProps<Id extends string> {
  readonly legend: string
  readonly lead?: string
  readonly options: readonly Id[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: Id[]) => void
  /** Label and description. */
  readonly words: (id: Id) => readonly [string, string]
}

function Boxes<Id extends string>({ legend, lead, options, chosen, onChange, words }: BoxesProps<Id>) {
  return (
    <fieldset className={styles['boxes']}>
      <legend className={styles['legend']}>{legend}</legend>
      {lead !== undefined && <p className={styles['second']}>{lead}</p>}
      {options.map((id) => {
        const [label, description] = words(id)
        return (
          <Checkbox
            key={id}
            checked={chosen.includes(id)}
            onChange={(on) => onChange(options.filter((one) => (one === id ? on : chosen.includes(one))))}
          >
            {label}
            <span className={styles['how']}>{description}</span>
          </Checkbox>
        )
      })}
    </fieldset>
  )
}

/** How many shown by name among those that may not be downloaded. */
const MOST_NAMED = 3

interface WhatProps extends Pick<OrderProps, 'contents' | 'leftOut'> {
  readonly isCase: boolean
  readonly isSupplement: boolean
}

function What({ contents, leftOut, isCase, isSupplement }: WhatProps) {
  const { t } = useTranslation('packages')
  const format = useFormat()
  if (contents === null)
    return (
      <section className={styles['what']}>
        <strong>{t('contents')}</strong> <span role="status">{t('contentsNot')}</span>
      </section>
    )
  const { items, bytes, deleted, unseen, unfinished, barred } = contents
  const many = (count: number) => ({ count, shown: format.count(count) })
  const left = [
    ...(isSupplement ? [t('leftGiven')] : []),
    ...(deleted > 0 ? [t('leftDeleted', many(deleted))] : []),
    ...(unseen > 0 ? [t('leftUnseen', many(unseen))] : []),
    ...(unfinished > 0 ? [t('leftOpen', many(unfinished))] : []),
    ...(leftOut === undefined ? [] : [leftOut]),
    t('leftElsewhere'),
    t(isCase ? 'seenCase' : 'seenSelection'),
  ]
  const named = barred.slice(0, MOST_NAMED).map(visible)
  return (
    <>
      <section className={styles['what']} aria-labelledby="package-contents">
        <h3 id="package-contents" className={styles['legend']}>
          {t('contents')}
        </h3>
        <p>
          <strong>
            {[
              t(isSupplement ? 'itemsAtMost' : 'items', many(items)),
              ...(bytes === null ? [] : [t('originals', { bytes: format.bytes(bytes) })]),
            ].join(', ')}
            .
          </strong>{' '}
          {t('onTop')}
        </p>
        <ul className={styles['left']}>
          {left.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      {barred.length > 0 && (
        <Note
          state="attention"
          title={t('barred', {
            ...many(barred.length),
            names: `${named.join(', ')}${barred.length > MOST_NAMED ? ', …' : ''}`,
          })}
        >
          {t('barredBody')}
        </Note>
      )}
    </>
  )
}
