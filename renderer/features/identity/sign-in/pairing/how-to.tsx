import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { Badge } from '../../../../ui/badge/badge.tsx'
import { CopyButton } from '../../../../ui/hash/copy-button.tsx'
import { Icon } from '../../../../ui/icon/icon.tsx'
import styles from './pairing.module.css'
import { type Here, inOrder, type System } from './systems.ts'

/** As the station names the download. */
const FILE = 'sallyport-ca.crt'
const DOWNLOADED = `~/Downloads/${FILE}`

type Step = `${'windows' | 'macos' | 'chrome' | 'firefox' | 'ios' | 'android'}${1 | 2 | 3}` | 'linux1' | 'linux2'
type Word = Step | `${'windows' | 'macos' | 'linux'}Check` | `${'windows' | 'macos' | 'chrome'}Many`

interface How {
  readonly name: System
  readonly browsers: `${System}Browsers`
  /** What computes the fingerprint of the download; absent where the system itself shows it. */
  readonly check?: readonly [Word, string]
  readonly steps: readonly (Step | readonly [Step, string])[]
  readonly many?: readonly [Word, string]
}

const HOW: Readonly<Record<System, How>> = {
  windows: {
    name: 'windows',
    browsers: 'windowsBrowsers',
    check: ['windowsCheck', `certutil -hashfile ${FILE} SHA256`],
    steps: ['windows1', 'windows2', 'windows3'],
    many: ['windowsMany', `certutil -addstore -f Root ${FILE}`],
  },
  macos: {
    name: 'macos',
    browsers: 'macosBrowsers',
    check: ['macosCheck', `shasum -a 256 ${DOWNLOADED}`],
    steps: ['macos1', 'macos2', 'macos3'],
    many: [
      'macosMany',
      `sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ${DOWNLOADED}`,
    ],
  },
  linux: {
    name: 'linux',
    browsers: 'linuxBrowsers',
    check: ['linuxCheck', `sha256sum ${DOWNLOADED}`],
    steps: [
      [
        'linux1',
        `sudo openssl x509 -in ${DOWNLOADED} -inform der -out /usr/local/share/ca-certificates/sallyport.crt && sudo update-ca-certificates`,
      ],
      ['linux2', `sudo trust anchor ${DOWNLOADED}`],
    ],
  },
  chrome: {
    name: 'chrome',
    browsers: 'chromeBrowsers',
    check: ['linuxCheck', `sha256sum ${DOWNLOADED}`],
    steps: ['chrome1', 'chrome2', 'chrome3'],
    many: ['chromeMany', `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n sallyport -i ${DOWNLOADED}`],
  },
  firefox: { name: 'firefox', browsers: 'firefoxBrowsers', steps: ['firefox1', 'firefox2', 'firefox3'] },
  ios: { name: 'ios', browsers: 'iosBrowsers', steps: ['ios1', 'ios2', 'ios3'] },
  android: { name: 'android', browsers: 'androidBrowsers', steps: ['android1', 'android2', 'android3'] },
}

/** How each system learns to trust the CA; one's own stands first and open. */
export function HowTo({ here, name }: { readonly here: Here; readonly name: string }) {
  const { t } = useTranslation('pairing')
  return (
    <div className={styles['systems']}>
      {inOrder(here).map((system) => {
        const own = system === here.system ? t('yours') : system === here.browser ? t('yourBrowser') : null
        return <OneSystem key={system} how={HOW[system]} own={own} name={name} />
      })}
    </div>
  )
}

interface OneProps {
  readonly how: How
  /** Why it is open: where one sits. */
  readonly own: string | null
  readonly name: string
}

function OneSystem({ how, own, name }: OneProps) {
  const { t } = useTranslation('pairing')
  const box = useRef<HTMLDetailsElement>(null)
  // Open from the start, and from then on as its reader has it.
  useEffect(() => {
    if (own !== null && box.current !== null) box.current.open = true
  }, [own])
  const said = (word: Word): ReactNode => <Rich text={t(word, { file: `*${FILE}*`, name: `*${name}*` })} />
  return (
    <details ref={box} className={styles['system']}>
      <summary className={styles['summary']}>
        <Icon name="chevron-right" size="small" className={styles['chevron']} />
        <h3 className={styles['systemName']}>{t(how.name)}</h3>
        {own !== null && <Badge>{own}</Badge>}
      </summary>
      <div className={styles['how']}>
        <p className={styles['words']}>{t(how.browsers)}</p>
        {how.check !== undefined && <Command text={said(how.check[0])} command={how.check[1]} />}
        <ol className={styles['doing']}>
          {how.steps.map((step) =>
            typeof step === 'string' ? (
              <li key={step}>{said(step)}</li>
            ) : (
              <li key={step[0]}>
                <Command text={said(step[0])} command={step[1]} />
              </li>
            ),
          )}
        </ol>
        {how.many !== undefined && <Command text={said(how.many[0])} command={how.many[1]} />}
      </div>
    </details>
  )
}

function Command({ text, command }: { readonly text: ReactNode; readonly command: string }) {
  const { t } = useTranslation('pairing')
  const { t: ui } = useTranslation('ui')
  return (
    <div className={styles['commandBox']}>
      <p>{text}</p>
      <div className={styles['commandLine']}>
        <code className={styles['command']} translate="no">
          {command}
        </code>
        <span data-tools>
          <CopyButton text={command} label={ui('copyHash', { name: t('copyCommand') })} />
        </span>
      </div>
    </div>
  )
}

/** What stands in a menu is written between stars. */
function Rich({ text }: { readonly text: string }) {
  return text.split('*').map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence's parts have no other name
    at % 2 === 1 ? <b key={at}>{part}</b> : part,
  )
}
