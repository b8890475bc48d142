import { StateMark, type State } from '../../renderer/ui/state/state.tsx'
import { Section } from './section.tsx'
import styles from './parts.module.css'

const STATES: readonly (readonly [State, string, string])[] = [
  ['ok', 'Verified', 'stored, read back, in the ledger'],
  ['working', 'Copying', 'the station is busy, nothing to do'],
  ['waiting', 'Waiting', 'goes on by itself, or waits its turn'],
  ['attention', 'Two cases fit', 'a person must decide; nothing is at risk'],
  ['danger', 'Changed on disk', 'something is or may be lost'],
  ['sealed', 'Protected', 'by a person or a rule'],
]
const GROUNDS: readonly (readonly [string, string])[] = [
  ['app', 'behind everything'],
  ['surface', 'the sheet'],
  ['sunken', 'wells, table heads'],
  ['raised', 'menus, dialogs'],
  ['hover', 'under the pointer'],
  ['pressed', 'while pressed'],
  ['accent-soft', 'selected'],
  ['ink', 'the main button'],
  ['stage', 'pictures, every theme'],
]
const TYPE: readonly (readonly [string, string])[] = [
  ['t-28', 'Figures, 28'],
  ['t-20', 'Page title, 20'],
  ['t-16', 'Dialog title, 16'],
  ['t-14', 'Reading text, 14'],
  ['t-13', 'Working size, 13'],
  ['t-12', 'Second line, 12'],
  ['t-11', 'Axis and key caps, 11'],
]
const SPACES = ['s-1', 's-2', 's-3', 's-4', 's-5', 's-6', 's-8', 's-10', 's-12', 's-16']
const MOTION: readonly (readonly [string, string])[] = [
  ['m-1', 'press, hover: 80 ms'],
  ['m-2', 'menus, bars: 140 ms'],
  ['m-3', 'drawers, dialogs: 220 ms'],
]

/** The values of tokens.css with what they mean. */
export function Tokens() {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <Section title="Colour with meaning" note="word, ground, edge, fill">
          <ul className={styles['swatches']}>
            {STATES.map(([state, word, meaning]) => (
              <li key={state} className={styles['swatchLine']}>
                <span className={styles['stateName']}>
                  <StateMark state={state}>{word}</StateMark>
                </span>
                {['soft', 'line', 'solid'].map((kind) => (
                  <span key={kind} className={styles['swatch']} style={{ background: `var(--${state}-${kind})` }} />
                ))}
                <span className={styles['small']}>{meaning}</span>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Grounds, ink">
          <ul className={styles['swatches']}>
            {GROUNDS.map(([name, meaning]) => (
              <li key={name} className={styles['swatchLine']}>
                <span className={styles['swatch']} style={{ background: `var(--${name})` }} />
                <code className={styles['code']}>--{name}</code>
                <span className={styles['small']}>{meaning}</span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
      <div className={styles['column']}>
        <Section title="Type" note="Inter for what is said, JetBrains Mono for what is compared">
          {TYPE.map(([name, words]) => (
            <p key={name} className={styles['sample']} style={{ font: `var(--w-text) var(--${name}) var(--font)` }}>
              {words}
            </p>
          ))}
          <p className="mono">9f3c 41d8 … e07a 5b12</p>
        </Section>
        <Section title="Space" note="a grid of 4">
          <ul className={styles['swatches']}>
            {SPACES.map((name) => (
              <li key={name} className={styles['swatchLine']}>
                <span className={styles['space']} style={{ inlineSize: `var(--${name})` }} />
                <code className={styles['code']}>--{name}</code>
              </li>
            ))}
          </ul>
        </Section>
        <Section title="Motion" note="only to show where something came from; none when reduced">
          <ul className={styles['swatches']}>
            {MOTION.map(([name, words]) => (
              <li key={name} className={styles['swatchLine']} tabIndex={-1}>
                <span className={styles['mover']} style={{ transitionDuration: `var(--${name})` }} />
                <span className={styles['small']}>{words}</span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </div>
  )
}
