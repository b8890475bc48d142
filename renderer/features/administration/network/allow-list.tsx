import { useState } from 'react'
import { LONGEST_NETWORK } from '../../../../shared/network/contract.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Badge } from '../../../ui/badge/badge.tsx'
import { Button, IconButton } from '../../../ui/button/button.tsx'
import { Section } from '../../../ui/layout/overview.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Note } from '../../../ui/note/note.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { isHere, type Lan, type Moving } from './queries.ts'
import styles from './network.module.css'
import { addressText, holds, isPublic, networkOf, sameNetwork } from './networks.ts'

interface Props {
  readonly lan: Lan
  readonly hosts: readonly Moving[] | null
}

/** Who may come; one's own network is marked, so that nobody takes it off without knowing. */
export function AllowList({ lan, hosts }: Props) {
  const { t } = useTranslation('network')
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const own = hosts?.find(isHere)?.Address
  const every = lan.AllowList.length === 0
  return (
    <Section
      title={t('networks')}
      lead={t('networksLead')}
      act={
        <Button size="small" icon="plus" onPress={() => setAdding(true)}>
          {t('networkAdd')}
        </Button>
      }
    >
      {every && (
        <p className={styles['nothing']}>
          <strong>{t('networksAll')}</strong> {t('networksAllBody')}
        </p>
      )}
      <ul className={styles['rows']} aria-label={t('networks')}>
        {lan.AllowedNetworks.map((network) => (
          <li key={network} className={styles['row']}>
            <Networked network={network} stations={lan.Addresses} own={own} />
            {!every && (
              <IconButton
                label={t('networkRemove', { network })}
                icon="x"
                size="small"
                onPress={() => setRemoving(network)}
              />
            )}
          </li>
        ))}
      </ul>
      <TurnedAway lan={lan} />
      {adding && <AddNetwork lan={lan} onClose={() => setAdding(false)} />}
      {removing !== null && (
        <ChangeDialog
          title={t('networkRemoveTitle', { network: removing })}
          lead={lan.AllowList.length === 1 ? t('networkRemoveLast') : t('networkRemoveLead')}
          act={t('networkRemoveDo')}
          failed={t('networkNotChanged')}
          danger
          change={{ AllowList: lan.AllowList.filter((network) => network !== removing) }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Section>
  )
}

interface NetworkedProps {
  readonly network: string
  readonly stations: readonly string[]
  /** Where this browser is; unknown at the station itself. */
  readonly own: string | undefined
}

function Networked({ network, stations, own }: NetworkedProps) {
  const { t } = useTranslation('network')
  return (
    <span className={styles['network']}>
      <bdi className={styles['strong']}>{network}</bdi>
      <Extent network={network} />
      {own !== undefined && holds(network, own) && <Badge>{t('networkYours')}</Badge>}
      {stations.some((address) => holds(network, address)) && <Badge>{t('networkStation')}</Badge>}
    </span>
  )
}

/** From where to where; of the newer family the amount says nothing to anybody. */
function Extent({ network }: { readonly network: string }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const parsed = networkOf(network)
  if (parsed === null || parsed.first === parsed.last) return null
  const [first, last] = addressText(parsed)
  const amount = Number(parsed.last - parsed.first + 1n)
  return (
    <span className={styles['second']}>
      {t('networkRange', { first, last })}
      {parsed.family === 4 && ` · ${t('networkSize', { count: amount, shown: format.count(amount) })}`}
    </span>
  )
}

function TurnedAway({ lan: { Refused } }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const { Connections, LastAddress, LastTimeUtc } = Refused
  if (Connections === 0 || LastAddress === null || LastTimeUtc === null) return null
  return (
    <p className={styles['second']}>
      {t('turnedAway', { count: Connections, address: LastAddress, when: format.timeOrDay(LastTimeUtc) })}
    </p>
  )
}

function AddNetwork({ lan, onClose }: { readonly lan: Lan; readonly onClose: () => void }) {
  const { t } = useTranslation('network')
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const network = typed.trim()
  const known = networkOf(network) !== null
  const there = lan.AllowList.some((one) => sameNetwork(one, network))
  const wrong = !known ? 'networkWrong' : there ? 'networkThere' : null
  return (
    <ChangeDialog
      title={t('networkAddTitle')}
      lead={t(lan.AllowList.length === 0 ? 'networkAddFirst' : 'networkAddLead')}
      act={t('networkAddDo')}
      failed={t('networkNotChanged')}
      change={{ AllowList: [...lan.AllowList, network] }}
      check={() => {
        setTried(true)
        return wrong === null
      }}
      onClose={onClose}
    >
      <TextField
        label={t('networkField')}
        description={known ? <Extent network={network} /> : t('networkHow')}
        value={typed}
        onChange={setTyped}
        maxLength={LONGEST_NETWORK}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        required
        {...(tried && wrong !== null ? { error: t(wrong) } : {})}
      />
      {known && isPublic(network) && (
        <Note state="attention" title={t('networkPublicTitle')}>
          {t('networkPublicBody')}
        </Note>
      )}
    </ChangeDialog>
  )
}
