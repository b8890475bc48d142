import { useNavigate } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import * as contract from '../../../shared/search/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { PhotoButton } from '../../ui/photo/photo-button.tsx'
import { asError } from '../../ui/problem/as-error.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { canReadCodes, codeIn } from './code-reader.ts'
import { type Labelled, labelSays } from './label-address.ts'
import styles from './scan-label.module.css'

type Said = 'noCode' | 'noLabel' | { readonly host: string }

/** Opens what a label is of: from a photograph of its code, or by the number that is printed beside it. */
export default function ScanLabel({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('phone')
  const [reads] = useState(canReadCodes)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<Said | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [number, setNumber] = useState('')
  const [found, setFound] = useState<readonly Found[] | null>(null)
  const open = useOpen(onClose)
  const byNumber = useByNumber()
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setSaid(null)
    setError(null)
    setFound(null)
    await work().catch((failure: unknown) => setError(asError(failure)))
    setBusy(false)
  }
  const read = (file: File): Promise<void> =>
    run(async () => {
      const text = await codeIn(file)
      if (text === null) {
        setSaid('noCode')
        return
      }
      const says = labelSays(text, location.origin)
      if (says.at === 'here') open(says.item)
      else if (says.at === 'nowhere') setSaid('noLabel')
      else {
        setSaid({ host: says.host })
        setNumber(says.item.id)
      }
    })
  const look = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (number.trim() === '' || busy) return
    void run(async () => {
      const items = await byNumber(number.trim())
      const [only] = items
      if (items.length === 1 && only !== undefined) open(only)
      else setFound(items)
    })
  }
  return (
    <Dialog title={t('scan')} lead={reads ? t('scanLead') : undefined} onClose={onClose} keep={number !== ''}>
      <div className={styles['parts']}>
        {reads ? (
          <PhotoButton kind="main" icon="code" busy={busy} onPhoto={(file) => void read(file)}>
            {t('scanPhotograph')}
          </PhotoButton>
        ) : (
          <Note state="waiting" icon="info" title={t('scanCannot')}>
            {t('scanCannotBody')}
          </Note>
        )}
        <div role="status">{said !== null && <Answer said={said} />}</div>
        {error !== null && <Problem error={error} />}
        <form className={styles['form']} onSubmit={look}>
          <TextField label={t('scanNumber')} description={t('scanNumberHint')} value={number} onChange={setNumber} />
          <Button type="submit" icon="search" busy={busy}>
            {t('scanOpen')}
          </Button>
        </form>
        {found !== null && <Choice found={found} onOpen={open} />}
      </div>
    </Dialog>
  )
}

function Answer({ said }: { readonly said: Said }) {
  const { t } = useTranslation('phone')
  if (said === 'noCode') return <Note state="attention" title={t('scanNoCode')} children={t('scanNoCodeBody')} />
  if (said === 'noLabel') return <Note state="attention" title={t('scanNoLabel')} children={t('scanNoLabelBody')} />
  return (
    <Note state="attention" title={t('scanElsewhere', { host: said.host })}>
      {t('scanElsewhereBody')}
    </Note>
  )
}

interface Found extends Labelled {
  readonly title: string
  readonly number: string
}

/** Several have that number, as a case and an evidence may; or nothing has that this person can view. */
function Choice({ found, onOpen }: { readonly found: readonly Found[]; readonly onOpen: (item: Labelled) => void }) {
  const { t } = useTranslation('phone')
  if (found.length === 0) return <Note state="attention" title={t('scanNothing')} children={t('scanNothingBody')} />
  return (
    <ul className={styles['found']} aria-label={t('scanSeveral')}>
      {found.map((item) => (
        <li key={`${item.kind}-${item.id}`}>
          <Button icon={item.kind === 'case' ? 'cases' : 'evidence'} onPress={() => onOpen(item)}>
            <span className="truncated">
              <bdi>{visible(item.title)}</bdi> · <span className="id">{item.number}</span>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function useOpen(onClose: () => void): (item: Labelled) => void {
  const navigate = useNavigate()
  return ({ kind, id }) => {
    onClose()
    void (kind === 'case'
      ? navigate({ to: '/cases/$caseId', params: { caseId: id } })
      : navigate({ to: '/evidence/$evidenceId', params: { evidenceId: id } }))
  }
}

/** What has exactly this number, of that which the person can view. */
function useByNumber(): (number: string) => Promise<readonly Found[]> {
  const { tenant } = useSession()
  return async (number) => {
    const { Hits } = await call(contract.search, {
      params: { tenantId: tenant },
      body: { Query: number, Types: ['Case', 'Evidence'], Count: 20, Facets: false },
    })
    return Hits.flatMap(({ Exact, Type, Id, DisplayName, Number: own }) =>
      Exact
        ? [
            {
              kind: Type === 'Case' ? ('case' as const) : ('evidence' as const),
              id: Id,
              title: DisplayName,
              number: own ?? Id,
            },
          ]
        : [],
    )
  }
}
