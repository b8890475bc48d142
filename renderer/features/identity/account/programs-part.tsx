import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/own-access.contract.ts'
import { call } from '../../../client/api.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'
import { Act } from './act.tsx'
import { Part } from './part.tsx'

const PROGRAMS = ['account', 'programs'] as const

/** The programs that work in one's name, and the way to end that. */
export function ProgramsPart() {
  const { t } = useTranslation('account')
  const format = useFormat()
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: PROGRAMS,
    queryFn: ({ signal }) => call(contract.listAllowedPrograms, { signal }),
  })
  const ended = async (name: string): Promise<void> => {
    toasts.show({ text: t('programEnded', { name }) })
    await queries.invalidateQueries({ queryKey: PROGRAMS })
  }
  const at = (utc: string): string => format.instant(utc, { precision: 'minute' })
  return (
    <Part title={t('programsTitle')}>
      <p className={styles['words']}>{t(data?.length === 0 ? 'programsNone' : 'programsWhat')}</p>
      {error !== null && (
        <Note state="attention" title={t('refused')}>
          {error.message}
        </Note>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles['lines']} aria-label={t('programsTitle')}>
          {data.map(({ AuthorizationId, Client, GivenUtc, LastUsedUtc }) => (
            <li key={AuthorizationId} className={styles['line']}>
              <span className={styles['two']}>
                <bdi id={`program-${AuthorizationId}`} className="strong">
                  {Client.Name}
                </bdi>
                <span className={styles['second']}>
                  {t('programTimes', { given: at(GivenUtc), used: at(LastUsedUtc) })}
                </span>
              </span>
              <Act
                label={t('programEnd')}
                about={`program-${AuthorizationId}`}
                onAct={() =>
                  call(contract.endAllowedProgram, { params: { authorizationId: AuthorizationId } }).then(() =>
                    ended(Client.Name),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
