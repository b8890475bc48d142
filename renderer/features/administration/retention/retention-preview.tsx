import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/retention/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { Part } from '../editing/panel.tsx'
import { Problem } from '../problem.tsx'
import type { Words } from '../labels.ts'
import styles from './retention.module.css'

export type Supposition = z.input<typeof contract.previewRetention.body>
type Preview = z.output<typeof contract.RetentionPreview>

/** Typing comes to rest before the station is asked. */
const REST = 400

/** What saving would do, before it is saved: how much, what of it is in open cases, what is protected. */
export function RetentionChange({ supposition }: { readonly supposition: Supposition }) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const format = useFormat()
  const asked = useRested(JSON.stringify(supposition))
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['administration', 'retention', tenant, asked],
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: ({ signal }) =>
      call(contract.previewRetention, {
        params: { tenantName: tenant },
        body: JSON.parse(asked) as Supposition,
        signal,
      }),
  })
  return (
    <Part title={t('changeWould')}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <p className="muted">{t('changeLooking')}</p>}
      {error === null && data !== undefined && <Told preview={data} busy={isFetching} {...{ t, format }} />}
    </Part>
  )
}

interface ToldProps {
  readonly preview: Preview
  readonly busy: boolean
  readonly t: Words
  readonly format: Format
}

function Told({ preview, busy, t, format }: ToldProps) {
  const amount = ({ Files, Bytes }: Preview['Concerned']): string =>
    `${t('changeFiles', { count: Files, shown: format.count(Files) })}${Files === 0 ? '' : ` · ${format.bytes(Bytes)}`}`
  const rows = [
    ['changeConcerned', preview.Concerned],
    ['changeDue', preview.BecomeDue],
    ['changeSooner', preview.Sooner],
    ['changeLater', preview.Later],
    ['changeOpen', preview.OpenCases],
    ['changeProtected', preview.Protected],
  ] as const
  return (
    <>
      {preview.BecomeDue.Files > 0 && (
        <Note state="attention" title={t('changeDueNote', { amount: amount(preview.BecomeDue) })}>
          {t('changeDueBody')}
        </Note>
      )}
      <dl className={styles['told']} aria-live="polite" aria-busy={busy}>
        {rows.map(([words, part]) => (
          <div key={words}>
            <dt>{t(words)}</dt>
            <dd>{amount(part)}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        {preview.Complete ? '' : `${t('changeIncomplete')} `}
        {t('changeTime', { time: format.timeOfDay(preview.TimeUtc) })}
      </p>
    </>
  )
}

function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
