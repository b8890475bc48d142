import { useState } from 'react'
import { Badge, Chip, Count, Tag } from '../../renderer/ui/badge/badge.tsx'
import { PhotoButton } from '../../renderer/ui/photo/photo-button.tsx'
import { Button, IconButton, LinkButton, TextButton, ToggleButton } from '../../renderer/ui/button/button.tsx'
import { EmptyState } from '../../renderer/ui/empty/empty.tsx'
import { Icon, type IconName } from '../../renderer/ui/icon/icon.tsx'
import { SHAPES } from '../../renderer/ui/icon/shapes.ts'
import { Kbd } from '../../renderer/ui/kbd/kbd.tsx'
import { Note } from '../../renderer/ui/note/note.tsx'
import { ProgressBar, Spinner } from '../../renderer/ui/progress/progress.tsx'
import { Segments } from '../../renderer/ui/segments/segments.tsx'
import { Skeleton } from '../../renderer/ui/skeleton/skeleton.tsx'
import { StateMark, StatePill, StateShape } from '../../renderer/ui/state/state.tsx'
import { Line, Section } from './section.tsx'
import styles from './parts.module.css'

const CLOSED = 'This case is closed. K. Sørensen can open it again.'

export function Controls() {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <States />
        <Buttons />
        <Section title="Segments, toggle">
          <Choices />
        </Section>
        <Section title="Badge, tag, count, key">
          <Line>
            <Badge>original</Badge>
            <Badge icon="lock">read-only</Badge>
            <Tag>burglary</Tag>
            <Tag onRemove={() => undefined}>entry</Tag>
            <Count>12,418</Count>
            <Count state="attention" label="needs somebody">
              3
            </Count>
            <Kbd>Ctrl K</Kbd>
          </Line>
        </Section>
        <Section title="Filters">
          <Line>
            <Chip label="Recorded" value="19 Nov 06:00 to 20 Nov 06:00" icon="filter" onClear={() => undefined} />
            <Chip label="Type" value="any" />
            <Chip label="Everything" value="31" on />
            <Chip label="Filter" icon="plus" add />
          </Line>
        </Section>
      </div>
      <div className={styles['column']}>
        <Progress />
        <Notes />
        <Section title="Nothing yet, not yet">
          <div className={styles['pair']}>
            <EmptyState
              title="No evidence in this case yet"
              action={
                <>
                  <Button kind="main" size="small" icon="upload">
                    Add files
                  </Button>
                  <Button size="small" icon="link">
                    Link evidence
                  </Button>
                </>
              }
            >
              Drop files anywhere, or link what the dock brought in. Recordings of assigned officers at this time link
              themselves.
            </EmptyState>
            <Skeleton />
          </div>
        </Section>
        <Section title="Icons" note={`${Object.keys(SHAPES).length} on one grid of 16`}>
          <ul className={styles['icons']}>
            {(Object.keys(SHAPES) as IconName[]).map((name) => (
              <li key={name} title={name}>
                <Icon name={name} label={name} />
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </div>
  )
}

function States() {
  return (
    <Section title="State marks" note="shape, word, colour, in that order">
      <Line>
        <StatePill state="ok">Verified</StatePill>
        <StatePill state="working">Checking</StatePill>
        <StatePill state="waiting">1 of 2</StatePill>
        <StatePill state="attention">Two cases fit</StatePill>
        <StatePill state="danger">Changed on disk</StatePill>
        <StatePill state="sealed">Protected</StatePill>
      </Line>
      <Line>
        <StateMark state="ok">Safe to take</StateMark>
        <StateMark state="working">Converting, 62 %</StateMark>
        <StateMark state="attention">No officer known</StateMark>
        <StateShape state="sealed" label="Protected" />
      </Line>
    </Section>
  )
}

function Buttons() {
  const [busy, setBusy] = useState(true)
  return (
    <Section title="Buttons" note="rest, hover, pressed, focus, not now, busy">
      <Line>
        <Button kind="main">Link</Button>
        <Button>Link</Button>
        <Button look="hover">Link</Button>
        <Button look="pressed">Link</Button>
        <Button look="focus">Link</Button>
        <Button why={CLOSED}>Link</Button>
      </Line>
      <Line>
        <Button icon="link" busy={busy} onPress={() => undefined}>
          Link 3
        </Button>
        <Button kind="main" busy={busy}>
          Save
        </Button>
        <Button kind="danger">Delete case</Button>
        <Button kind="quiet" onPress={() => setBusy(!busy)}>
          {busy ? 'Stop' : 'Work'}
        </Button>
        <TextButton>Check now</TextButton>
      </Line>
      <p className={styles['small']}>Not now: {CLOSED}</p>
      <Line>
        <IconButton label="Columns" icon="columns" kind="plain" />
        <IconButton label="More" icon="more" />
        <IconButton label="Share" icon="share" why={CLOSED} />
        <IconButton label="Copy" icon="copy" busy />
        <LinkButton href="#controls" icon="download" size="small">
          Download
        </LinkButton>
        <Button kind="main" size="large" icon="upload">
          Add evidence
        </Button>
      </Line>
    </Section>
  )
}

function Choices() {
  const [view, setView] = useState<'list' | 'grid'>('list')
  const [loop, setLoop] = useState(true)
  return (
    <Line>
      <Segments
        label="View"
        value={view}
        onChange={setView}
        segments={[
          { id: 'list', label: 'List', icon: 'list' },
          { id: 'grid', label: 'Grid', icon: 'grid' },
        ]}
      />
      <Segments
        label="View, icons"
        iconsOnly
        value={view}
        onChange={setView}
        segments={[
          { id: 'list', label: 'List', icon: 'list' },
          { id: 'grid', label: 'Grid', icon: 'grid' },
        ]}
      />
      <ToggleButton on={loop} onChange={setLoop} icon="loop" label="Loop the range" />
      <PhotoButton onPhoto={() => {}}>Photograph</PhotoButton>
      <ToggleButton on={!loop} onChange={(on) => setLoop(!on)} icon="sound">
        Sound
      </ToggleButton>
    </Line>
  )
}

function Progress() {
  return (
    <Section title="Progress" note="moves with data; a ring only where no number is">
      <div className={styles['stack']}>
        <ProgressBar label="Sending" value={62} />
        <ProgressBar label="Stored" value={100} state="ok" />
        <ProgressBar label="Paused" value={40} state="waiting" />
        <ProgressBar label="Stopped" value={81} state="attention" />
        <ProgressBar label="Not known how far" value={null} />
        <Spinner>Reading back</Spinner>
      </div>
    </Section>
  )
}

function Notes() {
  return (
    <Section title="Notes">
      <div className={styles['stack']}>
        <Note state="danger" title="One file changed on disk.">
          The copy on volume 2 still matches. Nobody can play the changed one. <a href="#controls">Look at it</a>
        </Note>
        <Note state="attention" title="Read-only since 03:50.">
          10.7 GB are left, the floor you set. Viewing goes on; new files wait on their cameras.
        </Note>
        <Note icon="unplug" title="The station cannot be reached." action={<Button size="small">Try again</Button>}>
          Trying again in 8 s. What you typed is kept in this window.
        </Note>
        <Note state="ok" title="Chain verified in front of you.">
          31 entries, 412,906 to 412,988, each hash recomputed just now.
        </Note>
        <Note
          state="sealed"
          icon="clock"
          title="As it was on 20 Nov 2026 03:30 CET."
          action={<Button size="small">Back to now</Button>}
        >
          Version 12 of 14, nothing can be changed here.
        </Note>
      </div>
    </Section>
  )
}
