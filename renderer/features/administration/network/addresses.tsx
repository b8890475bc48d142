import { type ReactNode, useState } from 'react'
import { isPort } from '../../../../shared/network/contract.ts'
import { isHostName, LONGEST_HOST_NAME } from '../../../../shared/network/host-names.ts'
import { ConnectionReason } from '../../../client/connection-reasons.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button, IconButton, TextButton } from '../../../ui/button/button.tsx'
import { Section } from '../../../ui/layout/overview.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { CopyButton } from '../../../ui/hash/copy-button.tsx'
import { type State, StateMark } from '../../../ui/state/state.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import type { Lan } from './queries.ts'
import styles from './network.module.css'

type Doing = { readonly what: 'add' | 'port' } | { readonly what: 'remove'; readonly name: string }

/** Where others find the station, and under which names. */
export function Addresses({ lan }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  const [doing, setDoing] = useState<Doing | null>(null)
  const close = (): void => setDoing(null)
  return (
    <Section
      title={t('addresses')}
      lead={t('addressesLead')}
      act={
        <Button size="small" icon="plus" onPress={() => setDoing({ what: 'add' })}>
          {t('nameAdd')}
        </Button>
      }
    >
      {lan.Origins.length === 0 ? (
        <p className={styles['nothing']}>{t('addressesOff')}</p>
      ) : (
        <Origins origins={lan.Origins} />
      )}
      <dl className={styles['pairs']}>
        <Pair label={t('machineName')}>
          <bdi>{lan.MachineName}</bdi>
        </Pair>
        <Pair label={t('localName')}>
          <bdi>{lan.LocalName}</bdi>
        </Pair>
        <Pair label={t('furtherNames')}>
          {lan.Names.length === 0 ? (
            t('furtherNamesNone')
          ) : (
            <ul className={styles['chips']}>
              {lan.Names.map((name) => (
                <li key={name} className={styles['chip']}>
                  <bdi>{name}</bdi>
                  <IconButton
                    label={t('nameRemove', { name })}
                    icon="x"
                    size="small"
                    onPress={() => setDoing({ what: 'remove', name })}
                  />
                </li>
              ))}
            </ul>
          )}
        </Pair>
        <Pair label={t('port')}>
          <span className={styles['withAct']}>
            {lan.Port}
            <TextButton onPress={() => setDoing({ what: 'port' })}>{t('portChange')}</TextButton>
          </span>
        </Pair>
        <Pair label={t('mdns')}>
          <Announced lan={lan} />
        </Pair>
      </dl>
      {doing?.what === 'add' && <AddName lan={lan} onClose={close} />}
      {doing?.what === 'port' && <ChangePort lan={lan} onClose={close} />}
      {doing?.what === 'remove' && (
        <ChangeDialog
          title={t('nameRemoveTitle', { name: doing.name })}
          lead={t('nameRemoveLead')}
          act={t('nameRemoveDo')}
          failed={t('nameNotChanged')}
          danger
          change={{ Names: lan.Names.filter((name) => name !== doing.name) }}
          onClose={close}
        />
      )}
    </Section>
  )
}

/** As they are typed; also on the page from which others are paired. */
export function Origins({ origins }: { readonly origins: readonly string[] }) {
  const { t } = useTranslation('network')
  return (
    <ul className={styles['origins']} aria-label={t('addresses')}>
      {origins.map((origin) => (
        <li key={origin} className={styles['origin']}>
          <bdi>{origin}</bdi>
          <CopyButton text={origin} label={t('copyAddress', { address: origin })} />
        </li>
      ))}
    </ul>
  )
}

export function Pair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles['pair']}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const ANNOUNCED = {
  announced: ['ok', 'mdnsAnnounced'],
  off: ['waiting', 'mdnsOff'],
  failed: ['attention', 'mdnsFailed'],
} as const satisfies Readonly<Record<Lan['Announced']['State'], readonly [State, string]>>

function Announced({ lan: { Announced: mdns } }: { readonly lan: Lan }) {
  const { t } = useTranslation('network')
  const [state, word] = ANNOUNCED[mdns.State]
  return (
    <span className={styles['stack']}>
      <span className={styles['withAct']}>
        <StateMark state={state}>{t(word)}</StateMark>
        {mdns.State === 'announced' && <bdi className={styles['second']}>{mdns.Service}</bdi>}
      </span>
      {mdns.State === 'failed' && (
        <span className={styles['second']}>
          <ConnectionReason text={mdns.Problem ?? ''} /> {t('mdnsFailedBody')}
        </span>
      )}
    </span>
  )
}

function AddName({ lan, onClose }: { readonly lan: Lan; readonly onClose: () => void }) {
  const { t } = useTranslation('network')
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const name = typed.trim().toLowerCase()
  const there = [lan.MachineName, lan.LocalName, ...lan.Names].some((one) => one.toLowerCase() === name)
  const wrong = !isHostName(name) ? 'nameWrong' : there ? 'nameThere' : null
  return (
    <ChangeDialog
      title={t('nameAddTitle')}
      lead={t('nameAddLead')}
      act={t('nameAddDo')}
      failed={t('nameNotChanged')}
      change={{ Names: [...lan.Names, name] }}
      check={() => {
        setTried(true)
        return wrong === null
      }}
      onClose={onClose}
    >
      <TextField
        label={t('nameField')}
        description={t('nameHow')}
        value={typed}
        onChange={setTyped}
        maxLength={LONGEST_HOST_NAME}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        required
        {...(tried && wrong !== null ? { error: t(wrong) } : {})}
      />
    </ChangeDialog>
  )
}

function ChangePort({ lan, onClose }: { readonly lan: Lan; readonly onClose: () => void }) {
  const { t } = useTranslation('network')
  const [typed, setTyped] = useState(String(lan.Port))
  const [tried, setTried] = useState(false)
  const port = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN
  const good = isPort(port)
  return (
    <ChangeDialog
      title={t('portTitle')}
      lead={t('portLead')}
      act={t('portDo')}
      failed={t('portFailed')}
      change={good ? { Port: port } : {}}
      check={() => {
        setTried(true)
        return good
      }}
      onDone={({ Port }) => {
        // Whoever works over the network is at an address that is gone now.
        if (window.location.protocol === 'https:' && window.location.port === String(lan.Port))
          window.location.port = String(Port)
      }}
      onClose={onClose}
    >
      <TextField
        label={t('portField')}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        autoFocus
        required
        {...(tried && !good ? { error: t('portWrong') } : {})}
      />
    </ChangeDialog>
  )
}
