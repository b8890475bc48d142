import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as contract from '../../../shared/share-links/contract.ts'
import {
  DAY_MS,
  MOST_DAYS,
  SHARE_LINK_MODES,
  type ShareLinkMode,
  USUAL_DAYS,
} from '../../../shared/share-links/rules.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { TextArea, TextField } from '../../ui/field/field.tsx'
import { NumberField } from '../../ui/field/number-field.tsx'
import { RadioGroup } from '../../ui/field/radio-group.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { call } from '../api.ts'
import { useSession } from '../session.tsx'
import { useTranslation } from '../translate.ts'
import { MadeDialog } from './made-dialog.tsx'
import styles from './make.module.css'
import { Unreachable } from './unreachable.tsx'
import { type MadeShareLink, saidOf, SHARE_LINKS, type ShareLinkPreview, useShareLinksChanged } from './share-links.ts'

interface MakeProps {
  readonly evidenceIds: readonly string[]
  /** What was chosen and stays away, in words. */
  readonly leftOut?: string | undefined
  readonly onClose: () => void
  readonly onDone?: (() => void) | undefined
}

/** Makes a link: for whom, for how long, and what they may do. Then it shows address and code, once. */
export function MakeLinkDialog(props: MakeProps) {
  const [made, setMade] = useState<MadeShareLink | null>(null)
  const close = (): void => {
    props.onClose()
    if (made !== null) props.onDone?.()
  }
  return made === null ? <MakeForm {...props} onMade={setMade} /> : <MadeDialog made={made} onClose={close} />
}

function MakeForm({
  evidenceIds,
  leftOut,
  onClose,
  onMade,
}: MakeProps & { readonly onMade: (made: MadeShareLink) => void }) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  const { tenant } = useSession()
  const changed = useShareLinksChanged()
  const [name, setName] = useState('')
  const [organisation, setOrganisation] = useState('')
  const [note, setNote] = useState('')
  const [mode, setMode] = useState<ShareLinkMode>('view')
  const [days, setDays] = useState(USUAL_DAYS)
  const [tried, setTried] = useState(false)
  const { data: preview = null } = useQuery({
    queryKey: [...SHARE_LINKS, tenant, 'preview', evidenceIds],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(contract.previewShareLink, { params: { tenantId: tenant }, query: { id: [...evidenceIds] }, signal }),
  })
  const isMade = useRef(false)
  const make = async (): Promise<void> => {
    const body = {
      EvidenceIds: [...evidenceIds],
      Recipient: { Name: name.trim(), Organisation: organisation.trim() },
      Note: note,
      Mode: mode,
    }
    const made = await call(contract.createShareLink, {
      params: { tenantId: tenant },
      // Without a key for repeating it: a repeated answer has neither address nor code, so another link is made after a lost one.
      body: { ...body, ExpiresTimeUtc: new Date(Date.now() + days * DAY_MS).toISOString() },
    })
    isMade.current = true
    changed()
    onMade(made)
  }
  const count = evidenceIds.length
  return (
    <ActDialog
      title={t('make', { count, shown: format.count(count) })}
      lead={t('makeLead')}
      size="wide"
      act={t('makeAct')}
      failed={t('notMade')}
      why={preview === null ? t('looking') : whyNot(preview, mode, t)}
      check={() => {
        setTried(true)
        return name.trim() !== '' && days >= 1 && days <= MOST_DAYS
      }}
      problem={(error) => {
        const said = saidOf(error)
        return <Problem error={error} title={t('notMade')} {...(said === null ? {} : { said: t(said) })} />
      }}
      onAct={make}
      // What was made takes the place of this dialog.
      onClose={() => {
        if (!isMade.current) onClose()
      }}
    >
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <TextField
            label={t('who')}
            description={t('whoHow')}
            value={name}
            onChange={setName}
            maxLength={128}
            error={tried && name.trim() === '' ? t('whoMissing') : undefined}
            required
            autoFocus
          />
          <TextField label={t('organisation')} value={organisation} onChange={setOrganisation} maxLength={128} />
          <NumberField
            label={t('days')}
            description={t('daysHow')}
            value={days}
            onChange={setDays}
            min={1}
            max={MOST_DAYS}
            unit={t('daysUnit')}
          />
          <TextArea label={t('note')} description={t('noteHow')} value={note} onChange={setNote} />
        </div>
        <div className={styles['column']}>
          <RadioGroup
            label={t('mode')}
            value={mode}
            onChange={setMode}
            options={SHARE_LINK_MODES.map((id) => ({ id, label: t(id), description: t(`${id}How`) }))}
          />
          <What preview={preview} mode={mode} leftOut={leftOut} />
        </div>
      </div>
    </ActDialog>
  )
}

/** Of what a link for this mode refuses. An original at headquarters can still be viewed here. */
const refusedIn = ({ Items }: ShareLinkPreview, mode: ShareLinkMode) =>
  Items.filter(({ Refused }) => Refused !== null && (mode === 'download' || Refused !== 'at-headquarters'))

const sumOf = (preview: ShareLinkPreview, of: 'Files' | 'Marked'): number =>
  preview.Items.reduce((sum, item) => sum + item[of], 0)

function whyNot(
  preview: ShareLinkPreview,
  mode: ShareLinkMode,
  t: ReturnType<typeof useTranslation<'shareLinks'>>['t'],
): string | undefined {
  if (refusedIn(preview, mode).length > 0) return t('refusedHow')
  return mode === 'view' && sumOf(preview, 'Marked') === 0 ? t('nothingShown') : undefined
}

interface WhatProps extends Pick<MakeProps, 'leftOut'> {
  readonly preview: ShareLinkPreview | null
  readonly mode: ShareLinkMode
}

const MOST_NAMED = 3

function What({ preview, mode, leftOut }: WhatProps) {
  const { t } = useTranslation('shareLinks')
  const format = useFormat()
  if (preview === null) return <p role="status">{t('looking')}</p>
  const many = (count: number) => ({ count, shown: format.count(count) })
  const [marked, others] = [sumOf(preview, 'Marked'), sumOf(preview, 'Files') - sumOf(preview, 'Marked')]
  const refused = refusedIn(preview, mode)
  const named = refused
    .slice(0, MOST_NAMED)
    .map(
      ({ EvidenceId, Name, Refused }) =>
        `${visible(Name === '' ? EvidenceId : Name)} ${t(`refused-${Refused ?? 'not-found'}`)}`,
    )
  return (
    <div className={styles['what']}>
      <ul className={styles['lines']}>
        <li>{marked === 0 && mode === 'view' ? t('nothingShown') : t('holds', many(marked))}</li>
        {others > 0 && <li>{t(mode === 'view' ? 'notShown' : 'onlyDownloaded', many(others))}</li>}
        {leftOut !== undefined && <li>{leftOut}</li>}
      </ul>
      {refused.length > 0 && (
        <Note
          state="attention"
          title={t('refused', { names: `${named.join(', ')}${refused.length > MOST_NAMED ? ', …' : ''}` })}
        >
          {t('refusedHow')}
        </Note>
      )}
      {!preview.Reach.Reachable && <Unreachable />}
    </div>
  )
}
